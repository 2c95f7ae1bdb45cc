package zing

import (
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
)

// TestMutants deletes, repeats, swaps and replaces tokens of models: each mutant is loaded, or has
// errors that stand in its text.
func TestMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	loaded, syntax, types := 0, 0, 0
	for _, m := range models(t) {
		words := wordsOf(m)
		for range testkit.Count(40, 20_000) {
			text := mutant(r, words)
			files := []*source.File{source.NewFile("mutant.zing", []byte(text))}
			p, err := Parse(files)
			if err != nil {
				syntax++
				inText(t, files[0], err)
				continue
			}
			roundTrip(t, p)
			if _, err := Check(p); err != nil {
				types++
				inText(t, files[0], err)
				continue
			}
			loaded++
			sane(t, p)
		}
	}
	t.Logf("%d loaded, %d with errors of syntax, %d with other errors", loaded, syntax, types)
	if loaded < 20 || syntax < 20 || types < 20 {
		t.Error("the mutants are all alike")
	}
}

// inText checks that each error has a place in a file.
func inText(t *testing.T, f *source.File, err error) {
	t.Helper()
	rendered(t, err)
	for _, d := range err.(source.List) {
		if d.Severity == source.Error && (f.Offset(d.Pos) < 0 || d.Quote != f.Line(d.Pos.Line)) {
			t.Errorf("no place in the text: %v", d)
		}
	}
}

// word is a token as it is written.
type word struct {
	text string
	kind tokenKind
}

func wordsOf(m model) (words []word) {
	p := newParser(m.file)
	for p.advance(); p.tok.kind != tokEOF; p.advance() {
		words = append(words, word{string(p.lex.text[p.tok.off:p.tok.end]), p.tok.kind})
	}
	return words
}

// mutant changes one or two tokens; mostly, a token takes the place of another one of its kind.
func mutant(r *rand.Rand, words []word) string {
	list := append([]word{}, words...)
	for range 1 + r.IntN(2) {
		i, j := r.IntN(len(list)), r.IntN(len(list))
		switch r.IntN(8) {
		case 0:
			list[i].text = ""
		case 1:
			list[i].text += " " + list[i].text
		case 2:
			list[i], list[j] = list[j], list[i]
		default:
			for list[i].kind != list[j].kind {
				j = r.IntN(len(list))
			}
			list[i] = list[j]
		}
	}
	var b strings.Builder
	for _, w := range list {
		b.WriteString(w.text + " ")
	}
	return b.String()
}

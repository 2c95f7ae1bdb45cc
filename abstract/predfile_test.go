package abstract

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/source"
)

func TestParsePredicates(t *testing.T) {
	const text = `# a comment, with a ' and a ,
global:
    locked == 1, count >= 0 // the last, comma: here ends nothing
    /* f: */ ,
    c == ',' || c == '\'' || f[1, 2] == (3, 4)
inc:
    x == 'x, \result == 'x
        + 1
empty:
driver.c::start:
    ok
struct 	dev : # with blanks
    state == 2, parent->count == n
union /* u */ u:
structure:
    a
`
	want := []string{
		`3:5 "" locked == 1`,
		`3:18 "" count >= 0`,
		`5:5 "" c == ',' || c == '\'' || f[1, 2] == (3, 4)`,
		`7:5 "inc" x == 'x`,
		`7:14 "inc" \result == 'x + 1`,
		`9:1 "empty" 1`,
		`11:5 "driver.c::start" ok`,
		`13:5 "struct dev" state == 2`,
		`13:17 "struct dev" parent->count == n`,
		`14:1 "union u" 1`,
		`16:5 "structure" a`,
	}
	got, err := ParsePredicates(source.NewFile("p", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got {
		line := fmt.Sprintf("%d:%d %q %s", p.Pos.Line, p.Pos.Col, p.Scope, strings.Join(strings.Fields(p.Text), " "))
		if i >= len(want) || line != want[i] {
			t.Errorf("predicate %d is %s", i, line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d predicates, want %d", len(got), len(want))
	}
}

// FuzzParsePredicates: no input makes the parser panic, and what it finds stands in
// the text where it says.
func FuzzParsePredicates(f *testing.F) {
	for _, s := range []string{"", "global:\n x == 'x", "f:\n a, (b, c)\n", "f:\n '\\'", "a:\n/*", "f:\n x,,y", "struct s:\n x", "union\tu :\n a, b.c\nstruct:\n d", "f:\n\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		file := source.NewFile("p", []byte(s))
		texts, err := ParsePredicates(file)
		if err != nil {
			if len(err.Error()) == 0 {
				t.Error("an error without a word")
			}
			return
		}
		for _, p := range texts {
			line := file.Line(p.Pos.Line)
			first, _, _ := strings.Cut(p.Text, "\n")
			if !p.Empty && p.Pos.Col > len(line) || p.Text == "" || len(first) > len(s) {
				t.Errorf("%q at %v of %q", p.Text, p.Pos, s)
			}
		}
	})
}

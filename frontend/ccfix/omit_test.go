package ccfix

import (
	"testing"

	"modernc.org/cc/v4"

	"c2bp/source"
)

// TestBracesOfMacros: of two pairs of braces that one macro has at file scope none has a place of its own.
func TestBracesOfMacros(t *testing.T) {
	const text = `#define BOTH struct both { int n; }; static int two(void) { return 2; }
BOTH
static int one(void) { if (0) { } return 1; }
int x[] = { 1, 2 };
`
	cfg, err := New().config()
	if err != nil {
		t.Fatal(err)
	}
	p, err := newCCParser(cfg, newFileSet(), []cc.Source{{Name: "in.c", Value: text}})
	if err != nil || !preprocess(p) {
		t.Fatal("the text is wrong", err)
	}
	var tokens []ccToken
	for _, tok := range p.toks {
		tokens = append(tokens, ccToken{Token: tok})
	}
	pairs := bracesIn(tokens)
	for _, c := range []struct {
		line, col int
		unique    bool
	}{{2, 1, false}, {3, 22, true}, {4, 11, true}} {
		if pair, ok := pairs[source.Pos{File: "in.c", Line: c.line, Col: c.col}]; !ok || (pair != nil) != c.unique {
			t.Errorf("line %d: %v", c.line, pair)
		}
	}
	if len(pairs) != 3 {
		t.Errorf("%d places: %v", len(pairs), pairs)
	}
}

// TestFewerTokens: in a text that goes on, bodies that nothing reaches are left out, those that the end mentions are not.
func TestFewerTokens(t *testing.T) {
	const header = "static int f(int x) { return x + 1; }\nstatic int g(int x) { return f(x); }\nstatic int h(int x) { return x; }\n"
	file := source.NewFile("in.c", []byte("# 1 \"in.c\"\n# 1 \"head.h\"\n"+header+"# 4 \"in.c\"\nint x;\n"))
	m := new(Memory)
	p := New()
	p.Memory = m
	if _, err := p.Parse(t.Context(), file, Options{Language: LanguagePreprocessed}); err != nil {
		t.Fatal(err)
	}
	for tail, want := range map[string]int{"": 5 + 6 + 3, "g": 3, "f": 6 + 3, "h g": 0} {
		list, omitted := m.kept.bodies.omit(m.kept.tokens, []cc.Token{word(t, tail)})
		if n := len(m.kept.tokens) - len(list); n != want {
			t.Errorf("%q: %d tokens of %d bodies were left out, want %d", tail, n, len(omitted), want)
		}
	}
}

// word returns a token with a text.
func word(t *testing.T, text string) (tok cc.Token) {
	cfg, err := New().config()
	if err != nil {
		t.Fatal(err)
	}
	p, err := newCCParser(cfg, newFileSet(), []cc.Source{{Name: "in.c", Value: "\"" + text + "\""}})
	if err != nil || !preprocess(p) {
		t.Fatal("the text is wrong", err)
	}
	return p.toks[0]
}

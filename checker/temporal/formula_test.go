package temporal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a", "a"},
		{"{a}", "{a}"},
		{"!a&b", "!a & b"},
		{"G(a->F b)", "G (a -> F b)"},
		{"GF a", "G F a"},
		{"XXX a", "X X X a"},
		{"a U b U c", "a U b U c"},
		{"(a U b) U c", "(a U b) U c"},
		{"a U b & c | d -> e <-> f", "a U b & c | d -> e <-> f"},
		{"a -> b -> c", "a -> b -> c"},
		{"(a -> b) -> c", "(a -> b) -> c"},
		{"a & (b & c)", "a & b & c"},
		{"a & (b | c)", "a & (b | c)"},
		{"(a <-> b) <-> c", "(a <-> b) <-> c"},
		{"a W (b R c)", "a W b R c"},
		{"!(a U b)", "!(a U b)"},
		{"X(a & b) U c", "X (a & b) U c"},
		{"a && b || true", "a & b | true"},
		{"!{a}U{b}", "!{a} U {b}"},
		{"\tG\n!a ", "G !a"},
		{"((((a))))", "a"},
		{"false R a", "false R a"},
	} {
		f, err := parseTest(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if f.String() != c.want {
			t.Errorf("%s: printed as %s, want %s", c.text, f, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1:1: error: unexpected the end of the formula; expected a formula`},
		{"a &", `1:4: error: unexpected the end of the formula; expected a formula`},
		{"a b", `1:3: error: unexpected "b"; expected an operator or the end of the formula`},
		{"(a | b", `1:1: error: "(" is not closed`},
		{"(a b)", `1:4: error: unexpected "b"; expected an operator or ")"`},
		{"a)", `1:2: error: ")" without "("`},
		{"()", `1:2: error: unexpected ")"; expected a formula`},
		{"U a", `1:1: error: "U" needs a formula on its left`},
		{"G -> a", `1:3: error: "->" needs a formula on its left`},
		{"a U", `1:4: error: unexpected the end of the formula`},
		{"G {a", `1:3: error: "{" is not closed; expected "}" at the end of the atom`},
		{"G a}", `1:4: error: "}" without "{"`},
		{"a < b", `1:3: error: unexpected "<"; expected "->" or "<->"`},
		{"a - b", `1:3: error: unexpected "-"; expected "->" or "<->"`},
		{"a = b", `1:3: error: unexpected "="; expected "->" or "<->"`},
		{"G $", `1:3: error: unexpected "$"; expected an atom`},
		{"a & @ ", `1:6: error: expected the name of a label after "@"`},
		{"a &\n  G abc", `2:5: error: unknown atom "abc"`},
		{"G G", `1:4: error: unexpected the end of the formula`},
		{strings.Repeat("!", 1001) + "a", `1:1001: error: more than 1000 operators`},
	} {
		f, err := parseTest(c.text)
		if err == nil {
			t.Errorf("%s: parsed as %s", c.text, f)
		} else if !strings.HasPrefix(err.Error(), "formula:"+c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	// Errors quote the line with a caret.
	_, err := parseTest("a &\n  G abc")
	if want := "formula:2:5: error: unknown atom \"abc\"\n      G abc\n        ^"; err.Error() != want {
		t.Errorf("%s\nwant\n%s", err, want)
	}
}

// More atoms than a letter has bits are an error.
func TestTooManyAtoms(t *testing.T) {
	var n Numbering
	parse := func(atoms int) error {
		var b strings.Builder
		for i := range atoms {
			b.WriteString("@l" + strings.Repeat("x", i) + " & ")
		}
		_, err := Parse(source.NewFile("formula", []byte(b.String()+"@lx")), func(a AtomText) (int, error) { return n.Number(a.Text, a) })
		return err
	}
	if err := parse(MaxAtoms); err != nil {
		t.Error(err)
	}
	if err := parse(MaxAtoms + 1); err == nil || !strings.Contains(err.Error(), "more than 64 different atoms") {
		t.Error(err)
	}
}

// Printed formulas are read back; normal forms and their negations mean the same, on random words.
func TestNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range testkit.Count(10000, 300000) {
		f := randomFormula(rng, 1+rng.IntN(12), 3)
		again, err := parseTest(f.String())
		if err != nil || again.String() != f.String() {
			t.Fatalf("%s is read as %s: %v", f, again, err)
		}
		yes, no := f.Normal(false), f.Normal(true)
		stem, loop := randomWord(rng, 3)
		want := f.Holds(stem, loop)
		if again.Holds(stem, loop) != want || yes.Holds(stem, loop) != want || no.Holds(stem, loop) == want {
			t.Fatalf("%s on %v %v: %v, normal forms %s and %s", f, stem, loop, want, yes, no)
		}
		checkNormal(t, yes)
	}
}

// checkNormal fails unless negations stand at atoms, and only operators of normal forms occur.
func checkNormal(t *testing.T, f *Formula) {
	switch {
	case f == nil:
		return
	case f.Op == Not && f.X.Op != Atom, f.Op == Implies, f.Op == Iff, f.Op == Weak:
		t.Fatalf("%s in a normal form", f)
	}
	checkNormal(t, f.X)
	checkNormal(t, f.Y)
}

func TestSimplify(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a & true", "a"}, {"a & !a", "false"}, {"a | !a", "true"}, {"F F a", "F a"}, {"G G a", "G a"}, {"F G F a", "G F a"}, {"G F G a", "F G a"},
		{"X true", "true"}, {"X G F a", "G F a"}, {"a U F b", "F b"}, {"a U (a U b)", "a U b"}, {"X a U X b", "X (a U b)"}, {"F (a U b)", "F b"},
		{"!(a U b)", "!a R !b"}, {"!F a", "G !a"}, {"a W b", "b R (b | a)"}, {"!(a -> b)", "a & !b"}, {"F (a | b)", "F a | F b"}, {"G (a & b)", "G a & G b"},
		{"F X a", "X F a"}, {"false U a", "a"}, {"true R a", "a"}, {"a <-> a", "true"},
	} {
		if got := mustParse(c.text).Normal(false).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// The definition on words of one letter, and on some others.
func TestHoldsOnWords(t *testing.T) {
	for _, c := range []struct {
		text       string
		stem, loop []uint64
		want       bool
	}{
		{"a", nil, []uint64{1}, true},
		{"X a", []uint64{1}, []uint64{0}, false},
		{"F a", []uint64{0, 1}, []uint64{0}, true},
		{"G F a", []uint64{1}, []uint64{0}, false},
		{"G F a", []uint64{0}, []uint64{0, 1, 0}, true},
		{"F G a", []uint64{0}, []uint64{1, 0}, false},
		{"a U b", []uint64{1, 1}, []uint64{2}, true},
		{"a U b", nil, []uint64{1}, false},
		{"a W b", nil, []uint64{1}, true},
		{"a R b", []uint64{2, 3}, []uint64{0}, true},
		{"a R b", []uint64{2, 2}, []uint64{0}, false},
		{"X X a", []uint64{0}, []uint64{0, 1}, true},
	} {
		if got := mustParse(c.text).Holds(c.stem, c.loop); got != c.want {
			t.Errorf("%s on %v %v: %v", c.text, c.stem, c.loop, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"G (a -> F b)", "!{a} U b W c", "XGF a <-> (b | true)", "a::b? & @l", "{{a}", "(((", "a -> -> b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parse := func(text string) (*Formula, error) {
			var n Numbering
			return Parse(source.NewFile("formula", []byte(text)), func(a AtomText) (int, error) { return n.Number(a.Text, a) })
		}
		x, err := parse(text)
		if err != nil {
			return
		}
		again, err := parse(x.String())
		if err != nil || again.String() != x.String() {
			t.Fatalf("%q is printed as %s, and then as %v: %v", text, x, again, err)
		}
	})
}

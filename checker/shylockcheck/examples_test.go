package shylockcheck

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/shylock/shytest"
	"c2bp/source"
	"c2bp/verdict"
)

// formula returns a formula about a program.
func formula(t *testing.T, text, program string) *Formula {
	t.Helper()
	f, err := ParseFormula(source.NewFile("formula", []byte(text)), shytest.Load(program))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSteps counts steps by formulas: each is TRUE of the one run of its program.
func TestSteps(t *testing.T) {
	const decls = "globals g, h; locals x, y; fields e;\n"
	const no = "!{!h}" // h is not nil
	next := func(n int) string {
		return strings.Repeat("X (!"+no+" & ", n-1) + "X " + no + strings.Repeat(")", n-1)
	}
	for _, c := range []struct {
		text  string
		steps int // after which h is not nil
	}{
		{"main :: h := new", 1},
		{"main :: g := new; (skip; skip); h := g", 4},
		{"main :: g := new; [g != nil] h := g", 3},
		{"main :: g := new; ([g = nil] skip + [g != nil] h := g)", 3},
		{"main :: g := new; if (g = nil) then skip else h := g fi", 3},
		{"main :: g := new; if (g = nil) then skip fi; h := g", 3},
		{"main :: g := new; while (g = nil) do skip od; h := g", 3},
		{"main :: g := new; while (x = nil) do x := g od; h := g", 5},
		{"main :: g := new; assert(g != nil); h := g", 3},
		{"main :: g := new; g.e := g; h := g.e", 3},
		{"main :: g := new; g.e := g; h := g.e.e", 3}, // the first part has led there already
		{"main :: g := new; g.e := g; x := g.e.e; h := x", 5},
		{"main :: g := new; p; h := g  p :: skip", 5},
		{"main :: g := new; p(g)  p(z) :: h := z", 3},
		{"main :: g := new; h := p(g)  p(z) :: return z", 4},
		{"main :: g := new; x := p(g); h := x  p(z) :: return z", 5},
	} {
		f := formula(t, next(c.steps), decls+c.text)
		r, err := CheckFormula(t.Context(), shytest.Load(decls+c.text), f, Options{}, false)
		if err != nil || r.Verdict != verdict.True {
			t.Errorf("%s: h is not set after %d steps: %v %v", c.text, c.steps, r, err)
		}
	}
}

// TestExamples checks the examples of Rot et al. 2012, and some that are near them.
func TestExamples(t *testing.T) {
	const cut = "globals g; locals x, y; fields f;\nmain :: g := new; x := new; x.f := g; %s; y := x.f; assert(y %s g)\n" +
		"p :: g := new  p' :: g := new; g := new  q :: skip  r :: g := new; g := g.f"
	for _, c := range []struct {
		name, text, formula string
		bound               int
		want                string
	}{
		{"1-bounded", "locals x; p :: x := new; p", "true", 1, "TRUE"},
		{"not 1-bounded", "locals x, y; p :: x := new; y := new; p", "F {x}", 1, "TRUE"},
		{"not 1-bounded, later", "locals x, y; p :: x := new; y := new; p", "G {x}", 1, "UNKNOWN (heap beyond the bound (⊤): more than 1 visible objects, after y := new at in.shy:1)"},
		{"one new object", fmt.Sprintf(cut, "p", "!="), "", 3, "TRUE"},
		{"two new objects", fmt.Sprintf(cut, "p'", "!="), "", 3, "TRUE"},
		{"no new object", fmt.Sprintf(cut, "q", "="), "", 3, "TRUE"},
		{"two told from none", fmt.Sprintf(cut, "p'", "="), "", 3, "FALSE (assertion, in.shy:2)"},
		{"open and close", "locals x, y; main :: x := open; y := q(x); close(y)  open :: x := new; return x  q(z) :: return z  close(z) :: [z != nil] z := nil", "F G {!z}", 1, "TRUE"},
		{"close without a file", "locals x, y; main :: x := open; y := q(x); close(y)  open :: x := new; return x  q(z) :: return nil  close(z) :: assert(z != nil); z := nil", "", 1, "FALSE (assertion, in.shy:1)"},
		{"an if does not block", "globals g; main :: while (nil = nil) do if (g = nil) then g := new else g := nil fi od", "G F {!g}", 1, "TRUE"},
		{"a choice of tests", "globals g; main :: while (nil = nil) do ([g = nil] g := new + [g != nil] g := nil) od", "G F !{!g}", 1, "TRUE"},
		{"a choice is not fair", "globals g; main :: while (nil = nil) do (skip + g := new) od", "F !{!g}", 1, "FALSE (formula, in.shy:1)"},
		{"blocked", "globals g; main :: [g != nil] g := new", "F !{!g}", 1, "FALSE (formula, in.shy:1)"},
		{"a name with a prime", "globals g'; main :: g' := new", "F !{!g'}", 1, "TRUE"},
		{"a cycle", "globals g; fields f; main :: g := new; g.f := g", "G {g.f*.nil + !g}", 1, "FALSE (formula, in.shy:1)"},
		{"a loop in the stack", "locals x; fields f; p :: x := new; p; x.f := x", "G {!x + x.f}", 1, "TRUE"},
		{"hidden objects", "globals h; locals x, y; fields e; main :: h := new; x := h; p  p :: while (h != nil) do y := new; h.e := y; h := y; y := nil od", "", 2, "UNKNOWN (heap beyond the bound (⊤): more than 20 objects that only callers can see, after h := y at in.shy:1)"},
		{"atoms speak of visible objects", "globals h; locals x; main :: h := new; x := h; p  p :: h := nil", "X X X X {x}", 1, "TRUE"},
		{"a call twice", "globals g; main :: p; p; assert(g != nil)  p :: skip", "", 1, "FALSE (assertion, in.shy:1)"},
		{"a failure before the bound", "globals h; locals x; fields e; main :: while (nil = nil) do x := new; x.e := h; h := x; (skip + assert(h = nil)) od", "", 3, "FALSE (assertion, in.shy:1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := shytest.Load(c.text)
			r := Check(t.Context(), p, Options{Bound: c.bound})
			if c.formula != "" {
				var err error
				if r, err = CheckFormula(t.Context(), p, formula(t, c.formula, c.text), Options{Bound: c.bound}, true); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.Summary(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestLongRuns: a run of 2^20 calls is shown with calls that are one step.
func TestLongRuns(t *testing.T) {
	var b strings.Builder
	b.WriteString("globals g; locals x; fields f;\nmain :: p0; assert(g = nil)\n")
	for i := range 20 {
		fmt.Fprintf(&b, "p%d :: p%d; p%d\n", i, i+1, i+1)
	}
	b.WriteString("p20 :: x := new; x.f := g; g := new")
	p := shytest.Load(b.String())
	r := Check(t.Context(), p, Options{})
	if r.Verdict != verdict.False || len(r.Trace.Steps) != 3 || !r.Trace.Steps[0].Collapsed {
		t.Errorf("%s with %v", r.Summary(), r.Trace)
	}
	if r, err := CheckFormula(t.Context(), p, formula(t, "F G {!g}", b.String()), Options{}, true); err != nil || r.Verdict != verdict.False || len(r.Trace.Steps) > 100 {
		t.Errorf("%s with %v, %v", r.Summary(), r.Trace, err)
	}
}

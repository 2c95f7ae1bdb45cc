package rite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
)

// heap is a heap of the tests: variables x and y, fields f, g and b, of which every third object has no g, and
// a Boolean variable.
type heap struct {
	vars   [2]int
	fields [2][]int // f and g; noField
	flags  []bool   // b
	free   bool
}

const noField = -2

func (h *heap) Objects() int        { return len(h.flags) }
func (h *heap) Variable(id int) int { return h.vars[id] }

func (h *heap) Field(id, object int) (int, bool) {
	to := h.fields[id][object]
	return to, to != noField
}

func (h *heap) Flag(id, object int) (val, has bool) {
	if id == 1 {
		return h.free, true
	}
	return h.flags[object], true
}

type names struct{}

func (names) Variable(name string) (int, bool) {
	i := slices.Index([]string{"x", "y", "both"}, name)
	return i, i >= 0
}

func (names) Field(name string) (int, bool) {
	i := slices.Index([]string{"f", "g", "both"}, name)
	return i, i >= 0
}

func (names) Flag(name string) (id int, free, ok bool) {
	i := slices.Index([]string{"done", "v"}, name)
	return i, i == 1, i >= 0
}

func (names) Names() []string { return []string{"x", "y", "f", "g", "both", "done", "v"} }

func parse(t *testing.T, text string) *Expr {
	t.Helper()
	e, err := Parse(source.NewFile("atom", []byte(text)), 0, len(text), names{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func randomHeap(rng *rand.Rand) *heap {
	n := rng.IntN(5)
	h := &heap{free: rng.IntN(2) == 0}
	any := func() int { return rng.IntN(n+1) - 1 }
	for i := range n {
		h.fields[0] = append(h.fields[0], any())
		g := any()
		if i%3 == 2 {
			g = noField
		}
		h.fields[1] = append(h.fields[1], g)
		h.flags = append(h.flags, rng.IntN(2) == 0)
	}
	h.vars = [2]int{any(), any()}
	return h
}

func randomExpr(rng *rand.Rand, size int) *Expr {
	if size <= 1 {
		leaves := []*Expr{
			{}, {Kind: Variable, Name: "x"}, {Kind: NotVariable, Name: "x"}, {Kind: Variable, Name: "y", ID: 1}, {Kind: NotVariable, Name: "y", ID: 1},
			{Kind: Variable, Name: "nil", ID: Nil}, {Kind: NotVariable, Name: "nil", ID: Nil},
			{Kind: Field, Name: "f"}, {Kind: Field, Name: "f"}, {Kind: Field, Name: "g", ID: 1},
			{Kind: Flag, Name: "done"}, {Kind: NotFlag, Name: "done"}, {Kind: Flag, Name: "v", ID: 1, Free: true}, {Kind: NotFlag, Name: "v", ID: 1, Free: true},
		}
		return leaves[rng.IntN(len(leaves))]
	}
	if rng.IntN(4) == 0 {
		x := randomExpr(rng, size-1)
		if x.Kind == Star {
			return x
		}
		return &Expr{Kind: Star, X: x}
	}
	left := 1 + rng.IntN(size-1)
	return &Expr{Kind: []Kind{Seq, Alt}[rng.IntN(2)], X: randomExpr(rng, left), Y: randomExpr(rng, size-left)}
}

// relation is the definition of Rot et al. 2012, §4: the pairs of objects between which e leads.
func relation(e *Expr, h *heap) map[[2]int]bool {
	out := map[[2]int]bool{}
	switch e.Kind {
	case Seq:
		x, y := relation(e.X, h), relation(e.Y, h)
		for a := range x {
			for b := range y {
				if a[1] == b[0] {
					out[[2]int{a[0], b[1]}] = true
				}
			}
		}
	case Alt:
		for _, part := range []*Expr{e.X, e.Y} {
			for a := range relation(part, h) {
				out[a] = true
			}
		}
	case Star:
		x := relation(e.X, h)
		for o := Nil; o < h.Objects(); o++ {
			out[[2]int{o, o}] = true
		}
		for grew := true; grew; {
			grew = false
			for a := range out {
				for b := range x {
					if c := [2]int{a[0], b[1]}; a[1] == b[0] && !out[c] {
						out[c], grew = true, true
					}
				}
			}
		}
	default:
		for o := Nil; o < h.Objects(); o++ {
			if to, ok := stepOf(e, h, o); ok {
				out[[2]int{o, to}] = true
			}
		}
	}
	return out
}

func stepOf(e *Expr, h *heap, o int) (int, bool) {
	leads := map[string]int{"x": h.vars[0], "y": h.vars[1], "nil": Nil}
	switch e.step() {
	case "ε":
		return o, true
	case "x", "y", "nil":
		return o, leads[e.Name] == o
	case "!x", "!y", "!nil":
		return o, leads[e.Name] != o
	case "f", "g":
		if o == Nil {
			return Nil, true
		}
		to := h.fields[strings.Index("fg", e.Name)][o]
		return to, to != noField
	case "done?":
		return o, o != Nil && h.flags[o]
	case "!done?":
		return o, o != Nil && !h.flags[o]
	case "v?":
		return o, h.free
	}
	return o, !h.free
}

// Holds agrees with the definition, expressions survive printing, and explanations tell the paths.
func TestHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range testkit.Count(3000, 300000) {
		e, h := randomExpr(rng, 1+rng.IntN(8)), randomHeap(rng)
		want, without := true, 0
		r := relation(e, h)
		from, to := 0, h.Objects()
		if e.IsFree() {
			from, to = Nil, 0
		}
		for o := from; o < to; o++ {
			starts := false
			for a := range r {
				starts = starts || a[0] == o
			}
			if !starts {
				want = false
				without++
			}
		}
		m := Compile(parse(t, e.String()))
		if m.Expr().String() != e.String() {
			t.Fatalf("%s: printed as %s", e, m.Expr())
		}
		if got := m.Holds(h); got != want {
			t.Fatalf("%s on %+v: %v", e, h, got)
		}
		lines := m.Explain(h, func(o int) string { return fmt.Sprint("A", o) })
		if got := strings.Count(strings.Join(lines, "\n"), "no path"); got != without {
			t.Fatalf("%s on %+v: explained as\n%s", e, h, strings.Join(lines, "\n"))
		}
		if want {
			held++
		}
	}
	t.Logf("%d hold", held)
}

func TestExplain(t *testing.T) {
	h := &heap{vars: [2]int{0, 2}, fields: [2][]int{{1, 2, Nil}, {Nil, Nil, Nil}}, flags: []bool{false, true, false}}
	for _, c := range []struct{ text, want string }{
		{"x.f*.y + !x", "A0: x -f-> A1 -f-> A2 y; A1: !x; A2: !x"},
		{"f.nil", "A0: no path; A1: no path; A2: -f-> nil nil"},
		{"ε", "ε"},
		{"v?", "no path"},
		{"!v?", "!v?"},
		{"f.f.f.f + ()", "A0: ε; A1: ε; A2: ε"},
		{"!x.(!done?.f)*.y + x", "A0: x; A1: no path; A2: !x y"},
	} {
		m := Compile(parse(t, c.text))
		if got := strings.Join(m.Explain(h, func(o int) string { return fmt.Sprint("A", o) }), "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	if got := Compile(parse(t, "x")).Explain(&heap{vars: [2]int{Nil, Nil}}, nil); got[0] != "there are no objects" {
		t.Error(got)
	}
}

func TestPrint(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" x . f * . y+!x ", "x.f*.y + !x"}, {"(x+y).f", "(x + y).f"}, {"x+(y+x)", "x + y + x"}, {"((x))**", "x*"},
		{"(x.f)*", "(x.f)*"}, {"!done?.done?", "!done?.done?"}, {"()+ε", "ε + ε"}, {"null.nil", "null.nil"}, {"f.(g.x)", "f.g.x"},
	} {
		if got := parse(t, c.text).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1:1: error: unexpected the end of the expression; expected a variable`},
		{"x.", `1:3: error: unexpected the end of the expression; expected a variable`},
		{"x y", `1:3: error: unexpected "y"; expected ".", "+", "*" or the end`},
		{"x)", `1:2: error: ")" without "("`},
		{"f.(x", `1:3: error: "(" is not closed`},
		{"(x y)", `1:4: error: unexpected "y"; expected ".", "+", "*" or ")"`},
		{"x + ", `1:5: error: unexpected the end`},
		{"!(x)", `1:2: error: unexpected "("; expected a variable or a Boolean after "!"`},
		{"x.!f", `1:4: error: "f" is a field; "!" stands before a variable or a Boolean`},
		{"done", `1:1: error: "done" is a Boolean: write done?`},
		{"x?", `1:1: error: "x" is no Boolean but leads to objects: write x without "?"`},
		{"f?", `1:1: error: "f" is no Boolean but leads to objects`},
		{"dane?", `1:1: error: there is no Boolean "dane"; did you mean "done"?`},
		{"X.f", `1:1: error: there is no variable or field "X"; did you mean "x"?`},
		{"both", `1:1: error: "both" is a variable and a field`},
		{"x | y", `1:3: error: unexpected "|"`},
		{"*x", `1:1: error: unexpected "*"; expected a variable`},
		{strings.Repeat("(", 1500), `1:1001: error: more than 1000 parentheses`},
	} {
		_, err := Parse(source.NewFile("atom", []byte(c.text)), 0, len(c.text), names{})
		if err == nil || !strings.HasPrefix(err.Error(), "atom:"+c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"x.f*.y + !x", "(ε+done?)*", "!nil.null", "(", "f..g"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(source.NewFile("atom", []byte(text)), 0, len(text), names{})
		if err != nil {
			return
		}
		again := parse(t, e.String())
		if again.String() != e.String() {
			t.Fatalf("%q is printed as %s, and then as %s", text, e, again)
		}
	})
}

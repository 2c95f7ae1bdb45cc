package summaries

import (
	"fmt"
	"slices"
	"testing"

	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
)

// none answers every question by no.
type none struct{}

func (none) Ask(Fact) zom.Word { return 0 }

// fixture is a state in which a process has just called a procedure f.
type fixture struct {
	p *zom.Program
	s *zom.State
	m *zom.Machine
}

// called returns the state in which the body of main has run up to its first call.
func called(t *testing.T, body string) *fixture {
	t.Helper()
	text := `class N { N next; int w; }; array V[2] N; chan C N;
class A {
    static N g; static N h; static int x; static V v = new V; static C c = new C;
    static int f(N a, N b) { N n; n = new N; n.next = a; b.w = 5; h = n; x = 7; return b.w; }
    activate static void main() { N a; N b; int i; ` + body + ` }
};`
	src, err := zingtest.Load("model.zing", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	low := lowerzing.Program(src, lowerzing.Options{})
	x := &fixture{low.Prog, zom.NewState(low.Prog), zom.NewMachine(low.Prog)}
	x.m.Initial(x.s, low.Activate)
	for len(x.s.Procs[0].Frames) == 1 {
		x.step(t)
	}
	return x
}

// step makes a step of the process.
func (x *fixture) step(t *testing.T) {
	t.Helper()
	if o := x.m.Step(x.s, 0, -1); o != zom.Stepped {
		t.Fatal(o)
	}
}

// form returns the state.
func (x *fixture) form() string {
	var c zom.Canon
	c.Multi(x.s)
	return string(c.Out)
}

// begin returns the invocation of a new root of f.
func (x *fixture) begin() *Invocation {
	return Begin(x.p, x.s, 0, NewRoot(Key{Proc: int(x.s.Top(0).Proc)}), none{})
}

// TestEffect captures the effect of a procedure in one state, and applies it in another one, which then is as if the
// procedure had run there.
func TestEffect(t *testing.T) {
	bodies := []string{
		"g = new N; a = new N; b = g; i = f(a, b);",
		"b = new N; v[1] = b; a = new N; a.next = b; h = a; i = f(a, b);",
	}
	for _, from := range bodies {
		for _, to := range bodies {
			// 1. Run the procedure, and note what it writes, as an engine would.
			x := called(t, from)
			v := x.begin()
			x.m.Observed = func(a zom.Access) {
				if a.Use == zom.WriteAt {
					v.Write(zom.Loc{Obj: a.Obj, Index: a.Index})
				}
			}
			for range 5 {
				x.step(t)
			}
			e := v.Capture(x.s, false, true, false, nil, nil)
			// 2. Apply the effect elsewhere.
			y, z := called(t, to), called(t, to)
			w := y.begin()
			mark, before := y.s.Mark(), y.form()
			change := e.Apply(y.p, y.s, 0, w.Cells)
			for range 5 {
				z.step(t)
			}
			if y.form() != z.form() {
				t.Errorf("from %q to %q: another state", from, to)
			}
			if n := len(change.Writes); n != 3 {
				t.Errorf("%d locations written, want 3", n)
			}
			y.s.Undo(mark)
			if y.form() != before {
				t.Error("an application that is undone leaves a change")
			}
		}
	}
}

// TestFind: a root is found where its pattern matches.
func TestFind(t *testing.T) {
	const base = "a = new N; b = new N; a.w = 1; g = a; i = f(a, b);"
	x := called(t, base)
	index := NewIndex(x.p)
	v := x.begin()
	for _, at := range []zom.Loc{{Index: 0}, {Obj: v.Cells[0], Index: 1}} { // g, a.w
		v.Note(x.s, Fact{Value, at}, 0)
	}
	v.Note(x.s, Fact{Shared, zom.Loc{Obj: v.Cells[1]}}, 0)
	index.Add(v.Root)
	for _, c := range []struct {
		body string
		want bool
	}{
		{base, true},
		{"b = new N; a = new N; a.w = 1; b.w = 3; x = 2; g = a; i = f(a, b);", true}, // other addresses, and values that are not read
		{"a = new N; b = new N; a.w = 2; g = a; i = f(a, b);", false},                // another value
		{"a = new N; b = new N; a.w = 1; g = b; i = f(a, b);", false},                // another object
		{"a = new N; b = a; a.w = 1; g = a; i = f(a, b);", false},                    // one object twice
		{"a = new N; b = new N; a.w = 1; i = f(a, b);", false},                       // null
	} {
		y := called(t, c.body)
		r, cells := index.Find(v.Root.Key, y.s, 0, none{})
		if (r != nil) != c.want {
			t.Errorf("%q: found %v", c.body, r != nil)
		}
		if r != nil && !slices.Equal(cells, y.s.Slots(0, 1)[:2]) {
			t.Errorf("%q: cells %v", c.body, cells)
		}
	}
	if r, _ := index.Find(Key{Proc: v.Root.Proc, Post: true}, x.s, 0, none{}); r != nil {
		t.Error("found in the other phase")
	}
}

// TestIndexOrder: roots whose facts were noted in another order are found, too.
func TestIndexOrder(t *testing.T) {
	bodies := make([]string, 4)
	for i := range bodies {
		bodies[i] = fmt.Sprintf("a = new N; b = new N; a.w = %d; x = %d; i = f(a, b);", i/2, i%2)
	}
	index := NewIndex(called(t, bodies[0]).p)
	var roots []*Root
	for i, body := range bodies {
		x := called(t, body)
		v := x.begin()
		facts := []Fact{{Value, zom.Loc{Index: 2}}, {Value, zom.Loc{Obj: v.Cells[0], Index: 1}}} // x, a.w
		if i%3 == 0 {
			slices.Reverse(facts)
		}
		for _, f := range facts {
			v.Note(x.s, f, 0)
		}
		index.Add(v.Root)
		roots = append(roots, v.Root)
	}
	for i, body := range bodies {
		x := called(t, body)
		if r, _ := index.Find(roots[i].Key, x.s, 0, none{}); r != roots[i] {
			t.Errorf("%q: another root", body)
		}
	}
}

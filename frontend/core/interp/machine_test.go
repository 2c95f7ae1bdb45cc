package interp

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/source"
)

// TestRecursion computes 5! by recursion, and follows the stack and the ghosts.
func TestRecursion(t *testing.T) {
	f := newProc("fact", core.Int32)
	n, r, s := formal(f, "n", core.Int32), local(f, `\result`, core.Int32), local(f, "s", core.Int32)
	f.Result = r
	f.Nodes = []*core.Node{
		node(&core.Branch{}, 1, 3),
		node(&core.Assume{Cond: bin(n.Ref(), core.Le, num(1))}, 2),
		node(set(r, num(1)), 7),
		node(&core.Assume{Cond: bin(n.Ref(), core.Gt, num(1))}, 4),
		node(&core.Call{Lhs: s.Ref(), Callee: f, Args: []core.Expr{bin(n.Ref(), core.Sub, num(1))}}, 5),
		node(set(r, bin(s.Ref(), core.Mul, n.Ref())), 6),
		node(set(n, num(0)), 7),
		node(&core.Return{}),
	}
	g := global("g", core.Int32)
	main := newProc("main", core.Void{})
	line(main, &core.Call{Lhs: g.Ref(), Callee: f, Args: []core.Expr{num(5)}})
	ghost := &core.Var{Name: "'n", Type: core.Int32, Kind: core.Ghost, Proc: f, Init: n.Ref()}
	m := New(program(t, []*core.Var{g}, f, main), &script{}, Options{Ghosts: []*core.Var{ghost}})

	deepest, left := 0, 0
	for {
		top := m.Top()
		if top.Proc() == f && top.Node() == f.Exit() {
			wantValue(t, "'n", top.Value(ghost), int64(6-top.Depth()))
		}
		e, err := m.Step()
		if err != nil {
			t.Fatal(err)
		}
		deepest = max(deepest, len(m.Frames()))
		switch e.Kind {
		case Entered:
			below := m.Frames()[len(m.Frames())-2]
			if below.Node() != e.Node || below.Proc() != e.Proc || below.Depth() != e.Depth {
				t.Errorf("the caller is not at its call: %v", e)
			}
		case Left:
			left++
			if e.Proc != f || e.Node != f.Exit() || e.Depth != m.Top().Depth()+1 {
				t.Errorf("wrong event of a return: %v", e)
			}
		}
		if e.Kind.Final() {
			if e.Kind != Finished || m.Top() != nil || e.Proc != main {
				t.Errorf("the run ended with %v", e)
			}
			break
		}
	}
	wantValue(t, "g", m.Global(g), 120)
	if deepest != 6 || left != 5 {
		t.Errorf("%d frames, %d returns", deepest, left)
	}
}

// TestResultConversion stores 300, returned as an int, in an unsigned char.
func TestResultConversion(t *testing.T) {
	f := newProc("f", core.Int32)
	x := formal(f, "x", core.Int32)
	f.Result = x
	line(f)
	c := global("c", core.Uint8)
	main := newProc("main", core.Void{})
	u8 := core.Uint8
	line(main, &core.Call{Lhs: c.Ref(), ResultConv: &u8, Callee: f, Args: []core.Expr{num(300)}})
	m := New(program(t, []*core.Var{c}, f, main), &script{}, Options{})
	finish(t, m, Finished)
	wantValue(t, "c", m.Global(c), 44)
}

// swapEnds runs x, y := y, x from x = 1, y = 2.
func swapEnds(t *testing.T) string {
	x, y := global("x", core.Int32), global("y", core.Int32)
	main := newProc("main", core.Void{})
	line(main, set(x, num(1)), set(y, num(2)),
		&core.Assign{Lhs: []core.Loc{x.Ref(), y.Ref()}, Rhs: []core.Expr{y.Ref(), x.Ref()}})
	m := New(program(t, []*core.Var{x, y}, main), &script{}, Options{})
	finish(t, m, Finished)
	return fmt.Sprint(m.Global(x), m.Global(y))
}

func TestParallelAssignment(t *testing.T) {
	if got := swapEnds(t); got != "2 1" {
		t.Errorf("swapped to %s", got)
	}
}

// TestBranch looks at which successors are offered and at runs that block.
func TestBranch(t *testing.T) {
	x := global("x", core.Int32)
	main := newProc("main", core.Void{})
	main.Nodes = []*core.Node{
		node(&core.Branch{}, 1, 2, 3),
		node(&core.Assume{Cond: bin(x.Ref(), core.Lt, num(5))}, 4),
		node(&core.Assume{Cond: bin(x.Ref(), core.Gt, num(3))}, 4),
		node(&core.Assume{Cond: bin(x.Ref(), core.Eq, num(4))}, 4),
		node(&core.Return{}),
	}
	p := program(t, []*core.Var{x}, main)
	for _, test := range []struct {
		x    int64
		log  string
		want Kind
	}{
		{0, "main:0 branch [1]", Finished},
		{4, "main:0 branch [1 2 3]", Finished},
		{9, "main:0 branch [2]", Finished},
	} {
		s := &script{values: []int64{test.x}}
		finish(t, New(p, s, Options{}), test.want)
		if s.log[1] != test.log {
			t.Errorf("x = %d: %s, want %s", test.x, s.log[1], test.log)
		}
	}
	stop := &script{pick: func([]int) int { return -1 }}
	finish(t, New(p, stop, Options{}), Blocked)

	main.Nodes[0].Succ = []int{2, 3} // now 0 has no way on
	s := &script{}
	m := New(p, s, Options{})
	e := finish(t, m, Blocked)
	if e.Node != 0 || len(s.log) != 1 {
		t.Errorf("blocked at %d after %v", e.Node, s.log)
	}
	if again, err := m.Step(); again != e || err != nil {
		t.Errorf("a step after the end: %v, %v", again, err)
	}
	if m.Top() == nil || m.Top().Node() != 0 {
		t.Error("the frame of a blocked run is gone")
	}
}

func TestAssertAndAssume(t *testing.T) {
	x := global("x", core.Int32)
	main := newProc("main", core.Void{})
	cond := bin(x.Ref(), core.Eq, num(1))
	line(main, &core.Assume{Cond: bin(x.Ref(), core.Ge, num(0))}, &core.Assert{Cond: cond}, &core.Skip{})
	p := program(t, []*core.Var{x}, main)
	for value, want := range map[int64]Kind{-1: Blocked, 0: Failed, 1: Finished} {
		finish(t, New(p, &script{values: []int64{value}}, Options{}), want)
	}
}

// TestRequests pins the order and the fields of all requests of a run with every
// reason.
func TestRequests(t *testing.T) {
	g, h := global("g", core.Int32), global("h", core.Uint8)
	h.AddrTaken = true
	q := global("q", core.Opaque{Name: "int *"})
	q.AddrTaken = true
	ext := newProc("ext", core.Int32)
	formal(ext, "p", core.Opaque{Name: "int *"})
	f := newProc("f", core.Void{})
	a, b := formal(f, "a", core.Int8), local(f, "b", core.Int32)
	a.AddrTaken, b.AddrTaken = true, true
	flag := &core.Var{Name: "$0", Type: core.Int32, Kind: core.Temp, Proc: f, Logical: true}
	f.Locals = append(f.Locals, flag)
	line(f,
		&core.Havoc{Locs: []core.Loc{g.Ref(), q.Ref(), b.Ref()}, Region: true},
		&core.Call{Lhs: g.Ref(), Callee: ext, Args: []core.Expr{nil}},
		&core.Call{Callee: ext, Args: []core.Expr{nil}})
	main := newProc("main", core.Void{})
	n := formal(main, "n", core.Int32)
	v := local(main, "v", core.Int32)
	local(main, "w", core.Int32)
	v.AddrTaken = true
	line(main, &core.Call{Callee: f, Args: []core.Expr{core.NewConst(7, core.Int8)}})
	p := program(t, []*core.Var{g, h, q}, ext, f, main)
	p.Extern = core.ExternAll
	s := &script{values: []int64{10, 11, 12, 13, 14, 15, 1}}
	m := New(p, s, Options{})
	wantValue(t, "n", m.Top().Value(n), 12)
	wantValue(t, "v", m.Top().Value(v), 13)
	finish(t, m, Finished)
	want := []string{
		"main:0 initial global g of -1 int32 old <nil>",
		"main:0 initial global h of -1 uint8 old <nil>",
		"main:0 initial formal n of 0 int32 old <nil>",
		"main:0 initial local v of 0 int32 old <nil>",
		"main:0 initial local w of 0 int32 old <nil>",
		"f:0 initial local b of 1 int32 old <nil>",
		"f:0 initial local $0 of 1 int32 old <nil>",
		"f:0 havoc g of -1 int32 old 10",
		"f:0 havoc b of 1 int32 old 15",
		"f:0 region havoc h of -1 uint8 old 11",
		"f:0 region havoc v of 0 int32 old 13",
		"f:0 region havoc a of 1 int8 old 7",
		"f:0 region havoc b of 1 int32 old 0",
		"f:1 region havoc g of -1 int32 old 0",
		"f:1 region havoc h of -1 uint8 old 0",
		"f:1 region havoc v of 0 int32 old 0",
		"f:1 region havoc a of 1 int8 old 0",
		"f:1 region havoc b of 1 int32 old 0",
		"f:1 external result - of -1 int32 old <nil>",
		"f:2 region havoc g of -1 int32 old 0",
		"f:2 region havoc h of -1 uint8 old 0",
		"f:2 region havoc v of 0 int32 old 0",
		"f:2 region havoc a of 1 int8 old 0",
		"f:2 region havoc b of 1 int32 old 0",
	}
	if !slices.Equal(s.log, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(s.log, "\n"), strings.Join(want, "\n"))
	}
}

// TestUB puts undefined behaviour into every place where an expression occurs.
func TestUB(t *testing.T) {
	x := global("x", core.Int32)
	main := newProc("main", core.Int32)
	r := local(main, "r", core.Int32)
	main.Result = r
	f := newProc("f", core.Void{})
	formal(f, "a", core.Int32)
	line(f)
	line(main)
	p := program(t, []*core.Var{x}, f, main)
	bad := bin(num(1), core.Div, bin(x.Ref(), core.Add, num(1)))
	for _, s := range []core.Stmt{
		set(r, bad), &core.Assume{Cond: bad}, &core.Assert{Cond: bad},
		&core.Call{Callee: f, Args: []core.Expr{bad}},
	} {
		line(main, &core.Skip{}, s)
		main.Nodes[1].Pos = source.Pos{File: "f.c", Line: 3, Col: 5}
		for value, want := range map[int64]string{
			-1:         "f.c:3:5: undefined behaviour: division by zero in 1 / (x + 1) (main:1)",
			2147483647: "f.c:3:5: undefined behaviour: signed overflow in x + 1 (main:1)",
		} {
			m := New(p, &script{values: []int64{value}}, Options{})
			_, err := m.Run(context.Background(), 0)
			var ub *UBError
			if !errors.As(err, &ub) || err.Error() != want {
				t.Errorf("%s, x = %d: %v, want %s", core.StmtString(s), value, err, want)
			}
			if _, again := m.Step(); again != err {
				t.Errorf("the error of a step after the end is %v", again)
			}
		}
	}
	main.Nodes = []*core.Node{
		node(&core.Branch{}, 1, 2), node(&core.Assume{Cond: bad}, 3), node(&core.Skip{}, 3), node(&core.Return{}),
	}
	_, err := New(p, &script{values: []int64{-1}}, Options{}).Run(context.Background(), 0)
	if err == nil || !strings.Contains(err.Error(), "(main:1)") {
		t.Errorf("in a branch: %v", err)
	}
}

// TestEval evaluates a predicate in a frame below the top.
func TestEval(t *testing.T) {
	f := newProc("f", core.Void{})
	line(f)
	main := newProc("main", core.Void{})
	v, o := local(main, "v", core.Int32), local(main, "o", core.Opaque{Name: "int *"})
	line(main, set(v, num(3)), &core.Call{Callee: f})
	m := New(program(t, nil, f, main), &script{}, Options{})
	for range 2 {
		if _, err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	below := m.Frames()[0]
	got, err := below.Eval(bin(v.Ref(), core.Mul, num(5)))
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, "v * 5", got, 15)
	if _, err := below.Eval(bin(v.Ref(), core.Shl, num(32))); err == nil {
		t.Error("v << 32 has a value")
	}
	if below.Value(o) != nil {
		t.Error("an opaque variable has a value")
	}
	defer func() {
		if recover() == nil {
			t.Error("a variable of another frame was read")
		}
	}()
	m.Top().Value(v)
}

// TestBadChoices gives values that are none of the type.
func TestBadChoices(t *testing.T) {
	g := global("g", core.Uint8)
	main := newProc("main", core.Void{})
	flag := &core.Var{Name: "$0", Type: core.Int32, Kind: core.Temp, Proc: main, Logical: true}
	main.Locals = append(main.Locals, flag)
	line(main, &core.Havoc{Locs: []core.Loc{g.Ref()}})
	p := program(t, []*core.Var{g}, main)
	for want, values := range map[string][]int64{
		"main:0: 256 was chosen for g, no value of uint8 (initial global)": {256},
		"main:0: 2 was chosen for $0, no value of int32 (initial local)":   {0, 2},
		"main:0: -1 was chosen for g, no value of uint8 (havoc)":           {0, 0, -1},
	} {
		_, err := New(p, &script{values: values}, Options{}).Run(context.Background(), 0)
		var bad *ChoiceError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("%v: %v, want %s", values, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	main := newProc("main", core.Void{})
	main.Nodes = []*core.Node{node(&core.Skip{}, 0), node(&core.Return{})}
	p := program(t, nil, main)
	m := New(p, &script{}, Options{})
	if _, err := m.Run(context.Background(), 50); err == nil || err.Error() != "more than 50 steps" {
		t.Errorf("an endless loop ends with %v", err)
	}
	if m.Steps() != 50 {
		t.Errorf("%d steps", m.Steps())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(p, &script{}, Options{}).Run(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run ends with %v", err)
	}
	line(main, &core.Call{Callee: main})
	var limit *LimitError
	if _, err := New(p, &script{}, Options{MaxFrames: 20}).Run(context.Background(), 0); !errors.As(err, &limit) || limit.Limit != 20 {
		t.Errorf("an endless recursion ends with %v", err)
	}
}

// TestRandom checks that random choices are repeatable, within their types, and
// often what the program looks for.
func TestRandom(t *testing.T) {
	v := global("v", core.Int32)
	main := newProc("main", core.Void{})
	line(main, &core.Assume{Cond: bin(v.Ref(), core.Eq, num(77123))})
	p := program(t, []*core.Var{v}, main)
	a, b := NewRandom(p, 1), NewRandom(p, 1)
	hits, different := 0, map[string]bool{}
	for range 2000 {
		r := Request{Var: v, Type: core.Int32}
		x, y := a.Value(r), b.Value(r)
		if x.Cmp(y) != 0 || !core.Int32.Contains(x) {
			t.Fatalf("%v and %v from one seed", x, y)
		}
		if x.Int64() == 77123 {
			hits++
		}
		different[x.String()] = true
	}
	if hits < 100 || len(different) < 50 {
		t.Errorf("the constant came %d times in 2000, %d different values", hits, len(different))
	}
	for _, typ := range widths {
		for range 200 {
			if x := a.Value(Request{Type: typ}); !typ.Contains(x) {
				t.Fatalf("%v chosen for %s", x, typ)
			}
		}
	}
	if x, y := NewRandom(p, 1), NewRandom(p, 2); fmt.Sprint(sequence(x)) == fmt.Sprint(sequence(y)) {
		t.Error("two seeds, one sequence")
	}
	if x, y := NewRandom(p, 1).Again(2), NewRandom(p, 2); fmt.Sprint(sequence(x)) != fmt.Sprint(sequence(y)) {
		t.Error("Again does not start anew")
	}
}

func sequence(r *Random) (out []*big.Int) {
	for range 20 {
		out = append(out, r.Value(Request{Type: core.Int32}))
	}
	return out
}

// BenchmarkLoop counts to a million: three nodes an iteration.
func BenchmarkLoop(b *testing.B) {
	main := newProc("main", core.Void{})
	i := local(main, "i", core.Int32)
	main.Nodes = []*core.Node{
		node(set(i, num(0)), 1),
		node(&core.Branch{}, 2, 4),
		node(&core.Assume{Cond: bin(i.Ref(), core.Lt, num(1000000))}, 3),
		node(set(i, bin(i.Ref(), core.Add, num(1))), 1),
		node(&core.Assume{Cond: bin(i.Ref(), core.Ge, num(1000000))}, 5),
		node(&core.Return{}),
	}
	p := program(b, nil, main)
	for b.Loop() {
		m := New(p, NewRandom(p, 0), Options{})
		if _, err := m.Run(context.Background(), 0); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Steps())/1e6, "Msteps/op")
	}
}

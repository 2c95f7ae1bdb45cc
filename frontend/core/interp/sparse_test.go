package interp

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// blind makes the choices of counted, none of which is what was there before: of great
// objects that is not known.
type blind struct{ *counted }

func (b blind) Value(q Request) *big.Int {
	q.hasOld, q.Old = false, nil
	return b.counted.Value(q)
}

// sparsely runs programs with all objects sparse and with none. It reports whether all is the
// same, and how many steps that was.
func sparsely(programs uint64) (same bool, steps int) {
	for seed := range programs {
		p := randomProgram(seed)
		dense := logRun(New(p, blind{newCounted(p, seed)}, Options{MaxFrames: 50}), 300)
		sparse := logRun(New(p, blind{newCounted(p, seed)}, Options{MaxFrames: 50, tiny: true}), 300)
		if !slices.Equal(dense, sparse) {
			return false, steps
		}
		steps += len(dense)
	}
	return true, steps
}

// TestSparse checks that a run does not depend on how objects are stored.
func TestSparse(t *testing.T) {
	if same, steps := sparsely(testkit.Count[uint64](300, 6000)); !same || steps < 6000 {
		t.Errorf("sparse objects are as others are: %v, in %d steps", same, steps)
	}
	if same, steps := copies(testkit.Count[uint64](150, 3000), Options{tiny: true}); !same || steps < 3000 {
		t.Errorf("a copy with sparse objects is like its original: %v, in %d steps", same, steps)
	}
}

// TestGreat works on arrays of 2^58 bytes: what it takes is what it touches.
func TestGreat(t *testing.T) {
	const size = 1 << 58
	typ := core.Agg{Name: "int[]", Size: size}
	a, b := global("a", typ), global("b", typ)
	main := newProc("main", core.Void{})
	x, y, z := local(main, "x", core.Int32), local(main, "y", core.Int32), local(main, "z", core.Int32)
	p := local(main, "p", core.Ptr{Bits: 64})
	bytes := core.NewConst(size, core.Uint64)
	at := func(e core.Expr, i int64) *core.Mem {
		return &core.Mem{Addr: &core.Index{X: e, I: core.NewConst(i, core.Int64), Size: 4}, Typ: core.Int32}
	}
	of := func(v *core.Var) core.Expr { return &core.AddrOf{Var: v, Typ: core.Ptr{Bits: 64}} }
	const last = size/4 - 1
	put := func(l core.Loc, e core.Expr) core.Stmt {
		return &core.Assign{Lhs: []core.Loc{l}, Rhs: []core.Expr{e}}
	}
	line(main,
		&core.Fill{Dst: of(a), Size: bytes, Byte: core.NewConst(0, core.Uint8)},
		put(at(of(a), 5), num(7)), put(at(of(a), last), num(8)), put(at(of(a), 1<<40), num(9)),
		&core.Copy{Dst: of(b), Src: of(a), Size: bytes},
		put(at(of(a), 5), num(1)),
		&core.Fill{Dst: of(b), Size: core.NewConst(1<<41, core.Uint64), Byte: core.NewConst(1, core.Uint8)},
		put(x.Ref(), at(of(b), 5)), put(y.Ref(), at(of(b), last)), put(z.Ref(), at(of(b), 1<<40)),
		&core.Alloc{Lhs: p.Ref(), Size: bytes},
		&core.Copy{Dst: of(b), Src: p.Ref(), Size: bytes},
		put(x.Ref(), bin(x.Ref(), core.Add, bin(at(p.Ref(), last-1), core.Sub, at(of(b), last-1)))),
		&core.Free{Ptr: p.Ref()},
	)
	m := New(program(t, []*core.Var{a, b}, main), &script{values: []int64{0, 0, 0, 0, 12345}}, Options{})
	for m.Top() != nil && m.Top().Node() < 10 {
		if _, err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for v, want := range map[*core.Var]int64{x: 0x01010101, y: 8, z: 9} {
		wantValue(t, v.Name, m.Top().Value(v), want)
	}
	n := m.Copy(&script{values: []int64{12345}})
	for m.Top().Node() < 14 {
		if _, err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	wantValue(t, "x, what was copied being the same", m.Top().Value(x), 0x01010101)
	if m.bytes > 20*cost || n.bytes > 20*cost {
		t.Errorf("%d and %d bytes are in use", m.bytes, n.bytes)
	}
	if e, err := n.Run(context.Background(), 100); err != nil || e.Kind != Finished {
		t.Error(fmt.Sprint("the copy ends with ", e.Kind), err)
	}
}

// TestFull touches more of an array than a run may have memory.
func TestFull(t *testing.T) {
	a := global("a", core.Agg{Name: "char[]", Size: 1 << 50})
	main := newProc("main", core.Void{})
	i := local(main, "i", core.Int64)
	one := core.NewConst(1, core.Int64)
	main.Nodes = []*core.Node{
		node(&core.Fill{Dst: &core.AddrOf{Var: a, Typ: core.Ptr{Bits: 64}}, Size: core.NewConst(1<<50, core.Uint64), Byte: core.NewConst(0, core.Uint8)}, 1),
		node(set(i, core.NewConst(0, core.Int64)), 2),
		node(&core.Assign{
			Lhs: []core.Loc{&core.Mem{Addr: &core.Index{X: &core.AddrOf{Var: a, Typ: core.Ptr{Bits: 64}}, I: i.Ref(), Size: pageSize}, Typ: core.Int8}},
			Rhs: []core.Expr{core.NewConst(1, core.Int8)},
		}, 3),
		node(set(i, bin(i.Ref(), core.Add, one)), 2),
		node(&core.Return{}),
	}
	m := New(program(t, []*core.Var{a}, main), &script{}, Options{})
	if _, err := m.Run(context.Background(), 100000); err != error(outOfMemory) {
		t.Errorf("the run ends with %v", err)
	}
}

package alias

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
)

// This file analyses programs that do little but copy structures.

// TestUnknownLength: a table of unknown size is cleared, and one of its elements copied.
func TestUnknownLength(t *testing.T) {
	w := newWorld()
	n, x := w.Global("n", core.Uint64), w.Global("x", core.Int32, true)
	p, q, s := local(w.Main, "p", ptr), local(w.Main, "q", ptr), local(w.Main, "s", agg(24), true)
	do(w.Main,
		&core.Alloc{Lhs: p.Ref(), Size: n.Ref()},
		&core.Fill{Dst: p.Ref(), Size: n.Ref(), Byte: core.NewConst(0, core.Uint8)},
		set(mem(plus(p.Ref(), 8, ""), ptr), addr(x)),
		&core.Copy{Dst: addr(s), Src: elem(p.Ref(), n.Ref(), 24), Size: num64(24)},
		set(q.Ref(), mem(plus(addr(s), 8, ""), ptr)),
		set(q.Ref(), null))
	r := w.analyze(t)
	points(t, r, mem(plus(addr(s), 8, ""), ptr), "{x}")
	points(t, r, mem(addr(s), ptr), "{}")
}

// TestImagesAreFew: a store is copied to few places, however long it is.
func TestImagesAreFew(t *testing.T) {
	for bits := int64(64); bits <= 1<<20; bits *= 2 {
		for _, stride := range []int64{64, 192, 4096} {
			if got := (link{stride: stride, bits: 192}).image(cell{bits: bits}); len(got) > 5 {
				t.Fatalf("a store of %d bits into elements of %d has %d images", bits, stride, len(got))
			}
		}
	}
}

// copiesProgram makes a program that moves pointers within a few structures, and copies parts of them to each
// other at various distances.
func copiesProgram(rng *rand.Rand, objects, pointers, stmts int) *core.Program {
	w := newWorld()
	var objs, ps []*core.Var
	for i := range objects {
		objs = append(objs, w.Global(fmt.Sprint("x", i), agg([]int64{16, 24, 40, 64, 120, 256}[rng.IntN(6)]), true))
	}
	for i := range pointers {
		ps = append(ps, local(w.Main, fmt.Sprint("p", i), ptr))
	}
	off := func(e core.Expr) core.Expr {
		if k := []int64{0, 0, 8, 16, 4, -8, 24, 1}[rng.IntN(8)]; k != 0 {
			return plus(e, k, "")
		}
		return e
	}
	p := func() core.Loc { return ps[rng.IntN(pointers)].Ref() }
	place := func() core.Expr {
		switch rng.IntN(5) {
		case 0:
			return off(addr(objs[rng.IntN(objects)]))
		case 1:
			return elem(p(), num64(1), 8)
		}
		return off(p())
	}
	for range stmts {
		switch rng.IntN(8) {
		case 0:
			do(w.Main, set(p(), off(addr(objs[rng.IntN(objects)]))))
		case 1:
			do(w.Main, set(p(), off(p())))
		case 2:
			do(w.Main, set(p(), mem(place(), ptr)))
		case 3, 4:
			do(w.Main, set(mem(place(), ptr), place()))
		case 5:
			do(w.Main, set(mem(place(), core.Int32), num(1)))
		default:
			do(w.Main, &core.Copy{Dst: place(), Src: place(), Size: num64([]int64{8, 16, 24, 64, 4, 12}[rng.IntN(6)])})
		}
	}
	return w.Prog
}

// TestManyCopies: the constraint graph of a program stays in proportion to it, whatever is copied where.
func TestManyCopies(t *testing.T) {
	most, blurred := 0, 0
	for seed := range uint64(10) {
		p := copiesProgram(rand.New(rand.NewPCG(seed, 7)), 10, 20, 150)
		if err := core.Validate(p); err != nil {
			t.Fatal(err)
		}
		s := newSolver(p)
		s.analyze()
		for _, m := range s.memories {
			if m.blurred {
				blurred++
			}
		}
		if most = max(most, s.edges); s.edges > 500_000 {
			t.Errorf("program %d: %s", seed, s.counts())
		}
	}
	t.Logf("at most %d edges, %d objects blurred", most, blurred)
	if blurred == 0 {
		t.Error("no object is blurred")
	}
}

// TestBlur: what was stored into an object before and after it is blurred is seen everywhere in it, and where it
// is copied to.
func TestBlur(t *testing.T) {
	w := newWorld()
	from, to := w.Global("from", agg(64), true), w.Global("to", agg(64), true)
	x, y := w.Global("x", core.Int32, true), w.Global("y", core.Int32, true)
	s := newSolver(w.Prog)
	word := func(n int64) cell { return cell{off: 64 * n, bits: 64} }
	value := func(v *core.Var) int32 { return s.vertexOf(known(s.number(at(s.object(v), 0)))) }
	// 1. Views and a link that no store has to do with, and a store.
	object, other := s.object(from), s.object(to)
	before, copied := s.view(object, word(0)), s.view(other, word(0))
	s.link(object, link{off: 64, bits: 64, object: other})
	s.keep(object, word(4), value(x))
	// 2. Blur, and store somewhere else.
	s.blur(object)
	s.transfer()
	s.keep(object, word(5), value(y))
	after := s.view(object, word(2))
	s.link(object, link{off: 128, bits: 64, object: other, dst: 64})
	late := s.view(other, word(1))
	s.solve()
	for name, n := range map[string]int32{"before": before, "after": after, "copied": copied, "copied later": late} {
		if got := s.sets.size(s.setIn(n)); got != 2 {
			t.Errorf("%s: %d addresses", name, got)
		}
	}
}

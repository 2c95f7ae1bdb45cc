package interp

import (
	"math/big"
	"testing"

	"c2bp/frontend/core"
)

// TestFresh follows pointers from outside: into what was made for them, on both sides of where
// they lead, in order, and never into one another.
func TestFresh(t *testing.T) {
	for _, bits := range []int{32, 64} {
		word := core.Ptr{Bits: bits}
		p, q, i := global("p", word), global("q", word), global("i", core.Int32)
		main := newProc("main", core.Void{})
		line(main,
			&core.Havoc{Locs: []core.Loc{p.Ref(), q.Ref()}},
			store(at(p.Ref(), 8, core.Int32), c(7, core.Int32)),
			store(at(q.Ref(), 8, core.Int32), c(9, core.Int32)),
			store(at(&core.Offset{X: p.Ref(), Off: -64}, 0, core.Int32), c(5, core.Int32)),
			set(i, at(p.Ref(), 8, core.Int32)))
		var made []int64
		s := &spy{}
		s.havoc = func(r Request) *big.Int {
			a, ok := r.Fresh()
			if !ok {
				t.Fatal("there is no fresh object")
			}
			made = append(made, a)
			return big.NewInt(a)
		}
		m := New(program(t, []*core.Var{p, q, i}, main), s, Options{})
		finish(t, m, Finished)
		wantValue(t, "i", m.Global(i), 7)
		first, second := m.Object(uint64(made[0])), m.Object(uint64(made[1]))
		if len(made) != 2 || first == second || first.Home() != uint64(made[0]) || !first.Environment() || !first.External() || !first.Known() {
			t.Errorf("%v and %v for %x", first, second, made)
		}
		if made[0]%4096 != 0 || made[1] < made[0] {
			t.Errorf("addresses %x", made)
		}
	}
}

// TestFreshOrder makes objects of the program and of the environment in turn: each is found
// where it is.
func TestFreshOrder(t *testing.T) {
	l := newLab()
	s := &spy{}
	l.choices = s
	s.havoc = func(r Request) *big.Int { a, _ := r.Fresh(); return big.NewInt(a) }
	line(l.main,
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}},
		&core.Alloc{Lhs: l.q.Ref(), Size: num(8)},
		store(at(l.p.Ref(), 0, ptr), l.q.Ref()),
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}},
		&core.Alloc{Lhs: l.q.Ref(), Size: num(8)},
		store(at(l.q.Ref(), 0, ptr), l.p.Ref()))
	m := New(program(t, l.globals, l.ext, l.main), s, Options{})
	finish(t, m, Finished)
	objects := m.Objects()
	for i, o := range objects {
		if m.Object(o.Start()) != o || i > 0 && objects[i-1].Start() >= o.Start() {
			t.Errorf("%v is not found at its address", o)
		}
	}
}

// TestNotFresh asks for objects where none can be: for what nobody has set.
func TestNotFresh(t *testing.T) {
	l := newLab()
	s := &spy{}
	l.choices = s
	asked := false
	s.contents = func(r Request) *big.Int {
		asked = true
		if _, ok := r.Fresh(); ok {
			t.Error("what nobody has set leads to the environment")
		}
		return new(big.Int)
	}
	line(l.main, &core.Alloc{Lhs: l.q.Ref(), Size: num(8)}, set(l.p, at(l.q.Ref(), 0, ptr)))
	finish(t, New(program(t, l.globals, l.ext, l.main), s, Options{}), Finished)
	if !asked {
		t.Error("nothing was asked for")
	}
}

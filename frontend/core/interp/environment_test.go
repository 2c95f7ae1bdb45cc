package interp

import (
	"context"
	"errors"
	"math/big"
	"slices"
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
		if len(made) != 2 || first == second || first.Home() != uint64(made[0]) || !first.Environment() || !first.External() || !m.Known(first) {
			t.Errorf("%v and %v for %x", first, second, made)
		}
		if made[0]%4096 != 0 || made[1] < made[0] {
			t.Errorf("addresses %x", made)
		}
	}
}

// TestFreshOrder makes objects of the program and of the environment in turn, one of which is
// freed, and copies the machine, which forgets it: each is found where it is.
func TestFreshOrder(t *testing.T) {
	l := newLab()
	s := &spy{}
	l.choices = s
	s.havoc = func(r Request) *big.Int { a, _ := r.Fresh(); return big.NewInt(a) }
	line(l.main,
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}},
		&core.Free{Ptr: l.p.Ref()},
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}},
		&core.Alloc{Lhs: l.q.Ref(), Size: num(8)},
		store(at(l.p.Ref(), 0, ptr), l.q.Ref()),
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}},
		&core.Alloc{Lhs: l.q.Ref(), Size: num(8)},
		store(at(l.q.Ref(), 0, ptr), l.p.Ref()))
	m := New(program(t, l.globals, l.ext, l.main), s, Options{})
	for {
		e, err := m.Step()
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind.Final() {
			break
		}
		m = m.Copy(s)
	}
	objects := m.Objects()
	for i, o := range objects {
		if m.Object(o.Start()) != o || i > 0 && objects[i-1].Start() >= o.Start() {
			t.Errorf("%v is not found at its address", o)
		}
	}
}

// TestFreshOfUnset asks for objects for what nobody has set: it leads to them where it is read
// although nothing sets it.
func TestFreshOfUnset(t *testing.T) {
	l := newLab()
	s := &spy{}
	l.choices = s
	var got []bool
	s.contents = func(r Request) *big.Int {
		_, ok := r.Fresh()
		got = append(got, ok)
		return new(big.Int)
	}
	s.havoc = s.contents
	line(l.main,
		&core.Alloc{Lhs: l.q.Ref(), Size: num(16), Unset: core.Ranges{{Off: 8, End: 16}}},
		set(l.p, at(l.q.Ref(), 0, ptr)), set(l.p, at(l.q.Ref(), 8, ptr)),
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}, Begin: true},
		&core.Havoc{Locs: []core.Loc{l.p.Ref()}, Begin: true, Unset: []core.Ranges{{{Off: 0, End: 8}}}})
	finish(t, New(program(t, l.globals, l.ext, l.main), s, Options{}), Finished)
	if !slices.Equal(got, []bool{false, true, false, true}) {
		t.Errorf("objects of the environment: %v", got)
	}
}

// TestTyped lets two pointers from outside lead into one object, with accesses that show types
// there; and one pointer that is followed at two types.
func TestTyped(t *testing.T) {
	list := &core.Record{Name: "struct list", Size: 16, Members: []core.Member{{Count: 2, Size: 8}}}
	dev := &core.Record{Name: "struct dev", Size: 24, Members: []core.Member{{Count: 1, Size: 8, Tag: "struct bus"}, {Off: 8, Count: 1, Record: list, Size: 16}}}
	file := &core.Record{Name: "struct file", Size: 16, Members: []core.Member{{Count: 4, Size: 4}}}
	member := func(p core.Expr, r *core.Record, off int64) core.Expr {
		return &core.Offset{X: p, Off: off, Of: r, Member: off}
	}
	for name, c := range map[string]struct {
		first, second core.Expr // where 8 bytes are stored
		typ           core.Type
		away          int64  // of the second pointer from the first one
		one           bool   // they are one pointer
		tag           string // of the second place
		want          bool
	}{
		"a list in a dev":          {member(nil, dev, 0), member(nil, list, 8), core.Int64, 8, false, "", true},
		"a list elsewhere":         {member(nil, dev, 0), member(nil, list, 0), core.Int64, 0, false, "", false},
		"another struct":           {member(nil, dev, 0), member(nil, file, 0), core.Int32, 0, false, "", false},
		"the same":                 {member(nil, dev, 0), member(nil, dev, 8), core.Int64, 0, false, "", true},
		"the same, moved":          {member(nil, dev, 0), member(nil, dev, 8), core.Int64, 8, false, "", false},
		"the next of an array":     {member(nil, dev, 0), member(nil, dev, 8), core.Int64, 24, false, "", true},
		"one pointer at two types": {member(nil, dev, 0), member(nil, file, 0), core.Int32, 0, true, "", true},
		"a byte":                   {member(nil, dev, 0), nil, core.Int8, 3, false, "", true},
		"a number in it":           {member(nil, dev, 0), nil, core.Int64, 16, false, "", true},
		"a pointer to a bus":       {member(nil, dev, 0), nil, core.Int64, 0, false, "struct bus", true},
		"a pointer to a dev":       {member(nil, dev, 0), nil, core.Int64, 0, false, "struct dev", false},
		"a pointer as a number":    {member(nil, dev, 0), nil, core.Int64, 8, false, "struct dev", true},
		"a number across":          {member(nil, dev, 0), nil, core.Int64, 4, false, "", false},
	} {
		l := newLab()
		s := &spy{}
		l.choices = s
		var first int64
		s.havoc = func(r Request) *big.Int {
			if r.Var == l.p {
				first, _ = r.Fresh()
				return big.NewInt(first)
			}
			return big.NewInt(first + c.away)
		}
		at := func(v *core.Var, e core.Expr, typ core.Type, tag string) core.Loc {
			if o, ok := e.(*core.Offset); ok {
				o.X = v.Ref()
				e = o
			} else {
				e = v.Ref()
			}
			return &core.Mem{Addr: e, Typ: typ, Packed: true, Tag: tag}
		}
		second := l.q
		stmts := []core.Stmt{&core.Havoc{Locs: []core.Loc{l.p.Ref(), l.q.Ref()}}}
		if c.one {
			second = l.p
			stmts = []core.Stmt{&core.Havoc{Locs: []core.Loc{l.p.Ref()}}}
		}
		t1, _ := core.Word(c.typ)
		stmts = append(stmts,
			store(at(l.p, c.first, core.Int64, ""), &core.Const{Val: big.NewInt(1), Typ: core.Int64}),
			store(at(second, c.second, c.typ, c.tag), &core.Const{Val: big.NewInt(2), Typ: t1}))
		line(l.main, stmts...)
		p := program(t, l.globals, l.ext, l.main)
		for _, typed := range []bool{true, false} {
			_, err := New(p, s, Options{Typed: typed}).Run(context.Background(), 0)
			var ub *UBError
			if refused := errors.As(err, &ub) && ub.Kind == Impossible; refused == (c.want || !typed) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

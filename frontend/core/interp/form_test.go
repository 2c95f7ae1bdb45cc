package interp

import (
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// all says that every variable matters.
func all(int, *core.Var) bool { return true }

// renamed runs random programs beside copies whose new objects have other addresses, with the same choices. It reports
// whether the states have the same forms until a run depends on the numbers of addresses, how many states that were, and
// how many of the runs depended on them.
func renamed(programs uint64) (same bool, states, numeric int) {
	for seed := range programs {
		p := randomProgram(seed)
		c := newCounted(p, seed)
		m := New(p, c, Options{MaxFrames: 50, Renamed: true})
		n := m.Copy(c.copyOf())
		n.next += 1<<22 + 4096*seed
		f, g := m.Forms(), n.Forms()
		g.ids = f.ids
		for range 200 {
			e, err := m.Step()
			e2, err2 := n.Step()
			if m.Numeric() > 0 || n.Numeric() > 0 {
				numeric++
				break
			}
			if e != e2 || (err == nil) != (err2 == nil) {
				return false, states, numeric
			}
			if err != nil || e.Kind.Final() {
				break
			}
			x, fails := f.Form(all)
			y, fails2 := g.Form(all)
			if x != y && fails == nil || (fails == nil) != (fails2 == nil) {
				return false, states, numeric
			}
			states++
		}
	}
	return true, states, numeric
}

// TestRenamed checks that runs which differ by the addresses of their objects have states with the same forms, and take
// the same steps, as long as nothing depends on the numbers of addresses.
func TestRenamed(t *testing.T) {
	programs := testkit.Count[uint64](400, 6000)
	same, states, numeric := renamed(programs)
	if !same || states < 3000 || numeric < 5 || numeric > int(programs)*3/4 {
		t.Errorf("renaming keeps the forms: %v, in %d states; %d of %d runs depend on numbers", same, states, numeric, programs)
	}
}

// heapProgram is a program with a global pointer q, another one r, and main as written; p, i and wide are locals.
type heapProgram struct {
	q, r    *core.Var
	p, i    *core.Var
	wide    *core.Var
	address core.Ptr
	main    *core.Proc
	allocs  map[*core.Var]core.Stmt
}

func newHeapProgram() *heapProgram {
	ptr := core.Ptr{Bits: 64}
	h := &heapProgram{q: global("q", ptr), r: global("r", ptr), address: ptr, main: newProc("main", core.Void{}), allocs: map[*core.Var]core.Stmt{}}
	h.p, h.i, h.wide = local(h.main, "p", ptr), local(h.main, "i", core.Int32), local(h.main, "wide", core.Uint64)
	return h
}

// at is the number at a place in the object to which v leads.
func (h *heapProgram) at(v *core.Var, off int64, t core.Type) *core.Mem {
	return &core.Mem{Addr: &core.Offset{X: v.Ref(), Off: off}, Typ: t}
}

// alloc makes an object, always by the same statement.
func (h *heapProgram) alloc(v *core.Var) core.Stmt {
	if h.allocs[v] == nil {
		h.allocs[v] = &core.Alloc{Lhs: v.Ref(), Size: core.NewConst(16, core.Uint64)}
	}
	return h.allocs[v]
}

// formsOf runs main to its end and returns the forms before the nodes with numbers a and b.
func (h *heapProgram) formsOf(t *testing.T, a, b int, stmts ...core.Stmt) (x, y string, m *Machine) {
	t.Helper()
	line(h.main, stmts...)
	m = New(program(t, []*core.Var{h.q, h.r}, h.main), &script{}, Options{Renamed: true})
	f := m.Forms()
	for m.Top() != nil {
		form, err := f.Form(all)
		if err != nil {
			t.Fatal(err)
		}
		switch m.Top().Node() {
		case a:
			x = form[3:] // without the node
		case b:
			y = form[3:]
		}
		if _, err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return x, y, m
}

// States have the same form if they are the same but for addresses, and no others have.
func TestForms(t *testing.T) {
	h := newHeapProgram()
	one, two := num(1), num(2)
	n := func(v *core.Var) core.Loc { return h.at(v, 0, core.Int32) }
	next := func(v *core.Var) core.Loc { return h.at(v, 8, h.address) }
	zero := &core.Assign{Lhs: []core.Loc{h.p.Ref(), h.i.Ref(), h.wide.Ref()}, Rhs: []core.Expr{core.Null(h.address), num(0), core.NewConst(0, core.Uint64)}}
	// object makes an object with a number and a pointer, and forgets how.
	object := func(v *core.Var, value, to core.Expr) []core.Stmt {
		return []core.Stmt{h.alloc(v), store(n(v), value), store(next(v), to)}
	}
	null := core.Null(h.address)
	for _, c := range []struct {
		name   string
		first  []core.Stmt
		second []core.Stmt
		same   bool
	}{
		{"another object", object(h.q, one, null), object(h.q, one, null), true},
		{"another number in it", object(h.q, one, null), object(h.q, two, null), false},
		{"a pointer to itself", object(h.q, one, h.q.Ref()), object(h.q, one, h.q.Ref()), true},
		{"a pointer to the old one", object(h.q, one, h.q.Ref()), object(h.q, one, h.q.Ref())[:2], false},
		{"one that nothing leads to", object(h.q, one, null), append(object(h.r, two, null), set(h.r, null)), true},
		{"another one beside it", object(h.q, one, null), object(h.r, one, null), false},
		{"another number in a variable", object(h.q, one, null), []core.Stmt{set(h.i, one)}, false},
		{"a pointer into the middle", append(object(h.q, one, null), set(h.r, h.q.Ref())), []core.Stmt{set(h.r, &core.Offset{X: h.q.Ref(), Off: 8})}, false},
		{"the object is gone", object(h.q, one, null), []core.Stmt{&core.Free{Ptr: h.q.Ref()}}, false},
		{"arbitrary bytes", []core.Stmt{h.alloc(h.q)}, []core.Stmt{h.alloc(h.q)}, true},
		{"fewer arbitrary bytes", []core.Stmt{h.alloc(h.q)}, []core.Stmt{store(n(h.q), num(0))}, false},
	} {
		stmts := append(append([]core.Stmt{zero, set(h.q, null), set(h.r, null)}, c.first...), c.second...)
		before := 3 + len(c.first)
		x, y, m := h.formsOf(t, before, len(stmts), stmts...)
		if (x == y) != c.same || m.Numeric() > 0 {
			t.Errorf("%s: the same form: %v; numeric after step %d", c.name, x == y, m.Numeric())
		}
	}
}

// What depends on the number of an address is noted.
func TestNumeric(t *testing.T) {
	h := newHeapProgram()
	asInt := &core.ToInt{X: h.q.Ref(), To: core.Uint64}
	word := h.at(h.q, 8, core.Uint64)
	half := h.at(h.q, 8, core.Int32)
	size := func(n int64) core.Expr { return core.NewConst(n, core.Uint64) }
	add := func(v *core.Var, off int64) core.Expr { return &core.Offset{X: v.Ref(), Off: off} }
	for _, c := range []struct {
		name  string
		stmts []core.Stmt
		want  bool
	}{
		{"a copy of a pointer", []core.Stmt{set(h.r, h.q.Ref())}, false},
		{"a comparison of pointers", []core.Stmt{store(h.i.Ref(), bin(h.q.Ref(), core.Eq, h.r.Ref()))}, false},
		{"a conversion", []core.Stmt{store(h.wide.Ref(), asInt)}, true},
		{"a pointer that is stored", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref())}, false},
		{"and read as a number", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), store(h.wide.Ref(), word)}, true},
		{"a half of it", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), store(h.i.Ref(), half)}, true},
		{"null read as a number", []core.Stmt{store(h.at(h.q, 8, h.address), core.Null(h.address)), store(h.wide.Ref(), word)}, false},
		{"a pointer of which a half is overwritten", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), store(half, num(0))}, true},
		{"a pointer that is overwritten", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), store(word, size(0))}, false},
		{"a block with a pointer", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), h.alloc(h.r), &core.Copy{Dst: h.r.Ref(), Src: h.q.Ref(), Size: size(16)}}, false},
		{"a block with a half of one", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), h.alloc(h.r), &core.Copy{Dst: h.r.Ref(), Src: h.q.Ref(), Size: size(12)}}, true},
		{"a block that is shifted", []core.Stmt{store(h.at(h.q, 8, h.address), h.q.Ref()), h.alloc(h.r), &core.Copy{Dst: add(h.r, 4), Src: add(h.q, 8), Size: size(8)}}, true},
		{"a block without pointers that is shifted", []core.Stmt{store(word, size(0)), h.alloc(h.r), &core.Copy{Dst: add(h.r, 4), Src: add(h.q, 8), Size: size(8)}}, false},
	} {
		line(h.main, append([]core.Stmt{h.alloc(h.q)}, c.stmts...)...)
		m := New(program(t, []*core.Var{h.q, h.r}, h.main), &script{}, Options{Renamed: true})
		finish(t, m, Finished)
		if got := m.Numeric() > 0; got != c.want {
			t.Errorf("%s: it depends on the number of an address: %v", c.name, got)
		}
	}
}

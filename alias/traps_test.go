package alias

import (
	"testing"

	"c2bp/frontend/core"
)

// This file holds one small program for each way in which pointers can hide.

// TestUnion: a pointer is written as one member and read as others, one of them half
// as wide.
func TestUnion(t *testing.T) {
	w := newWorld()
	x, u := w.Global("x", core.Int32, true), w.Global("u", agg(8))
	p, half := local(w.Main, "p", ptr), local(w.Main, "half", core.Uint32)
	do(w.Main,
		set(mem(plus(addr(u), 0, "p"), ptr), addr(x)),
		set(p.Ref(), toPtr(mem(plus(addr(u), 0, "word"), core.Uint64))),
		set(half.Ref(), mem(plus(addr(u), 4, "high"), core.Uint32)),
	)
	r := w.analyze(t)
	points(t, r, p.Ref(), "{x}")
	points(t, r, half.Ref(), "{x}")
	aliases(t, r, mem(addr(u), core.Int8), mem(addr(u), core.Uint64), true)
	aliases(t, r, mem(plus(addr(u), 3, ""), core.Int8), mem(plus(addr(u), 4, ""), core.Uint32), false)
}

// TestStructCopy: a struct is copied by assignment, through pointers, in part, by a
// call and by a return.
func TestStructCopy(t *testing.T) {
	w := newWorld()
	x, y := w.Global("x", core.Int32, true), w.Global("y", core.Int32, true)
	var s [6]*core.Var
	for i := range s {
		s[i] = w.Global("s"+string(rune('0'+i)), agg(16), true)
	}
	a, b := mem(plus(addr(s[0]), 0, "a"), ptr), mem(plus(addr(s[0]), 8, "b"), ptr)
	field := func(i int, off int64) *core.Mem { return mem(plus(addr(s[i]), off, "f"), ptr) }
	from, to := local(w.Main, "from", ptr), local(w.Main, "to", ptr)
	id := w.Proc("id", agg(16))
	formal(id, "arg", agg(16))
	do(id, &core.Copy{Dst: addr(id.Result), Src: addr(id.Formals[0]), Size: num64(16)})
	do(w.Main,
		set(a, addr(x)), set(b, addr(y)),
		&core.Copy{Dst: addr(s[1]), Src: addr(s[0]), Size: num64(16)},
		set(from.Ref(), addr(s[1])), set(to.Ref(), addr(s[2])),
		&core.Copy{Dst: to.Ref(), Src: from.Ref(), Size: num64(16)},
		&core.Copy{Dst: addr(s[3]), Src: plus(from.Ref(), 8, ""), Size: num64(8)}, // b to a
		&core.Call{Callee: id, Args: []core.Expr{to.Ref()}, Lhs: mem(addr(s[4]), agg(16))},
		&core.Copy{Dst: plus(addr(s[5]), 4, ""), Src: plus(addr(s[0]), 4, ""), Size: num64(4)}, // half of a
	)
	r := w.analyze(t)
	for _, i := range []int{1, 2, 4} {
		points(t, r, field(i, 0), "{x}")
		points(t, r, field(i, 8), "{y}")
	}
	points(t, r, field(3, 0), "{y}")
	points(t, r, field(3, 8), "{}")
	points(t, r, field(5, 0), "{x}")
	points(t, r, mem(addr(s[5]), core.Uint32), "{}")
	points(t, r, field(5, 8), "{}")
}

// TestCopyUnknownSize: memcpy(d, s, n).
func TestCopyUnknownSize(t *testing.T) {
	w := newWorld()
	x, y := w.Global("x", core.Int32, true), w.Global("y", core.Int32, true)
	src, dst := w.Global("src", agg(32), true), w.Global("dst", agg(32), true)
	n := local(w.Main, "n", core.Uint64)
	do(w.Main,
		set(mem(plus(addr(src), 0, "a"), ptr), addr(x)),
		set(mem(plus(addr(src), 16, "b"), ptr), addr(y)),
		set(n.Ref(), num64(24)),
		&core.Copy{Dst: addr(dst), Src: plus(addr(src), 8, ""), Size: n.Ref()},
	)
	r := w.analyze(t)
	points(t, r, mem(plus(addr(dst), 8, "c"), ptr), "{y}")
	points(t, r, mem(addr(dst), ptr), "{}")
}

// TestByteLoop: a loop over chars copies a pointer.
func TestByteLoop(t *testing.T) {
	w := newWorld()
	x, src, dst := w.Global("x", core.Int32, true), w.Global("src", ptr, true), w.Global("dst", ptr, true)
	i := local(w.Main, "i", core.Int32)
	c := local(w.Main, "c", core.Int8)
	do(w.Main,
		set(src.Ref(), addr(x)), set(i.Ref(), num(0)),
		set(c.Ref(), mem(elem(addr(src), i.Ref(), 1), core.Int8)),
		set(mem(elem(addr(dst), i.Ref(), 1), core.Int8), c.Ref()),
		set(i.Ref(), bin(i.Ref(), core.Add, num(1))),
	)
	r := w.analyze(t)
	points(t, r, dst.Ref(), "{x}")
}

// TestBytes: a pointer taken apart and put together by shifts.
func TestBytes(t *testing.T) {
	w := newWorld()
	s := w.Global("s", agg(32), true)
	b := local(w.Main, "b", core.Uint8)
	n := local(w.Main, "n", core.Uint64)
	do(w.Main,
		set(b.Ref(), &core.Conv{X: bin(toInt(addr(s), core.Uint64), core.Shr, num64(8)), To: core.Uint8}),
		set(n.Ref(), bin(&core.Conv{X: b.Ref(), To: core.Uint64}, core.Shl, num64(8))),
	)
	r := w.analyze(t)
	points(t, r, toPtr(n.Ref()), "{outside, s+?}")
}

// TestArrays: elements at constant and other indices, arrays of structs, and a table
// of pointers.
func TestArrays(t *testing.T) {
	w := newWorld()
	x, y := w.Global("x", core.Int32, true), w.Global("y", core.Int32, true)
	tab := w.Global("tab", agg(160)) // struct { int n; void *p; } tab[10]
	i := local(w.Main, "i", core.Int32)
	p, q := local(w.Main, "p", ptr), local(w.Main, "q", ptr)
	at := func(i core.Expr, off int64) core.Expr { return plus(elem(addr(tab), i, 16), off, "f") }
	do(w.Main,
		set(i.Ref(), num(3)),
		set(mem(at(i.Ref(), 8), ptr), addr(x)),
		set(mem(at(num(2), 8), ptr), addr(y)),
		set(mem(at(i.Ref(), 0), core.Int32), num(1)),
		set(p.Ref(), at(i.Ref(), 8)),
		set(q.Ref(), mem(at(num(7), 8), ptr)),
	)
	r := w.analyze(t)
	points(t, r, p.Ref(), "{tab+8+16k}")
	points(t, r, q.Ref(), "{x}")
	points(t, r, mem(at(num(2), 8), ptr), "{x, y}")
	points(t, r, mem(p.Ref(), ptr), "{x, y}")
	aliases(t, r, mem(at(i.Ref(), 0), core.Int32), mem(p.Ref(), ptr), false)
	aliases(t, r, mem(at(num(1), 0), core.Int32), mem(at(num(2), 0), core.Int32), false)
	aliases(t, r, mem(at(num(1), 0), core.Int32), mem(at(i.Ref(), 0), core.Int32), true)
	g := r.Regions(nil)
	if a, b := g.Of(mem(at(i.Ref(), 0), core.Int32)), g.Of(mem(p.Ref(), ptr)); a == b || a < 0 || b < 0 {
		t.Errorf("regions %d, %d of different fields", a, b)
	}
	if !g.Know(mem(p.Ref(), ptr)) || g.Know(mem(at(i.Ref(), 2), core.Int64)) {
		t.Error("a place is in two regions just if it has a part of both fields")
	}
}

// TestWalk: p = p + 16 in a loop, and one that goes both ways.
func TestWalk(t *testing.T) {
	w := newWorld()
	tab := w.Global("tab", agg(1600), true)
	p, q := local(w.Main, "p", ptr), local(w.Main, "q", ptr)
	do(w.Main,
		set(p.Ref(), plus(addr(tab), 8, "")),
		set(p.Ref(), plus(p.Ref(), 16, "")),
		set(q.Ref(), addr(tab)),
		set(q.Ref(), plus(q.Ref(), 24, "")),
		set(q.Ref(), plus(q.Ref(), -36, "")),
	)
	r := w.analyze(t)
	aliases(t, r, mem(p.Ref(), core.Int64), mem(plus(addr(tab), 808, ""), core.Int8), true)
	aliases(t, r, mem(p.Ref(), core.Int64), mem(plus(addr(tab), 800, ""), core.Int64), false)
	aliases(t, r, mem(q.Ref(), core.Int32), mem(plus(addr(tab), 1200, ""), core.Int8), true)
	aliases(t, r, mem(q.Ref(), core.Int32), mem(plus(addr(tab), 1204, ""), core.Int8), false)
}

// TestContainer: container_of goes back from a member to its struct.
func TestContainer(t *testing.T) {
	w := newWorld()
	dev := w.Global("dev", agg(32), true)
	p, d := local(w.Main, "p", ptr), local(w.Main, "d", ptr)
	do(w.Main,
		set(p.Ref(), plus(addr(dev), 16, "node")),
		set(d.Ref(), plus(p.Ref(), -16, "")),
		set(mem(plus(d.Ref(), 8, "lock"), core.Int32), num(1)),
	)
	r := w.analyze(t)
	points(t, r, d.Ref(), "{dev}")
	aliases(t, r, mem(plus(d.Ref(), 8, "lock"), core.Int32), mem(plus(addr(dev), 8, "lock"), core.Int32), true)
	aliases(t, r, mem(plus(d.Ref(), 8, "lock"), core.Int32), mem(p.Ref(), core.Int64), false)
}

// TestBitFields: two in one byte are apart, unless a pointer to the byte meets both.
func TestBitFields(t *testing.T) {
	w := newWorld()
	s := w.Global("s", agg(4), true)
	bit := func(first, n int) *core.Mem {
		return &core.Mem{Addr: addr(s), Typ: core.Int{Bits: n}, Bit: first}
	}
	do(w.Main, set(bit(0, 3), core.NewConst(1, core.Int{Bits: 3})))
	r := w.analyze(t)
	aliases(t, r, bit(0, 3), bit(3, 1), false)
	aliases(t, r, bit(0, 3), bit(2, 4), true)
	aliases(t, r, bit(6, 5), mem(plus(addr(s), 1, ""), core.Int8), true)
	aliases(t, r, bit(0, 3), mem(addr(s), core.Int32), true)
}

// TestVarargs: va_arg reads what the caller passed behind the formals.
func TestVarargs(t *testing.T) {
	w := newWorld()
	x, y := w.Global("x", core.Int32, true), w.Global("y", core.Int32, true)
	f := w.Proc("f", ptr)
	formal(f, "n", core.Int32)
	f.Variadic = local(f, "...", agg(0), true)
	ap := local(f, "ap", ptr)
	do(f,
		set(ap.Ref(), addr(f.Variadic)),
		set(ap.Ref(), plus(ap.Ref(), 8, "")),
		set(f.Result.Ref(), mem(ap.Ref(), ptr)),
	)
	p := local(w.Main, "p", ptr)
	c := callTo(p.Ref(), f, num(2))
	c.Extra = []core.Expr{addr(x), addr(y)}
	do(w.Main, c)
	r := w.analyze(t)
	points(t, r, mem(addr(f.Variadic), ptr), "{x}")
	points(t, r, mem(plus(addr(f.Variadic), 8, ""), ptr), "{y}")
	points(t, r, p.Ref(), "{x, y}") // ap is any slot
}

// TestCallbacks: a function in a table, called with a pointer that it keeps.
func TestCallbacks(t *testing.T) {
	w := newWorld()
	kept := w.Global("kept", ptr)
	cb := w.Proc("cb", core.Void{})
	do(cb, set(kept.Ref(), formal(cb, "arg", ptr).Ref()))
	ops := w.Global("ops", agg(24))
	run := w.Proc("run", core.Void{})
	table := formal(run, "table", ptr)
	loc := local(run, "loc", core.Int32, true)
	c := &core.Call{Target: mem(plus(table.Ref(), 16, "cb"), ptr), RetType: core.Void{}, Args: []core.Expr{addr(loc)}}
	do(run, c)
	do(w.Main, set(mem(plus(addr(ops), 16, "cb"), ptr), fn(cb)), call(run, addr(ops)))
	r := w.analyze(t)
	points(t, r, kept.Ref(), "{run.loc}")
	if list, unknown := r.Callees(c); len(list) != 1 || list[0] != cb || unknown {
		t.Errorf("callees %v, %v", list, unknown)
	}
	affected(t, r, c, kept.Ref(), true)
	affected(t, r, c, loc.Ref(), false)
}

// externs is a program that gives a to an external, keeps b, and gets a pointer back.
type externs struct {
	*world
	a, b, g      *core.Var
	p, q         *core.Var
	give, get, n *core.Call
}

func newExterns(x core.Extern) *externs {
	w := &externs{world: newWorld()}
	w.Prog.Extern = x
	w.a, w.b, w.g = w.Global("a", agg(16), true), w.Global("b", agg(16), true), w.Global("g", core.Int32)
	give := w.Extern("give", core.Void{}, ptr)
	get := w.Extern("get", ptr)
	nothing := w.Extern("nothing", core.Void{}, core.Int32)
	w.p, w.q = local(w.Main, "p", ptr), local(w.Main, "q", ptr)
	w.give, w.get, w.n = call(give, addr(w.a)), callTo(w.p.Ref(), get), call(nothing, num(1))
	do(w.Main,
		set(mem(plus(addr(w.b), 8, "p"), ptr), addr(w.b)),
		w.give, w.get, w.n, set(w.q.Ref(), mem(addr(w.a), ptr)))
	return w
}

// TestExternals: what the three assumptions about externals mean.
func TestExternals(t *testing.T) {
	w := newExterns(core.ExternArgs)
	r := w.analyze(t)
	inA, inB := mem(plus(addr(w.a), 8, ""), core.Int32), mem(addr(w.b), core.Int32)
	points(t, r, w.p.Ref(), "{outside}")
	points(t, r, w.q.Ref(), "{outside}")
	aliases(t, r, mem(w.p.Ref(), core.Int32), inA, true)
	aliases(t, r, mem(w.p.Ref(), core.Int32), inB, false)
	affected(t, r, w.give, inA, true)
	affected(t, r, w.give, inB, false)
	affected(t, r, w.give, w.g.Ref(), false)
	affected(t, r, w.n, inA, false)
	affected(t, r, w.get, inA, false)

	w = newExterns(core.ExternPure)
	r = w.analyze(t)
	inA, inB = mem(plus(addr(w.a), 8, ""), core.Int32), mem(addr(w.b), core.Int32)
	aliases(t, r, mem(w.p.Ref(), core.Int32), inA, true) // get may return &a
	aliases(t, r, mem(w.p.Ref(), core.Int32), inB, false)
	affected(t, r, w.give, inA, false)

	w = newExterns(core.ExternAll)
	r = w.analyze(t)
	inA, inB = mem(plus(addr(w.a), 8, ""), core.Int32), mem(addr(w.b), core.Int32)
	aliases(t, r, mem(w.p.Ref(), core.Int32), inB, true)
	affected(t, r, w.n, inA, true)
	affected(t, r, w.n, inB, true)
	affected(t, r, w.n, w.g.Ref(), true)
}

// TestOutside: numbers, what a device register holds, what began to live, foreign
// variables and string literals.
func TestOutside(t *testing.T) {
	w := newWorld()
	x := w.Global("x", core.Int32, true)
	foreign := &core.Var{Name: "foreign", Type: agg(8), Foreign: true, AddrTaken: true}
	literal := &core.Var{Name: "literal", Type: agg(8), Literal: true, AddrTaken: true}
	w.Prog.Globals = append(w.Prog.Globals, foreign, literal)
	log := w.Extern("log", core.Void{}, ptr)
	n := local(w.Main, "n", core.Uint64)
	p, q, fresh := local(w.Main, "p", ptr), local(w.Main, "q", ptr), local(w.Main, "fresh", ptr, true)
	said := call(log, addr(literal))
	do(w.Main,
		&core.Data{Dst: addr(literal), Bytes: []byte("text\x00\x00\x00\x00")},
		set(n.Ref(), num64(0xfe00_0000)),
		set(p.Ref(), toPtr(bin(n.Ref(), core.Add, num64(16)))),
		&core.Havoc{Locs: []core.Loc{fresh.Ref()}, Begin: true},
		&core.Havoc{Locs: []core.Loc{q.Ref()}},
		said,
		set(x.Ref(), mem(addr(fresh), core.Int32)),
	)
	r := w.analyze(t)
	points(t, r, p.Ref(), "{outside}")
	points(t, r, q.Ref(), "{outside}")
	points(t, r, fresh.Ref(), "{}")
	points(t, r, mem(addr(foreign), ptr), "{outside}")
	aliases(t, r, mem(p.Ref(), core.Int32), mem(addr(x), core.Int32), false)
	aliases(t, r, mem(p.Ref(), core.Int32), mem(addr(foreign), core.Int32), true)
	aliases(t, r, mem(fresh.Ref(), core.Int8), mem(fresh.Ref(), core.Int32), true) // undefined in any case
	aliases(t, r, mem(fresh.Ref(), core.Int8), mem(addr(x), core.Int32), false)
	affected(t, r, said, mem(addr(literal), core.Int8), false)
	affected(t, r, said, mem(addr(foreign), core.Int8), true)
	affected(t, r, said, x.Ref(), false)
}

// TestHeap: sites are apart; what is at one site is not told apart.
func TestHeap(t *testing.T) {
	w := newWorld()
	p, q := local(w.Main, "p", ptr), local(w.Main, "q", ptr)
	do(w.Main, alloc(p.Ref(), 16), alloc(q.Ref(), 16),
		set(mem(plus(p.Ref(), 8, "next"), ptr), q.Ref()),
		set(mem(plus(q.Ref(), 8, "next"), ptr), null),
		set(p.Ref(), mem(plus(p.Ref(), 8, "next"), ptr)))
	r := w.analyze(t)
	points(t, r, q.Ref(), "{alloc@main:1}")
	points(t, r, p.Ref(), "{alloc@main:0, alloc@main:1}")
	points(t, r, mem(plus(q.Ref(), 8, "next"), ptr), "{alloc@main:1}") // p may be q
	aliases(t, r, mem(p.Ref(), core.Int64), mem(plus(q.Ref(), 8, "next"), ptr), false)
}

// TestEscapingLocal: the address of a local is kept in a global and used after the
// call that took it.
func TestEscapingLocal(t *testing.T) {
	w := newWorld()
	kept := w.Global("kept", ptr)
	keep := w.Proc("keep", core.Void{})
	do(keep, set(kept.Ref(), formal(keep, "p", ptr).Ref()))
	poke := w.Proc("poke", core.Void{})
	do(poke, set(mem(kept.Ref(), core.Int32), num(1)))
	x, y := local(w.Main, "x", core.Int32, true), local(w.Main, "y", core.Int32, true)
	pokes := call(poke)
	do(w.Main, call(keep, addr(x)), pokes, set(y.Ref(), num(1)))
	r := w.analyze(t)
	affected(t, r, pokes, x.Ref(), true)
	affected(t, r, pokes, mem(kept.Ref(), core.Int8), true)
	affected(t, r, pokes, y.Ref(), false)
}

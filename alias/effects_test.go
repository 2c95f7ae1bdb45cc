package alias

import (
	"fmt"
	"testing"

	"c2bp/frontend/core"
)

// TestEffects is a program with one procedure for each way to write.
func TestEffects(t *testing.T) {
	w := newWorld()
	locked, n := w.global("locked", core.Int32), w.global("n", core.Int32)
	shared, other := w.global("shared", core.Int32, true), w.global("other", core.Int32)
	ext := w.extern("ext", core.Int32, ptr)
	release := w.proc("release", core.Void{})
	do(release, set(locked.Ref(), num(0)))
	direct := w.proc("direct", core.Void{})
	do(direct, set(shared.Ref(), num(1)))
	through := w.proc("through", core.Void{})
	p := formal(through, "p", ptr)
	do(through, set(mem(p.Ref(), core.Int32), num(1)))
	havoc := w.proc("havoc", core.Void{})
	do(havoc, &core.Havoc{Locs: []core.Loc{n.Ref()}})
	region := w.proc("region", core.Void{})
	do(region, &core.Havoc{Region: true})
	dest := w.proc("dest", core.Void{})
	do(dest, callTo(n.Ref(), ext, addr(shared)))
	ping, pong := w.proc("ping", core.Void{}), w.proc("pong", core.Void{})
	do(ping, call(pong))
	do(pong, set(n.Ref(), num(1)), call(ping), call(release))
	pure := w.proc("pure", core.Void{})
	buf, x := local(pure, "buf", core.Int32, true), local(pure, "x", core.Int32)
	do(pure, set(buf.Ref(), num(1)), set(x.Ref(), num(2)))
	mine := local(w.main, "mine", core.Int32, true)
	sees := call(through, addr(mine))
	do(w.main, call(pure), call(ping), call(region), sees, call(dest), set(other.Ref(), num(1)))
	r := w.analyze(t)
	golden(t, "testdata/effects.golden", w.prog.String()+"\n"+r.String())

	for _, test := range []struct {
		p    *core.Proc
		v    *core.Var
		want bool
	}{
		{release, n, false}, // n == old survives release()
		{release, locked, true},
		{release, buf, false},
		{direct, shared, true},
		{direct, buf, false},
		{through, shared, false},
		{havoc, n, true},
		{region, shared, true},
		{region, mine, true},
		{region, x, false},
		{region, n, false},
		{dest, n, true},
		{dest, shared, true},
		{ping, n, true},
		{ping, locked, true},
		{ping, shared, false},
		{pure, buf, false}, // another activation's buf
		{w.main, other, true},
	} {
		affected(t, r, call(test.p), test.v.Ref(), test.want)
	}
	affected(t, r, sees, mine.Ref(), true)
	affected(t, r, sees, mem(addr(shared), core.Int32), false)
}

// TestReach: of what a procedure may write in some call, a call changes what it can get
// at.
func TestReach(t *testing.T) {
	w := newWorld()
	kept := w.global("kept", ptr)
	through := w.proc("through", core.Void{})
	p := formal(through, "p", ptr)
	do(through, set(mem(p.Ref(), core.Int32), num(1)))
	global := w.proc("global", core.Void{})
	do(global, set(mem(kept.Ref(), core.Int32), num(1)))
	mine, yours := local(w.main, "mine", core.Int32, true), local(w.main, "yours", core.Int32, true)
	first, second, third := call(through, addr(mine)), call(through, addr(yours)), call(global)
	do(w.main, set(kept.Ref(), addr(mine)), first, second, third)
	r := w.analyze(t)
	affected(t, r, first, mine.Ref(), true)
	affected(t, r, first, yours.Ref(), false)
	affected(t, r, second, mine.Ref(), false)
	affected(t, r, second, yours.Ref(), true)
	affected(t, r, third, mine.Ref(), true)
	affected(t, r, third, yours.Ref(), false)
}

// TestRecursion: a procedure's own variable is another one in each activation, unless
// a pointer to it is handed down.
func TestRecursion(t *testing.T) {
	w := newWorld()
	f := w.proc("f", core.Void{})
	p := formal(f, "p", ptr)
	x, y := local(f, "x", core.Int32, true), local(f, "y", core.Int32, true)
	down := call(f, addr(x))
	do(f, set(x.Ref(), num(1)), set(mem(addr(y), core.Int32), num(2)), set(mem(p.Ref(), core.Int32), num(3)), down)
	z := local(w.main, "z", core.Int32, true)
	top := call(f, addr(z))
	do(w.main, top)
	r := w.analyze(t)
	affected(t, r, down, x.Ref(), true)
	affected(t, r, down, y.Ref(), false)
	affected(t, r, down, mem(p.Ref(), core.Int32), true)
	affected(t, r, top, z.Ref(), true)
}

// TestLongChain analyses a call chain of 100,000 procedures.
func TestLongChain(t *testing.T) {
	g := &core.Var{Name: "g", Type: core.Int32, Kind: core.Global}
	p := &core.Program{Globals: []*core.Var{g}}
	for i := range 100000 {
		q := &core.Proc{Name: fmt.Sprint("p", i), RetType: core.Void{}, Nodes: []*core.Node{{Stmt: &core.Return{}}}}
		if i == 0 {
			do(q, set(g.Ref(), num(1)))
		} else {
			do(q, call(p.Procs[i-1]))
		}
		p.Procs = append(p.Procs, q)
	}
	// The roots come first, so that the search goes down the whole chain.
	for i, j := 0, len(p.Procs)-1; i < j; i, j = i+1, j-1 {
		p.Procs[i], p.Procs[j] = p.Procs[j], p.Procs[i]
	}
	p.Entry = p.Procs[0]
	if r := Analyze(p); !r.Affected(call(p.Procs[0]), g.Ref()) {
		t.Error("the write at the end of the chain is lost")
	}
}

// TestEntryConstants: what a global held when the program started is what it held before
// it was initialised.
func TestEntryConstants(t *testing.T) {
	w := newWorld()
	x, gp := w.global("x", core.Int32, true), w.global("gp", ptr)
	do(w.main, set(gp.Ref(), addr(x)))
	ghost := &core.Var{Name: "'gp", Type: ptr, Kind: core.Ghost, Proc: w.main, Init: gp.Ref()}
	r := w.analyze(t)
	if r.PointsTo(gp.Ref()).Outside() || !r.PointsTo(ghost.Ref()).Outside() {
		t.Errorf("gp points to %v, 'gp to %v", r.PointsTo(gp.Ref()), r.PointsTo(ghost.Ref()))
	}
}

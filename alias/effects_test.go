package alias

import (
	"fmt"
	"testing"

	"c2bp/frontend/core"
)

// TestEffects is a program with one procedure for each way to write.
func TestEffects(t *testing.T) {
	w := newWorld()
	locked, n := w.Global("locked", core.Int32), w.Global("n", core.Int32)
	shared, other := w.Global("shared", core.Int32, true), w.Global("other", core.Int32)
	ext := w.Extern("ext", core.Int32, ptr)
	release := w.Proc("release", core.Void{})
	do(release, set(locked.Ref(), num(0)))
	direct := w.Proc("direct", core.Void{})
	do(direct, set(shared.Ref(), num(1)))
	through := w.Proc("through", core.Void{})
	p := formal(through, "p", ptr)
	do(through, set(mem(p.Ref(), core.Int32), num(1)))
	havoc := w.Proc("havoc", core.Void{})
	do(havoc, &core.Havoc{Locs: []core.Loc{n.Ref()}})
	region := w.Proc("region", core.Void{})
	do(region, &core.Havoc{Region: true})
	dest := w.Proc("dest", core.Void{})
	do(dest, callTo(n.Ref(), ext, addr(shared)))
	ping, pong := w.Proc("ping", core.Void{}), w.Proc("pong", core.Void{})
	do(ping, call(pong))
	do(pong, set(n.Ref(), num(1)), call(ping), call(release))
	pure := w.Proc("pure", core.Void{})
	buf, x := local(pure, "buf", core.Int32, true), local(pure, "x", core.Int32)
	do(pure, set(buf.Ref(), num(1)), set(x.Ref(), num(2)))
	mine := local(w.Main, "mine", core.Int32, true)
	sees := call(through, addr(mine))
	do(w.Main, call(pure), call(ping), call(region), sees, call(dest), set(other.Ref(), num(1)))
	r := w.analyze(t)
	golden(t, "testdata/effects.golden", w.Prog.String()+"\n"+r.String())

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
		{w.Main, other, true},
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
	kept := w.Global("kept", ptr)
	through := w.Proc("through", core.Void{})
	p := formal(through, "p", ptr)
	do(through, set(mem(p.Ref(), core.Int32), num(1)))
	global := w.Proc("global", core.Void{})
	do(global, set(mem(kept.Ref(), core.Int32), num(1)))
	mine, yours := local(w.Main, "mine", core.Int32, true), local(w.Main, "yours", core.Int32, true)
	first, second, third := call(through, addr(mine)), call(through, addr(yours)), call(global)
	do(w.Main, set(kept.Ref(), addr(mine)), first, second, third)
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
	f := w.Proc("f", core.Void{})
	p := formal(f, "p", ptr)
	x, y := local(f, "x", core.Int32, true), local(f, "y", core.Int32, true)
	down := call(f, addr(x))
	do(f, set(x.Ref(), num(1)), set(mem(addr(y), core.Int32), num(2)), set(mem(p.Ref(), core.Int32), num(3)), down)
	z := local(w.Main, "z", core.Int32, true)
	top := call(f, addr(z))
	do(w.Main, top)
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
	x, gp := w.Global("x", core.Int32, true), w.Global("gp", ptr)
	do(w.Main, set(gp.Ref(), addr(x)))
	ghost := &core.Var{Name: "'gp", Type: ptr, Kind: core.Ghost, Proc: w.Main, Init: gp.Ref()}
	r := w.analyze(t)
	if r.PointsTo(gp.Ref()).Outside() || !r.PointsTo(ghost.Ref()).Outside() {
		t.Errorf("gp points to %v, 'gp to %v", r.PointsTo(gp.Ref()), r.PointsTo(ghost.Ref()))
	}
}

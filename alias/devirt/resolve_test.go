package devirt

import (
	"fmt"
	"testing"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// TestResolve: an operation table, a callback with another signature, a pointer from
// outside, and one that points to nothing.
func TestResolve(t *testing.T) {
	w := newWorld()
	get := w.extern("get", ptr)
	x := w.global("x", core.Int32)
	open := w.proc("open", core.Int32)
	do(open, set(x.Ref(), formal(open, "n", core.Int32).Ref()))
	shut := w.proc("shut", core.Void{})
	do(shut, set(x.Ref(), &core.Conv{X: formal(shut, "n", core.Int64).Ref(), To: core.Int32}))
	other := w.proc("other", core.Int32) // takes no arguments
	ops := w.global("ops", agg(16), true)
	for i, p := range []*core.Proc{open, shut} {
		do(w.main, set(mem(plus(addr(ops), int64(8*i), "f"), ptr), fn(p)))
	}
	i, v, q, z := local(w.main, "i", core.Uint32), local(w.main, "v", core.Int32), local(w.main, "q", ptr), local(w.main, "z", ptr)
	indirect := func(target core.Expr) *core.Call {
		return &core.Call{Lhs: v.Ref(), Target: target, RetType: core.Int32, Args: []core.Expr{num(1)}}
	}
	do(w.main,
		set(i.Ref(), core.NewConst(1, core.Uint32)),
		set(mem(plus(addr(ops), 8, "f"), ptr), fn(other)),
		indirect(mem(elem(addr(ops), i.Ref(), 8), ptr)),
		callTo(q.Ref(), get),
		indirect(q.Ref()),
		set(z.Ref(), null),
		indirect(z.Ref()),
	)
	if err := core.Validate(w.prog); err != nil {
		t.Fatal(err)
	}
	before := alias.Analyze(w.prog)
	Resolve(w.prog)
	if err := core.Validate(w.prog); err != nil {
		t.Fatal(err)
	}
	r := alias.Analyze(w.prog)
	golden(t, "testdata/resolve.golden", w.prog.String()+"\n"+r.String())
	for _, p := range w.prog.Procs {
		if p.HasBody() && before.ModSetOf(p).String() != r.ModSetOf(p).String() {
			t.Errorf("%s writes %s before, %s after Resolve", p.Name, before.ModSetOf(p), r.ModSetOf(p))
		}
	}
	once := fmt.Sprint(w.prog.Procs)
	if Resolve(w.prog); fmt.Sprint(w.prog.Procs) != once {
		t.Errorf("Resolve is not idempotent:\n%s", w.prog)
	}
}

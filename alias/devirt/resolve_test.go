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
	get := w.Extern("get", ptr)
	x := w.Global("x", core.Int32)
	open := w.Proc("open", core.Int32)
	do(open, set(x.Ref(), formal(open, "n", core.Int32).Ref()))
	shut := w.Proc("shut", core.Void{})
	do(shut, set(x.Ref(), &core.Conv{X: formal(shut, "n", core.Int64).Ref(), To: core.Int32}))
	other := w.Proc("other", core.Int32) // takes no arguments
	ops := w.Global("ops", agg(16), true)
	for i, p := range []*core.Proc{open, shut} {
		do(w.Main, set(mem(plus(addr(ops), int64(8*i), "f"), ptr), fn(p)))
	}
	i, v, q, z := local(w.Main, "i", core.Uint32), local(w.Main, "v", core.Int32), local(w.Main, "q", ptr), local(w.Main, "z", ptr)
	indirect := func(target core.Expr) *core.Call {
		return &core.Call{Lhs: v.Ref(), Target: target, RetType: core.Int32, Args: []core.Expr{num(1)}}
	}
	do(w.Main,
		set(i.Ref(), core.NewConst(1, core.Uint32)),
		set(mem(plus(addr(ops), 8, "f"), ptr), fn(other)),
		indirect(mem(elem(addr(ops), i.Ref(), 8), ptr)),
		callTo(q.Ref(), get),
		indirect(q.Ref()),
		set(z.Ref(), null),
		indirect(z.Ref()),
	)
	if err := core.Validate(w.Prog); err != nil {
		t.Fatal(err)
	}
	before := alias.Analyze(w.Prog)
	Resolve(w.Prog)
	if err := core.Validate(w.Prog); err != nil {
		t.Fatal(err)
	}
	r := alias.Analyze(w.Prog)
	golden(t, "testdata/resolve.golden", w.Prog.String()+"\n"+r.String())
	for _, p := range w.Prog.Procs {
		if p.HasBody() && before.ModSetOf(p).String() != r.ModSetOf(p).String() {
			t.Errorf("%s writes %s before, %s after Resolve", p.Name, before.ModSetOf(p), r.ModSetOf(p))
		}
	}
	once := fmt.Sprint(w.Prog.Procs)
	if Resolve(w.Prog); fmt.Sprint(w.Prog.Procs) != once {
		t.Errorf("Resolve is not idempotent:\n%s", w.Prog)
	}
}

package devirt

import (
	"fmt"
	"testing"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// variadicProc declares a procedure with a formal n that takes the address of its variable
// arguments.
func (w *world) variadicProc(name string) *core.Proc {
	f := w.proc(name, core.Int32)
	formal(f, "n", core.Int32)
	f.Variadic = local(f, `\varargs`, agg(0), true)
	ap := local(f, "ap", ptr)
	do(f,
		set(ap.Ref(), addr(f.Variadic)),
		set(f.Result.Ref(), mem(plus(ap.Ref(), 8, ""), core.Int32)),
	)
	return f
}

// extra is a call of f with variable arguments.
func extra(l core.Loc, f *core.Proc, list ...core.Expr) *core.Call {
	c := callTo(l, f, num(2))
	c.Extra = list
	return c
}

// TestExtra: variable arguments of several kinds, none at all, those of a call through a
// pointer, of a callback, and of procedures that are left alone.
func TestExtra(t *testing.T) {
	w := newWorld()
	x := w.global("x", core.Int32, true)
	f := w.variadicProc("f")
	do(f, extra(f.Result.Ref(), f, addr(x)))
	deaf := w.proc("deaf", core.Int32) // does not read what it is given
	formal(deaf, "n", core.Int32)
	deaf.Variadic = local(deaf, `\varargs`, agg(0), true)
	outside := w.extern("outside", core.Int32, core.Int32)
	w.main.Variadic = local(w.main, `\varargs`, agg(0), true)
	ap, r, to := local(w.main, "ap", ptr), local(w.main, "r", core.Int32), local(w.main, "to", ptr)
	callback := &core.Call{Target: to.Ref(), RetType: core.Int32, Args: []core.Expr{num(1)}, By: outside}
	indirect := &core.Call{Target: to.Ref(), RetType: core.Int32, Args: []core.Expr{num(1), num(2), num(3)}}
	do(w.main,
		set(ap.Ref(), addr(w.main.Variadic)),
		extra(r.Ref(), f, num(7), addr(x), nil, core.NewConst(1, core.Int64)),
		extra(r.Ref(), f),
		extra(r.Ref(), f, nil),
		extra(r.Ref(), deaf, num(7)),
		extra(r.Ref(), outside, num(7)),
		set(to.Ref(), fn(f)),
		callback,
		indirect,
	)
	if err := core.Validate(w.prog); err != nil {
		t.Fatal(err)
	}
	Resolve(w.prog)
	if err := core.Validate(w.prog); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/extra.golden", w.prog.String()+"\n"+alias.Analyze(w.prog).String())
	before := fmt.Sprint(w.prog.Procs)
	Resolve(w.prog)
	if again := fmt.Sprint(w.prog.Procs); again != before {
		t.Errorf("Resolve is not idempotent: %s", again)
	}
}

// TestExtraOfEntry: what a procedure made by the front end calls is what C starts with.
func TestExtraOfEntry(t *testing.T) {
	w := newWorld()
	w.main.CName = ""
	f := w.variadicProc("f")
	do(w.main, extra(nil, f))
	Resolve(w.prog)
	if f.Variadic == nil || len(f.Formals) != 1 {
		t.Errorf("f has other formals than in C:\n%s", f)
	}
}

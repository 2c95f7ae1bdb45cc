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
	f := w.Proc(name, core.Int32)
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
	x := w.Global("x", core.Int32, true)
	f := w.variadicProc("f")
	do(f, extra(f.Result.Ref(), f, addr(x)))
	deaf := w.Proc("deaf", core.Int32) // does not read what it is given
	formal(deaf, "n", core.Int32)
	deaf.Variadic = local(deaf, `\varargs`, agg(0), true)
	outside := w.Extern("outside", core.Int32, core.Int32)
	w.Main.Variadic = local(w.Main, `\varargs`, agg(0), true)
	ap, r, to := local(w.Main, "ap", ptr), local(w.Main, "r", core.Int32), local(w.Main, "to", ptr)
	callback := &core.Call{Target: to.Ref(), RetType: core.Int32, Args: []core.Expr{num(1)}, By: outside}
	indirect := &core.Call{Target: to.Ref(), RetType: core.Int32, Args: []core.Expr{num(1), num(2), num(3)}}
	do(w.Main,
		set(ap.Ref(), addr(w.Main.Variadic)),
		extra(r.Ref(), f, num(7), addr(x), nil, core.NewConst(1, core.Int64)),
		extra(r.Ref(), f),
		extra(r.Ref(), f, nil),
		extra(r.Ref(), deaf, num(7)),
		extra(r.Ref(), outside, num(7)),
		set(to.Ref(), fn(f)),
		callback,
		indirect,
	)
	if err := core.Validate(w.Prog); err != nil {
		t.Fatal(err)
	}
	Resolve(w.Prog)
	if err := core.Validate(w.Prog); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/extra.golden", w.Prog.String()+"\n"+alias.Analyze(w.Prog).String())
	before := fmt.Sprint(w.Prog.Procs)
	Resolve(w.Prog)
	if again := fmt.Sprint(w.Prog.Procs); again != before {
		t.Errorf("Resolve is not idempotent: %s", again)
	}
}

// TestExtraOfEntry: what a procedure made by the front end calls is what C starts with.
func TestExtraOfEntry(t *testing.T) {
	w := newWorld()
	w.Main.CName = ""
	f := w.variadicProc("f")
	do(w.Main, extra(nil, f))
	Resolve(w.Prog)
	if f.Variadic == nil || len(f.Formals) != 1 {
		t.Errorf("f has other formals than in C:\n%s", f)
	}
}

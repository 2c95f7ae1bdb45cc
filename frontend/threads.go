package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file over-approximates threads. If the program starts one, every shared variable (all of static
// storage duration except constants, and those whose address is taken) and all memory behind pointers
// may change between any two steps: a read yields a stored value or any other one. So it does not
// matter when a thread runs, and a call of
//
//	pthread_create(&t, NULL, f, p)
//
// is a choice between f(p), after which the execution ends, and the next statement. Protection by
// mutexes is not modelled.

// starter holds the numbers of the arguments of a function that starts a thread: of the function to
// run and of its argument. Numbers count from 0.
type starter struct{ function, argument int }

var starters = map[string]starter{
	"pthread_create": {2, 3},
	"thrd_create":    {1, 2},
	"clone":          {0, 3},
}

// findThreads notes that the program is concurrent if it uses a function that starts threads. It is
// known before anything is lowered, so reads in code before the first thread are arbitrary, too.
func (l *sharing) findThreads() {
	for _, f := range l.order {
		if kindOf(f.name) == starting && f.def == nil && (f.called || f.addrTaken) {
			l.concurrent = true
		}
	}
}

// shareAll makes all variables that threads may share volatile, if there are any threads. It may be
// called twice: sharing a variable again changes nothing.
func (l *sharing) shareAll(bodies []*functionLowerer) {
	if !l.concurrent {
		return
	}
	// 1. Static storage, except constants, which no thread may change.
	for _, o := range l.ordered {
		if !l.consts[o.v] && !o.isConst {
			l.share(o.v)
		}
	}
	// 2. Locals and formals that another thread can be given a pointer to.
	for _, b := range bodies {
		for _, v := range append(b.proc.Formals[:len(b.proc.Formals):len(b.proc.Formals)], b.proc.Locals...) {
			if v.AddrTaken {
				l.share(v)
			}
		}
	}
}

// share notes that any thread, handler or assembly may change v: it becomes volatile.
func (l *sharing) share(v *core.Var) {
	l.touchable[v] = true
	if t, isInt := v.Type.(core.Int); isInt && t.Bits < l.pointer().Bits {
		v.Volatile = true
	} else { // it may hold an address
		l.volatiles[v] = true
	}
}

// sharedAddress reports whether any thread may change the object at address e. An address in an
// unknown object counts as shared. Without threads nothing is.
func (l *sharing) sharedAddress(e core.Expr) bool {
	for l.concurrent {
		switch x := e.(type) {
		case *core.Offset:
			e = x.X
		case *core.Index:
			e = x.X
		case *core.AddrOf:
			return l.isVolatileVar(x.Var)
		default:
			return true
		}
	}
	return false
}

// sharedRead returns the value read from the place p, which any thread may change: any value, of a
// type that may hold an address also the stored one. The stored value keeps the addresses that may
// be in it; an arbitrary word leads nowhere known.
func (b *frame) sharedRead(p place) value {
	// A number that is too narrow for an address needs no branch.
	t, isInt := p.typ.(core.Int)
	if isInt && t.Bits < b.pointer().Bits {
		return value{typ: t, why: "what another thread may change"}
	}
	dst := b.temp(p.typ)
	end := newLabel()
	br := b.branch()
	b.arm(br)
	b.assign(dst.Ref(), p.loc())
	b.jump(end)
	b.arm(br)
	b.emit(&core.Havoc{Locs: []core.Loc{dst.Ref()}, Why: "what another thread may change"})
	b.place(end)
	return known(dst.Ref())
}

// startThread lowers a call of f, which starts a thread.
//
//	$1 := f; $2 := p; call pthread_create; branch
//	    call $1($2); assume 0
//	    next statement
func (b *functionLowerer) startThread(e *cc.PostfixExpression, f *function, dst core.Loc) {
	s := starters[f.name]
	args, extra := b.actuals(e, f)
	given := append(append([]core.Expr(nil), args...), extra...)
	if len(given) <= max(s.function, s.argument) || !b.isAddress(given[s.function]) || !b.isAddress(given[s.argument]) {
		b.error(ccfix.At(e.Position()), "this call of %s is not supported: the function or its argument is not a pointer", f.name)
		return
	}
	// 1. The call itself; the function and its argument are kept from its effects.
	b.note(source.Warning, ccfix.At(e.Position()), "%s starts a thread: what threads may share is arbitrary at each read", f.name)
	target, argument := b.temp(b.pointer()), b.temp(b.pointer())
	b.assign(target.Ref(), given[s.function])
	b.assign(argument.Ref(), given[s.argument])
	if dst != nil {
		dst = b.stable(dst)
	}
	b.emitCall(&core.Call{Callee: f.proc, Args: args, Extra: extra}, f.proc.RetType, dst, f.name)
	// 2. The choice: run the thread to its end, or continue.
	var ret core.Type = b.pointer()
	if f.name != "pthread_create" {
		ret = core.Int32
	}
	end := newLabel()
	br := b.branch()
	b.arm(br)
	b.emit(&core.Call{Target: target.Ref(), RetType: ret, Args: []core.Expr{argument.Ref()}})
	// The thread's own end: what it stored is not seen by the next statement, which reads any
	// value.
	b.emit(&core.Assume{Cond: truth(false)})
	b.jump(end)
	b.arm(br)
	b.skip()
	b.place(end)
}

// isAddress reports whether e is known and of pointer type.
func (l *sources) isAddress(e core.Expr) bool {
	return e != nil && e.Type() == core.Type(l.pointer())
}

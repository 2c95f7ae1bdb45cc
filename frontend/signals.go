package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/layout"
	"c2bp/source"
)

// This file over-approximates interruptions of a program: handlers of signals, and functions that
// timers call. Such a function may run between any two steps, so
//
//   - a variable that a handler may write is arbitrary at each read, in the whole program, like one
//     that threads share. If a handler may write through pointers, these are all variables that
//     threads may share: see threads.go;
//   - a handler may run in any state of the program. A call of
//
//	signal(SIGINT, f)
//
//     is a choice between the next statement, and f(SIGINT) in an arbitrary state, after which the
//     execution ends.
//
// It makes no difference whether the signal is sent by another program or by raise.

// installer holds the numbers of the arguments of a function that installs a handler: of the signal, or
// -1, and of the handler, or a pointer to a struct with it.
type installer struct {
	number, function int
	threads          bool // it runs in a thread of its own
}

var installers = map[string]installer{
	"signal": {0, 1, false}, "bsd_signal": {0, 1, false}, "sysv_signal": {0, 1, false}, "__sysv_signal": {0, 1, false},
	"ssignal": {0, 1, false}, "sigset": {0, 1, false}, "sigvec": {0, 1, false}, "sigaction": {0, 1, false},
	"timer_create": {-1, 1, true}, "mq_notify": {-1, 1, true},
}

// findInstallers notes that the program is interrupted if it uses a function that installs handlers.
// timer_create with a thread makes the program concurrent, too.
func (l *sharing) findInstallers() {
	for _, f := range l.order {
		in, ok := installers[f.name]
		if !ok || f.def != nil || !f.called && !f.addrTaken {
			continue
		}
		l.interrupted = true
		l.concurrent = l.concurrent || in.threads
	}
}

// shareWritten makes the variables that handlers may write volatile. Handlers are the functions
// whose address is taken and whose first parameter, if they have any, is an integer. The variables
// that only the handler reads stay as they are: it is run in any state.
func (l *sharing) shareWritten(bodies []*functionLowerer) {
	if !l.interrupted || l.concurrent {
		return
	}
	for _, f := range l.defined {
		if !f.addrTaken || l.isEnding(f) {
			continue
		}
		// Could it be a handler?
		if p := parameters(f.typ); len(p) > 0 {
			if _, isInt := ctree.IntType(p[0].Type()); !isInt {
				continue
			}
		}
		// If it writes through pointers, the program counts as concurrent.
		if f.effects.writesMemory || f.effects.external {
			l.note(source.Warning, f.pos, "%s may interrupt the program and writes through pointers: what it may reach is arbitrary at each read", f.name)
			l.concurrent = true
			l.shareAll(bodies)
			return
		}
		for v := range f.effects.writes {
			if v.Kind == core.Global {
				l.share(v)
			}
		}
	}
}

// install lowers a call of f, which installs a handler.
func (b *functionLowerer) install(e *cc.PostfixExpression, f *function, dst core.Loc) {
	in := installers[f.name]
	args, extra := b.actuals(e, f)
	given := append(append([]core.Expr(nil), args...), extra...)
	if len(given) <= max(in.number, in.function) || !b.isAddress(given[in.function]) {
		b.error(ccfix.At(e.Position()), "this call of %s is not supported: what it installs is not a pointer", f.name)
		return
	}
	// 1. The call itself; the handler and the signal are kept from its effects.
	argument := b.temp(b.pointer())
	b.assign(argument.Ref(), given[in.function])
	number := b.signalNumber(in, given)
	if dst != nil {
		dst = b.stable(dst)
	}
	b.emitCall(&core.Call{Callee: f.proc, Args: args, Extra: extra}, f.proc.RetType, dst, f.name)
	// 2. The handler: a function, one in a struct, or none as for SIG_DFL and SIG_IGN.
	if isNumber(given[in.function]) {
		return
	}
	c := ctree.Strip(ctree.Arguments(e)[in.function])
	switch t := c.Type(); {
	case ctree.FunctionType(t) != nil:
		b.interrupt(argument.Ref(), ctree.FunctionType(t), number)
	case !b.interruptBy(argument.Ref(), ccfix.PointedTo(c), number):
		pos := ccfix.At(e.Position())
		b.note(source.Warning, pos, "%s: the handler is not found", f.name)
		b.ledger.add("%s at %s:%d: the handler that it installs is not called", f.name, pos.File, pos.Line)
		return
	}
	b.note(source.Warning, ccfix.At(e.Position()), "%s installs a handler, which may run at any time", f.name)
}

// signalNumber returns the number of the signal among the arguments given; any number if there is none.
// A variable is copied, since the call that installs the handler may change it.
func (b *frame) signalNumber(in installer, given []core.Expr) core.Expr {
	if in.number < 0 || given[in.number] == nil || !isScalarType(given[in.number].Type()) {
		return b.anyValue(core.Int32)
	}
	n := to(given[in.number], core.Int32)
	if _, isConst := n.(*core.Const); isConst {
		return n
	}
	t := b.temp(core.Int32)
	b.assign(t.Ref(), n)
	return t.Ref()
}

// interruptBy lowers the calls of the functions to which members of the struct or union at address
// p point. It reports false if there are none. sigaction gets a struct with two functions in a
// union: each may be the handler, so both are called.
func (b *frame) interruptBy(p core.Expr, t cc.Type, number core.Expr) (found bool) {
	for _, f := range layout.AllMembers(t) {
		own, known := b.layouts.OwnPosition(f)
		if !known {
			continue
		}
		addr := offset(p, own.Byte, f.Name())
		// A pointer to a function, or a member with some in it.
		if typ := ctree.FunctionType(f.Type()); typ != nil {
			b.interrupt(mem(addr, b.pointer()), typ, number)
			found = true
		} else if b.interruptBy(addr, f.Type(), number) {
			found = true
		}
	}
	return found
}

// interrupt lowers a choice between nothing and a call of target, now or in any state, after which the
// execution ends.
//
//	either  nothing
//	or      (any state or this one); call handler(number, …); the execution ends
func (b *frame) interrupt(target core.Expr, typ *cc.FunctionType, number core.Expr) {
	end, now := newLabel(), newLabel()
	br := b.branch()
	b.arm(br)
	// 1. The state: any one, or the present one.
	handler := b.temp(b.pointer())
	b.assign(handler.Ref(), target)
	soon := b.branch()
	b.arm(soon)
	b.anyState()
	b.jump(now)
	b.arm(soon)
	b.skip()
	b.place(now)
	// 2. The call, with the number of the signal and arbitrary other arguments.
	args := []core.Expr{}
	for i, t := range b.formalTypes(typ) {
		if i == 0 && t == core.Type(core.Int32) {
			args = append(args, number)
			continue
		}
		args = append(args, b.anyValue(t))
	}
	b.emit(&core.Call{Target: handler.Ref(), RetType: b.coreType(typ.Result()), Args: args})
	b.emit(&core.Assume{Cond: truth(false)})
	b.jump(end)
	b.arm(br)
	b.skip()
	b.place(end)
}

// anyState makes all objects arbitrary, except constants and the locals of functions. The Region
// covers all that has an address, allocated memory too.
func (b *frame) anyState() {
	const why = "what happens before a signal"
	b.emit(&core.Havoc{Region: true, Why: why})
	var locs []core.Loc
	// Globals without an address are not in the region.
	for _, o := range b.ordered {
		if b.consts[o.v] || o.isConst || o.v.AddrTaken || !b.present(o) {
			continue
		}
		switch t := o.v.Type.(type) {
		case core.Int, core.Ptr:
			locs = append(locs, o.v.Ref())
		case core.Agg:
			b.emit(&core.Fill{Dst: b.addressOf(o.v), Size: b.sizeOfAgg(t), Why: why})
		}
	}
	if len(locs) > 0 {
		b.emit(&core.Havoc{Locs: locs, Why: why})
	}
}

// isNumber reports whether an address is a number, such as SIG_IGN.
func isNumber(e core.Expr) bool {
	p, ok := e.(*core.ToPtr)
	if !ok {
		return false
	}
	x := p.X
	if c, ok := x.(*core.Conv); ok {
		x = c.X
	}
	_, ok = x.(*core.Const)
	return ok
}

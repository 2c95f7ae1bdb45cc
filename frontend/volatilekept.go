package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file decides which volatile objects keep the values that the program writes to them. Nothing
// else may change them:
//
//	the program defines them, and gives them no section of their own: no linker script
//	  places them where a device is;
//	their address is not taken, so neither pointers nor code outside lead to them;
//	those of external linkage, only if no call leaves the given files;
//	those of static storage, only if no function mentions them that others may call at any
//	  time: a handler, whose address is taken, or one that the program itself never calls.
//
// Locals and statics of a program without interrupts are such objects. A read of any other volatile
// object is arbitrary, and so is one through a pointer to volatile.

// keepVolatile finds the variables that keep the value last written to them, and takes volatile from
// those that are declared so. Objects that threads and handlers share stay volatile.
//
//	static volatile int done;    kept, unless a function that may run at any time mentions it
//	volatile int *regs;          a read of *regs is arbitrary; regs itself is not volatile
func (l *sharing) keepVolatile(bodies []*functionLowerer) {
	l.keeping, l.kept = map[*core.Var]bool{}, map[*core.Var]bool{}
	if l.opts.Assume.VolatileArbitrary {
		return
	}
	leaves, touched := l.leaves(), l.touched()
	for _, o := range l.ordered {
		ok := o.defined && !o.placed && !(o.visible && leaves) && !touched[o.v]
		l.keep(o.v, ok)
	}
	// Formals and locals are in no section and have no linkage: only their addresses could give
	// them away.
	for _, b := range bodies {
		for _, v := range append(b.proc.Formals[:len(b.proc.Formals):len(b.proc.Formals)], b.proc.Locals...) {
			l.keep(v, true)
		}
	}
}

// isPlaced reports whether an object with attributes a is in a section or at an address of its
// own.
func isPlaced(a *cc.Attributes) bool {
	for _, name := range []string{"section", "address", "at", "io", "io_low", "alias", "persistent", "noinit"} {
		if ctree.HasAttribute(a, name) {
			return true
		}
	}
	return false
}

// keep notes that v keeps the values written to it, if ok is set and no pointer, other file,
// thread, handler or assembly leads to it. It also notes variables that are not volatile: a read of
// those through *(volatile int *)&x is exact.
func (l *sharing) keep(v *core.Var, ok bool) {
	if !ok || v.AddrTaken || v.Foreign || l.touchable[v] {
		return
	}
	l.keeping[v] = true
	if l.isVolatileVar(v) {
		l.kept[v] = true
		v.Volatile = false
		delete(l.volatiles, v)
	}
}

// leaves reports whether a call leaves the given files.
func (l *program) leaves() bool {
	for _, f := range l.order {
		if f.def == nil && f.model == nil && (f.called || f.addrTaken) && !isIntrinsic(f.name) {
			return true
		}
	}
	return false
}

// touched returns the variables that are mentioned by functions which may run at any time.
func (l *program) touched() map[*core.Var]bool {
	// 1. Functions that the entry, constructors and destructors mention run when the program calls them.
	g := l.mentions()
	entry := l.opts.Entry
	if entry == "" {
		entry = "main"
	}
	var start, anytime []*function
	for _, f := range l.defined {
		if f.name == entry || f.constructor || f.destructor {
			start = append(start, f)
		}
	}
	// 2. All others, and those whose address is taken, may run at any time, with all that they mention.
	called := g.from(start)
	for _, f := range l.defined {
		if f.addrTaken && !l.isEnding(f) || !called[f] {
			anytime = append(anytime, f)
		}
	}
	out := map[*core.Var]bool{}
	for f := range g.from(anytime) {
		for _, v := range g[f].variables {
			out[v] = true
		}
	}
	return out
}

// keeper returns the variable in which the address e lies, if it keeps the values written to it; else
// nil.
func (l *sharing) keeper(e core.Expr) *core.Var {
	if a, ok := core.Base(e).(*core.AddrOf); ok && l.keeping[a.Var] {
		return a.Var
	}
	return nil
}

// unlessKept returns p, no longer volatile if it lies in a variable that keeps the values written to it.
// p.kept then tells load to put the assumption into the ledger.
func (l *sharing) unlessKept(p place) place {
	v := p.v
	if p.addr != nil {
		v = l.keeper(p.addr)
	} else if v != nil && !l.keeping[v] {
		v = nil
	}
	if v != nil && (p.volatile || l.kept[v]) {
		p.volatile, p.kept = false, v
	}
	return p
}

// assumeKept puts the assumption of a read of p into the ledger that only the program changes p.
func (l *sources) assumeKept(p place) {
	if p.kept != nil {
		l.ledger.add("volatile: %s keeps what was last written to it: nothing but the program changes it", p.kept.Name)
	}
}

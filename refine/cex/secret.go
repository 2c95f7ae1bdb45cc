package cex

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file knows which new objects of a path no function without a body changes: those that the path has told nobody of. The
// aliases of the program say less, since an object that is given away anywhere may be reached by all such functions.
//
//	d = malloc(8);  d->n = 1;  reset();  assume d->n == 1;  add(d)        reset does not change d->n; add may
//
// Only the replay of a path needs that: it lets no such function write where the run has shown it no way. A path that is
// feasible otherwise may have a run in which the function changes something else.

// isSecret reports whether address is that of a place in one of some objects: a known distance after its start.
func isSecret(objects []*logic.Term, address *logic.Term) bool {
	base, _ := address.Displaced()
	return slices.Contains(objects, base)
}

// hide notes that nobody knows the new object at address at.
func (x *Execution) hide(at *logic.Term) {
	if x.collecting && !x.bare && x.Prog.Extern == core.ExternArgs {
		x.secret = append(slices.Clip(x.secret), at)
	}
}

// reveal notes that the value of e is stored at l in memory, or given to a function without a body if l is nil: the objects
// whose addresses are in it are secret no more. An object may hold its own address.
func (x *Execution) reveal(f *Frame, step int, l core.Loc, e core.Expr) {
	if len(x.secret) == 0 || e == nil {
		return
	}
	// 1. Bytes that are copied may hold any addresses that the object there does.
	switch w, ok := core.Word(e.Type()); {
	case !ok:
		m, isMem := e.(*core.Mem)
		if !isMem {
			return
		}
		e = m.Addr
	case w.Bits < x.Bits:
		return
	}
	// 2. The object that it is stored in.
	v, inside := x.Eval(f, step, e), []*logic.Term(nil)
	if m, ok := l.(*core.Mem); ok {
		to := x.Eval(f, step, m.Addr)
		for _, a := range x.secret {
			if isSecret([]*logic.Term{a}, to) {
				inside = append(inside, a)
			}
		}
	}
	x.secret = slices.DeleteFunc(slices.Clone(x.secret), func(a *logic.Term) bool { return v.Mentions(a) && !slices.Contains(inside, a) })
}

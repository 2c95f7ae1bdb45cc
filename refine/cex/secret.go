package cex

import (
	"math/big"
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
	base, _ := distance(address)
	return slices.Contains(objects, base)
}

// distance returns address as the sum of a term and a number; base is address itself if it is no such sum.
func distance(address *logic.Term) (base *logic.Term, off int64) {
	if address.Op == logic.OpSum && len(address.Args) == 1 && address.Coef[0].Cmp(big.NewInt(1)) == 0 && address.Val.IsInt64() {
		return address.Args[0], address.Val.Int64()
	}
	return address, 0
}

// isPrivate reports whether read is that of a member at an address, which functions without a body do not change in an object
// outside that an access before a step has shown: one of a private struct, or one that is forced to stay.
func (x *Execution) isPrivate(read, address *logic.Term, step int) bool {
	base, off := distance(address)
	if !x.collecting || x.bare || base.IsAddress() {
		return false
	}
	size := core.Bytes(x.Translator.TypeOf(read))
	for _, o := range x.Owners[base] {
		r := o.Shape.Record
		if o.since >= step || r == nil {
			continue
		}
		if r.Forced && slices.ContainsFunc(r.Kept, func(m core.Member) bool { return m.Off == off-o.Off && m.Size == size }) {
			return true
		}
		if slices.ContainsFunc(x.Alias.Hidden(nil, nil, r, o.Shape.Size), func(h core.Range) bool {
			return h.Off <= off-o.Off && off-o.Off+size <= h.End
		}) {
			return true
		}
	}
	return false
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

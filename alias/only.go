package alias

import "c2bp/frontend/core"

// This file takes pointers that may lead to one place only at their word: whoever follows
// such a pointer comes there, or does what is undefined.

// Followed is an address, which something is read from or written to, with the address of
// a global variable in the place of a pointer that may point nowhere else.
//
//	static struct dev dev;
//	void irq(struct dev *d) { d->tx->head = 0; }     d->tx is *(&dev + 8), if all callers
//	                                                 pass &dev
//
// The two are equal wherever following them is defined, and need not be elsewhere. Other
// variables and allocations do not count: there may be several of them at a time.
func (r *Result) Followed(address core.Expr) core.Expr {
	switch e := address.(type) {
	case *core.Offset:
		if x := r.Followed(e.X); x != e.X {
			return core.WithChildren(e, []core.Expr{x})
		}
	case *core.Index:
		if x := r.Followed(e.X); x != e.X {
			return core.WithChildren(e, []core.Expr{x, e.I})
		}
	case *core.VarRef, *core.Mem:
		v, off := r.PointsTo(e).only()
		t, isPtr := e.Type().(core.Ptr)
		if v == nil || !isPtr {
			break
		}
		return displaced(v, off, t)
	}
	return address
}

// only returns the one place in s, if that is in a global variable; else v is nil.
func (s Set) only() (v *core.Var, off int64) {
	if len(s.targets) != 1 {
		return nil, 0
	}
	t := s.targets[0]
	if t.Object.Kind != Variable || t.Object.Var.Kind != core.Global || t.Stride != 0 {
		return nil, 0
	}
	return t.Object.Var, t.Off
}

// AllFollowed is e with [Result.Followed] of each address that it reads from.
func (r *Result) AllFollowed(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		m, ok := x.(*core.Mem)
		if !ok {
			return nil
		}
		out := *m
		out.Addr = r.AllFollowed(r.Followed(m.Addr))
		return &out
	})
}

// Places lists the addresses of places in global variables that the pointer e may hold where
// it is valid; ok is false if it may hold others, or more than most.
func (r *Result) Places(e core.Expr, most int) (places []core.Expr, ok bool) {
	t, isPtr := e.Type().(core.Ptr)
	targets := r.PointsTo(e).Targets()
	if !isPtr || len(targets) == 0 || len(targets) > most {
		return nil, false
	}
	for _, to := range targets {
		v, off := Set{targets: []Target{to}}.only()
		if v == nil {
			return nil, false
		}
		places = append(places, displaced(v, off, t))
	}
	return places, true
}

func displaced(v *core.Var, off int64, t core.Ptr) core.Expr {
	to := core.Expr(&core.AddrOf{Var: v, Typ: t})
	if off != 0 {
		to = &core.Offset{X: to, Off: off}
	}
	return to
}

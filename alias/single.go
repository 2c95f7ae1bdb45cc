package alias

import "c2bp/frontend/core"

// This file assumes that a pointer that may lead to one place only leads there: dereferencing it
// otherwise is undefined.

// Followed returns address, from which something is read or to which something is written, with the
// address of a global variable in the place of a pointer that may point nowhere else.
//
//	static struct dev dev;
//	void irq(struct dev *d) { d->tx->head = 0; }     d->tx is *(&dev + 8), if all callers
//	                                                 pass &dev
//
// The two addresses are equal wherever dereferencing them is defined, and may differ elsewhere.
// Other variables and allocations do not count: there may be several of them at a time.
func (r *Result) Followed(address core.Expr) core.Expr {
	switch e := address.(type) {
	// 1. Follow the pointer that the address is computed from.
	case *core.Offset:
		if x := r.Followed(e.X); x != e.X {
			return core.WithChildren(e, []core.Expr{x})
		}
	case *core.Index:
		if x := r.Followed(e.X); x != e.X {
			return core.WithChildren(e, []core.Expr{x, e.I})
		}
	// 2. The pointer itself.
	case *core.VarRef, *core.Mem:
		v, off := r.PointsTo(e).singleTarget()
		t, isPtr := e.Type().(core.Ptr)
		if v == nil || !isPtr {
			break
		}
		return r.Displaced(v, off, t)
	}
	return address
}

// singleTarget returns the one place in s, if that is in a global variable; otherwise v is nil.
func (s Set) singleTarget() (v *core.Var, off int64) {
	if len(s.targets) != 1 {
		return nil, 0
	}
	t := s.targets[0]
	if t.Object.Kind != Variable || t.Object.Var.Kind != core.Global || t.Stride != 0 {
		return nil, 0
	}
	return t.Object.Var, t.Off
}

// AllFollowed returns e with [Result.Followed] applied to each address that it reads from, and with
// the addresses of places in global variables spelled as the program spells them.
func (r *Result) AllFollowed(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		switch x := x.(type) {
		case *core.Mem:
			out := *x
			out.Addr = r.AllFollowed(r.Followed(x.Addr))
			return &out
		case *core.Offset:
			if v, off := PlaceIn(x); v != nil && v.Kind == core.Global && x.Field == "" {
				return r.Displaced(v, off, x.Type().(core.Ptr))
			}
		}
		return nil
	})
}

// MayPoint reports whether the pointer e may hold the address to, where it is valid.
func (r *Result) MayPoint(e, to core.Expr) bool {
	return r.PointsTo(e).MayOverlap(1, r.PointsTo(to), 1)
}

// Places lists the addresses of places in global variables that the pointer e may hold where it is
// valid; ok is false if it may hold others, or more than most.
func (r *Result) Places(e core.Expr, most int) (places []core.Expr, ok bool) {
	t, isPtr := e.Type().(core.Ptr)
	targets := r.PointsTo(e).Targets()
	if !isPtr || len(targets) == 0 || len(targets) > most {
		return nil, false
	}
	for _, to := range targets {
		v, off := Set{targets: []Target{to}}.singleTarget()
		if v == nil {
			return nil, false
		}
		places = append(places, r.Displaced(v, off, t))
	}
	return places, true
}

// Displaced returns the address of the place off bytes into the global variable v, spelled by
// members if the program spells it so.
func (r *Result) Displaced(v *core.Var, off int64, t core.Ptr) core.Expr {
	r.named.Do(r.nameMembers)
	if off == 0 {
		return &core.AddrOf{Var: v, Typ: t}
	}
	if m, ok := r.members[member{v, off}]; ok {
		return &core.Offset{X: r.Displaced(v, m.from, t), Off: off - m.from, Field: m.name}
	}
	return &core.Offset{X: &core.AddrOf{Var: v, Typ: t}, Off: off}
}

// member is a place in a global variable.
type member struct {
	v   *core.Var
	off int64
}

// spelling is the program's spelling of a member: its name, and the place that it is a member of.
type spelling struct {
	from int64
	name string
}

// nameMembers collects the spellings of members; the first one counts.
func (r *Result) nameMembers() {
	r.members = map[member]spelling{}
	// A member of a single object, at an offset that has a name.
	name := func(e core.Expr) bool {
		o, ok := e.(*core.Offset)
		if !ok || o.Off <= 0 || o.Field == "" {
			return true
		}
		if v, from := r.PointsTo(o.X).singleTarget(); v != nil {
			if _, known := r.members[member{v, from + o.Off}]; !known {
				r.members[member{v, from + o.Off}] = spelling{from, o.Field}
			}
		}
		return true
	}
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			if n.Stmt != nil {
				core.StmtExprs(n.Stmt, func(e core.Expr) { core.Walk(e, name) })
			}
		}
	}
}

package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says which objects of the program have no room for what a pointer from outside leads to.
//
//	struct client { int id; struct list l; } *c = get();
//	static struct list clients;      c->l is not clients: no struct client lies around that
//
// The result of a function without a body leads to an object of the type that it is declared with, whatever part of that
// the program follows. This is said of the very results only: a pointer that is read from memory may be
//
//	container_of(clients.next, struct client, l)
//
// which is declared as such a pointer, too, and at the end of the list leads around the head.
//
// What a rule chooses as an object from outside lies in no object of the program: those in which there is room for it are
// other choices.

// lookAtInput notes the type that the value of n leads to, if that is the result of a function without a body which has no
// other effect.
func (f *follows) lookAtInput(n *core.Node) {
	h, ok := n.Stmt.(*core.Havoc)
	if !ok || len(h.Locs) != 1 || h.Reads != nil || !isPtr(h.Locs[0].Type()) {
		return
	}
	s := f.result.solver
	v := s.origin(originKey{node: h})
	switch origin := s.addresses[v].object; {
	case h.Why == core.RuleOutside:
		f.results[origin] = chosen
	case n.Input != nil && n.Input.RetTo != nil:
		f.followSet(s.sets.single(v), 0, shapeOf(n.Input.RetTo))
		f.results[origin] = n.Input.RetTo
	}
}

// chosen stands for the type of what a rule chooses outside.
var chosen = &core.Record{Name: "chosen", Size: 1}

// hasRoom reports whether an object of the program that others know may have the objects as a part of it to which the
// values of an origin lead, as its types allow it, or its uses.
func (f *follows) hasRoom(origin, object int32) bool {
	r, o := f.results[origin], f.result.solver.objects[object]
	switch {
	case r == nil:
		return true
	case r == chosen, o.Size > 0 && r.Size > o.Size && f.isHead(object):
		return false
	}
	return f.inObject(typed{shape: shapeOf(r), cell: whole(r.Size * 8)}, object, whole(o.bits()))
}

// isHead reports whether an object is declared as a struct and used as nothing that is larger, except around it, as
// container_of of a list's head is.
func (f *follows) isHead(object int32) bool {
	own, declared := f.declared(object)
	return declared && own.shape.Record != nil && !slices.ContainsFunc(f.objects[object].of(), func(x follow) bool {
		return (x.at.off >= 0 || x.at.stride != 0 || x.row) && x.shape.Size > own.shape.Size
	})
}

// isTooSmall reports whether o has no room for what some result leads to.
func (f *follows) isTooSmall(o *Object) bool {
	for origin, r := range f.results {
		if r != chosen && !f.hasRoom(origin, o.id) {
			return true
		}
	}
	return false
}

// haveRoom reports whether hasRoom holds for an origin of the addresses in set that come from outside.
func (f *follows) haveRoom(set setID, object int32) bool {
	s := f.result.solver
	return s.sets.contains(set, func(n int32) bool {
		o := s.addresses[n].object
		return s.objects[o].Kind == Outside && f.hasRoom(o, object)
	})
}

// KeptFrom returns the bytes around the target of x, at any time, that are certain to be in no part of the object of v, which
// lives as long as the program: those from lo up to hi, counted from the target, if x is neither null nor a number of the first
// or last page. There are none, lo = hi, if x may lead to that object, or may be a number.
func (r *Result) KeptFrom(x core.Expr, v *core.Var) core.Range {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.follows
	object, known := r.solver.varObject[v]
	if f == nil || !known || v.Kind != core.Global || v.Merged {
		return core.Range{}
	}
	kept := core.Range{Off: -limit, End: limit}
	for n := range r.solver.sets.all(r.eval(x)) {
		a := r.solver.addresses[n]
		switch o := r.solver.objects[a.object]; {
		case o.Kind == zero || o.Kind == small:
		// From outside, around an object of the declared type.
		case o.Kind == Outside && f.results[a.object] != nil && !f.hasRoom(a.object, object) &&
			a.stride == 0 && 0 <= a.off && a.off < f.results[a.object].Size:
			kept = kept.Both(core.Range{Off: -a.off, End: f.results[a.object].Size - a.off})
		// In another object of the program.
		case (o.Kind == Variable || o.Kind == Allocation) && a.object != object && a.stride == 0 && 0 <= a.off && a.off < o.Size:
			kept = kept.Both(core.Range{Off: -a.off, End: o.Size - a.off})
		default:
			return core.Range{}
		}
	}
	return kept
}

package heap

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file says what must hold where an object is freed (C11 7.22.3.3): the pointer is null, or the start of an
// object of the heap that was not freed before.

// freesOnce returns the assertions in front of s, node n of q.
func (in *instrumenter) freesOnce(q *core.Proc, s *core.Free, n *core.Node) (list []*core.Node) {
	// 1. Not twice. The ledger says so of pointers that only come from outside.
	if slices.ContainsFunc(in.result.PointsTo(s.Ptr).Targets(), func(t alias.Target) bool { return in.watched[t.Object.Site] }) {
		twice := is(core.LOr, in.stateIs(core.Ne, freed), is(core.Ne, s.Ptr, in.watch.Ref()))
		list = in.assertion(checks.FreedTwice, called(n), n, twice)
	}
	// 2. Not anything else than the start of an object of the heap.
	var valid core.Expr
	for _, t := range in.result.PointsTo(s.Ptr).Targets() {
		switch o := t.Object; {
		case o.Kind == alias.Outside:
			in.ledger.add(outsideFreed)
		case in.sites[o.Site] != nil && t.Off == 0 && t.Stride == 0:
		case o.Kind == alias.Variable && t.Stride == 0 && in.inScope(q, o.Var):
			var at core.Expr = &core.AddrOf{Var: o.Var, Typ: in.Prog.Pointer()}
			if t.Off < 0 || o.Size > 0 && t.Off > o.Size {
				continue // there is no such pointer: arithmetic stays in the object
			}
			if t.Off > 0 {
				at = &core.Offset{X: at, Off: t.Off}
			}
			if c := is(core.Ne, s.Ptr, at); valid == nil {
				valid = c
			} else {
				valid = is(core.LAnd, valid, c)
			}
		default:
			in.ledger.add(startsAt, n.Pos)
		}
	}
	if valid != nil {
		list = splice.Chain(list, in.assertion(checks.InvalidFree, called(n), n, valid))
	}
	return list
}

// inScope reports whether &v in q is the address of the only v that there is.
func (in *instrumenter) inScope(q *core.Proc, v *core.Var) bool {
	return v.Kind == core.Global || v.Proc == q && !in.recursive[q]
}

package heap

import (
	"c2bp/alias"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file chooses the object that is watched, and follows its life.

// findWatched finds the allocations whose objects an assertion may be about: those that are freed.
func (in *instrumenter) findWatched() {
	frees := map[*core.Alloc][]core.Position{} // where objects of each site are freed
	for _, o := range in.result.Objects() {
		if o.Kind == alias.Allocation && !o.Site.Stack {
			in.sites[o.Site] = o
		}
	}
	for _, q := range in.Prog.Procs {
		for i, n := range q.Nodes {
			if f, ok := n.Stmt.(*core.Free); ok {
				for _, s := range in.freedBy(f) {
					in.watched[s] = true
					frees[s] = append(frees[s], core.Position{Proc: q, Node: i})
				}
			}
		}
	}
	// What control reaches after them, while positions in procedures are these.
	flow := core.NewFlow(in.Prog)
	for s, at := range frees {
		in.reached[s] = flow.After(at)
	}
}

// freedBy returns the allocations whose objects f may free: those that its pointer leads to, and if it comes from outside,
// all whose address is known there.
func (in *instrumenter) freedBy(f *core.Free) (list []*core.Alloc) {
	for _, t := range in.result.PointsTo(f.Ptr).Targets() {
		if in.sites[t.Object.Site] != nil {
			list = append(list, t.Object.Site)
		}
		if t.Object.Kind != alias.Outside {
			continue
		}
		for _, o := range in.result.Objects() {
			if in.sites[o.Site] != nil && o.Escaped {
				list = append(list, o.Site)
			}
		}
	}
	return list
}

// procedure puts the checks into q.
func (in *instrumenter) procedure(q *core.Proc) {
	var e splice.Edit
	before := map[int][]*core.Node{}
	// 1. Accesses, which come before what the node ends.
	if in.kinds.Has(checks.Lifetime) {
		in.used(q, before, &e)
	}
	// 2. Begins and ends of objects.
	var moved *core.Alloc // of the present call of a model, such as realloc
	for i, n := range q.Nodes {
		if i == 0 || n.Model == nil || n.Model != q.Nodes[i-1].Model {
			moved = nil
		}
		switch s := n.Stmt.(type) {
		case *core.Alloc:
			if s.Moved {
				moved = s
			}
			e.After(i, splice.Of(n, in.begins(s, n)))
		case *core.Free:
			if in.kinds.Has(checks.DoubleFree) {
				before[i] = splice.Chain(before[i], in.freesOnce(q, s, n))
			}
			before[i] = splice.Chain(before[i], in.ends(s, moved, n))
		}
		// The C statement begins with them.
		if list := before[i]; len(list) > 0 {
			list[0].First = n.First
			n.First = false
			e.Before(i, splice.Of(n, list), nil)
		}
	}
	e.Apply(q)
}

// begins returns the nodes after s, node n: an object that lies where the one that is watched was ends the
// watch; and the new object may be watched, if none is.
func (in *instrumenter) begins(s *core.Alloc, n *core.Node) []*core.Node {
	if s.Stack {
		return nil
	}
	var list []*core.Node
	if len(in.watched) > 0 {
		taken := splice.If(n.Pos, is(core.Eq, s.Lhs, in.watch.Ref()), splice.Line(n.Pos, set(in.state, number(over))))
		list = splice.If(n.Pos, in.stateIs(core.Eq, freed), taken)
	}
	if !in.watched[s] && in.number[s] == 0 {
		return list
	}
	chosen := splice.Line(n.Pos,
		&core.Assume{Cond: in.stateIs(core.Eq, none)},
		in.sets(number(alive), s.Lhs))
	in.choices = append(in.choices, splice.Choice{Assign: chosen[1].Stmt.(*core.Assign), Start: s.Lhs, Size: s.Size})
	in.chosen = append(in.chosen, s)
	chosen[1].Text = called(n) + ": this object is watched"
	return splice.Chain(list, splice.Either(n.Pos, chosen))
}

// ends returns the nodes before s, node n, which may end the object that is watched. If the call has moved it, to
// the same place perhaps, another object may be there.
func (in *instrumenter) ends(s *core.Free, moved *core.Alloc, n *core.Node) []*core.Node {
	if len(in.freedBy(s)) == 0 {
		return nil
	}
	dies := splice.Line(n.Pos, set(in.state, number(freed)))
	if moved != nil {
		stays := splice.If(n.Pos, is(core.Eq, moved.Lhs, s.Ptr), splice.Line(n.Pos, set(in.state, number(over))))
		dies = splice.Chain(dies, stays)
	}
	return splice.If(n.Pos, in.stateIs(core.Eq, alive), splice.If(n.Pos, is(core.Eq, s.Ptr, in.watch.Ref()), dies))
}

package extents

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file follows which local pointers lead to the object that is watched. The address of such a pointer alone would not
// always tell: just after one object, another one may begin.
//
//	p = q + i      p$in := q$in
//	p = &d->buf    p$in := state == alive && p == watch + 8
//	p = d->next    p$in := state == alive && watch <= p && p <= end, if it may lead anywhere in an object
//
// Where a pointer comes from memory, or from a call, its value decides. It is in its object, or just after it, since
// every move is asserted to stay there.

// tracked returns the variable that tells whether e, a pointer of q, leads to the object that is watched, if
// there is one: e is a variable that only its name changes.
func (in *instrumenter) tracked(q *core.Proc, e core.Expr) *core.Var {
	r, ok := e.(*core.VarRef)
	if !ok || r.Var.InMemory() || r.Var.Volatile || r.Var.Proc != q || r.Var.Kind == core.Global || r.Var.Kind == core.Ghost {
		return nil
	}
	if in.leads[r.Var] == nil {
		v := in.Temp(q, core.Int32)
		in.leads[r.Var] = v
	}
	return in.leads[r.Var]
}

// trackAll finds the variables that others are computed from which are tracked.
func (in *instrumenter) trackAll() {
	for changed := true; changed; {
		changed = false
		for _, q := range in.Prog.Procs {
			for _, n := range q.Nodes {
				s, ok := n.Stmt.(*core.Assign)
				if !ok {
					continue
				}
				for i, l := range s.Lhs {
					v, ok := l.(*core.VarRef)
					if !ok || in.leads[v.Var] == nil {
						continue
					}
					if base, ok := core.Base(s.Rhs[i]).(*core.VarRef); ok && in.leads[base.Var] == nil {
						changed = in.tracked(q, base) != nil || changed
					}
				}
			}
		}
	}
}

// track puts the values of these variables into e, for the nodes of q.
func (in *instrumenter) track(q *core.Proc, e *splice.Edit) {
	for i, n := range q.Nodes {
		derived := &core.Assign{}
		for k, l := range core.Destinations(n.Stmt) {
			v, ok := l.(*core.VarRef)
			if !ok || in.leads[v.Var] == nil {
				continue
			}
			leads := in.leads[v.Var]
			var from core.Expr = v
			value := core.Expr(v)
			switch s := n.Stmt.(type) {
			// 1. From another pointer, before both change.
			case *core.Assign:
				from = s.Rhs[k]
				if base, ok := core.Base(from).(*core.VarRef); ok && in.leads[base.Var] != nil {
					derived.Lhs, derived.Rhs = append(derived.Lhs, leads.Ref()), append(derived.Rhs, in.leads[base.Var].Ref())
					continue
				}
				// What it is computed from decides, before it changes.
				if len(s.Lhs) == 1 {
					value = core.Base(from)
				}
			case *core.Call:
				if s.Callee != nil && s.Callee.Result != nil && s.Callee.HasBody() && s.ResultConv == nil {
					from = s.Callee.Result.Ref()
				}
			}
			// 2. By its value.
			sets := []alias.Set{in.result.PointsTo(from)}
			if s, ok := n.Stmt.(*core.Havoc); ok && s.Begin && (s.Unset == nil || len(s.Unset[k]) == 0) {
				sets = nil // it leads nowhere
			}
			if value != core.Expr(v) {
				e.Before(i, splice.Of(n, in.byValue(n, value, leads, []alias.Set{in.result.PointsTo(value)})), nil)
				continue
			}
			e.After(i, splice.Of(n, in.byValue(n, v, leads, sets)))
		}
		if len(derived.Lhs) > 0 {
			e.Before(i, splice.Of(n, splice.Line(n.Pos, derived)), nil)
		}
	}
}

// byValue returns the nodes that set leads by the value of v, a pointer in sets.
func (in *instrumenter) byValue(n *core.Node, v core.Expr, leads *core.Var, sets []alias.Set) []*core.Node {
	nodes := splice.Line(n.Pos, set(leads, 0))
	if len(in.sites)+len(in.locals)+len(in.globals) == 0 {
		return nodes
	}
	// 1. The places where it may be.
	var offs []int64
	anywhere := false
	for _, s := range sets {
		for _, t := range s.Targets() {
			o := t.Object
			size := int64(-1)
			switch {
			case o.Kind == alias.Variable && (in.locals[o.Var] || in.globals[o.Var]):
				size = core.Bytes(o.Var.Type)
			case o.Kind == alias.Allocation && in.sites[o.Site]:
				if k, ok := core.ConstantOf(o.Site.Size); ok {
					size = k
				}
			default:
				continue
			}
			switch {
			case t.Stride != 0 || in.loose[o] || t.Off != 0 && t.Off > size || t.Off < 0:
				anywhere = true
			case !slices.Contains(offs, t.Off):
				offs = append(offs, t.Off)
			}
		}
	}
	// 2. Whether it is there.
	yes := func() []*core.Node { return splice.Line(n.Pos, set(leads, 1)) }
	var tests []*core.Node
	if anywhere {
		from := is(core.Ge, in.value64(v), in.value64(in.watch.Ref()))
		to := is(core.Le, in.value64(v), in.value64(in.end.Ref()))
		tests = splice.If(n.Pos, from, splice.If(n.Pos, to, yes()))
	} else {
		slices.Sort(offs)
		for _, off := range offs {
			tests = splice.Chain(tests, splice.If(n.Pos, is(core.Eq, v, in.Inside(in.watch, off).Ref()), yes()))
		}
	}
	if len(tests) > 0 {
		nodes = splice.Chain(nodes, splice.If(n.Pos, in.stateIs(core.Eq, alive), tests))
	}
	return nodes
}

// given returns the sets of values that the formal number i of q may have when q is entered.
func (in *instrumenter) given(q *core.Proc, i int) (sets []alias.Set) {
	v := q.Formals[i]
	if q == in.Prog.Entry || in.addressed[q] {
		return []alias.Set{in.result.PointsTo(v.Ref())}
	}
	for _, r := range in.Prog.Procs {
		for _, n := range r.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee == q && i < len(c.Args) && c.Args[i] != nil {
				sets = append(sets, in.result.PointsTo(c.Args[i]))
			}
		}
	}
	return sets
}

// findAddressed finds the procedures whose address is taken: others than direct calls may enter them.
func (in *instrumenter) findAddressed() {
	look := func(e core.Expr) bool {
		if f, ok := e.(*core.FuncAddr); ok {
			in.addressed[f.Proc] = true
		}
		return true
	}
	for _, q := range in.Prog.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) { core.Walk(e, look) })
		}
	}
}

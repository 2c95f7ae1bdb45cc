package extents

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file chooses the object that is watched, and ends the watch.

// chooses returns the nodes that may choose an object: nothing happens if one is watched already.
func (in *instrumenter) chooses(n *core.Node, start, size core.Expr, text string, more ...core.Stmt) []*core.Node {
	bytes := size
	if t := size.Type().(core.Int); t != core.Int64 {
		bytes = &core.Conv{X: size, To: core.Int64}
	}
	if k, ok := core.ConstantOf(size); ok {
		bytes = core.NewConst(k, core.Int64)
	}
	a := in.sets(alive, start, bytes, &core.Index{X: start, I: size, Size: 1})
	in.choices = append(in.choices, splice.Choice{Assign: a, Start: start, Size: size})
	list := splice.Line(n.Pos, append([]core.Stmt{&core.Assume{Cond: in.stateIs(core.Eq, none)}, a}, more...)...)
	list[1].Text = text
	return splice.Either(n.Pos, list)
}

// follow puts the choices of allocations into q, and the end of the watch where an activation ends.
func (in *instrumenter) follow(q *core.Proc, e *splice.Edit) {
	for i, n := range q.Nodes {
		switch s := n.Stmt.(type) {
		case *core.Alloc:
			// 1. A new object where the one that is watched was: the watch ends. The new one may be watched if none was.
			if len(in.sites)+len(in.locals)+len(in.globals) == 0 {
				continue
			}
			ends := splice.If(n.Pos, in.stateIs(core.Eq, alive), splice.If(n.Pos, is(core.Eq, s.Lhs, in.watch.Ref()), splice.Line(n.Pos, set(in.state, over))))
			if in.sites[s] {
				var more []core.Stmt
				if s.Stack {
					more = append(more, set(in.owner(q), 1))
				}
				ends = splice.Chain(ends, in.chooses(n, s.Lhs, s.Size, called(n)+": this object is watched", more...))
			}
			e.After(i, splice.Of(n, ends))
		case *core.Return:
			// 2. The objects of an activation end with it.
			if v := in.owner(q); v != nil {
				e.Before(i, splice.Of(n, splice.If(n.Pos, is(core.Ne, v.Ref(), number(0)), splice.Line(n.Pos, set(in.state, over)))), nil)
			}
		}
	}
}

// owner returns the variable of q that tells whether its activation has the object that is watched; nil if that
// cannot be.
func (in *instrumenter) owner(q *core.Proc) *core.Var {
	if v, found := in.mine[q]; found {
		return v
	}
	has := slices.ContainsFunc(slices.Concat(q.Formals, q.Locals), func(v *core.Var) bool { return in.locals[v] }) ||
		slices.ContainsFunc(q.Nodes, func(n *core.Node) bool {
			s, ok := n.Stmt.(*core.Alloc)
			return ok && s.Stack && in.sites[s]
		})
	if !has {
		in.mine[q] = nil
		return nil
	}
	in.mine[q] = in.Temp(q, core.Int32)
	return in.mine[q]
}

// enter puts the choices of local variables, and the values of those that tell where pointers lead, at the start of q.
func (in *instrumenter) enter(q *core.Proc) {
	v := in.owner(q)
	n := &core.Node{Pos: q.Pos}
	var nodes []*core.Node
	// 1. The activation has no object.
	if v != nil {
		nodes = splice.Line(q.Pos, set(v, 0))
	}
	// 2. It may have one.
	for _, x := range slices.Concat(q.Formals, q.Locals) {
		if in.locals[x] {
			at := &core.AddrOf{Var: x, Typ: in.Prog.Pointer()}
			nodes = splice.Chain(nodes, in.chooses(n, at, core.NewConst(core.Bytes(x.Type), core.Int64), x.Name+": this object is watched", set(v, 1)))
		}
	}
	// 3. Its pointers may lead to one.
	for _, x := range q.Locals {
		if in.leads[x] != nil {
			nodes = splice.Chain(nodes, splice.Line(q.Pos, set(in.leads[x], 0)))
		}
	}
	for i, x := range q.Formals {
		if in.leads[x] != nil {
			nodes = splice.Chain(nodes, in.byValue(n, x.Ref(), in.leads[x], in.given(q, i)))
		}
	}
	if len(nodes) == 0 {
		return
	}
	var e splice.Edit
	e.Before(0, nodes, func(from int) bool { return from < 0 })
	e.Apply(q)
}

// set returns v := k.
func set(v *core.Var, k int64) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{core.NewConst(k, v.Type.(core.Int))}}
}

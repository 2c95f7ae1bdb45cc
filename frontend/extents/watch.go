package extents

import (
	"fmt"
	"maps"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file chooses the object that is watched, and ends the watch.

// choice is an assignment by which an object becomes the one that is watched: it starts at start, and has size
// bytes.
type choice struct {
	assign *core.Assign
	start  core.Expr
	size   core.Expr
}

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
	in.choices = append(in.choices, choice{a, start, size})
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
			e.After(i, of(n, ends))
		case *core.Return:
			// 2. The objects of an activation end with it.
			if v := in.owner(q); v != nil {
				e.Before(i, of(n, splice.If(n.Pos, is(core.Ne, v.Ref(), number(0)), splice.Line(n.Pos, set(in.state, over)))), nil)
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
	in.mine[q] = in.temp(q, core.Int32)
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
			at := &core.AddrOf{Var: x, Typ: in.prog.Pointer()}
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

// at returns the variable with the address that is off bytes after the start of the object.
func (in *instrumenter) at(off int64) *core.Var {
	if off == 0 {
		return in.watch
	}
	if in.inside[off] == nil {
		in.inside[off] = in.ghost(fmt.Sprintf("watch%+d", off), in.prog.Pointer())
	}
	return in.inside[off]
}

// completeChoices lets each choice set all addresses in the object. One that an object does not have is that of
// an object which no pointer leads to.
func (in *instrumenter) completeChoices(start *core.Assign) {
	if len(in.inside) == 0 {
		return
	}
	v := in.ghost("none", core.Int8)
	v.AddrTaken = true
	nothing := &core.AddrOf{Var: v, Typ: in.prog.Pointer()}
	for _, off := range slices.Sorted(maps.Keys(in.inside)) {
		start.Lhs, start.Rhs = append(start.Lhs, in.inside[off].Ref()), append(start.Rhs, nothing)
		for _, c := range in.choices {
			var at core.Expr = nothing
			if n, ok := core.ConstantOf(c.size); ok && off <= n {
				at = &core.Offset{X: c.start, Off: off}
			}
			c.assign.Lhs, c.assign.Rhs = append(c.assign.Lhs, in.inside[off].Ref()), append(c.assign.Rhs, at)
		}
	}
}

// set returns v := k.
func set(v *core.Var, k int64) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{core.NewConst(k, v.Type.(core.Int))}}
}

// of returns nodes as parts of the C statement, and of the call of a model, that n is a part of.
func of(n *core.Node, nodes []*core.Node) []*core.Node {
	for _, x := range nodes {
		x.Model = n.Model
		if x.Text == "" {
			x.Text = n.Text
		}
	}
	return nodes
}

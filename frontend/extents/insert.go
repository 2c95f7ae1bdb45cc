package extents

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file puts the assertions into a procedure.

// insert puts the assertions about q into e: those of in.asserts about each access.
func (in *instrumenter) insert(q *core.Proc, e *splice.Edit) {
	// 1. The ways to each node.
	preds := make([][]int, len(q.Nodes))
	for i, n := range q.Nodes {
		for _, s := range n.Succ {
			preds[s] = append(preds[s], i)
		}
	}
	for i, n := range slices.Clone(q.Nodes) {
		var list []*core.Node
		// 2. The accesses of a condition are made before the branch, so that no way is chosen by them.
		done := map[string]bool{}
		switch _, isCond := n.Stmt.(*core.Assume); {
		case q.IsTest(i):
			for _, s := range n.Succ {
				list = splice.Chain(list, in.node(q, q.Nodes[s], done))
			}
		case isCond && len(preds[i]) > 0 && !slices.ContainsFunc(preds[i], func(p int) bool { return !q.IsTest(p) }):
		default:
			list = in.node(q, n, done)
			for _, x := range list {
				x.Decides = isCond // they stand where the condition stood
			}
		}
		// 3. The result of a call is stored when it has returned.
		if c, ok := n.Stmt.(*core.Call); ok {
			if m, ok := resultPlace(c); ok {
				list = splice.Chain(list, in.stored(q, i, n, c, m, e))
			}
		}
		// The C statement begins with them.
		if len(list) > 0 {
			list[0].First = n.First
			n.First = false
			e.Before(i, splice.Of(n, list), nil)
		}
	}
}

// node returns the assertions about node n of q; done has the texts of those that were made.
func (in *instrumenter) node(q *core.Proc, n *core.Node, done map[string]bool) (list []*core.Node) {
	apart := false
	if c, ok := n.Stmt.(*core.Call); ok {
		_, apart = resultPlace(c)
	}
	for _, a := range in.accesses(n, apart) {
		// 1. Of a library function, only what its model says exactly.
		if n.Model != nil && !a.move && !in.allModels && !exact[n.Model.Func.CName] {
			in.library(n.Model.Func.CName)
			continue
		}
		// 2. Once in a node.
		key := core.ExprString(a.addr)
		if a.size != nil {
			key += " " + core.ExprString(a.size)
		}
		if a.move {
			key += " moved"
		}
		key += " " + core.NewConst(a.width, core.Int64).Val.String()
		if done[key] {
			continue
		}
		done[key] = true
		list = splice.Chain(list, in.asserts(q, n, a))
	}
	return list
}

// resultPlace returns the place in memory that gets the result of a call, a scalar.
func resultPlace(c *core.Call) (m *core.Mem, ok bool) {
	if m, ok = c.Lhs.(*core.Mem); !ok {
		return nil, false
	}
	_, isAgg := m.Typ.(core.Agg)
	_, isOpaque := m.Typ.(core.Opaque)
	return m, !isAgg && !isOpaque
}

// stored asserts that the place m, of the result of c, node i of q, is in bounds when c returns: if it does not, nothing
// is accessed. It returns the nodes before the call, and puts those after it into e. The result waits in a temporary.
//
//	p->a[i] := g()        b, k := p, i;  t := g();  assert …;  b->a[k] := t
func (in *instrumenter) stored(q *core.Proc, i int, n *core.Node, c *core.Call, m *core.Mem, e *splice.Edit) []*core.Node {
	var found []access
	in.value(m, &found)
	a := found[len(found)-1]
	if len(in.asserts(q, n, a)) == 0 {
		return nil
	}
	// 1. What the address is computed from, before the call.
	before := &core.Assign{}
	saved := func(x core.Expr) core.Expr {
		t := in.Temp(q, x.Type())
		before.Lhs, before.Rhs = append(before.Lhs, t.Ref()), append(before.Rhs, x)
		return t.Ref()
	}
	base, d := distanceOf(m.Addr)
	replaced := map[core.Expr]core.Expr{}
	if _, isVar := base.(*core.AddrOf); !isVar {
		replaced[base] = saved(base)
	}
	for _, x := range d.indices {
		if _, known := replaced[x.I]; !known {
			replaced[x.I] = saved(x.I)
		}
	}
	replace := func(x core.Expr) core.Expr {
		return core.Replace(x, func(x core.Expr) core.Expr { return replaced[x] })
	}
	// 2. After it, the assertion and the store.
	t := in.Temp(q, m.Typ)
	c.Lhs = t.Ref()
	list := in.asserts(q, n, a)
	for _, x := range list {
		switch s := x.Stmt.(type) {
		case *core.Assert:
			s.Cond = replace(s.Cond)
		case *core.Assume:
			s.Cond = replace(s.Cond)
		}
	}
	list = splice.Chain(list, splice.Line(n.Pos, &core.Assign{Lhs: []core.Loc{m.At(replace(m.Addr))}, Rhs: []core.Expr{t.Ref()}}))
	e.After(i, splice.Of(n, list))
	if len(before.Lhs) == 0 {
		return nil
	}
	return splice.Line(n.Pos, before)
}

package heap

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// This file says what must hold where memory is accessed: no object of the heap is read or written after it was
// freed (C11 6.2.4p2).
//
//	p->f = *q        assert state != freed || q != watch;  assert state != freed || p != watch
//
// An access gets an assertion if its pointer may lead to an object that was freed, by the points-to sets, and if
// control may come there from where that is freed. A further access by the same variable, with no call, free or
// assignment of it since, has none: it would fail only if the first one did.

// access is an access of memory by a node: the pointer that its address is computed from, and its text.
type access struct {
	base core.Expr
	size core.Expr // nothing is accessed if that is 0; nil if something always is
	text string
}

// accesses lists the reads and writes of n by pointers, those that find the place of another one before that.
func accesses(n *core.Node) (list []access) {
	add := func(at, size core.Expr, text string) {
		if c, ok := size.(*core.Const); ok {
			if c.Val.Sign() == 0 {
				return
			}
			size = nil
		}
		list = append(list, access{core.Base(at), size, text})
	}
	block := func(at, size core.Expr) { add(at, size, called(n)) }
	// 1. Blocks of bytes, and structures.
	switch s := n.Stmt.(type) {
	case *core.Copy:
		block(s.Src, s.Size)
		block(s.Dst, s.Size)
	case *core.Fill:
		block(s.Dst, s.Size)
	case *core.Data:
		block(s.Dst, nil)
	case *core.Call:
		if s.Callee != nil {
			for i, v := range s.Callee.Formals {
				if _, isAgg := v.Type.(core.Agg); isAgg && i < len(s.Args) && s.Args[i] != nil {
					add(s.Args[i], nil, spelled(s.Args[i]))
				}
			}
		}
	}
	// 2. Scalars: outer ones come first in a walk.
	var scalars []access
	evaluated(n.Stmt, func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if m, ok := e.(*core.Mem); ok {
				scalars = append(scalars, access{core.Base(m.Addr), nil, spelled(m)})
			}
			return true
		})
	})
	slices.Reverse(scalars)
	list = append(scalars, list...)
	// 3. Variables are no objects of the heap.
	return slices.DeleteFunc(list, func(a access) bool {
		_, isVar := a.base.(*core.AddrOf)
		return isVar
	})
}

// evaluated calls f for the expressions that s reads or writes before anything else happens: not for the place of the
// result of a procedure with a body, and not for values that only say where other values come from.
func evaluated(s core.Stmt, f func(core.Expr)) {
	switch s := s.(type) {
	case *core.Havoc:
		bare := *s
		bare.From = nil
		core.StmtExprs(&bare, f)
	case *core.Call:
		if m, ok := resultPlace(s); ok {
			bare := *s
			bare.Lhs = nil
			core.StmtExprs(&bare, f)
			core.Walk(m.Addr, func(e core.Expr) bool { // the address is taken before
				if m, ok := e.(*core.Mem); ok {
					f(m)
					return false
				}
				return true
			})
			return
		}
		core.StmtExprs(s, f)
	default:
		core.StmtExprs(s, f)
	}
}

// resultPlace returns the place in memory that gets the result of a procedure with a body, after that has run.
func resultPlace(c *core.Call) (m *core.Mem, ok bool) {
	if c.Callee != nil && !c.Callee.HasBody() {
		return nil, false
	}
	m, ok = c.Lhs.(*core.Mem)
	return m, ok
}

// live returns the assertions that the objects which node n of q accesses were not freed. known holds the variables whose
// objects are known to live,
// done the pointers that were asserted for this node.
func (in *instrumenter) live(n *core.Node, known map[*core.Var]bool, done map[string]bool) (list []*core.Node) {
	for _, a := range accesses(n) {
		v, isVar := a.base.(*core.VarRef)
		if key := core.ExprString(a.base); done[key] || isVar && known[v.Var] {
			continue
		} else if a.size == nil {
			done[key] = true
		}
		cond := in.notFreed(a.base, n)
		if cond == nil {
			continue
		}
		if a.size != nil {
			cond = is(core.LOr, is(core.Eq, a.size, core.NewConst(0, a.size.Type().(core.Int))), cond)
		} else if isVar && !v.Var.InMemory() && v.Var.Kind != core.Global {
			known[v.Var] = true
		}
		list = splice.Chain(list, in.assertion(checks.UseAfterFree, a.text, n, cond))
	}
	return list
}

// notFreed returns the condition that the pointer base, of an access at n, leads into no object that was freed; nil if
// no such condition is needed.
func (in *instrumenter) notFreed(base core.Expr, n *core.Node) core.Expr {
	var offsets []int64
	within, needed := false, false
	for _, t := range in.result.PointsTo(base).Targets() {
		o := t.Object
		if o.Kind == alias.Outside {
			in.followsOutside = true
		}
		if o.Site == nil || !in.watched[o.Site] || !in.reached[o.Site][n] {
			continue
		}
		needed = true
		switch {
		case t.Stride != 0 || t.Off > 0 && !in.knownSize(o.Site, t.Off):
			within = true
		case t.Off >= 0 && !slices.Contains(offsets, t.Off):
			offsets = append(offsets, t.Off)
		}
	}
	if !needed {
		return nil
	}
	cond := in.stateIs(core.Ne, freed)
	// 1. Anywhere in the object: by the numbers of addresses.
	if within {
		word := in.Prog.Pointer().Word()
		value := func(e core.Expr) core.Expr { return &core.ToInt{X: e, To: word} }
		before := is(core.Lt, value(base), value(in.watch.Ref()))
		after := is(core.Ge, value(base), value(in.past().Ref()))
		return is(core.LOr, cond, is(core.LOr, before, after))
	}
	// 2. At known distances from its start.
	slices.Sort(offsets)
	elsewhere := core.Expr(nil)
	for _, off := range offsets {
		if c := is(core.Ne, base, in.Inside(in.watch, off).Ref()); elsewhere == nil {
			elsewhere = c
		} else {
			elsewhere = is(core.LAnd, elsewhere, c)
		}
	}
	if elsewhere == nil {
		return nil // a pointer before the object: there is none
	}
	return is(core.LOr, cond, elsewhere)
}

// knownSize reports whether off is known to lie in the objects of s, or just after them.
func (in *instrumenter) knownSize(s *core.Alloc, off int64) bool {
	n, ok := core.ConstantOf(s.Size)
	return ok && off <= n
}

// used puts the assertions about accesses into q: before tells where those before each node go.
func (in *instrumenter) used(q *core.Proc, before map[int][]*core.Node, e *splice.Edit) {
	// 1. The ways to each node.
	preds := make([][]int, len(q.Nodes))
	for i, n := range q.Nodes {
		for _, s := range n.Succ {
			preds[s] = append(preds[s], i)
		}
	}
	known := map[*core.Var]bool{}
	for i, n := range slices.Clone(q.Nodes) {
		if len(preds[i]) != 1 || preds[i][0] != i-1 {
			clear(known)
		}
		// 2. The accesses of a condition are made before the branch, so that no way is chosen by them.
		done := map[string]bool{}
		switch _, isCond := n.Stmt.(*core.Assume); {
		case q.IsTest(i):
			for _, s := range n.Succ {
				before[i] = splice.Chain(before[i], in.live(q.Nodes[s], known, done))
			}
		case isCond && len(preds[i]) > 0 && !slices.ContainsFunc(preds[i], func(p int) bool { return !q.IsTest(p) }):
		default:
			list := in.live(n, known, done)
			for _, x := range list {
				x.Decides = isCond // they stand where the condition stood
			}
			before[i] = splice.Chain(before[i], list)
		}
		// 3. The result of a call is stored when it has returned.
		if c, ok := n.Stmt.(*core.Call); ok {
			if m, ok := resultPlace(c); ok {
				in.stored(q, i, n, c, m, before, e)
			}
		}
		// 4. What is not known any more.
		switch n.Stmt.(type) {
		case *core.Call, *core.Free:
			clear(known)
		}
		for _, l := range core.Destinations(n.Stmt) {
			if v, ok := l.(*core.VarRef); ok {
				delete(known, v.Var)
			}
		}
	}
}

// stored asserts that the place m, of the result of c, node i of q, lives when c returns. The result waits in a
// temporary until that is known.
//
//	p->f := g()        b, a := p, &p->f;  t := g();  assert state != freed || b != watch;  *a := t
func (in *instrumenter) stored(q *core.Proc, i int, n *core.Node, c *core.Call, m *core.Mem, before map[int][]*core.Node, e *splice.Edit) {
	base := core.Base(m.Addr)
	if _, isVar := base.(*core.AddrOf); isVar {
		return
	}
	cond := in.notFreed(base, q.Nodes[n.Succ[0]]) // control comes back from the call
	if cond == nil {
		return
	}
	// 1. The address, and the pointer that it is computed from, before the call.
	b, a := in.Temp(q, in.Prog.Pointer()), in.Temp(q, in.Prog.Pointer())
	before[i] = splice.Chain(before[i], splice.Line(n.Pos, &core.Assign{Lhs: []core.Loc{b.Ref(), a.Ref()}, Rhs: []core.Expr{base, m.Addr}}))
	cond = core.Replace(cond, func(x core.Expr) core.Expr {
		if x == base {
			return b.Ref()
		}
		return nil
	})
	after := in.assertion(checks.UseAfterFree, spelled(m), n, cond)
	// 2. A structure is stored by the call itself: what is asserted comes after it.
	if _, isAgg := m.Typ.(core.Agg); !isAgg {
		t := in.Temp(q, m.Typ)
		c.Lhs = t.Ref()
		after = splice.Chain(after, splice.Line(n.Pos, &core.Assign{Lhs: []core.Loc{m.At(a.Ref())}, Rhs: []core.Expr{t.Ref()}}))
	}
	e.After(i, splice.Of(n, after))
}

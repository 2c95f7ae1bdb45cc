package inline

import "c2bp/frontend/core"

// This file replaces calls.

// Calls replaces the direct calls in p that satisfy pick by the bodies of the callees; those must
// pass [Check], and be able to take the arguments as they are. It changes p. Calls in the bodies
// stay calls: pick is asked about the calls that p had before, once each.
//
// fresh declares a variable of p like the one given, as in [Body]. The nodes of a body get the
// position and the text of the call:
//
//	2: c := dup(s)   -> 3        2: skip                 -> 3
//	                             3: c := alloc 8         -> 4
//	                             4: copy c, s, 8         -> 5, which was 3 before
func Calls(p *core.Proc, pick func(*core.Call) bool, fresh func(like *core.Var) *core.Var) {
	calls(p, pick, fresh, false)
}

// calls is Calls, with the switch of tests, see graph.keepChoices.
func calls(p *core.Proc, pick func(*core.Call) bool, fresh func(*core.Var) *core.Var, keepChoices bool) {
	// 1. Make the bodies, and compute the new index of each node.
	// Element i of bodies is the body for node i, nil if that stays; element i of place the new
	// index of node i.
	bodies := make([][]*core.Node, len(p.Nodes))
	place := make([]int, len(p.Nodes))
	count := 0
	for i, n := range p.Nodes {
		place[i] = count
		count++
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil && pick(c) {
			bodies[i] = call(c, fresh, keepChoices)
			count += len(bodies[i]) // the call itself becomes a skip in front
		}
	}
	// 2. Build the new list: each picked call becomes a skip, followed by its body.
	nodes := make([]*core.Node, 0, count)
	for i, n := range p.Nodes {
		// Edges to a call lead to its skip.
		for j, s := range n.Succ {
			n.Succ[j] = place[s]
		}
		nodes = append(nodes, n)
		body := bodies[i]
		if _, picked := n.Stmt.(*core.Call); !picked || body == nil {
			continue
		}
		// A call has one successor, whose new index next already is.
		next, base := n.Succ[0], len(nodes)
		// An empty body leaves the skip with the successor of the call.
		n.Stmt = &core.Skip{}
		if len(body) > 0 {
			n.Succ = []int{base}
		}
		// Shift the successors of the body; its end is the node after the call.
		for _, m := range body {
			m.Pos, m.Text, m.First = n.Pos, n.Text, false
			for j, s := range m.Succ {
				if m.Succ[j] = base + s; s == len(body) {
					m.Succ[j] = next
				}
			}
			nodes = append(nodes, m)
		}
	}
	p.Nodes = nodes
}

// call returns the body for c, not nil. A result that is converted goes through a temporary:
//
//	char c = f(x);     the body of f, with t as its destination
//	                   c := (int8)t
func call(c *core.Call, fresh func(*core.Var) *core.Var, keepChoices bool) []*core.Node {
	p := c.Callee
	dst := c.Lhs
	var after core.Stmt
	if dst != nil && c.ResultConv != nil && core.Type(*c.ResultConv) != p.RetType {
		t := fresh(&core.Var{Name: "value", Type: p.RetType, Kind: core.Temp, Proc: p, Pos: p.Pos})
		after = &core.Assign{Lhs: []core.Loc{dst}, Rhs: []core.Expr{conv(t.Ref(), *c.ResultConv)}}
		// The address of the destination is evaluated before the call.
		if mem, ok := dst.(*core.Mem); ok {
			a := fresh(&core.Var{Name: "address", Type: mem.Addr.Type(), Kind: core.Temp, Proc: p, Pos: p.Pos})
			after.(*core.Assign).Lhs[0] = mem.At(a.Ref())
			first := &core.Assign{Lhs: []core.Loc{a.Ref()}, Rhs: []core.Expr{mem.Addr}}
			return around(first, bodyOf(c, t.Ref(), fresh, keepChoices), after)
		}
		dst = t.Ref()
	}
	return around(nil, bodyOf(c, dst, fresh, keepChoices), after)
}

// bodyOf returns the body for c with this destination, which has the type of the callee's result,
// or is nil. The extra arguments of a variadic call are dropped: no body that passes Check reads
// them.
func bodyOf(c *core.Call, dst core.Loc, fresh func(*core.Var) *core.Var, keepChoices bool) []*core.Node {
	return (&copier{proc: c.Callee, args: c.Args, dst: dst, fresh: fresh, keepChoices: keepChoices}).body()
}

// around puts statements, unless they are nil, before and after a body, whose nodes it changes. The
// list is not nil, even if it is empty.
func around(first core.Stmt, body []*core.Node, last core.Stmt) []*core.Node {
	g := &graph{nodes: []*core.Node{}}
	if first != nil {
		g.append(first)
	}
	base := len(g.nodes)
	for _, n := range body {
		for i := range n.Succ {
			n.Succ[i] += base
		}
		g.nodes = append(g.nodes, n)
	}
	if last != nil {
		g.append(last)
	}
	return g.nodes
}

package inline

import "c2bp/frontend/core"

// This file tidies the copied graph: it removes branches that constants exclude, values that nobody
// reads, and nodes that do nothing.

// graph is a part of a procedure; len(nodes) is the node after it.
type graph struct {
	nodes []*core.Node
	// keepChoices is set by tests: choices whose outcome nobody reads are not left out, so that a
	// program and its inlined form make the same choices.
	keepChoices bool
}

// append adds a statement that is followed by the next one that is added, or by the end.
func (g *graph) append(s core.Stmt) {
	g.nodes = append(g.nodes, &core.Node{Stmt: s, Succ: []int{len(g.nodes) + 1}})
}

// tidy returns the list of the remaining nodes; own is the set of variables that are used nowhere
// else. It changes the nodes of g, which is not to be used after it.
func (g *graph) tidy(own map[*core.Var]bool) []*core.Node {
	g.decide()
	// A statement that a sweep leaves out may have been the last reader of other variables.
	for g.sweep(own) {
	}
	g.shorten()
	return g.reachable()
}

// decide leaves out assumptions that always hold, and edges to assumptions that never hold, unless
// there is no other edge.
func (g *graph) decide() {
	impossible := func(i int) bool {
		if i == len(g.nodes) {
			return false
		}
		a, ok := g.nodes[i].Stmt.(*core.Assume)
		if !ok {
			return false
		}
		v, known := truth(a.Cond)
		return known && !v
	}
	// 1. Drop the assumptions that always hold.
	for _, n := range g.nodes {
		if a, ok := n.Stmt.(*core.Assume); ok {
			if v, known := truth(a.Cond); known && v {
				n.Stmt = &core.Skip{}
			}
		}
	}
	for _, n := range g.nodes {
		if _, ok := n.Stmt.(*core.Branch); !ok {
			continue
		}
		// 2. Drop edges to assumptions that never hold; a branch with one successor is a skip.
		var kept []int
		for _, s := range n.Succ {
			if !impossible(s) {
				kept = append(kept, s)
			}
		}
		// If no way can hold, the path ends at one of the assumptions, as before.
		if len(kept) > 0 {
			n.Succ = kept
		}
		if len(n.Succ) == 1 {
			n.Stmt = &core.Skip{}
		}
	}
}

// sweep leaves out statements that only set variables that nobody reads. It reports whether there
// were any. A variable that only its own assignment reads, as i := i + 1, stays.
func (g *graph) sweep(own map[*core.Var]bool) (found bool) {
	// 1. Find the variables that are read.
	used := map[*core.Var]bool{}
	for _, n := range g.nodes {
		for _, e := range reads(n.Stmt) {
			core.WalkVars(e, func(v *core.Var) { used[v] = true })
		}
	}
	// 2. Leave out the statements whose one effect is to set another one.
	idle := func(l core.Loc) bool {
		v, ok := l.(*core.VarRef)
		return ok && own[v.Var] && !used[v.Var]
	}
	for _, n := range g.nodes {
		switch n.Stmt.(type) {
		case *core.Havoc, *core.Call:
			if g.keepChoices {
				continue
			}
		}
		switch s := n.Stmt.(type) {
		case *core.Assign, *core.Alloc:
			list := core.Destinations(s)
			if len(list) != 1 || !idle(list[0]) {
				continue
			}
		case *core.Havoc:
			// A Havoc with From may also tell the outside about values.
			if s.Region || len(s.From) > 0 || len(s.Locs) != 1 || !idle(s.Locs[0]) {
				continue
			}
		case *core.Call:
			// The call stays, for its other effects.
			if s.Lhs != nil && idle(s.Lhs) {
				s.Lhs, s.ResultConv, found = nil, nil, true
			}
			continue
		default:
			continue
		}
		n.Stmt, found = &core.Skip{}, true
	}
	return found
}

// shorten leads edges past nodes that do nothing, among them branches to one node only.
func (g *graph) shorten() {
	for changed := true; changed; {
		changed = false
		for _, n := range g.nodes {
			for i, s := range n.Succ {
				if t := g.past(s); t != s {
					n.Succ[i], changed = t, true
				}
			}
			// Once its ways have become one, a branch decides nothing.
			if _, ok := n.Stmt.(*core.Branch); ok && same(n.Succ) && !g.keepChoices {
				n.Stmt, n.Succ, changed = &core.Skip{}, n.Succ[:1], true
			}
		}
	}
}

// same reports whether all elements of list are equal, as in a list of one or none.
func same(list []int) bool {
	for _, x := range list {
		if x != list[0] {
			return false
		}
	}
	return true
}

// past returns the first node from i on that does something; i itself if there is none. The end of
// the graph counts as one that does.
func (g *graph) past(i int) int {
	n := i
	// A cycle of skips has no such node.
	for range len(g.nodes) + 1 {
		if n == len(g.nodes) {
			return n
		}
		if _, ok := g.nodes[n].Stmt.(*core.Skip); !ok {
			return n
		}
		n = g.nodes[n].Succ[0]
	}
	return i
}

// reachable returns the nodes that are reachable from the first that does something, in their old
// order and with new numbers; none if that is the end.
func (g *graph) reachable() []*core.Node {
	// 1. Mark the nodes that the first one reaches.
	start := g.past(0)
	seen := make([]bool, len(g.nodes)+1)
	for work := []int{start}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if n < len(g.nodes) {
			work = append(work, g.nodes[n].Succ...)
		}
	}
	// 2. Number the nodes that stay. If the first one is not at the front, a skip leads to it.
	index, count := make([]int, len(g.nodes)+1), 0
	for i := range g.nodes {
		if seen[i] {
			index[i] = count
			count++
		}
	}
	index[len(g.nodes)] = count
	var kept []*core.Node
	if start < len(g.nodes) && index[start] != 0 { // a jump backwards
		kept = append(kept, &core.Node{Stmt: &core.Skip{}, Succ: []int{index[start] + 1}})
		for i := range index {
			index[i]++
		}
	}
	for i, n := range g.nodes {
		// 3. Renumber the successors.
		if !seen[i] {
			continue
		}
		for j, s := range n.Succ {
			n.Succ[j] = index[s]
		}
		kept = append(kept, n)
	}
	return kept
}

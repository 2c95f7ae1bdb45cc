// Package splice puts nodes into the graph of a procedure: what instruments a program, such as rules or
// checks of the heap, collects segments and applies them at once.
//
//	0: free p -> 1                     0: assert p != w -> 1
//	1: return             Before(0)    1: free p        -> 2
//	                                   2: return
//
// Trade-offs. Indices of nodes name the nodes of the graph as it was before Apply, so that segments can be
// found in any order. A node that is jumped to has what was put before it executed on every way to it, or on
// those that the segment names: a segment at the head of a loop can be left out of the way back.
package splice

import "c2bp/frontend/core"

// segment is nodes to be put at a node: their successors count from the first, and their number means the
// node after them.
type segment struct {
	nodes []*core.Node
	// From, if not nil, says which edges to the node lead through a segment before it; -1 is the start of
	// the procedure.
	from func(int) bool
}

// Edit holds the segments to be put around the nodes of a procedure. The zero value does nothing.
type Edit struct {
	before, after map[int]*segment
}

// Before appends nodes to the segment before node i. Their successors count from the first of them, and their
// number means the node after them. from says which edges to the node lead through the segment, by the node that
// they come from, -1 for the start of the procedure; nil means all. Segments before one node have one from.
func (e *Edit) Before(i int, nodes []*core.Node, from func(int) bool) {
	if e.before == nil {
		e.before = map[int]*segment{}
	}
	put(e.before, i, nodes, from)
}

// After appends nodes to the segment after node i, as Before. The node must have one successor.
func (e *Edit) After(i int, nodes []*core.Node) {
	if e.after == nil {
		e.after = map[int]*segment{}
	}
	put(e.after, i, nodes, nil)
}

// put appends nodes to a segment.
func put(at map[int]*segment, i int, nodes []*core.Node, from func(int) bool) {
	s := at[i]
	if s == nil {
		at[i] = &segment{nodes, from}
		return
	}
	s.nodes = Chain(s.nodes, nodes)
}

// Of returns nodes as parts of the C statement, and of the call of a model, that n is a part of.
func Of(n *core.Node, nodes []*core.Node) []*core.Node {
	for _, x := range nodes {
		x.Model = n.Model
		if x.Text == "" {
			x.Text = n.Text
		}
	}
	return nodes
}

// Chain returns nodes that execute a and then b; successors count from the first of them.
func Chain(a, b []*core.Node) []*core.Node {
	n := len(a)
	for _, x := range b {
		for i := range x.Succ {
			x.Succ[i] += n
		}
	}
	return append(a, b...)
}

// Apply puts the segments into p.
func (e *Edit) Apply(p *core.Proc) {
	if len(e.before)+len(e.after) == 0 {
		return
	}
	// 1. New indices: of each node, and of the first node before it.
	place, start := make([]int, len(p.Nodes)), make([]int, len(p.Nodes))
	n := 0
	for i := range p.Nodes {
		start[i] = n
		if s := e.before[i]; s != nil {
			n += len(s.nodes)
		}
		place[i] = n
		n++
		if s := e.after[i]; s != nil {
			n += len(s.nodes)
		}
	}
	// target returns where an edge from one old node to another leads.
	target := func(from, to int) int {
		if s := e.before[to]; s != nil && (s.from == nil || s.from(from)) {
			return start[to]
		}
		return place[to]
	}
	// 2. The list.
	nodes := make([]*core.Node, 0, n)
	add := func(s *segment, next int) {
		base := len(nodes)
		for _, x := range s.nodes {
			for i, t := range x.Succ {
				if x.Succ[i] = base + t; t == len(s.nodes) {
					x.Succ[i] = next
				}
			}
			nodes = append(nodes, x)
		}
	}
	for i, x := range p.Nodes {
		if s := e.before[i]; s != nil {
			add(s, place[i])
		}
		nodes = append(nodes, x)
		for k, t := range x.Succ {
			x.Succ[k] = target(i, t)
		}
		if s := e.after[i]; s != nil && len(s.nodes) > 0 {
			next := x.Succ[0]
			x.Succ[0] = place[i] + 1
			add(s, next)
		}
	}
	p.Nodes = nodes
}

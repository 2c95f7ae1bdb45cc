package slic

import "c2bp/frontend/core"

// This file puts nodes into the graph of a procedure.

// segment is nodes to be put at a node: their successors count from the first, and their number means the
// node after them.
type segment struct {
	nodes []*core.Node
	// From, if not nil, says which edges to the node lead through a segment before it; -1 is the start of
	// the procedure.
	from func(int) bool
}

// edit holds the segments to be put around the nodes of a procedure. Segments before one node have one From.
type edit struct {
	before, after map[int]*segment
}

// newEdit returns an edit that does nothing.
func newEdit() *edit { return &edit{map[int]*segment{}, map[int]*segment{}} }

// put appends nodes to the segment before or after node i.
func put(at map[int]*segment, i int, nodes []*core.Node, from func(int) bool) {
	s := at[i]
	if s == nil {
		at[i] = &segment{nodes, from}
		return
	}
	s.nodes = chain(s.nodes, nodes)
}

// chain returns nodes that execute a and then b; successors count from the first of them.
func chain(a, b []*core.Node) []*core.Node {
	n := len(a)
	for _, x := range b {
		for i := range x.Succ {
			x.Succ[i] += n
		}
	}
	return append(a, b...)
}

// apply puts the segments into p. A node with a segment after it has one successor.
func (e *edit) apply(p *core.Proc) {
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

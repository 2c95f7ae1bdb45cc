package varorder

import (
	"encoding/binary"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/symbolic/flow"
)

// This file collects the hyperedges of a program: the sets of variables that one relation is about.
// They are a target with the variables of its right side, the variables of a conjunct of a
// condition or clause, a parameter with the variables of its argument, and a result with the
// variable that it is stored in.

// hypergraph collects sets of groups, each once, in the order of their first appearance. The
// members of each are in the order in which they are mentioned.
type hypergraph struct {
	edges [][]int32
	seen  map[string]bool // by sorted members
	lay   *flow.Numbering
	flows *flow.Flows

	members, sorted []int32 // members of the hyperedge under way
	key             []byte
	work, before    []int32 // memory for control
}

// hyperedges returns the hyperedges of g.
func hyperedges(g *boolprog.Graph, l *flow.Numbering, f *flow.Flows) [][]int32 {
	h := &hypergraph{seen: map[string]bool{}, lay: l, flows: f}
	first := 0
	for _, p := range g.Procs {
		flow.Conjuncts(p.Proc.Enforce, func(e boolprog.Expr) { h.clause(p, e) })
		for v, n := range p.Nodes {
			h.node(p, n, first+v)
		}
		h.control(p, first)
		first += len(p.Nodes)
	}
	return h.edges
}

// Limits of the search for assignments that a condition controls.
const (
	controlSteps   = 12 // nodes
	controlTargets = 8  // variables
)

// control adds hyperedges of conditions with the variables assigned under them: if (c) then x := 1
// relates x to c although no expression does. The nodes of p are numbered from first.
func (h *hypergraph) control(p *boolprog.ProcGraph, first int) {
	// 1. Count the predecessors of each node.
	h.before = append(h.before[:0], make([]int32, len(p.Nodes))...)
	for _, n := range p.Nodes {
		for _, w := range n.Succ {
			h.before[w]++
		}
	}
	// 2. Search from both sides of each condition.
	for v, n := range p.Nodes {
		if n.Kind != boolprog.NodeAssume && n.Kind != boolprog.NodeBranch {
			continue
		}
		for _, w := range n.Succ {
			h.controlled(p, first, v, w)
		}
	}
}

// controlled adds the hyperedges of the condition at node c with the targets of assignments that
// are reached from node v alone, breadth first, the nearest ones.
func (h *hypergraph) controlled(p *boolprog.ProcGraph, first, c, v int) {
	targets := 0
	work := append(h.work[:0], int32(v))
	for i := 0; i < len(work) && i < controlSteps; i++ {
		// Other paths lead to a node with more predecessors.
		v := int(work[i])
		if h.before[v] != 1 {
			continue
		}
		n := p.Nodes[v]
		if n.Kind == boolprog.NodeAssign {
			// One hyperedge for each target: the variables of the condition, and the target.
			for _, x := range h.flows.At(first + v)[:len(n.Assign.Lhs)] {
				if targets++; targets > controlTargets {
					return
				}
				for _, f := range h.flows.At(first + c) {
					h.mention(h.flows.Read(f)...)
				}
				if len(h.members) > 0 {
					h.mention(x.Target)
				}
				h.end()
			}
		}
		for _, w := range n.Succ {
			work = append(work, int32(w))
		}
	}
	h.work = work
}

// node adds the hyperedges of a node; id is its number.
func (h *hypergraph) node(p *boolprog.ProcGraph, n *boolprog.Node, id int) {
	results := 0
	for _, f := range h.flows.At(id) {
		switch {
		case n.Kind == boolprog.NodeAssign && f.Kind != flow.Stored: // the constrain clause follows below
			continue
		// A result and its target; arguments come with their parameters below.
		case n.Kind == boolprog.NodeCall && f.Kind == flow.Stored:
			h.mention(f.Target, int32(h.lay.Result(results)))
			results++
		default:
			h.mention(f.Target)
			h.mention(h.flows.Read(f)...)
		}
		h.end()
	}
	if n.Kind == boolprog.NodeAssign {
		flow.Conjuncts(n.Assign.Constrain, func(e boolprog.Expr) { h.clause(p, e) })
	}
}

// clause adds the hyperedge of the variables of e.
func (h *hypergraph) clause(p *boolprog.ProcGraph, e boolprog.Expr) {
	boolprog.InspectRefs(e, func(r *boolprog.Ref) { h.mention(int32(h.lay.GroupOf(p, r.Name))) })
	h.end()
}

// mention adds groups to the hyperedge under way.
func (h *hypergraph) mention(groups ...int32) {
	for _, g := range groups {
		if flow.Group(g) != flow.NoGroup {
			h.members = append(h.members, g)
		}
	}
}

// end completes the hyperedge under way. One with fewer than two members is dropped.
func (h *hypergraph) end() {
	if len(h.members) < 2 {
		h.members = h.members[:0]
		return
	}
	// The sorted members are the identity of a hyperedge.
	h.sorted = append(h.sorted[:0], h.members...)
	slices.Sort(h.sorted)
	h.sorted = slices.Compact(h.sorted)
	h.key = h.key[:0]
	for _, v := range h.sorted {
		h.key = binary.AppendUvarint(h.key, uint64(v))
	}
	if len(h.sorted) > 1 && !h.seen[string(h.key)] {
		h.seen[string(h.key)] = true
		h.edges = append(h.edges, distinct(h.members, len(h.sorted)))
	}
	h.members = h.members[:0]
}

// distinct returns the n distinct members of list, in the order of their first appearance.
func distinct(list []int32, n int) []int32 {
	out := make([]int32, 0, n)
	seen := make(map[int32]bool, n)
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

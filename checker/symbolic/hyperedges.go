package symbolic

import (
	"encoding/binary"
	"slices"

	"c2bp/boolprog"
)

// This file collects the hyperedges of a program: the sets of variables that one
// relation is about. They are a target with what it is computed from, a conjunct of a
// condition or clause, a parameter with its argument, a result with what it is stored in.

// hypergraph is sets of groups, each once, in the order of their first appearance; the
// members of each in the order in which they are mentioned.
type hypergraph struct {
	edges [][]int32
	seen  map[string]bool
	lay   *layout
	flows *flows

	members, sorted []int32 // of the hyperedge under way
	key             []byte
	work, before    []int32 // for control
}

func hyperedges(g *boolprog.Graph, l *layout, f *flows) [][]int32 {
	h := &hypergraph{seen: map[string]bool{}, lay: l, flows: f}
	first := 0
	for _, p := range g.Procs {
		conjuncts(p.Proc.Enforce, func(e boolprog.Expr) { h.clause(p, e) })
		for v, n := range p.Nodes {
			h.node(p, n, first+v)
		}
		h.control(p, first)
		first += len(p.Nodes)
	}
	return h.edges
}

// How far a condition is taken to decide what is assigned behind it.
const (
	controlSteps   = 12 // nodes
	controlTargets = 8  // variables
)

// control adds hyperedges of conditions with what is assigned where they hold: if (c) then
// x := 1 relates x to c though no expression does. The nodes of p are numbered from first.
func (h *hypergraph) control(p *boolprog.ProcGraph, first int) {
	h.before = append(h.before[:0], make([]int32, len(p.Nodes))...)
	for _, n := range p.Nodes {
		for _, w := range n.Succ {
			h.before[w]++
		}
	}
	for v, n := range p.Nodes {
		if n.Kind != boolprog.NodeAssume && n.Kind != boolprog.NodeBranch {
			continue
		}
		for _, w := range n.Succ {
			h.behind(p, first, v, w)
		}
	}
}

// behind adds those of the condition at node c with what is assigned at nodes that control
// comes to from node v alone, the nearest ones.
func (h *hypergraph) behind(p *boolprog.ProcGraph, first, c, v int) {
	targets := 0
	work := append(h.work[:0], int32(v))
	for i := 0; i < len(work) && i < controlSteps; i++ {
		v := int(work[i])
		if h.before[v] != 1 {
			continue
		}
		n := p.Nodes[v]
		if n.Kind == boolprog.NodeAssign {
			for _, x := range h.flows.at(first + v)[:len(n.Assign.Lhs)] {
				if targets++; targets > controlTargets {
					return
				}
				for _, f := range h.flows.at(first + c) {
					h.mention(h.flows.read(f)...)
				}
				if len(h.members) > 0 {
					h.mention(x.target)
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

// node adds the hyperedges of the node with this number.
func (h *hypergraph) node(p *boolprog.ProcGraph, n *boolprog.Node, id int) {
	results := 0
	for _, f := range h.flows.at(id) {
		switch {
		case n.Kind == boolprog.NodeAssign && f.kind != stored: // see clause
			continue
		case n.Kind == boolprog.NodeCall && f.kind == stored:
			h.mention(f.target, int32(h.lay.result(results)))
			results++
		default:
			h.mention(f.target)
			h.mention(h.flows.read(f)...)
		}
		h.end()
	}
	if n.Kind == boolprog.NodeAssign {
		conjuncts(n.Assign.Constrain, func(e boolprog.Expr) { h.clause(p, e) })
	}
}

// clause adds the variables of e.
func (h *hypergraph) clause(p *boolprog.ProcGraph, e boolprog.Expr) {
	boolprog.InspectRefs(e, func(r *boolprog.Ref) { h.mention(int32(h.lay.groupOf(p, r.Name))) })
	h.end()
}

// mention adds groups to the hyperedge under way.
func (h *hypergraph) mention(groups ...int32) {
	for _, g := range groups {
		if group(g) != noGroup {
			h.members = append(h.members, g)
		}
	}
}

// end completes the hyperedge under way. One of less than two members says nothing.
func (h *hypergraph) end() {
	if len(h.members) < 2 {
		h.members = h.members[:0]
		return
	}
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

// distinct is the n different members of list, in the order of their first appearance.
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

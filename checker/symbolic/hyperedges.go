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

	members, sorted []int32 // of the hyperedge under way
	key             []byte
}

func hyperedges(g *boolprog.Graph, l *layout) [][]int32 {
	h := &hypergraph{seen: map[string]bool{}, lay: l}
	for _, p := range g.Procs {
		h.condition(p, p.Proc.Enforce)
		for _, n := range p.Nodes {
			h.node(p, n)
		}
		h.control(p)
	}
	return h.edges
}

// How far a condition is taken to decide what is assigned behind it.
const (
	controlSteps   = 12 // nodes
	controlTargets = 8  // variables
)

// control adds hyperedges of conditions with what is assigned where they hold: if (c) then
// x := 1 relates x to c though no expression does.
func (h *hypergraph) control(p *boolprog.ProcGraph) {
	preds := make([]int, len(p.Nodes))
	for _, n := range p.Nodes {
		for _, w := range n.Succ {
			preds[w]++
		}
	}
	for _, n := range p.Nodes {
		if n.Kind != boolprog.NodeAssume && n.Kind != boolprog.NodeBranch {
			continue
		}
		for _, w := range n.Succ {
			h.behind(p, n.Cond, w, preds)
		}
	}
}

// behind adds those of cond with what is assigned at nodes that control comes to from
// node v alone, the nearest ones.
func (h *hypergraph) behind(p *boolprog.ProcGraph, cond boolprog.Expr, v int, preds []int) {
	targets := 0
	work := []int{v}
	for i := 0; i < len(work) && i < controlSteps; i++ {
		v := work[i]
		if preds[v] != 1 {
			continue
		}
		n := p.Nodes[v]
		if n.Kind == boolprog.NodeAssign {
			for _, r := range n.Assign.Lhs {
				if targets++; targets > controlTargets {
					return
				}
				h.reads(p, cond)
				if len(h.members) > 0 {
					h.mention(p, r)
				}
				h.end()
			}
		}
		work = append(work, n.Succ...)
	}
}

func (h *hypergraph) node(p *boolprog.ProcGraph, n *boolprog.Node) {
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		h.condition(p, n.Cond)
	case boolprog.NodeAssign:
		for i, r := range n.Assign.Lhs {
			h.mention(p, r)
			h.reads(p, n.Assign.Rhs[i])
			h.end()
		}
		h.condition(p, n.Assign.Constrain)
	case boolprog.NodeCall:
		for i, e := range n.Call.Args {
			h.member(h.lay.local(i))
			h.reads(p, e)
			h.end()
		}
		for i, r := range n.Call.Lhs {
			if r.Name != "_" {
				h.mention(p, r)
				h.member(h.lay.result(i))
				h.end()
			}
		}
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			h.member(h.lay.result(i))
			h.reads(p, e)
			h.end()
		}
	}
}

// condition adds a hyperedge for every conjunct of e, which may be nil.
func (h *hypergraph) condition(p *boolprog.ProcGraph, e boolprog.Expr) {
	if e == nil {
		return
	}
	for work := []boolprog.Expr{e}; len(work) > 0; {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		if b, ok := e.(*boolprog.Binary); ok && b.Op == boolprog.And {
			work = append(work, b.Y, b.X)
			continue
		}
		h.reads(p, e)
		h.end()
	}
}

func (h *hypergraph) reads(p *boolprog.ProcGraph, e boolprog.Expr) {
	boolprog.InspectRefs(e, func(r *boolprog.Ref) { h.mention(p, r) })
}

func (h *hypergraph) mention(p *boolprog.ProcGraph, r *boolprog.Ref) {
	if s, ok := p.Slot(r.Name); ok {
		h.member(h.lay.slot(s))
	}
}

func (h *hypergraph) member(g group) {
	if g != noGroup {
		h.members = append(h.members, int32(g))
	}
}

// end completes the hyperedge under way. One of less than two members says nothing.
func (h *hypergraph) end() {
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

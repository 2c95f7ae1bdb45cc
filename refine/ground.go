package refine

import (
	"c2bp/frontend/core"
	"c2bp/verdict"
)

// ground is where runs go: the nodes of all procedures, numbered, and what there is to see.
type ground struct {
	first map[*core.Proc]int // the number of a procedure's first node
	spots []spotKind         // by number of the node
	nodes map[string]int     // the numbers of nodes with a property, by their ids
}

// spotKind is what a node is to a run.
type spotKind struct {
	site    int  // 1 + the number of a property
	label   bool // not to be reached
	branch  bool
	chooses bool // it asks for inputs, or for a way to take
}

// newGround numbers the nodes of prog, whose properties are sites.
func newGround(prog *core.Program, sites []verdict.Site) *ground {
	number := map[string]int{}
	for i, s := range sites {
		if s.Node != "" {
			number[s.Node] = i + 1
		}
	}
	g := &ground{first: map[*core.Proc]int{}, nodes: map[string]int{}}
	for _, p := range prog.Procs {
		g.first[p] = len(g.spots)
		for i, n := range p.Nodes {
			_, asserts := n.Stmt.(*core.Assert)
			_, branches := n.Stmt.(*core.Branch)
			s := spotKind{site: number[p.NodeID(i)], branch: branches && len(n.Succ) > 1, chooses: chooses(p, n)}
			if s.site > 0 {
				s.label = !asserts
				g.nodes[p.NodeID(i)] = len(g.spots)
			}
			g.spots = append(g.spots, s)
		}
	}
	return g
}

// chooses reports whether what a node does is a choice.
func chooses(p *core.Proc, n *core.Node) bool {
	switch s := n.Stmt.(type) {
	case *core.Havoc:
		return !s.Begin
	case *core.Branch:
		free := 0
		for _, k := range n.Succ {
			if _, ok := p.Nodes[k].Stmt.(*core.Assume); !ok {
				free++
			}
		}
		return free > 1
	case *core.Call:
		return s.Callee != nil && !s.Callee.HasBody()
	case *core.Fill:
		return s.Byte == nil
	}
	return false
}

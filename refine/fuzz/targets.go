package fuzz

import (
	"c2bp/frontend/core"
	"c2bp/verdict"
)

// This file numbers the nodes of a program, and classifies them for a campaign.

// targets has the nodes of all procedures, numbered.
type targets struct {
	first   map[*core.Proc]int // the number of a procedure's first node
	nodes   []target           // by number of the node
	numbers map[string]int     // of nodes with a property, by their ids
}

// target is the role of a node in a run.
type target struct {
	site    int  // 1 + the number of a property
	label   bool // not to be reached
	branch  bool
	chooses bool // it asks for inputs, or for a way to take
}

// newTargets numbers the nodes of prog, whose properties are sites.
func newTargets(prog *core.Program, sites []verdict.Site) *targets {
	// 1. The properties, by the nodes that they are at.
	number := map[string]int{}
	for i, s := range sites {
		if s.Node != "" {
			number[s.Node] = i + 1
		}
	}
	// 2. The nodes, numbered procedure by procedure.
	g := &targets{first: map[*core.Proc]int{}, numbers: map[string]int{}}
	for _, p := range prog.Procs {
		g.first[p] = len(g.nodes)
		for i, n := range p.Nodes {
			_, asserts := n.Stmt.(*core.Assert)
			_, branches := n.Stmt.(*core.Branch)
			s := target{site: number[p.NodeID(i)], branch: branches && len(n.Succ) > 1, chooses: chooses(p, n)}
			if s.site > 0 {
				s.label = !asserts
				g.numbers[p.NodeID(i)] = len(g.nodes)
			}
			g.nodes = append(g.nodes, s)
		}
	}
	return g
}

// chooses reports whether executing n is a choice.
func chooses(p *core.Proc, n *core.Node) bool {
	switch s := n.Stmt.(type) {
	case *core.Havoc:
		return !s.Begin
	case *core.Branch:
		// Two successors that are no assumptions: the inputs decide.
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

package refine

import (
	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/refine/cex"
)

// This file decides how exactly each statement is abstracted. Most statements need no conjunctions of
// predicates (cubes), and the search for them takes most queries to the prover. So a program is first
// abstracted by single literals. Where the predicates that rule out a path are there, and the path
// still is, the statements on it are abstracted by longer cubes (Ball et al. 2001: the
// length of cubes).

// precisions are the degrees of exactness; the last is the default of package abstract.
var precisions = []abstract.Precision{{MaxExact: 2, MaxCube: 1}, {MaxExact: 4, MaxCube: 2}, {}}

// efforts maps nodes to degrees of exactness; the default is 0.
type efforts map[effortAt]int

// effortAt is a node, or the invariant of a procedure (its enforce clause) if the node is -1.
type effortAt struct {
	proc *core.Proc
	node int
}

// of returns the precision at a node. The invariant of a procedure has one degree more.
func (e efforts) of(p *core.Proc, node int) abstract.Precision {
	degree := e[effortAt{p, node}]
	if node < 0 {
		degree++
	}
	return precisions[min(degree, len(precisions)-1)]
}

// sharpen raises the degree of the statements in the segment of a core by one, from the least of them
// on. It reports false if all have the last degree.
func (e efforts) sharpen(p *cex.Path, r *cex.Core) bool {
	least := len(precisions) - 1
	for _, s := range p.Steps[r.From:r.To] {
		least = min(least, e[effortAt{s.Frame.Proc, s.Node}])
	}
	if least == len(precisions)-1 {
		return false
	}
	// Only statements of the least degree change.
	for _, s := range p.Steps[r.From:r.To] {
		e.raise(s.Frame.Proc, s.Node, least+1)
	}
	return true
}

// raise sets the degrees of a node and of the invariant of its procedure to at least that.
func (e efforts) raise(p *core.Proc, node, degree int) {
	for _, at := range []effortAt{{p, node}, {p, -1}} {
		e[at] = max(e[at], degree)
	}
}

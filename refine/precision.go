package refine

import (
	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/refine/cex"
)

// This file decides how exactly each statement is abstracted. Most statements need no
// conjunctions of predicates, and to look for them takes most queries to the prover. So a
// program is first abstracted by single literals, and where the predicates that rule out a
// path are there and the path still is, the statements on it are abstracted more exactly
// (Ball–Millstein–Rajamani 2005, §5: the lengths of cubes).

// precisions are the degrees of exactness; the last is that of package abstract.
var precisions = []abstract.Precision{{MaxExact: 2, MaxCube: 1}, {MaxExact: 4, MaxCube: 2}, {}}

// efforts is the degree of exactness by node; by default 0.
type efforts map[effortAt]int

// effortAt is a node, or all states of a procedure if the node is -1.
type effortAt struct {
	proc *core.Proc
	node int
}

// of is the precision at a node. What holds in all states is asked for with one degree more.
func (e efforts) of(p *core.Proc, node int) abstract.Precision {
	degree := e[effortAt{p, node}]
	if node < 0 {
		degree++
	}
	return precisions[min(degree, len(precisions)-1)]
}

// sharpen makes the abstraction of the statements in the stretch of a reason more exact;
// false if it is as exact as it can be.
func (e efforts) sharpen(p *cex.Path, r *cex.Core) bool {
	least := len(precisions) - 1
	for _, s := range p.Steps[r.From:r.To] {
		least = min(least, e[effortAt{s.Frame.Proc, s.Node}])
	}
	if least == len(precisions)-1 {
		return false
	}
	for _, s := range p.Steps[r.From:r.To] {
		e.raise(s.Frame.Proc, s.Node, least+1)
	}
	return true
}

// raise makes a node of a procedure, and what holds in its states, abstracted at least that
// exactly.
func (e efforts) raise(p *core.Proc, node, degree int) {
	for _, at := range []effortAt{{p, node}, {p, -1}} {
		e[at] = max(e[at], degree)
	}
}

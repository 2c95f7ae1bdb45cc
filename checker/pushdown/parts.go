package pushdown

import (
	"strings"

	"c2bp/boolprog"
)

// This file finds the nodes that are no states of an abstracted C program.

// partsOf reports, for each node of a procedure, whether control is inside of a statement of C there: the node
// belongs to the same one as all nodes from which control comes, which a call is whose results it takes, or the
// procedure is being entered; or it is between two statements. A node with a label is a state.
func partsOf(p *boolprog.ProcGraph) []bool {
	inside := make([]bool, len(p.Nodes))
	for v, n := range p.Nodes {
		inside[v] = statementOf(n) != "" && v != p.Entry
	}
	// 1. Control comes from another statement.
	for v, n := range p.Nodes {
		for _, to := range n.Succ {
			if isBetween(p, v) {
				continue
			}
			if to = past(p, to); statementOf(n) != statementOf(p.Nodes[to]) {
				inside[to] = false
			}
		}
	}
	// 2. At the entry the predicates of the procedure are not determined yet.
	for v, n := range p.Nodes {
		entry := v == p.Entry && strings.HasSuffix(statementOf(n), ":entry")
		inside[v] = (inside[v] || entry || isBetween(p, v)) && len(n.Labels) == 0
	}
	return inside
}

// past returns the first node from one on that is not between two statements.
func past(p *boolprog.ProcGraph, v int) int {
	for range p.Nodes {
		if !isBetween(p, v) {
			break
		}
		v = p.Nodes[v].Succ[0]
	}
	return v
}

// isBetween reports whether a node does nothing between two statements of C: a goto that belongs to the statement to
// which it leads, or a skip of the abstraction's own, in an arm without statements.
func isBetween(p *boolprog.ProcGraph, v int) bool {
	n := p.Nodes[v]
	if n.Kind != boolprog.NodeSkip || n.Stmt == nil || len(n.Succ) != 1 || len(n.Labels) > 0 {
		return false
	}
	_, isGoto := n.Stmt.Op.(*boolprog.Goto)
	_, isSkip := n.Stmt.Op.(*boolprog.Skip)
	next := p.Nodes[n.Succ[0]]
	return isGoto && statementOf(n) != "" && statementOf(next) == statementOf(n) ||
		isSkip && n.Stmt.Annot == nil && v != p.Entry && statementOf(p.Nodes[p.Entry]) != ""
}

// statementOf returns the name of the statement of C to which a node belongs; "" if it belongs to none.
func statementOf(n *boolprog.Node) string {
	if n.Stmt == nil || n.Stmt.Annot == nil {
		return ""
	}
	return n.Stmt.Annot.Node
}

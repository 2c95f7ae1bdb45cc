package pushdown

import (
	"strings"

	"c2bp/boolprog"
)

// This file finds the nodes that are no states of an abstracted C program.

// partsOf reports, for each node of a procedure, whether control is inside of a statement of C there: the node
// belongs to the same one as all nodes from which control comes, which a call is whose results it takes, or the
// procedure is being entered. A node with a label is a state.
func partsOf(p *boolprog.ProcGraph) []bool {
	inside := make([]bool, len(p.Nodes))
	for v, n := range p.Nodes {
		inside[v] = statementOf(n) != "" && v != p.Entry
	}
	// 1. Control comes from another statement.
	for _, n := range p.Nodes {
		for _, to := range n.Succ {
			if statementOf(n) != statementOf(p.Nodes[to]) {
				inside[to] = false
			}
		}
	}
	// 2. At the entry the predicates of the procedure are not determined yet.
	for v, n := range p.Nodes {
		if statementOf(n) == "" {
			continue
		}
		entry := v == p.Entry && strings.HasSuffix(n.Stmt.Annot.Node, ":entry")
		inside[v] = (inside[v] || entry) && len(n.Labels) == 0
	}
	return inside
}

// statementOf returns the name of the statement of C to which a node belongs; "" if it belongs to none.
func statementOf(n *boolprog.Node) string {
	if n.Stmt == nil || n.Stmt.Annot == nil {
		return ""
	}
	return n.Stmt.Annot.Node
}

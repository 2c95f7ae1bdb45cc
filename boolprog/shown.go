package boolprog

import "c2bp/verdict"

// This file defines what traces show of nodes.

// Step is the step of a trace in which n, a node with a statement, is executed: all but the
// state, and which way a branch goes unless the annotation tells.
func (n *Node) Step(proc string, depth int) verdict.Step {
	s := verdict.Step{Proc: proc, Pos: n.Stmt.Pos, Depth: depth, Stmt: n.Spell()}
	s.Text = s.Stmt
	if a := n.Stmt.Annot; a != nil {
		s.Node, s.Origin = a.Node, a.Origin
		if a.Text != "" {
			s.Text = a.Text
		}
		if a.Pos.IsValid() {
			s.Pos = a.Pos
		}
	}
	return s
}

// Spell is the statement of a node that has one; of an if with several conditions only the
// node's own is shown.
func (n *Node) Spell() string {
	if _, ok := n.Stmt.Op.(*If); ok && n.Kind == NodeBranch {
		return "if (" + ExprString(n.Cond) + ")"
	}
	return StmtString(n.Stmt.Op)
}

package boolprog

import "c2bp/verdict"

// This file shows nodes in traces.

// Step returns the step of a trace that executes n, a node with a statement, without the state and,
// unless an annotation tells, the direction of a branch.
func (n *Node) Step(proc string, depth int) verdict.Step {
	s := verdict.Step{Proc: proc, Pos: n.Stmt.Pos, Depth: depth, Stmt: n.Spell()}
	s.Text = s.Stmt
	// The annotation has the C statement and its position.
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

// Spell returns the statement of a node that has one. Of an if with several conditions it shows the
// node's own.
func (n *Node) Spell() string {
	if _, ok := n.Stmt.Op.(*If); ok && n.Kind == NodeBranch {
		return "if (" + ExprString(n.Cond) + ")"
	}
	return StmtString(n.Stmt.Op)
}

package boolprog

import "fmt"

// This file defines the sanity pass over control-flow graphs. It runs in tests; a violation is a
// defect of BuildGraph.

// Validate checks the invariants of cfg.go. It returns the first violation, with the procedure and
// node.
func (g *Graph) Validate() error {
	if g.Main == nil || g.Main.Proc.Name != "main" {
		return fmt.Errorf("no main procedure")
	}
	for i, p := range g.Procs {
		if p.Index != i || p.Proc != g.Prog.Procs[i] {
			return fmt.Errorf("%s: wrong index %d", p.Proc.Name, p.Index)
		}
		if err := g.validateProc(p); err != nil {
			return fmt.Errorf("%s: %w", p.Proc.Name, err)
		}
	}
	return nil
}

// validateProc checks slots, entry, exit, nodes and labels of a procedure.
func (g *Graph) validateProc(p *ProcGraph) error {
	if len(p.Vars) != len(p.Proc.Params)+len(p.Proc.Locals) {
		return fmt.Errorf("%d variables", len(p.Vars))
	}
	// Slots are those of the variables.
	for i, v := range p.Vars {
		if s, ok := p.Slot(v.Name); !ok || s.Global || s.Index != i {
			return fmt.Errorf("variable %s has slot %v", v.Name, s)
		}
	}
	// The exit is the last node, and the only one of its kind: see validateNode.
	if p.Exit != len(p.Nodes)-1 || p.Nodes[p.Exit].Kind != NodeExit || p.Entry < 0 || p.Entry >= len(p.Nodes) {
		return fmt.Errorf("entry %d, exit %d of %d nodes", p.Entry, p.Exit, len(p.Nodes))
	}
	if p.Proc.Results > 0 && p.Entry == p.Exit {
		return fmt.Errorf("exit without return")
	}
	// Nodes; each label occurs once.
	labels := map[string]bool{}
	for i, n := range p.Nodes {
		err := validateNode(p, i, n)
		if err == nil {
			err = g.validateTypes(p, n)
		}
		if err == nil && n.Callee != nil && (n.Callee.Index >= len(g.Procs) || g.Procs[n.Callee.Index] != n.Callee) {
			err = fmt.Errorf("callee %s is not in the graph", n.Callee.Proc.Name)
		}
		for _, l := range n.Labels {
			if labels[l] {
				err = fmt.Errorf("label %s for the second time", l)
			}
			labels[l] = true
		}
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return nil
}

// validateNode checks that the contents of a node fit its kind, and its successors: their number,
// and that they are nodes of p.
func validateNode(p *ProcGraph, i int, n *Node) error {
	if (n.Kind == NodeExit) != (i == p.Exit) {
		return fmt.Errorf("exit in the middle")
	}
	if n.Stmt == nil && n.Kind != NodeExit && n.Kind != NodeReturn {
		return fmt.Errorf("no statement")
	}
	for _, s := range n.Succ {
		if s < 0 || s >= len(p.Nodes) {
			return fmt.Errorf("successor %d", s)
		}
		// With results, only a return leads to the exit: the results are set there.
		if s == p.Exit && n.Kind != NodeReturn && p.Proc.Results > 0 {
			return fmt.Errorf("exit without return")
		}
	}
	// The number of successors and the contents that the kind needs.
	want, ok := 1, true
	switch n.Kind {
	case NodeExit, NodeEnd:
		want = 0
	// A thread begins at a second successor or in a procedure.
	case NodeStart:
		if n.Callee == nil {
			want = 2
		} else {
			ok = n.Call != nil && len(n.Call.Args) == len(n.Callee.Proc.Params)
		}
	// A goto is a skip with a successor for each label.
	case NodeSkip:
		if g, isGoto := n.Stmt.Op.(*Goto); isGoto {
			want = len(g.Targets)
		}
	case NodeBranch:
		want, ok = 2, n.Cond != nil
	case NodeAssume, NodeAssert:
		ok = n.Cond != nil
	case NodeReturn:
		ok = len(n.Values) == p.Proc.Results && n.Succ[0] == p.Exit
	case NodeAssign:
		ok = n.Assign != nil && len(n.Assign.Lhs) == len(n.Assign.Rhs)
	case NodeDead:
		ok = n.Dead != nil
	case NodeCall:
		ok = n.Call != nil && n.Callee != nil && len(n.Call.Args) == len(n.Callee.Proc.Params) && len(n.Call.Lhs) == n.Callee.Proc.Results
	}
	if !ok || len(n.Succ) != want {
		return fmt.Errorf("kind %d with %d successors: contents do not fit the kind", n.Kind, len(n.Succ))
	}
	return validateNames(p, n)
}

// validateNames checks that every variable of n has a slot; it returns the last violation.
func validateNames(p *ProcGraph, n *Node) (err error) {
	ref := func(r *Ref) {
		if _, ok := p.Slot(r.Name); !ok {
			err = fmt.Errorf("variable %s has no slot", r.Name)
		}
	}
	// All variables in expressions and targets have slots.
	exprs := append([]Expr{n.Cond}, n.Values...)
	switch {
	case n.Assign != nil:
		exprs = append(append(exprs, n.Assign.Constrain), n.Assign.Rhs...)
		for _, r := range n.Assign.Lhs {
			ref(r)
		}
	case n.Dead != nil:
		for _, r := range n.Dead.Vars {
			ref(r)
		}
	case n.Call != nil:
		exprs = append(exprs, n.Call.Args...)
		for _, r := range n.Call.Lhs {
			if r.Name != "_" {
				ref(r)
			}
		}
	}
	for _, e := range exprs {
		InspectRefs(e, ref)
	}
	return err
}

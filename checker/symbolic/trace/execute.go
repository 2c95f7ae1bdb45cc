package trace

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
)

// This file executes one statement for the replayer, on one valuation.

// changes returns the variables that the statement at m writes, with those that its callee may
// write; nil if the callee is entered. The slice is valid until the next call.
func (s *Finder) changes(m *traceState) []flow.Group {
	// At the entry of the callee all its clauses are checked: see enforced.
	if m.move == into {
		return nil
	}
	if s.changed == nil {
		s.changed = make([]flow.Group, 0, 8)
	}
	out := s.changed[:0]
	// The targets of the statement, then results or the MOD set of the callee.
	n := m.proc.Graph.Nodes[m.node]
	for _, r := range written(n) {
		if r.Name != "_" {
			out = append(out, m.proc.Group(r))
		}
	}
	switch n.Kind {
	case boolprog.NodeReturn:
		for i := range n.Values {
			out = append(out, s.Layout.Result(i))
		}
	case boolprog.NodeCall:
		out = append(out, s.Modified(s.Procs[n.Callee.Index])...)
	}
	s.changed = out
	return out
}

// written returns the variables that a node writes itself.
func written(n *boolprog.Node) []*boolprog.Ref {
	switch n.Kind {
	case boolprog.NodeAssign:
		return n.Assign.Lhs
	case boolprog.NodeDead:
		return n.Dead.Vars
	case boolprog.NodeCall:
		return n.Call.Lhs
	}
	return nil
}

// enforced executes clauses of the enforce clause at m: those that mention a variable in changed,
// or all if changed is nil, and those whose variables are all known. It reports whether they can be
// 1.
func (s *Finder) enforced(m *traceState, changed []flow.Group) bool {
	for _, c := range m.proc.Clauses {
		// A clause is checked where the step changed it, or where it can be evaluated anyway.
		about, known := changed == nil, true
		boolprog.InspectRefs(c.Expr, func(r *boolprog.Ref) {
			g := m.proc.Group(r)
			about = about || slices.Contains(changed, g)
			known = known && s.IsTracked(m.proc, m.node, g)
		})
		if (about || known) && !s.eval(m, c.Expr).Has(true) {
			return false
		}
	}
	return true
}

// eval returns the possible values of e in the state m, by package bpexec.
func (s *Finder) eval(m *traceState, e boolprog.Expr) bpexec.Values {
	return bpexec.Eval(e, func(r *boolprog.Ref) bool { return s.value(m, m.proc.Group(r)) })
}

// value returns the value of g at m. It panics with a Violation if the engine has forgotten it.
func (s *Finder) value(m *traceState, g flow.Group) bool {
	if !s.IsTracked(m.proc, m.node, g) {
		panic(symbolic.Violation(fmt.Sprintf("at node %d of %s the value of %s is asked for and was forgotten",
			m.node, m.proc.Graph.Proc.Name, s.nameOf(m.proc, g))))
	}
	return m.state[g]
}

// nameOf returns the name of g in p, for messages.
func (s *Finder) nameOf(p *symbolic.Proc, g flow.Group) string {
	switch {
	case s.Layout.IsGlobal(g):
		return s.Graph.Globals[s.Layout.Names[g]].Name
	case s.Layout.IsResult(g):
		return fmt.Sprintf("result %d", int(g)-s.Layout.Globals-s.Layout.Locals)
	}
	return p.Graph.Vars[int(g)-s.Layout.Globals].Name
}

// stored reports whether e can have the value val at m.
func (s *Finder) stored(m *traceState, e boolprog.Expr, val bool) bool {
	return s.eval(m, e).Has(val)
}

// replayStep executes the statement at m and compares the outcome with the next state. changed is
// the result of changes(m).
func (s *Finder) replayStep(m, after *traceState, changed []flow.Group) error {
	n := m.proc.Graph.Nodes[m.node]
	if n.Kind == boolprog.NodeCall {
		return s.replayCall(m, after, n, changed)
	}
	if after.proc != m.proc {
		return refuse(m, "the path leaves the procedure")
	}
	succ := n.Succ
	ok := true
	known := func(g flow.Group) bool { return s.IsTracked(after.proc, after.node, g) }
	// 1. Execute the statement: can it have this outcome, and where can control go?
	switch n.Kind {
	case boolprog.NodeSkip, boolprog.NodeDead:
	case boolprog.NodeAssume, boolprog.NodeAssert:
		ok = s.stored(m, n.Cond, true)
	// A condition with choices allows both successors.
	case boolprog.NodeBranch:
		switch s.eval(m, n.Cond) {
		case bpexec.Can1:
			succ = succ[:1]
		case bpexec.Can0:
			succ = succ[1:]
		}
	case boolprog.NodeAssign:
		for i, r := range n.Assign.Lhs {
			// Values that the engine forgot cannot be compared.
			if g := m.proc.Group(r); known(g) {
				ok = ok && s.stored(m, n.Assign.Rhs[i], after.state[g])
			}
		}
		ok = ok && s.constrained(m, after, n.Assign)
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			if g := s.Layout.Result(i); known(g) {
				ok = ok && s.stored(m, e, after.state[g])
			}
		}
	default:
		ok = false
	}
	// 2. Compare.
	switch {
	case !ok:
		return refuse(m, "the statement has no such effect")
	case !slices.Contains(succ, after.node):
		return refuse(m, "control does not go to node %d", after.node)
	}
	return s.unchanged(m, after, changed)
}

// constrained reports whether the constrain clause of a can be 1 after the step from m, for some of
// the values that a can store in targets that are not known afterwards.
func (s *Finder) constrained(m, after *traceState, a *boolprog.Assign) bool {
	if a.Constrain == nil {
		return true
	}
	// 1. Find the unknown targets that the clause mentions.
	var open []int // targets that the clause asks for
	boolprog.InspectRefs(a.Constrain, func(r *boolprog.Ref) {
		g := m.proc.Group(r)
		i := slices.IndexFunc(a.Lhs, func(x *boolprog.Ref) bool { return m.proc.Group(x) == g })
		if r.Next && !s.IsTracked(after.proc, after.node, g) && !slices.Contains(open, i) {
			open = append(open, i)
		}
	})
	// 2. Try all values for them.
	stored := map[flow.Group]bool{}
	var try func(k int) bool
	try = func(k int) bool {
		// Choose a value that the right side can have, and go on to the next target.
		if k < len(open) {
			g := m.proc.Group(a.Lhs[open[k]])
			for _, val := range []bool{false, true} {
				stored[g] = val
				if s.stored(m, a.Rhs[open[k]], val) && try(k+1) {
					return true
				}
			}
			return false
		}
		return bpexec.Eval(a.Constrain, func(r *boolprog.Ref) bool {
			g := m.proc.Group(r)
			if !r.Next {
				return s.value(m, g)
			}
			if val, ok := stored[g]; ok {
				return val
			}
			return s.value(after, g)
		}).Has(true)
	}
	return try(0)
}

// unchanged checks that a step leaves the variables alone that are not in changed.
func (s *Finder) unchanged(m, after *traceState, changed []flow.Group) error {
	for _, g := range s.Tracked(after.proc, after.node) {
		if !slices.Contains(changed, g) && s.value(m, g) != after.state[g] {
			return refuse(m, "%s changes, which the statement does not write", s.nameOf(m.proc, g))
		}
	}
	return nil
}

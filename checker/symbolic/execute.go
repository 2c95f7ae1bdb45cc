package symbolic

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file defines how the replayer executes one statement, on one valuation.

// changes is what the statement at m writes, what its callee may write included; nil
// if it is entered. It is good until the next call.
func (s *Solution) changes(m *moment) []group {
	if m.move == into {
		return nil
	}
	if s.changed == nil {
		s.changed = make([]group, 0, 8)
	}
	out := s.changed[:0]
	n := m.proc.graph.Nodes[m.node]
	for _, r := range written(n) {
		if r.Name != "_" {
			out = append(out, m.proc.enc.group(r))
		}
	}
	switch n.Kind {
	case boolprog.NodeReturn:
		for i := range n.Values {
			out = append(out, s.lay.result(i))
		}
	case boolprog.NodeCall:
		out = append(out, s.live.list(s.modified[n.Callee.Index])...)
	}
	s.changed = out
	return out
}

// written lists the variables that a node writes itself.
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

// enforced executes the clauses that are about one of the variables that the step to
// m changed, all if it is nil, and of the others those whose variables are known.
func (s *Solution) enforced(m *moment, changed []group) bool {
	for _, c := range s.live.uses[m.proc.graph.Index] {
		about, known := changed == nil, true
		boolprog.InspectRefs(c.expr, func(r *boolprog.Ref) {
			g := m.proc.enc.group(r)
			about = about || slices.Contains(changed, g)
			known = known && s.isTracked(m.proc, m.node, g)
		})
		if (about || known) && !s.eval(m, c.expr).Has(true) {
			return false
		}
	}
	return true
}

// eval evaluates e in the state of m.
func (s *Solution) eval(m *moment, e boolprog.Expr) bpexec.Values {
	return bpexec.Eval(e, func(r *boolprog.Ref) bool { return s.value(m, m.proc.enc.group(r)) })
}

// value is what g holds at m.
func (s *Solution) value(m *moment, g group) bool {
	if !s.isTracked(m.proc, m.node, g) {
		panic(broken(fmt.Sprintf("at node %d of %s the value of %s is asked for and was forgotten",
			m.node, m.proc.graph.Proc.Name, s.nameOf(m.proc, g))))
	}
	return m.state[g]
}

func (s *Solution) nameOf(p *proc, g group) string {
	switch {
	case s.lay.isGlobal(g):
		return s.graph.Globals[s.lay.names[g]].Name
	case s.isResult(g):
		return fmt.Sprintf("result %d", int(g)-s.lay.globals-s.lay.locals)
	}
	return p.graph.Vars[int(g)-s.lay.globals].Name
}

// stored reports whether e can have the value val in m.
func (s *Solution) stored(m *moment, e boolprog.Expr, val bool) bool { return s.eval(m, e).Has(val) }

// replayStep executes the statement at m, which changes at most changed, and
// compares with what comes next.
func (s *Solution) replayStep(m, after *moment, changed []group) error {
	n := m.proc.graph.Nodes[m.node]
	if n.Kind == boolprog.NodeCall {
		return s.replayCall(m, after, n, changed)
	}
	if after.proc != m.proc {
		return refuse(m, "the path leaves the procedure")
	}
	succ := n.Succ
	ok := true
	known := func(g group) bool { return s.isTracked(after.proc, after.node, g) }
	switch n.Kind {
	case boolprog.NodeSkip, boolprog.NodeDead:
	case boolprog.NodeAssume, boolprog.NodeAssert:
		ok = s.stored(m, n.Cond, true)
	case boolprog.NodeBranch:
		switch s.eval(m, n.Cond) {
		case bpexec.Can1:
			succ = succ[:1]
		case bpexec.Can0:
			succ = succ[1:]
		}
	case boolprog.NodeAssign:
		for i, r := range n.Assign.Lhs {
			if g := m.proc.enc.group(r); known(g) {
				ok = ok && s.stored(m, n.Assign.Rhs[i], after.state[g])
			}
		}
		ok = ok && s.constrained(m, after, n.Assign)
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			if g := s.lay.result(i); known(g) {
				ok = ok && s.stored(m, e, after.state[g])
			}
		}
	default:
		ok = false
	}
	switch {
	case !ok:
		return refuse(m, "the statement has no such effect")
	case !slices.Contains(succ, after.node):
		return refuse(m, "control does not go to node %d", after.node)
	}
	return s.unchanged(m, after, changed)
}

// constrained reports whether the constrain clause of a can be 1, for some of the
// values that a can store in variables that are not known afterwards.
func (s *Solution) constrained(m, after *moment, a *boolprog.Assign) bool {
	if a.Constrain == nil {
		return true
	}
	var open []int // targets that the clause asks for
	boolprog.InspectRefs(a.Constrain, func(r *boolprog.Ref) {
		g := m.proc.enc.group(r)
		i := slices.IndexFunc(a.Lhs, func(x *boolprog.Ref) bool { return m.proc.enc.group(x) == g })
		if r.Next && !s.isTracked(after.proc, after.node, g) && !slices.Contains(open, i) {
			open = append(open, i)
		}
	})
	stored := map[group]bool{}
	var try func(k int) bool
	try = func(k int) bool {
		if k < len(open) {
			g := m.proc.enc.group(a.Lhs[open[k]])
			for _, val := range []bool{false, true} {
				stored[g] = val
				if s.stored(m, a.Rhs[open[k]], val) && try(k+1) {
					return true
				}
			}
			return false
		}
		return bpexec.Eval(a.Constrain, func(r *boolprog.Ref) bool {
			g := m.proc.enc.group(r)
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

// unchanged compares what a step must leave alone.
func (s *Solution) unchanged(m, after *moment, changed []group) error {
	for _, g := range s.tracked(after.proc, after.node) {
		if !slices.Contains(changed, g) && s.value(m, g) != after.state[g] {
			return refuse(m, "%s changes, which the statement does not write", s.nameOf(m.proc, g))
		}
	}
	return nil
}

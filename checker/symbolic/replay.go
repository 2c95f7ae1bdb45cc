package symbolic

import (
	"fmt"
	"maps"
	"slices"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file defines the replay of traces. The replayer shares with the engine the
// control-flow graph and the numbering of variables, and nothing else: no decision
// diagram, no relation, no mod set. It executes a path step by step, on one
// valuation at a time, with the reference evaluation of expressions. A step over a call is
// accepted when a path inside the callee with the same inputs and outputs has been
// executed, once for each summary edge; summary edges inside have smaller numbers,
// so the argument is not circular.

// replay executes the trace twice: with the values chosen, and with all free
// values turned around. Then it executes every summary edge that was used.
func (s *Solution) replay(t *Trace, fails bool) error {
	paths := [][]*moment{t.path}
	if turned := s.turn(t); turned != nil {
		paths = append(paths, turned)
	}
	seen := map[string]bool{} // becomes known for good only when all has been executed
	var work []*summaryUse
	for _, path := range paths {
		if err := s.replayPath(path, fails); err != nil {
			return err
		}
		work = s.unseen(work, seen, path)
	}
	for len(work) > 0 {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		roots := len(s.roots)
		_, path := s.inside(u)
		s.roots = s.roots[:roots]
		if err := s.replaySummary(u, path); err != nil {
			return err
		}
		work = s.unseen(work, seen, path)
	}
	maps.Copy(s.replayed, seen)
	return nil
}

// unseen adds to the list the summary edges used on a path that were not executed
// yet, and takes note of them.
func (s *Solution) unseen(work []*summaryUse, seen map[string]bool, path []*moment) []*summaryUse {
	for _, m := range path {
		if m.move != over {
			continue
		}
		key := s.key(m.use)
		if !s.replayed[key] && !seen[key] {
			seen[key] = true
			work = append(work, m.use)
		}
	}
	return work
}

// key identifies a summary edge, its number included.
func (s *Solution) key(u *summaryUse) string {
	key := []byte(fmt.Sprint(u.callee.graph.Index, ":", u.number, ":"))
	for _, g := range u.callee.inputs {
		key = append(key, bit(u.entry[g]))
	}
	for _, g := range slices.Concat(u.callee.globals, u.callee.results) {
		key = append(key, bit(u.exit[g]))
	}
	return string(key)
}

func bit(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}

// turn is the path of t with all free values turned around; nil if none is free.
func (s *Solution) turn(t *Trace) []*moment {
	any := false
	path := make([]*moment, len(t.path))
	for i, m := range t.path {
		c := *m
		c.state = slices.Clone(m.state)
		for g, free := range t.free[i] {
			if free {
				c.state[g] = !c.state[g]
				any = true
			}
		}
		path[i] = &c
	}
	if !any {
		return nil
	}
	s.addUses(path, t.limit)
	return path
}

// replaySummary executes a path inside u.callee and compares its ends with u.
func (s *Solution) replaySummary(u *summaryUse, path []*moment) error {
	first, last := path[0], path[len(path)-1]
	p := u.callee
	for _, g := range p.inputs {
		if first.state[g] != u.entry[g] {
			return refuse(first, "the inputs are not those of the call")
		}
	}
	for _, g := range slices.Concat(p.globals, p.results) {
		if last.state[g] != u.exit[g] {
			return refuse(last, "the outputs are not those of the call")
		}
	}
	if first.proc != p || last.proc != p || last.node != p.graph.Exit {
		return refuse(last, "the path does not lead through the procedure called")
	}
	for _, m := range path {
		if m.move == into || m.move == over && m.use.number >= u.number {
			return refuse(m, "the argument is circular")
		}
	}
	return s.replayPath(path, false)
}

// refuse says why a path is none.
func refuse(m *moment, format string, args ...any) error {
	return &InternalError{fmt.Sprintf("the trace does not replay at node %d of %s: %s",
		m.node, m.proc.graph.Proc.Name, fmt.Sprintf(format, args...))}
}

// replayPath executes the steps of a path. If fails, it ends in an assertion that
// can fail.
func (s *Solution) replayPath(path []*moment, fails bool) error {
	if path[0].node != path[0].proc.graph.Entry {
		return refuse(path[0], "the path does not start at an entry")
	}
	for i, m := range path {
		if !s.enforced(m) {
			return refuse(m, "the enforce clause does not hold")
		}
		if m.move == stop {
			n := m.proc.graph.Nodes[m.node]
			if fails && (n.Kind != boolprog.NodeAssert || !s.eval(m, n.Cond).Has(false)) {
				return refuse(m, "the assertion does not fail")
			}
			if i != len(path)-1 {
				return refuse(m, "the path stops early")
			}
			return nil
		}
		if i == len(path)-1 {
			return refuse(m, "the path has no end")
		}
		if err := s.replayStep(m, path[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Solution) enforced(m *moment) bool {
	clause := m.proc.graph.Proc.Enforce
	return clause == nil || s.eval(m, clause).Has(true)
}

// eval evaluates e in the state of m.
func (s *Solution) eval(m *moment, e boolprog.Expr) bpexec.Values {
	return bpexec.Eval(e, func(r *boolprog.Ref) bool { return m.state[m.proc.enc.group(r)] })
}

// stored reports whether e can have the value val in m.
func (s *Solution) stored(m *moment, e boolprog.Expr, val bool) bool { return s.eval(m, e).Has(val) }

// replayStep executes the statement at m and compares with what comes next.
func (s *Solution) replayStep(m, after *moment) error {
	n := m.proc.graph.Nodes[m.node]
	if n.Kind == boolprog.NodeCall {
		return s.replayCall(m, after, n)
	}
	if after.proc != m.proc {
		return refuse(m, "the path leaves the procedure")
	}
	changed := map[group]bool{}
	succ := n.Succ
	ok := true
	switch n.Kind {
	case boolprog.NodeSkip:
	case boolprog.NodeAssume, boolprog.NodeAssert:
		ok = s.stored(m, n.Cond, true)
	case boolprog.NodeBranch:
		succ = nil
		for i, val := range []bool{true, false} {
			if s.stored(m, n.Cond, val) {
				succ = append(succ, n.Succ[i])
			}
		}
	case boolprog.NodeAssign:
		for i, r := range n.Assign.Lhs {
			g := m.proc.enc.group(r)
			changed[g] = true
			ok = ok && s.stored(m, n.Assign.Rhs[i], after.state[g])
		}
		ok = ok && s.constrained(m, after, n.Assign.Constrain)
	case boolprog.NodeDead:
		for _, r := range n.Dead.Vars {
			changed[m.proc.enc.group(r)] = true
		}
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			g := s.lay.result(i)
			changed[g] = true
			ok = ok && s.stored(m, e, after.state[g])
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

func (s *Solution) constrained(m, after *moment, clause boolprog.Expr) bool {
	return clause == nil || bpexec.Eval(clause, func(r *boolprog.Ref) bool {
		at := m
		if r.Next {
			at = after
		}
		return at.state[m.proc.enc.group(r)]
	}).Has(true)
}

// unchanged compares what a step must leave alone.
func (s *Solution) unchanged(m, after *moment, changed map[group]bool) error {
	for _, g := range s.scope(m.proc) {
		if !changed[g] && m.state[g] != after.state[g] {
			return refuse(m, "a variable changes that the statement does not write")
		}
	}
	return nil
}

// replayCall enters a call or steps over it; what happens inside is executed
// elsewhere.
func (s *Solution) replayCall(m, after *moment, n *boolprog.Node) error {
	callee := s.procs[n.Callee.Index]
	in := after.state
	if m.move == over {
		in = m.use.entry
		if m.use.callee != callee {
			return refuse(m, "the summary is another procedure's")
		}
	}
	for i, e := range n.Call.Args {
		if !s.stored(m, e, in[s.lay.local(i)]) {
			return refuse(m, "argument %d cannot have this value", i+1)
		}
	}
	for _, g := range callee.globals {
		if m.state[g] != in[g] {
			return refuse(m, "a global changes on the way into the call")
		}
	}
	if m.move == into {
		if after.proc != callee || after.node != callee.graph.Entry {
			return refuse(m, "the call does not lead to the entry of the procedure called")
		}
		return nil
	}
	if after.proc != m.proc || after.node != n.Succ[0] {
		return refuse(m, "the call does not return to the statement behind it")
	}
	return s.replayReturn(m, after, n)
}

// replayReturn compares the state behind a call with the outputs of the callee.
func (s *Solution) replayReturn(m, after *moment, n *boolprog.Node) error {
	want := slices.Clone(m.state)
	for _, g := range m.use.callee.globals {
		want[g] = m.use.exit[g]
	}
	for i, r := range n.Call.Lhs {
		if r.Name != "_" {
			want[m.proc.enc.group(r)] = m.use.exit[s.lay.result(i)]
		}
	}
	for _, g := range s.scope(m.proc) {
		if after.state[g] != want[g] {
			return refuse(m, "the state behind the call does not fit what the procedure returned")
		}
	}
	return nil
}

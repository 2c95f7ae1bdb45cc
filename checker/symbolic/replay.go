package symbolic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file defines the replay of traces. The replayer shares with the engine the
// control-flow graph, the numbering of variables, which of them states are over and
// which globals a call may modify, and nothing else: no decision diagram, no relation.
// It executes a path
// step by step, on one valuation at a time, with the reference evaluation of
// expressions; that a variable is asked for whose value the engine has forgotten is
// an error. A step over a call is
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
		r, path := s.inside(u)
		s.roots = s.roots[:roots]
		if err := s.replaySummary(u, path); err != nil {
			return err
		}
		work = s.unseen(work, seen, path)
		s.spare = r // path is in its memory, and done with
	}
	if len(s.replayed) == 0 {
		s.replayed = seen
	} else {
		maps.Copy(s.replayed, seen)
	}
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
		if !s.replayed[string(key)] && !seen[string(key)] {
			seen[string(key)] = true
			work = append(work, m.use)
		}
	}
	return work
}

// key identifies a summary edge, its number included. It is good until the next call.
func (s *Solution) key(u *summaryUse) []byte {
	key := s.keyRoom[:0]
	key = strconv.AppendInt(key, int64(u.callee.graph.Index), 10)
	key = strconv.AppendInt(append(key, ':'), u.number, 10)
	key = append(key, ':')
	for _, g := range u.callee.inputs {
		key = append(key, bit(u.entry[g]))
	}
	for _, g := range u.callee.outputs {
		key = append(key, bit(u.exit[g]))
	}
	s.keyRoom = key
	return key
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
	for _, g := range p.outputs {
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
	var changed []group
	for i, m := range path {
		if !s.enforced(m, changed) {
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
		changed = s.changes(m)
		if err := s.replayStep(m, path[i+1], changed); err != nil {
			return err
		}
	}
	return nil
}

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

// replayCall enters a call or steps over it; what happens inside is executed
// elsewhere.
func (s *Solution) replayCall(m, after *moment, n *boolprog.Node, changed []group) error {
	callee := s.procs[n.Callee.Index]
	in := after.state
	if m.move == over {
		in = m.use.entry
		if m.use.callee != callee {
			return refuse(m, "the summary is another procedure's")
		}
	}
	for _, g := range s.tracked(callee, callee.graph.Entry) {
		i := int(g) - s.lay.globals
		switch {
		case s.lay.isGlobal(g):
			if s.value(m, g) != in[g] {
				return refuse(m, "a global changes on the way into the call")
			}
		case i < len(n.Call.Args) && !s.stored(m, n.Call.Args[i], in[g]):
			return refuse(m, "argument %d cannot have this value", i+1)
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
	return s.replayReturn(m, after, n, changed)
}

// replayReturn compares the state behind a call with the outputs of the callee.
func (s *Solution) replayReturn(m, after *moment, n *boolprog.Node, changed []group) error {
	want := map[group]bool{}
	for _, g := range m.use.callee.outputs {
		if s.lay.isGlobal(g) {
			want[g] = m.use.exit[g]
		}
	}
	for i, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		g := m.proc.enc.group(r)
		delete(want, g)
		if slices.Contains(m.use.callee.outputs, s.lay.result(i)) {
			want[g] = m.use.exit[s.lay.result(i)]
		}
	}
	for _, g := range s.tracked(after.proc, after.node) {
		if !slices.Contains(changed, g) {
			continue
		}
		if val, known := want[g]; !known || val != after.state[g] {
			return refuse(m, "%s does not hold what the procedure returned", s.nameOf(m.proc, g))
		}
	}
	return s.unchanged(m, after, changed)
}

package trace

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"c2bp/boolprog"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
)

// This file replays traces. The replayer shares with the engine the control-flow graph, the
// numbering of variables, the live variables and the MOD sets, and nothing else: no decision
// diagrams and no relations. It executes a path step by step, on one valuation at a time, and
// evaluates expressions with package bpexec. To ask for the value of a variable that the engine has
// forgotten is an error.
//
// A step over a call is accepted when a path inside the callee with the same inputs and outputs has
// been executed, once for each summary edge. Summary edges inside have smaller numbers, so the
// argument is not circular.

// replay executes the trace twice: with the values chosen, and with all don't-care values inverted.
// Then it executes every summary edge that was used. It returns an *InternalError if the program
// cannot take the trace.
func (s *Finder) replay(t *Trace, fails bool) error {
	// The second path shows that the don't-care values are free.
	paths := [][]*traceState{t.path}
	if turned := s.turn(t); turned != nil {
		paths = append(paths, turned)
	}
	seen := map[string]bool{} // joins replayed only when everything has been executed
	var work []*summaryUse
	// 1. Execute the paths.
	for _, path := range paths {
		if err := s.replayPath(path, fails); err != nil {
			return err
		}
		work = s.unseen(work, seen, path)
	}
	// 2. Execute the summary edges that they use, and those that these use.
	for len(work) > 0 {
		// The path inside is searched now: its rings are dropped when it was executed.
		u := work[len(work)-1]
		work = work[:len(work)-1]
		r, path := s.inside(u)
		s.PopRoots()
		if err := s.replaySummary(u, path); err != nil {
			return err
		}
		work = s.unseen(work, seen, path)
		s.spare = r // path is in its memory, and not needed any more
	}
	if len(s.replayed) == 0 {
		s.replayed = seen
	} else {
		maps.Copy(s.replayed, seen)
	}
	return nil
}

// unseen appends to work the summary edges used on a path that were not executed yet, and marks
// them as seen.
func (s *Finder) unseen(work []*summaryUse, seen map[string]bool, path []*traceState) []*summaryUse {
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

// key identifies a summary edge with its number. The slice is valid until the next call.
func (s *Finder) key(u *summaryUse) []byte {
	// Procedure, number, and the values at both ends.
	key := s.keyRoom[:0]
	key = strconv.AppendInt(key, int64(u.callee.Graph.Index), 10)
	key = strconv.AppendInt(append(key, ':'), u.number, 10)
	key = append(key, ':')
	for _, g := range u.callee.Inputs {
		key = append(key, bit(u.entry[g]))
	}
	for _, g := range u.callee.Outputs {
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

// turn returns the path of t with all don't-care values inverted; nil if there are none.
func (s *Finder) turn(t *Trace) []*traceState {
	if t.dontCare == nil {
		return nil
	}
	any := false
	path := make([]*traceState, len(t.path))
	for i, m := range t.path {
		// States are copied: t keeps its own.
		c := *m
		c.state = slices.Clone(m.state)
		for g, free := range t.dontCare[i] {
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
func (s *Finder) replaySummary(u *summaryUse, path []*traceState) error {
	first, last := path[0], path[len(path)-1]
	p := u.callee
	// 1. The ends must be those of the summary edge.
	for _, g := range p.Inputs {
		if first.state[g] != u.entry[g] {
			return refuse(first, "the inputs are not those of the call")
		}
	}
	for _, g := range p.Outputs {
		if last.state[g] != u.exit[g] {
			return refuse(last, "the outputs are not those of the call")
		}
	}
	if first.proc != p || last.proc != p || last.node != p.Graph.Exit {
		return refuse(last, "the path does not lead through the procedure called")
	}
	// 2. Calls inside must use earlier summary edges.
	for _, m := range path {
		if m.move == into || m.move == over && m.use.number >= u.number {
			return refuse(m, "the argument is circular")
		}
	}
	return s.replayPath(path, false)
}

// refuse returns the error that a path cannot continue from m.
func refuse(m *traceState, format string, args ...any) error {
	return &symbolic.InternalError{Why: fmt.Sprintf("the trace does not replay at node %d of %s: %s",
		m.node, m.proc.Graph.Proc.Name, fmt.Sprintf(format, args...))}
}

// replayPath executes the steps of a path. If fails is set, the path must end in an assertion that
// can fail.
func (s *Finder) replayPath(path []*traceState, fails bool) error {
	// A path starts at an entry and ends in a stop.
	if path[0].node != path[0].proc.Graph.Entry {
		return refuse(path[0], "the path does not start at an entry")
	}
	var changed []flow.Group
	// At each state: the enforce clause, then the step, whose changes decide the clauses of the
	// next state.
	for i, m := range path {
		if !s.enforced(m, changed) {
			return refuse(m, "the enforce clause does not hold")
		}
		if m.move == stop {
			n := m.proc.Graph.Nodes[m.node]
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

package symbolic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"c2bp/boolprog"
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
	if t.free == nil {
		return nil
	}
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

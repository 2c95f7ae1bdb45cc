package trace

import (
	"slices"

	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file defines summary edges as concrete pairs of valuations, and the search for the path
// inside one.

// summaryUse is one summary edge of a procedure: entered with the values entry of its inputs, it
// can return with the values exit of its outputs. number is that of the first increment of the
// summaries that contains the edge.
type summaryUse struct {
	callee      *symbolic.Proc
	entry, exit valuation
	number      int64
}

// useOf returns a summary edge by which the call c leads from one state of the caller to another.
// It is taken from the increments below limit, the lowest first.
func (s *Finder) useOf(c *symbolic.CallSite, before, after valuation, limit int64) *summaryUse {
	// Everything that the two states fix is restricted away; the rest is chosen.
	m := s.m
	// 1. Arguments and results: fix the caller's variables in the binding.
	lits := s.literals(s.literalRoom[:0], s.Tracked(c.Caller, c.Node), varorder.Current, before)
	args := m.Restrict(c.Binding, m.LitCube(lits))
	lits = s.literals(lits[:0], s.Writes(&c.Summary), varorder.Next, after)
	args = m.Restrict(args, m.LitCube(lits))
	// 2. Globals: fix those that the callee reads before the call, and those that keep the callee's
	// value after it.
	lits = lits[:0]
	for _, g := range c.Callee.Inputs {
		if s.Layout.IsGlobal(g) {
			lits = s.literal(lits, g, varorder.Current, before)
		}
	}
	for _, g := range c.Callee.Outputs {
		if s.keeps(c, g) {
			lits = s.literal(lits, g, varorder.Next, after)
		}
	}
	s.literalRoom = lits
	ends := m.LitCube(lits)
	// 3. Search the increments in order, and choose the values that the states do not fix.
	for _, inc := range c.Callee.Increments {
		if inc.Number >= limit {
			break
		}
		rel := m.And(m.Restrict(m.Exists(inc.Rel, c.Clobber), ends), args)
		if rel == bdd.False {
			continue
		}
		chosen, _ := m.SatOne(m.And(rel, m.Restrict(inc.Rel, ends)))
		return s.useWith(c, before, after, chosen, inc)
	}
	panic(symbolic.Violation("a step over a call without a summary edge"))
}

// keeps reports whether g, an output of c.Callee, is a global that keeps its value from the
// callee's exit after the call.
func (s *Finder) keeps(c *symbolic.CallSite, g flow.Group) bool {
	return s.Layout.IsGlobal(g) && slices.Contains(s.Writes(&c.Summary), g) && !s.overwrites(c, g)
}

// overwrites reports whether a result of the call is stored in g.
func (s *Finder) overwrites(c *symbolic.CallSite, g flow.Group) bool {
	for _, r := range c.Caller.Graph.Nodes[c.Node].Call.Lhs {
		if r.Name != "_" && c.Caller.Group(r) == g {
			return true
		}
	}
	return false
}

// useWith returns the summary edge of the states around a call. chosen holds the parameters, the
// results, and the globals whose value at the exit is lost.
func (s *Finder) useWith(c *symbolic.CallSite, before, after valuation, chosen []bdd.Literal, inc symbolic.Increment) *summaryUse {
	// Globals that the states determine.
	u := &summaryUse{callee: c.Callee, number: inc.Number}
	n := s.Layout.Groups()
	values := make(valuation, 2*n)
	u.entry, u.exit = values[:n:n], values[n:]
	for _, g := range c.Callee.Inputs {
		u.entry[g] = s.Layout.IsGlobal(g) && before[g]
	}
	for _, g := range c.Callee.Outputs {
		u.exit[g] = s.keeps(c, g) && after[g]
	}
	// The values that the states do not fix come from the solver's answer.
	order := s.Layout.ByPlace
	for _, l := range chosen {
		switch g := order[l.Level/int(varorder.Versions)]; varorder.Version(l.Level % int(varorder.Versions)) {
		case varorder.Entry:
			u.entry[g] = l.Val
		default: // a result, or a global whose value is lost
			u.exit[g] = l.Val
		}
	}
	return u
}

// inside returns a shortest path from the entry to the exit of u.callee with the inputs and outputs
// of u. It uses only increments of summaries before that of u, so that repeated expansion ends. The
// rings are pushed to the GC roots; the caller pops them, or leaves it to Within.
func (s *Finder) inside(u *summaryUse) (*rings, []*traceState) {
	m, p := s.m, u.callee
	// 1. Start in the state of the inputs.
	lits := s.literals(s.literalRoom[:0], p.Changed, varorder.Entry, u.entry)
	lits = s.literals(lits, p.Inputs, varorder.Current, u.entry)
	start := m.And(m.LitCube(lits), p.Enforce)
	r := s.newRings(p.First, p.First+len(p.Graph.Nodes), p.First+p.Graph.Entry, start, u.number)
	s.PushRoots(r)
	// 2. Search for the state of the outputs at the exit.
	lits = s.literals(lits[:0], p.Outputs, varorder.Current, u.exit)
	s.literalRoom = lits
	goals := []goal{{p.First + p.Graph.Exit, m.LitCube(lits)}}
	_, dist := r.search(goals)
	path := r.backwards(goals[0].id, dist, m.And(r.at(goals[0].id, dist), goals[0].set))
	s.addUses(path, u.number)
	return r, path
}

// addUses finds the summary edges of the calls that a path steps over.
func (s *Finder) addUses(path []*traceState, limit int64) {
	// The state after the call is the next one on the path.
	for i, m := range path {
		if m.move == over {
			m.use = s.useOf(m.site, m.state, path[i+1].state, limit)
		}
	}
}

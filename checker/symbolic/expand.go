package symbolic

import (
	"slices"

	"c2bp/checker/bdd"
)

// This file defines summary edges as concrete pairs of valuations, and the search
// for what happens inside one.

// summaryUse is one summary edge of a procedure: entered with these inputs, it can
// return with these globals and results. number is that of the first increment of
// summaries that has the edge in it.
type summaryUse struct {
	callee      *proc
	entry, exit valuation
	number      int64
}

// useOf finds a summary edge by which the call c leads from one state of the
// caller to another, in the increments below the limit, the lowest first.
func (s *Solution) useOf(c *callSite, before, after valuation, limit int64) *summaryUse {
	m := s.m
	at := s.literals(nil, s.tracked(c.caller, c.node), current, before)
	args := m.Restrict(c.binding, m.LitCube(at))
	args = m.Restrict(args, m.LitCube(s.literals(nil, c.summary.writes, next, after)))
	ends := m.LitCube(s.literals(s.literals(nil, s.inputGlobals(c), current, before), s.kept(c), next, after))
	for _, inc := range c.callee.increments {
		if inc.number >= limit {
			break
		}
		rel := m.And(m.Restrict(m.Exists(inc.rel, c.clobber), ends), args)
		if rel == bdd.False {
			continue
		}
		chosen, _ := m.SatOne(m.And(rel, m.Restrict(inc.rel, ends)))
		return s.useWith(c, before, after, chosen, inc)
	}
	panic(broken("a step over a call without a summary edge"))
}

// inputGlobals lists the globals that are inputs of c.callee.
func (s *Solution) inputGlobals(c *callSite) (groups []group) {
	for _, g := range c.callee.inputs {
		if s.lay.isGlobal(g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// kept lists the globals that c.callee may modify and whose value after the call
// is that at the callee's exit.
func (s *Solution) kept(c *callSite) (groups []group) {
	for _, g := range c.callee.outputs {
		if s.lay.isGlobal(g) && slices.Contains(c.summary.writes, g) && !s.overwrites(c, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// overwrites reports whether a result of the call is stored in g.
func (s *Solution) overwrites(c *callSite, g group) bool {
	for _, r := range c.caller.graph.Nodes[c.node].Call.Lhs {
		if r.Name != "_" && c.caller.enc.group(r) == g {
			return true
		}
	}
	return false
}

// useWith makes a summary edge of the states around the call; chosen holds the
// parameters, the results and the globals whose value at the exit is lost.
func (s *Solution) useWith(c *callSite, before, after valuation, chosen []bdd.Literal, inc summaries) *summaryUse {
	u := &summaryUse{callee: c.callee, number: inc.number}
	u.entry, u.exit = make(valuation, s.lay.groups()), make(valuation, s.lay.groups())
	for _, g := range s.inputGlobals(c) {
		u.entry[g] = before[g]
	}
	for _, g := range s.kept(c) {
		u.exit[g] = after[g]
	}
	order := s.lay.order()
	for _, l := range chosen {
		switch g := order[l.Level/int(versions)]; version(l.Level % int(versions)) {
		case entry:
			u.entry[g] = l.Val
		default: // a result, or a global whose value is lost
			u.exit[g] = l.Val
		}
	}
	return u
}

// inside finds a shortest path from the entry to the exit of u.callee that u
// stands for. It uses only summaries older than u itself, so that expanding them in
// turn comes to an end. The rings stay among the roots; the caller's within drops
// them.
func (s *Solution) inside(u *summaryUse) (*rings, []*moment) {
	m, p := s.m, u.callee
	limit := u.number
	if s.opts.mutation == anySummary {
		limit = noLimit - 1
	}
	start := s.literals(s.literals(nil, p.changed, entry, u.entry), p.inputs, current, u.entry)
	r := s.newRings([]*proc{p}, p.first+p.graph.Entry, m.And(m.LitCube(start), p.enforce), limit)
	s.roots = append(s.roots, r)
	end := s.literals(nil, p.outputs, current, u.exit)
	goals := []goal{{p.first + p.graph.Exit, m.LitCube(end)}}
	_, dist := r.search(goals)
	path := r.backwards(goals[0].id, dist, m.And(r.at(goals[0].id, dist), goals[0].set))
	s.addUses(path, limit)
	return r, path
}

// addUses finds the summary edges that a path steps over.
func (s *Solution) addUses(path []*moment, limit int64) {
	for i, m := range path {
		if m.move == over {
			m.use = s.useOf(m.site, m.state, path[i+1].state, limit)
		}
	}
}

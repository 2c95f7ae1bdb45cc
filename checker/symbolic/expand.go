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
	lits := s.literals(s.scratch[:0], s.tracked(c.caller, c.node), current, before)
	args := m.Restrict(c.binding, m.LitCube(lits))
	lits = s.literals(lits[:0], s.writes(&c.summary), next, after)
	args = m.Restrict(args, m.LitCube(lits))
	lits = lits[:0]
	for _, g := range c.callee.inputs {
		if s.lay.isGlobal(g) {
			lits = s.literal(lits, g, current, before)
		}
	}
	for _, g := range c.callee.outputs {
		if s.keeps(c, g) {
			lits = s.literal(lits, g, next, after)
		}
	}
	s.scratch = lits
	ends := m.LitCube(lits)
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

// keeps reports whether g, an output of c.callee, is a global whose value after the call
// is that at the callee's exit.
func (s *Solution) keeps(c *callSite, g group) bool {
	return s.lay.isGlobal(g) && slices.Contains(s.writes(&c.summary), g) && !s.overwrites(c, g)
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
	n := s.lay.groups()
	values := make(valuation, 2*n)
	u.entry, u.exit = values[:n:n], values[n:]
	for _, g := range c.callee.inputs {
		u.entry[g] = s.lay.isGlobal(g) && before[g]
	}
	for _, g := range c.callee.outputs {
		u.exit[g] = s.keeps(c, g) && after[g]
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
	lits := s.literals(s.scratch[:0], p.changed, entry, u.entry)
	lits = s.literals(lits, p.inputs, current, u.entry)
	start := m.And(m.LitCube(lits), p.enforce)
	r := s.newRings(p.first, p.first+len(p.graph.Nodes), p.first+p.graph.Entry, start, limit)
	s.roots = append(s.roots, r)
	lits = s.literals(lits[:0], p.outputs, current, u.exit)
	s.scratch = lits
	goals := []goal{{p.first + p.graph.Exit, m.LitCube(lits)}}
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

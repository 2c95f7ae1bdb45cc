package symbolic

import (
	"slices"

	"c2bp/checker/bdd"
)

// This file defines how a concrete path is read off the rings, backwards.

// literals fixes one copy of the groups to their values in a state.
func (s *Solution) literals(lits []bdd.Literal, groups []group, v version, val valuation) []bdd.Literal {
	for _, g := range groups {
		lits = s.literal(lits, g, v, val)
	}
	return lits
}

func (s *Solution) literal(lits []bdd.Literal, g group, v version, val valuation) []bdd.Literal {
	return append(lits, bdd.Literal{Level: s.lay.level(g, v), Val: val[g]})
}

// backwards follows the rings from a path edge at a distance to the start, and
// returns the path forwards. The path edge is one of set, which is not empty.
func (r *rings) backwards(id, dist int, set bdd.Ref) []*moment {
	s := r.s
	p := s.procOf(id)
	lits, ok := s.m.SatOne(set)
	if !ok {
		panic(broken("no path edge to start from"))
	}
	r.room.prepare(dist+1, s.lay.groups())
	m := r.room.moment()
	m.proc, m.node = p, id-p.first
	m.entry = s.decode(lits, entry, make(valuation, s.lay.groups()))
	m.state = s.decode(lits, current, m.state)
	path := make([]*moment, 0, dist+1)
	path = append(path, m)
	for dist > 0 || m.proc.first+m.node != r.start {
		s.safePoint()
		if m, dist = r.before(m, dist); m == nil {
			panic(broken("a ring without a predecessor"))
		}
		path = append(path, m)
	}
	slices.Reverse(path)
	depth := 0
	for _, m := range path {
		m.depth = depth
		if m.move == into {
			depth++
		}
	}
	return path
}

// before finds a predecessor of m, which is at distance dist, and its distance.
func (r *rings) before(m *moment, dist int) (*moment, int) {
	for _, before := range r.s.preds(m.proc.first + m.node) {
		u := int(before) - m.proc.first
		earlier := r.distBefore(int(before), m.proc.first+m.node, dist)
		set := r.at(int(before), earlier)
		if set == bdd.False {
			continue
		}
		if c := m.proc.calls[u]; c != nil {
			if b := r.undo(m, u, set, r.use(c)); b != nil {
				b.move, b.site = over, c
				return b, earlier
			}
			continue
		}
		out := r.s.edgesOf(int(before))
		for i := range out {
			if e := &out[i]; int(e.to) == m.node {
				if b := r.undo(m, u, set, e); b != nil {
					b.move = along
					return b, earlier
				}
			}
		}
	}
	if !r.enter || m.node != m.proc.graph.Entry {
		return nil, 0
	}
	for _, c := range m.proc.callers {
		if b := r.unenter(m, c, r.at(c.caller.first+c.node, dist-1)); b != nil {
			return b, dist - 1
		}
	}
	return nil, 0
}

// undo finds a state among the path edges set of u from which e leads to m.
func (r *rings) undo(m *moment, u int, set bdd.Ref, e *edge) *moment {
	s := r.s
	lits, ok := s.m.Literals(s.scratch[:0], set)
	s.scratch = lits
	if !ok || len(lits) < len(m.proc.changed)+len(s.tracked(m.proc, u)) {
		if lits, ok = r.choose(m, set, e); !ok {
			return nil
		}
	} else if !r.leads(lits, m, e) { // set is a single state
		return nil
	}
	b := r.room.moment()
	b.proc, b.node, b.entry, b.edge = m.proc, u, m.entry, e
	for _, g := range s.tracked(m.proc, u) {
		b.state[g] = m.state[g] && s.isTracked(m.proc, m.node, g) && !slices.Contains(s.writes(e), g)
	}
	b.state = s.decode(lits, current, b.state)
	return b
}

// choose finds a path edge of set from which e leads to m; variables that m fixes are left
// out.
func (r *rings) choose(m *moment, set bdd.Ref, e *edge) (lits []bdd.Literal, ok bool) {
	s := r.s
	lits = s.literals(s.scratch[:0], m.proc.changed, entry, m.entry)
	for _, g := range s.tracked(m.proc, m.node) {
		v := current
		if slices.Contains(s.writes(e), g) {
			v = next
		}
		lits = s.literal(lits, g, v, m.state)
	}
	s.scratch = lits
	cube := s.m.LitCube(lits)
	return s.m.SatOne(s.m.And(s.m.Restrict(set, cube), s.m.Restrict(e.rel, cube)))
}

// leads reports whether e leads to m from the path edge that lits name, all of it.
func (r *rings) leads(lits []bdd.Literal, m *moment, e *edge) bool {
	s := r.s
	order := s.lay.order()
	if r.from == nil {
		r.from = make(valuation, s.lay.groups())
	}
	for _, l := range lits {
		g := order[l.Level/int(versions)]
		if version(l.Level%int(versions)) == current {
			r.from[g] = l.Val
		} else if l.Val != m.entry[g] {
			return false
		}
	}
	for _, g := range s.tracked(m.proc, m.node) {
		if r.from[g] != m.state[g] && !slices.Contains(s.writes(e), g) {
			return false
		}
	}
	return s.m.Eval(e.rel, func(level int) bool {
		if g := order[level/int(versions)]; version(level%int(versions)) == next {
			return m.state[g]
		} else {
			return r.from[g]
		}
	})
}

// unenter finds a state among the path edges set of the call c that enters the
// callee in the state m.
func (r *rings) unenter(m *moment, c *callSite, set bdd.Ref) *moment {
	if set == bdd.False {
		return nil
	}
	s := r.s
	var lits []bdd.Literal
	for _, g := range m.proc.inputs {
		v := next
		if s.lay.isGlobal(g) {
			v = current
		}
		lits = s.literal(lits, g, v, m.state)
	}
	cube := s.m.LitCube(lits)
	found, ok := s.m.SatOne(s.m.And(s.m.Restrict(set, cube), s.m.Restrict(c.args, cube)))
	if !ok {
		return nil
	}
	b := r.room.moment()
	b.proc, b.node, b.move, b.site = c.caller, c.node, into, c
	b.entry = s.decode(found, entry, make(valuation, s.lay.groups()))
	for _, g := range m.proc.inputs {
		b.state[g] = s.lay.isGlobal(g) && m.state[g]
	}
	b.state = s.decode(found, current, b.state)
	return b
}

// decode reads one copy of the variables off a cube into val, which it returns.
func (s *Solution) decode(lits []bdd.Literal, v version, val valuation) valuation {
	order := s.lay.order()
	for _, l := range lits {
		if version(l.Level%int(versions)) == v {
			val[order[l.Level/int(versions)]] = l.Val
		}
	}
	return val
}

// preds lists the numbers of the nodes of its procedure that come before the one with
// this number, the calls that return to it included.
func (s *Solution) preds(id int) []int32 {
	if s.before == nil {
		s.before = predecessorsOf(s.graph, len(s.path))
	}
	return s.before.of(id)
}

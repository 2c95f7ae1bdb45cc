package trace

import (
	"slices"

	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file reads a concrete path off the rings, backwards.

// literals appends literals that fix one copy of the groups to their values in val.
func (s *Finder) literals(lits []bdd.Literal, groups []flow.Group, v varorder.Version, val valuation) []bdd.Literal {
	for _, g := range groups {
		lits = s.literal(lits, g, v, val)
	}
	return lits
}

// literal appends the literal that fixes one copy of g.
func (s *Finder) literal(lits []bdd.Literal, g flow.Group, v varorder.Version, val valuation) []bdd.Literal {
	return append(lits, bdd.Literal{Level: s.Layout.Level(g, v), Val: val[g]})
}

// backwards follows the rings from a path edge at distance dist to the start, and returns the path
// in forward order. The path edge is one of set, which is not empty.
func (r *rings) backwards(id, dist int, set bdd.Ref) []*traceState {
	s := r.s
	// 1. Choose the last state.
	p := s.ProcOf(id)
	lits, ok := s.m.SatOne(set)
	if !ok {
		panic(symbolic.Violation("no path edge to start from"))
	}
	r.room.prepare(dist+1, s.Layout.Groups())
	m := r.room.take()
	m.proc, m.node = p, id-p.First
	m.entry = s.decode(lits, varorder.Entry, make(valuation, s.Layout.Groups()))
	m.state = s.decode(lits, varorder.Current, m.state)
	path := make([]*traceState, 0, dist+1)
	path = append(path, m)
	// 2. Find a predecessor in an earlier ring until the start is met. At distance 0 of loop rounds
	// there may be several steps.
	for dist > 0 || m.proc.First+m.node != r.start {
		s.SafePoint()
		if m, dist = r.before(m, dist); m == nil {
			panic(symbolic.Violation("a ring without a predecessor"))
		}
		path = append(path, m)
	}
	// 3. Turn the path around, and count the calls that were entered.
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

// before returns a predecessor of m, which is at distance dist, with its distance; nil if there is
// none.
func (r *rings) before(m *traceState, dist int) (*traceState, int) {
	// 1. Predecessors in the procedure: over a call by its summaries, or along an edge.
	for _, before := range r.s.preds(m.proc.First + m.node) {
		u := int(before) - m.proc.First
		earlier := r.distBefore(int(before), m.proc.First+m.node, dist)
		set := r.at(int(before), earlier)
		if set == bdd.False {
			continue
		}
		if c := m.proc.Calls[u]; c != nil {
			if b := r.undo(m, u, set, r.use(c)); b != nil {
				b.move, b.site = over, c
				return b, earlier
			}
			continue
		}
		// Several edges may lead to the node: an if whose branches are empty.
		out := r.s.EdgesOf(int(before))
		for i := range out {
			if e := &out[i]; int(e.To) == m.node {
				if b := r.undo(m, u, set, e); b != nil {
					b.move = along
					return b, earlier
				}
			}
		}
	}
	// 2. The entry of a procedure: its callers.
	if !r.enter || m.node != m.proc.Graph.Entry {
		return nil, 0
	}
	for _, c := range m.proc.Callers {
		if b := r.unenter(m, c, r.at(c.Caller.First+c.Node, dist-1)); b != nil {
			return b, dist - 1
		}
	}
	return nil, 0
}

// undo returns a state among the path edges set of node u from which e leads to m; nil if there is
// none.
func (r *rings) undo(m *traceState, u int, set bdd.Ref, e *symbolic.Edge) *traceState {
	s := r.s
	// If set is a single path edge, testing it is cheaper than solving for it.
	lits, ok := s.m.Literals(s.literalRoom[:0], set)
	s.literalRoom = lits
	if !ok || len(lits) < len(m.proc.Changed)+len(s.Tracked(m.proc, u)) {
		if lits, ok = r.choose(m, set, e); !ok {
			return nil
		}
	} else if !r.leads(lits, m, e) { // set is a single state
		return nil
	}
	// The entry of the frame stays the same within the procedure.
	b := r.room.take()
	b.proc, b.node, b.entry, b.edge = m.proc, u, m.entry, e
	// Variables that e leaves alone have the values of m; the cube holds the others.
	for _, g := range s.Tracked(m.proc, u) {
		b.state[g] = m.state[g] && s.IsTracked(m.proc, m.node, g) && !slices.Contains(s.Writes(e), g)
	}
	b.state = s.decode(lits, varorder.Current, b.state)
	return b
}

// choose returns a path edge of set from which e leads to m. The cube leaves out variables that m
// fixes.
func (r *rings) choose(m *traceState, set bdd.Ref, e *symbolic.Edge) (lits []bdd.Literal, ok bool) {
	s := r.s
	// Fix the entry copies, and the copies of the state after e: current if e does not write them.
	lits = s.literals(s.literalRoom[:0], m.proc.Changed, varorder.Entry, m.entry)
	for _, g := range s.Tracked(m.proc, m.node) {
		v := varorder.Current
		if slices.Contains(s.Writes(e), g) {
			v = varorder.Next
		}
		lits = s.literal(lits, g, v, m.state)
	}
	s.literalRoom = lits
	// Put the literals into both sets: the answer needs only the other variables.
	cube := s.m.LitCube(lits)
	return s.m.SatOne(s.m.And(s.m.Restrict(set, cube), s.m.Restrict(e.Rel, cube)))
}

// leads reports whether e leads to m from the only path edge of a set, which lits name completely.
func (r *rings) leads(lits []bdd.Literal, m *traceState, e *symbolic.Edge) bool {
	s := r.s
	// Levels are decoded to groups and copies by their position.
	order := s.Layout.ByPlace
	if r.from == nil {
		r.from = make(valuation, s.Layout.Groups())
	}
	// 1. The entry copies must be those of m; the current copies are the state before e.
	for _, l := range lits {
		g := order[l.Level/int(varorder.Versions)]
		if varorder.Version(l.Level%int(varorder.Versions)) == varorder.Current {
			r.from[g] = l.Val
		} else if l.Val != m.entry[g] {
			return false
		}
	}
	// 2. Variables that e does not write must be unchanged.
	for _, g := range s.Tracked(m.proc, m.node) {
		if r.from[g] != m.state[g] && !slices.Contains(s.Writes(e), g) {
			return false
		}
	}
	// 3. The relation of e must hold.
	return s.m.Eval(e.Rel, func(level int) bool {
		if g := order[level/int(varorder.Versions)]; varorder.Version(level%int(varorder.Versions)) == varorder.Next {
			return m.state[g]
		} else {
			return r.from[g]
		}
	})
}

// unenter returns a state among the path edges set of the call c that enters the callee in the
// state m; nil if there is none.
func (r *rings) unenter(m *traceState, c *symbolic.CallSite, set bdd.Ref) *traceState {
	if set == bdd.False {
		return nil
	}
	s := r.s
	var lits []bdd.Literal
	// Globals have the same current copies in both procedures; parameters are next copies in Args.
	for _, g := range m.proc.Inputs {
		v := varorder.Next
		if s.Layout.IsGlobal(g) {
			v = varorder.Current
		}
		lits = s.literal(lits, g, v, m.state)
	}
	cube := s.m.LitCube(lits)
	// The caller's other variables are free: choose any.
	found, ok := s.m.SatOne(s.m.And(s.m.Restrict(set, cube), s.m.Restrict(c.Args, cube)))
	if !ok {
		return nil
	}
	b := r.room.take()
	b.proc, b.node, b.move, b.site = c.Caller, c.Node, into, c
	b.entry = s.decode(found, varorder.Entry, make(valuation, s.Layout.Groups()))
	// Globals of the callee are those of the caller; the answer has the other variables.
	for _, g := range m.proc.Inputs {
		b.state[g] = s.Layout.IsGlobal(g) && m.state[g]
	}
	b.state = s.decode(found, varorder.Current, b.state)
	return b
}

// decode reads one copy of the variables off a cube into val, which it returns.
func (s *Finder) decode(lits []bdd.Literal, v varorder.Version, val valuation) valuation {
	order := s.Layout.ByPlace
	for _, l := range lits {
		if varorder.Version(l.Level%int(varorder.Versions)) == v {
			val[order[l.Level/int(varorder.Versions)]] = l.Val
		}
	}
	return val
}

// preds returns the numbers of the predecessors, in its procedure, of the node with this number.
func (s *Finder) preds(id int) []int32 {
	if s.before == nil {
		s.before = flow.Predecessors(s.Graph, len(s.Schedule.Rank))
	}
	return s.before.Of(id)
}

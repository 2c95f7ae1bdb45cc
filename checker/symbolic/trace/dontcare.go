package trace

import (
	"slices"

	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file finds don't-care values: values on a path that do not matter, shown as "*".
//
// A span is a segment of a path between two writes of a variable, where it holds one value. A span is
// free if the path remains a path for either value of the variable there. Spans are freed one after
// the other, earliest first. Each is freed only if the path remains a path for *every* choice of
// values for it and all spans freed before: for each step that mentions the span, the values of the
// bound spans are put into its relation, which must then be true for all values of the free ones. As
// every step mentions each span at most once, the checks of the single steps together imply that
// every choice of values is a path.

// span is the segment of trace states first … last at which a group keeps its value.
type span struct {
	group       flow.Group
	first, last int
}

// dontCares is the computation for one path.
type dontCares struct {
	r       *rings
	path    []*traceState
	end     bdd.Ref // condition on the last state
	spans   []span
	at      [][]int                         // by trace state and group: index of the span, -1 if the group is not tracked
	free    []bool                          // by span
	support map[bdd.Ref]map[flow.Group]bool // by relation: see groups
}

// findDontCares returns, by trace state and group, whether the value is free. bound reports whether
// a span at the start or end of the path must keep its value nevertheless.
func findDontCares(r *rings, path []*traceState, end bdd.Ref, bound func(moment int, g flow.Group) bool) [][]bool {
	f := &dontCares{r: r, path: path, end: end, support: map[bdd.Ref]map[flow.Group]bool{}}
	f.lay()
	f.free = make([]bool, len(f.spans))
	// Free the spans one by one; the check sees those freed before.
	for i, sp := range f.spans {
		if sp.first == 0 && bound(0, sp.group) || sp.last == len(path)-1 && bound(sp.last, sp.group) {
			continue
		}
		f.free[i] = true
		f.free[i] = f.possible(sp)
	}
	return f.table()
}

// lay cuts the path into spans.
func (f *dontCares) lay() {
	s := f.r.s
	for i, m := range f.path {
		// Groups that the node does not track are in no span.
		row := make([]int, s.Layout.Groups())
		for g := range row {
			row[g] = -1
		}
		for _, g := range s.Tracked(m.proc, m.node) {
			// The group keeps its value from the previous state, or gets a new span.
			if i > 0 && f.at[i-1][g] >= 0 && f.kept(f.path[i-1], g) {
				row[g] = f.at[i-1][g]
				f.spans[row[g]].last = i
				continue
			}
			row[g] = len(f.spans)
			f.spans = append(f.spans, span{g, i, i})
		}
		f.at = append(f.at, row)
	}
}

// kept reports whether the step from m leaves g alone.
func (f *dontCares) kept(m *traceState, g flow.Group) bool {
	if m.move == into {
		return f.r.s.Layout.IsGlobal(g)
	}
	return !slices.Contains(f.r.s.Writes(m.edge), g)
}

// possible checks all steps and clauses that mention a span.
func (f *dontCares) possible(sp span) bool {
	// The step that writes the value must allow any.
	if sp.first > 0 && !f.step(sp.first-1, sp.group) {
		return false
	}
	for i := sp.first; i <= sp.last; i++ {
		if !f.step(i, sp.group) || !f.enforced(i, sp.group) {
			return false
		}
	}
	return true
}

// enforced checks the enforce clause at trace state i.
func (f *dontCares) enforced(i int, g flow.Group) bool {
	m := f.path[i]
	for _, c := range m.proc.Clauses { // the others were checked at an earlier node
		if c.Vars.Within(f.r.s.LiveAt(m.proc, m.node)) && !f.holds(c.Set, i, g) {
			return false
		}
	}
	return true
}

// step checks the step from trace state i, or the condition on the last one.
func (f *dontCares) step(i int, g flow.Group) bool {
	m := f.path[i]
	switch m.move {
	case stop:
		return f.holds(f.end, i, g)
	case into:
		return f.holds(m.site.Args, i, g)
	}
	return f.holds(m.edge.Rel, i, g)
}

// holds checks that rel, over current copies at trace state i and next copies at the state after
// it, is true for all values of the free spans. A relation that does not mention g was true before
// g was freed.
func (f *dontCares) holds(rel bdd.Ref, i int, g flow.Group) bool {
	m := f.r.s.m
	// A relation that does not mention the group was checked before.
	groups := f.groups(rel)
	if !groups[g] {
		return true
	}
	return m.Restrict(rel, m.LitCube(f.bound(rel, i))) == bdd.True
}

// bound returns the literals of bound spans that rel mentions.
func (f *dontCares) bound(rel bdd.Ref, i int) (lits []bdd.Literal) {
	s := f.r.s
	order := s.Layout.ByPlace
	for _, l := range s.m.Support(rel) {
		g, j := order[l/int(varorder.Versions)], i
		if varorder.Version(l%int(varorder.Versions)) == varorder.Next {
			j++
		}
		// A free span gets no literal: it stays a variable.
		sp := f.at[j][g]
		if sp < 0 {
			panic(symbolic.Violation("a step depends on a variable that is not live"))
		}
		if !f.free[sp] {
			lits = append(lits, bdd.Literal{Level: l, Val: f.path[j].state[g]})
		}
	}
	return lits
}

// groups returns the groups that rel mentions.
func (f *dontCares) groups(rel bdd.Ref) map[flow.Group]bool {
	// Relations are shared by the steps of a path, so their groups are cached.
	set, ok := f.support[rel]
	if !ok {
		set = map[flow.Group]bool{}
		order := f.r.s.Layout.ByPlace
		for _, l := range f.r.s.m.Support(rel) {
			set[order[l/int(varorder.Versions)]] = true
		}
		f.support[rel] = set
	}
	return set
}

// table returns, by trace state and group, whether the value is free.
func (f *dontCares) table() [][]bool {
	free := make([][]bool, len(f.path))
	for i, row := range f.at {
		free[i] = make([]bool, len(row))
		for g, sp := range row {
			free[i][g] = sp >= 0 && f.free[sp]
		}
	}
	return free
}

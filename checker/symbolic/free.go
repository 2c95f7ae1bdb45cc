package symbolic

import (
	"slices"

	"c2bp/checker/bdd"
)

// This file decides which values on a path a reader need not know: those shown
// as "*".
//
// Between two writes of it a variable holds one value: call such a stretch of a
// path a span. A span is free if the path is a path whatever value the variable
// has there. Spans are freed one after the other, earliest first, and each is
// freed only if the path stays one for *every* choice of values for it and all
// spans freed before: each step that touches the span is checked as a relation
// with the values of the bound spans filled in; it must then be true for all
// values of the free ones. As every step mentions each span at most once, the
// checks of the single steps together say that every choice of values is a path.

// span is the stretch of moments first … last at which a group keeps its value.
type span struct {
	group       group
	first, last int
}

// freeing is the computation for one path.
type freeing struct {
	r       *rings
	path    []*moment
	end     bdd.Ref // what must hold in the last state
	spans   []span
	at      [][]int // by moment and group: index of the span, -1 out of scope
	free    []bool  // by span
	support map[bdd.Ref]map[group]bool
}

// freeSpans returns, by moment and group, what is free. bound says of a span at
// the start or end of the path whether it must keep its value all the same.
func freeSpans(r *rings, path []*moment, end bdd.Ref, bound func(moment int, g group) bool) [][]bool {
	f := &freeing{r: r, path: path, end: end, support: map[bdd.Ref]map[group]bool{}}
	f.lay()
	f.free = make([]bool, len(f.spans))
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
func (f *freeing) lay() {
	s := f.r.s
	for i, m := range f.path {
		row := make([]int, s.lay.groups())
		for g := range row {
			row[g] = -1
		}
		for _, g := range s.tracked(m.proc, m.node) {
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
func (f *freeing) kept(m *moment, g group) bool {
	if m.move == into {
		return f.r.s.lay.isGlobal(g)
	}
	return !slices.Contains(f.r.s.writes(m.edge), g)
}

// possible checks all that a span is involved in.
func (f *freeing) possible(sp span) bool {
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

// enforced checks the enforce clause at moment i.
func (f *freeing) enforced(i int, g group) bool {
	if f.r.s.opts.mutation == freeUnread {
		return true
	}
	m := f.path[i]
	for _, c := range m.proc.clauses { // of the others control has left the nodes where they were asked
		if c.vars.within(f.r.s.live.at(m.proc.graph.Index, m.node)) && !f.holds(c.set, i, g) {
			return false
		}
	}
	return true
}

// step checks the step from moment i; the last moment has the end instead.
func (f *freeing) step(i int, g group) bool {
	m := f.path[i]
	switch m.move {
	case stop:
		return f.holds(f.end, i, g)
	case into:
		return f.holds(m.site.args, i, g)
	}
	return f.holds(m.edge.rel, i, g)
}

// holds checks that rel, over current copies at moment i and next copies at the
// moment after, is true for all values of the free spans. What does not mention g
// was true before g was freed.
func (f *freeing) holds(rel bdd.Ref, i int, g group) bool {
	m := f.r.s.m
	groups := f.groups(rel)
	if !groups[g] {
		return true
	}
	return m.Restrict(rel, m.LitCube(f.bound(rel, i))) == bdd.True
}

// bound lists the literals of bound spans that rel mentions.
func (f *freeing) bound(rel bdd.Ref, i int) (lits []bdd.Literal) {
	s := f.r.s
	order := s.lay.order()
	for _, l := range s.m.Support(rel) {
		g, j := order[l/int(versions)], i
		if version(l%int(versions)) == next {
			j++
		}
		sp := f.at[j][g]
		if sp < 0 {
			panic(broken("a step depends on a variable that is not live"))
		}
		if !f.free[sp] {
			lits = append(lits, bdd.Literal{Level: l, Val: f.path[j].state[g]})
		}
	}
	return lits
}

// groups is the set of groups that rel mentions.
func (f *freeing) groups(rel bdd.Ref) map[group]bool {
	set, ok := f.support[rel]
	if !ok {
		set = map[group]bool{}
		order := f.r.s.lay.order()
		for _, l := range f.r.s.m.Support(rel) {
			set[order[l/int(versions)]] = true
		}
		f.support[rel] = set
	}
	return set
}

func (f *freeing) table() [][]bool {
	free := make([][]bool, len(f.path))
	for i, row := range f.at {
		free[i] = make([]bool, len(row))
		for g, sp := range row {
			free[i][g] = sp >= 0 && f.free[sp]
		}
	}
	return free
}

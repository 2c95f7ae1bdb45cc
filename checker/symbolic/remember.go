package symbolic

import (
	"cmp"
	"slices"

	"c2bp/boolprog"
)

// This file carries the order of the variables from one program to the next. A refinement
// loop solves programs that differ by a few variables: what sifting has found for one is
// where the next begins, and need not be found again.

// Order is where the variables of a Solution ended up, by their names.
type Order struct {
	place map[variable]int
	nodes int // in use after the last reordering
}

// variable is a name in a scope.
type variable struct{ proc, name string }

// Order is the order of the variables after a reordering, of s or of what s started from;
// nil if there was none: then any other program does best to choose its own.
func (s *Solution) Order() *Order {
	if s.arranged == 0 {
		return nil
	}
	o := &Order{place: map[variable]int{}, nodes: s.arranged}
	s.lay.visit(s.graph, func(v variable, g group) {
		o.place[v] = s.m.Place(s.lay.level(g, entry)) / int(versions)
	})
	return o
}

// visit lists the variables with their groups; results are numbered.
func (l *layout) visit(g *boolprog.Graph, each func(variable, group)) {
	for i, v := range g.Globals {
		if l.global[i] != noGroup {
			each(variable{"", v.Name}, l.global[i])
		}
	}
	for _, p := range g.Procs {
		for i, v := range p.Vars {
			each(variable{p.Proc.Name, v.Name}, l.local(i))
		}
		for i := range p.Proc.Results {
			each(variable{p.Proc.Name, string(rune('0' + i))}, l.result(i))
		}
	}
}

// arrange is the groups of l in the order of o, as far as it knows their variables. Others
// come to what hyperedges relate them to, or else to what they are beside in the given order.
func (o *Order) arrange(g *boolprog.Graph, l *layout, given []int32, edges [][]int32) []int32 {
	sums, counts := make([]int, l.groups()), make([]int, l.groups())
	l.visit(g, func(v variable, g group) {
		if p, ok := o.place[v]; ok {
			sums[g] += p
			counts[g]++
		}
	})
	near, known := make([]int, l.groups()), make([]int, l.groups())
	for _, e := range edges {
		sum, n := 0, 0
		for _, v := range e {
			if counts[v] > 0 {
				sum, n = sum+sums[v]/counts[v], n+1
			}
		}
		for _, v := range e {
			near[v], known[v] = near[v]+sum, known[v]+n
		}
	}
	at := make([]float64, l.groups())
	before := 0.0
	for _, v := range given {
		switch {
		case counts[v] > 0:
			at[v] = float64(sums[v]) / float64(counts[v])
		case known[v] > 0:
			at[v] = float64(near[v]) / float64(known[v])
		default:
			at[v] = before
		}
		before = at[v]
	}
	out := slices.Clone(given)
	slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(at[a], at[b]) })
	return out
}

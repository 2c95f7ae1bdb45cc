package varorder

import (
	"cmp"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/symbolic/flow"
)

// This file reuses the order of the variables of one program for the next. A refinement loop solves
// programs that differ in a few variables: the order that sifting has found for one is where the
// next begins.

// Order is the order of the variables of a solved program, by their names.
type Order struct {
	Place map[variable]int // positions in the order
	Nodes int              // BDD nodes in use after the last reordering
}

// variable is a name in a procedure; proc is "" for a global.
type variable struct{ proc, name string }

// NewOrder returns the order of the variables of g. place returns the present position of a level,
// and nodes is the number of BDD nodes in use.
func NewOrder(g *boolprog.Graph, l *Layout, place func(level int) int, nodes int) *Order {
	o := &Order{Place: map[variable]int{}, Nodes: nodes}
	l.visit(g, func(v variable, g flow.Group) {
		o.Place[v] = place(l.Level(g, Entry)) / int(Versions)
	})
	return o
}

// visit calls each with the variables of g and their groups. Results are named by their numbers.
func (l *Layout) visit(g *boolprog.Graph, each func(variable, flow.Group)) {
	for i, v := range g.Globals {
		if l.Global[i] != flow.NoGroup {
			each(variable{"", v.Name}, l.Global[i])
		}
	}
	for _, p := range g.Procs {
		for i, v := range p.Vars {
			each(variable{p.Proc.Name, v.Name}, l.Local(i))
		}
		// Results have no names.
		for i := range p.Proc.Results {
			each(variable{p.Proc.Name, string(rune('0' + i))}, l.Result(i))
		}
	}
}

// arrange returns the groups of l in the order of o, as far as it knows their variables. A group
// that it does not know goes to the variables that hyperedges relate it to, or else keeps its
// neighbour in the given order.
func (o *Order) arrange(g *boolprog.Graph, l *Layout, given []int32, edges [][]int32) []int32 {
	// 1. Average the old positions of the variables that share a group.
	sums, counts := make([]int, l.Groups()), make([]int, l.Groups())
	l.visit(g, func(v variable, g flow.Group) {
		if p, ok := o.Place[v]; ok {
			sums[g] += p
			counts[g]++
		}
	})
	// 2. Sum up, for each group, the positions of the known members of its hyperedges.
	near, known := make([]int, l.Groups()), make([]int, l.Groups())
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
	// 3. Give each group a position, and sort by it.
	at := make([]float64, l.Groups())
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

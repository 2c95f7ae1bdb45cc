package varorder

import (
	"cmp"
	"math/bits"
	"slices"
)

// This file chooses the order of the variables before any diagram is built: FORCE
// (Aloul–Markov–Sakallah 2003).
//
// The span of a hyperedge in an order is the distance from its first to its last member. The diagram
// of a conjunction of relations is narrow where few hyperedges pass, so the sum of the spans is to be
// low. FORCE moves every variable to the centre of the centres of its hyperedges, sorts, and repeats.
//
// The result is near the order from which it starts, so there are three starts: the declared order,
// the order in which statements mention the variables, and a breadth-first search over the hyperedges
// from a far end. Of orders with equal spans the first is taken. Variables that no hyperedge connects
// are ordered apart from each other: two interleaved chains are as wide as the product of both.

const (
	forcePatience = 4       // iterations without a lower span before it stops
	forceWork     = 4 << 20 // most members of hyperedges visited from one start
)

// Declared is the Ordering that keeps the order of the declarations.
func Declared(n int, _ [][]int32) []int32 {
	order := make([]int32, n)
	for v := range order {
		order[v] = int32(v)
	}
	return order
}

// Force is the Ordering of FORCE. The result has a lower total span than the declared order or is
// the declared order.
func Force(n int, edges [][]int32) []int32 {
	first := Declared(n, edges)
	// Order the connected components one after the other.
	order := make([]int32, 0, n)
	for _, c := range components(n, edges) {
		for _, i := range c.best() {
			order = append(order, c.vars[i])
		}
	}
	if totalSpan(edges, order) < totalSpan(edges, first) {
		return order
	}
	return first
}

// totalSpan returns the sum of the spans of the hyperedges.
func totalSpan(edges [][]int32, order []int32) (sum int) {
	place := make([]int32, len(order))
	for i, v := range order {
		place[v] = int32(i)
	}
	for _, e := range edges {
		low, high := place[e[0]], place[e[0]]
		for _, v := range e[1:] {
			low, high = min(low, place[v]), max(high, place[v])
		}
		sum += int(high - low)
	}
	return sum
}

// component is a set of variables that hyperedges connect. Its hyperedges name them by their index
// in vars, which is in declared order.
type component struct {
	vars  []int32
	edges [][]int32
	at    [][]int32 // by index of a variable: its hyperedges
}

// components returns the connected components of the hypergraph, in the order of their first
// variables.
func components(n int, edges [][]int32) (list []*component) {
	// 1. Union-find: the members of a hyperedge have one root.
	root := make([]int32, n)
	for v := range root {
		root[v] = int32(v)
	}
	find := func(v int32) int32 {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	for _, e := range edges {
		for _, v := range e[1:] {
			root[find(v)] = find(e[0])
		}
	}
	// 2. Distribute the variables over the components of their roots.
	of := make([]*component, n)
	index := make([]int32, n)
	for v := range root {
		r := find(int32(v))
		if of[r] == nil {
			of[r] = &component{}
			list = append(list, of[r])
		}
		index[v] = int32(len(of[r].vars))
		of[r].vars = append(of[r].vars, int32(v))
		of[r].at = append(of[r].at, nil)
	}
	// 3. Distribute the hyperedges, and rename their members to indices.
	for _, e := range edges {
		c := of[find(e[0])]
		named := make([]int32, len(e))
		for i, v := range e {
			named[i] = index[v]
			c.at[index[v]] = append(c.at[index[v]], int32(len(c.edges)))
		}
		c.edges = append(c.edges, named)
	}
	return list
}

// best returns the order of the lowest span found from the three starts.
func (c *component) best() []int32 {
	given := Declared(len(c.vars), nil)
	best, low := given, totalSpan(c.edges, given)
	if len(c.vars) < 3 {
		return best
	}
	// The last variable that a search reaches is a far end, from which a second search starts.
	first := c.sweep(c.edges[0][0])
	for _, start := range [][]int32{given, c.mentioned(), c.sweep(first[len(first)-1])} {
		if order, s := c.settle(start); s < low {
			best, low = order, s
		}
	}
	return best
}

// mentioned returns the order in which the hyperedges first name the variables.
func (c *component) mentioned() (order []int32) {
	seen := make([]bool, len(c.vars))
	for _, e := range c.edges {
		for _, i := range e {
			if !seen[i] {
				seen[i] = true
				order = append(order, i)
			}
		}
	}
	return order
}

// sweep returns the order of a breadth-first search from a variable.
func (c *component) sweep(from int32) []int32 {
	seen := make([]bool, len(c.vars))
	used := make([]bool, len(c.edges))
	seen[from] = true
	order := []int32{from}
	// Follow each hyperedge once.
	for next := 0; next < len(order); next++ {
		for _, e := range c.at[order[next]] {
			if used[e] {
				continue
			}
			used[e] = true
			for _, i := range c.edges[e] {
				if !seen[i] {
					seen[i] = true
					order = append(order, i)
				}
			}
		}
	}
	return order
}

// settle runs FORCE from one start and returns the order of the lowest span on the way, with that
// span. It computes only sums of integers and their quotients, so that the result is the same on
// every machine.
func (c *component) settle(start []int32) (best []int32, low int) {
	// The number of iterations is bounded by the work of each.
	pins := 0
	for _, e := range c.edges {
		pins += len(e)
	}
	rounds := min(8*bits.Len(uint(len(c.vars))), max(1, forceWork/pins))
	order := slices.Clone(start)
	best, low = start, totalSpan(c.edges, start)
	place := make([]int32, len(order))
	pull := make([]float64, len(order))
	for wait := 0; rounds > 0 && wait < forcePatience; rounds-- {
		// 1. Note the places of the present order.
		for i, v := range order {
			place[v] = int32(i)
		}
		clear(pull)
		// 2. Pull each variable to the mean of the centres of its hyperedges.
		for _, e := range c.edges {
			sum := 0
			for _, v := range e {
				sum += int(place[v])
			}
			centre := float64(sum) / float64(len(e))
			for _, v := range e {
				pull[v] += centre
			}
		}
		for v := range pull {
			pull[v] /= float64(len(c.at[v]))
		}
		// 3. Sort by the pulls, and keep the order if its span is the lowest so far.
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(pull[a], pull[b]) })
		wait++
		if s := totalSpan(c.edges, order); s < low {
			best, low, wait = slices.Clone(order), s, 0
		}
	}
	return best, low
}

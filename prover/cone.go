package prover

import "c2bp/logic"

// This file computes cones of influence: the predicates connected to a formula
// through shared symbols and functions, transitively. A predicate outside can only
// matter to an implication by being contradictory. Functions connect because two
// reads of one memory region at different addresses may be one read.

// cones is the partition of predicates into connected groups.
type cones struct {
	group []int // of each predicate; the least index in the group
	owner map[string]int
}

// names lists what connects a formula: symbols and functions.
func names(f *logic.Term) []string {
	var ns []string
	for _, s := range f.Syms() {
		h := s.Hash()
		ns = append(ns, "s"+string(h[:]))
	}
	for _, a := range applications(f) {
		if a.Op == logic.OpApp {
			ns = append(ns, "f"+a.Name)
		}
	}
	return ns
}

func newCones(preds []*logic.Term) *cones {
	c := &cones{group: make([]int, len(preds)), owner: map[string]int{}}
	for i, f := range preds {
		c.group[i] = i
		for _, n := range names(f) {
			j, ok := c.owner[n]
			if !ok {
				c.owner[n] = i
				continue
			}
			c.merge(c.find(i), c.find(j))
		}
	}
	for i := range c.group {
		c.group[i] = c.find(i)
	}
	return c
}

func (c *cones) find(i int) int {
	for c.group[i] != i {
		i = c.group[i]
	}
	return i
}

func (c *cones) merge(i, j int) { c.group[max(i, j)] = min(i, j) }

// of returns the predicates in the cone of f, ascending.
func (c *cones) of(f *logic.Term) []int {
	in := map[int]bool{}
	for _, n := range names(f) {
		if i, ok := c.owner[n]; ok {
			in[c.find(i)] = true
		}
	}
	return c.members(func(g int) bool { return in[g] })
}

func (c *cones) members(in func(group int) bool) []int {
	var ps []int
	for i, g := range c.group {
		if in(g) {
			ps = append(ps, i)
		}
	}
	return ps
}

// groups returns all groups, each ascending, by their first member.
func (c *cones) groups() [][]int {
	var gs [][]int
	for i, g := range c.group {
		if g == i {
			gs = append(gs, c.members(func(g int) bool { return g == i }))
		}
	}
	return gs
}

package bdd

import (
	"math"
	"slices"
)

// This file writes functions as sums of products (Minato 1993).

// Cover writes f as a disjunction of conjunctions of literals: every conjunction is a prime
// implicant of f and none can be left out (an irredundant cover, Minato 1993). False is the empty
// cover, True the one empty conjunction. The order of the result depends on f and the order of the
// variables alone. A cover can be exponentially larger than f.
func (m *Manager) Cover(f Ref) [][]Literal {
	cubes, _ := m.CoverWithin(f, math.MaxInt)
	return cubes
}

// CoverWithin returns Cover(f) if that has at most so many literals. If it has more, ok is false;
// the time to find that out is bounded by the limit, whatever the cover looks like.
func (m *Manager) CoverWithin(f Ref, literals int) (cubes [][]Literal, ok bool) {
	c := coverer{m: m, most: literals, memo: map[[2]Ref]*cover{}}
	all := c.between(f, f)
	if all == nil || all.literals > literals {
		return nil, false
	}
	return all.list(nil, nil), true
}

// cover is a disjunction of conjunctions (those of v & one, !v & zero and rest) with the function
// that it denotes. Parts of it are shared, so it takes less memory than a list of cubes.
type cover struct {
	v               int
	one, zero, rest *cover // nil in the constants
	fn              Ref
	cubes, literals int
}

// The covers of the constants.
var (
	never  = &cover{fn: False}
	always = &cover{fn: True, cubes: 1}
)

// coverer makes covers with a limit of literals.
type coverer struct {
	m    *Manager
	most int
	memo map[[2]Ref]*cover // by the arguments of between
}

// between returns a cover of some function that must implies and that implies may; nil if it, or a
// part of it, has too many literals.
func (c *coverer) between(must, may Ref) *cover {
	// The covers of the constants end the recursion.
	switch {
	case must == False:
		return never
	case may == True:
		return always
	}
	// 1. The cache.
	key := [2]Ref{must, may}
	if r, ok := c.memo[key]; ok {
		return r
	}
	m := c.m
	level := min(m.nodes[must].level, m.nodes[may].level)
	must0, must1 := m.cofactors(must, level)
	may0, may1 := m.cofactors(may, level)
	// 2. Only minterms that the other cofactor of may excludes need the literal.
	zero := c.between(m.Diff(must0, may1), may0)
	if zero == nil {
		return nil
	}
	one := c.between(m.Diff(must1, may0), may1)
	if one == nil {
		return nil
	}
	// 3. The minterms that are not covered yet do without the literal.
	left := m.Or(m.Diff(must0, zero.fn), m.Diff(must1, one.fn))
	rest := c.between(left, m.And(may0, may1))
	if rest == nil {
		return nil
	}
	// 4. Put the parts together, unless they have too many literals.
	r := &cover{v: int(m.varAt[level]), one: one, zero: zero, rest: rest}
	r.cubes = one.cubes + zero.cubes + rest.cubes
	r.literals = one.cubes + one.literals + zero.cubes + zero.literals + rest.literals
	if r.literals > c.most {
		return nil
	}
	r.fn = m.Or(m.mk(level, zero.fn, one.fn), rest.fn)
	c.memo[key] = r
	return r
}

// list appends the cubes of c to cubes, each after the literals of prefix.
func (c *cover) list(cubes [][]Literal, prefix []Literal) [][]Literal {
	switch c {
	case never:
		return cubes
	case always:
		return append(cubes, slices.Clone(prefix))
	}
	// Cubes with v, with !v, and without v.
	cubes = c.one.list(cubes, append(prefix, Literal{c.v, true}))
	cubes = c.zero.list(cubes, append(prefix, Literal{c.v, false}))
	return c.rest.list(cubes, prefix)
}

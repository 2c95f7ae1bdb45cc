package bdd

// Cover writes f as a disjunction of conjunctions of literals: every conjunction
// is a prime implicant of f and none can be left out (an irredundant cover, Minato
// 1993). False is the empty cover, True the one empty conjunction. The order of
// the result depends on f and the order of the variables alone. A cover can be exponentially larger than f.
func (m *Manager) Cover(f Ref) [][]Literal {
	c := coverer{m: m, memo: map[[2]Ref]cover{}}
	return c.between(f, f).cubes
}

// cover is a list of cubes and the function it stands for.
type cover struct {
	cubes [][]Literal
	fn    Ref
}

type coverer struct {
	m    *Manager
	memo map[[2]Ref]cover
}

// between finds a cover of some function that is implied by must and implies may.
func (c *coverer) between(must, may Ref) cover {
	switch {
	case must == False:
		return cover{nil, False}
	case may == True:
		return cover{[][]Literal{nil}, True}
	}
	key := [2]Ref{must, may}
	if r, ok := c.memo[key]; ok {
		return r
	}
	m := c.m
	level := min(m.nodes[must].level, m.nodes[may].level)
	must0, must1 := m.cofactors(must, level)
	may0, may1 := m.cofactors(may, level)
	// What only the one cofactor may contain needs the literal; the rest does not.
	with0 := c.between(m.Diff(must0, may1), may0)
	with1 := c.between(m.Diff(must1, may0), may1)
	left := m.Or(m.Diff(must0, with0.fn), m.Diff(must1, with1.fn))
	free := c.between(left, m.And(may0, may1))

	v := int(m.varAt[level])
	r := cover{fn: m.Or(m.mk(level, with0.fn, with1.fn), free.fn)}
	r.cubes = append(r.cubes, prefix(Literal{v, true}, with1.cubes)...)
	r.cubes = append(r.cubes, prefix(Literal{v, false}, with0.cubes)...)
	r.cubes = append(r.cubes, free.cubes...)
	c.memo[key] = r
	return r
}

func prefix(l Literal, cubes [][]Literal) [][]Literal {
	out := make([][]Literal, len(cubes))
	for i, c := range cubes {
		out[i] = append([]Literal{l}, c...)
	}
	return out
}

package bdd

import (
	"slices"
	"strconv"
	"strings"
)

// Literal is a variable with a value.
type Literal struct {
	Level int // names the variable
	Val   bool
}

// LitCube is the conjunction of the literals, in any order. Two literals of one
// variable must agree.
func (m *Manager) LitCube(lits []Literal) Ref {
	sorted := lits
	byLevel := func(a, b Literal) int { return int(m.level(a.Level) - m.level(b.Level)) }
	if !slices.IsSortedFunc(lits, byLevel) {
		sorted = slices.Clone(lits)
		slices.SortFunc(sorted, byLevel)
	}
	f := True
	for i, l := range slices.Backward(sorted) {
		switch {
		case i+1 < len(sorted) && sorted[i+1].Level == l.Level:
			if sorted[i+1].Val != l.Val {
				panic("bdd: contradictory literals")
			}
		case l.Val:
			f = m.mk(m.level(l.Level), False, f)
		default:
			f = m.mk(m.level(l.Level), f, False)
		}
	}
	return f
}

// SatOne is a conjunction of literals that makes f true, from the top of the
// order; the variables it leaves out may have any value. It takes 0 where both values lead
// on, so the answer depends on f and the order alone. ok is false if f is unsatisfiable.
func (m *Manager) SatOne(f Ref) (lits []Literal, ok bool) {
	if f == False {
		return nil, false
	}
	for f != True {
		n := m.nodes[f]
		val := n.lo == False
		lits = append(lits, Literal{int(m.varAt[n.level]), val})
		if f = n.lo; val {
			f = n.hi
		}
	}
	return lits, true
}

// Eval is the value of f under a valuation of the variables.
func (m *Manager) Eval(f Ref, val func(level int) bool) bool {
	for f > True {
		if n := &m.nodes[f]; val(int(m.varAt[n.level])) {
			f = n.hi
		} else {
			f = n.lo
		}
	}
	return f == True
}

// NodeCount is the number of distinct nodes of the functions together, constants
// left out.
func (m *Manager) NodeCount(fs ...Ref) int {
	seen := map[Ref]bool{}
	for _, f := range fs {
		m.walk(f, seen, func(node) {})
	}
	return len(seen)
}

// Support lists the variables on which f depends, rising.
func (m *Manager) Support(f Ref) []int {
	on := map[int]bool{}
	m.walk(f, map[Ref]bool{}, func(n node) { on[int(m.varAt[n.level])] = true })
	var levels []int
	for l := range on {
		levels = append(levels, l)
	}
	slices.Sort(levels)
	return levels
}

// walk visits the nodes of f that are not in seen; it recurses once per level.
func (m *Manager) walk(f Ref, seen map[Ref]bool, visit func(node)) {
	for f > True && !seen[f] {
		seen[f] = true
		visit(m.nodes[f])
		m.walk(m.nodes[f].lo, seen, visit)
		f = m.nodes[f].hi
	}
}

// String writes f as a disjunction of conjunctions of levels (see Cover), for
// messages and tests.
func (m *Manager) String(f Ref) string {
	switch f {
	case False:
		return "false"
	case True:
		return "true"
	}
	var cubes []string
	for _, c := range m.Cover(f) {
		var lits []string
		for _, l := range c {
			s := strconv.Itoa(l.Level)
			if !l.Val {
				s = "!" + s
			}
			lits = append(lits, s)
		}
		cubes = append(cubes, strings.Join(lits, " & "))
	}
	return strings.Join(cubes, " | ")
}

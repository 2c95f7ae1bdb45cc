package bdd

import (
	"slices"
	"strconv"
	"strings"
)

// This file reads functions: literals, valuations, support, text.

// Literal is a variable with a value.
type Literal struct {
	Level int // names the variable
	Val   bool
}

// LitCube returns the conjunction of the literals, in any order. Two literals of one variable must
// agree.
func (m *Manager) LitCube(lits []Literal) Ref {
	keys := m.keys[:0] // level and value: in their order, a literal is beside its opposite
	for _, l := range lits {
		key := 2 * m.level(l.Level)
		if l.Val {
			key++
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	m.keys = keys
	// Build from the bottom; equal literals count once.
	f := True
	for i, key := range slices.Backward(keys) {
		switch level := key / 2; {
		case i+1 < len(keys) && keys[i+1]/2 == level:
			if keys[i+1] != key {
				panic("bdd: contradictory literals")
			}
		case key%2 == 1:
			f = m.mk(level, False, f)
		default:
			f = m.mk(level, f, False)
		}
	}
	return f
}

// SatOne returns a conjunction of literals that implies f, from the top of the order; the variables
// that it leaves out may have any value. It takes 0 where both values are possible, so the answer
// depends on f and the order alone. ok is false if f is unsatisfiable.
func (m *Manager) SatOne(f Ref) (lits []Literal, ok bool) {
	if f == False {
		return nil, false
	}
	// Follow a path to True from the top, through 0 where that is possible.
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

// Literals appends the literals of f, from the top of the order, if f is a conjunction of literals.
// ok is false if it is not.
func (m *Manager) Literals(lits []Literal, f Ref) (_ []Literal, ok bool) {
	// A conjunction has one path: one successor of each node is False.
	for f > True {
		n := m.nodes[f]
		val := n.lo == False
		if !val && n.hi != False {
			return lits, false
		}
		lits = append(lits, Literal{int(m.varAt[n.level]), val})
		if f = n.lo; val {
			f = n.hi
		}
	}
	return lits, f == True
}

// Eval returns the value of f under a valuation of the variables.
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

// Tested returns the variable that f tests first in the present order. f is not constant.
func (m *Manager) Tested(f Ref) int { return int(m.varAt[m.nodes[f].level]) }

// NodeCount returns the number of distinct nodes of the functions together, constants excluded.
func (m *Manager) NodeCount(fs ...Ref) int {
	seen := map[Ref]bool{}
	for _, f := range fs {
		m.walk(f, seen, func(node) {})
	}
	return len(seen)
}

// Support returns the variables on which f depends, in rising order.
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

// walk visits the nodes of f that are not in seen. It recurses once per level.
func (m *Manager) walk(f Ref, seen map[Ref]bool, visit func(node)) {
	// Recurse into the low successors, iterate along the high ones.
	for f > True && !seen[f] {
		seen[f] = true
		visit(m.nodes[f])
		m.walk(m.nodes[f].lo, seen, visit)
		f = m.nodes[f].hi
	}
}

// String writes f as a disjunction of conjunctions of levels (see Cover), for messages and tests.
func (m *Manager) String(f Ref) string {
	switch f {
	// The constants have no literals.
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

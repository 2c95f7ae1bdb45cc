package bdd

import (
	"fmt"
	"slices"
)

// This file defines quantification, the relational product, cofactors and renaming.

// Cube returns the conjunction of the variables at the levels, in any order: the form in which
// Exists and AndExists take the quantified variables.
func (m *Manager) Cube(levels []int) Ref {
	keys := m.keys[:0]
	for _, l := range levels {
		keys = append(keys, m.level(l))
	}
	slices.Sort(keys)
	m.keys = keys
	// Build from the bottom, without duplicates.
	f := True
	for i, l := range slices.Backward(keys) {
		if i+1 == len(keys) || keys[i+1] != l {
			f = m.mk(l, False, f)
		}
	}
	return f
}

// Exists quantifies the variables of cube existentially in f.
func (m *Manager) Exists(f, cube Ref) Ref {
	// 1. Terminal cases: a variable above f does not occur in f.
	if f <= True {
		return f
	}
	if cube = m.dropAbove(cube, m.nodes[f].level); cube == True {
		return f
	}
	// 2. The cache, then expansion: a quantified variable makes a disjunction, another one a node.
	if r, ok := m.lookup(opExists, f, cube, 0); ok {
		return r
	}
	n := m.nodes[f]
	var r Ref
	if m.nodes[cube].level == n.level {
		rest := m.nodes[cube].hi
		if r = m.Exists(n.lo, rest); r != True {
			r = m.Or(r, m.Exists(n.hi, rest))
		}
	} else {
		lo := m.Exists(n.lo, cube)
		hi := m.Exists(n.hi, cube)
		r = m.mk(n.level, lo, hi)
	}
	return m.store(opExists, f, cube, 0, r)
}

// AndExists returns Exists(And(f, g), cube) without building the conjunction: the relational
// product, the core of image computation.
func (m *Manager) AndExists(f, g, cube Ref) Ref {
	// 1. Terminal cases.
	switch {
	case f == False || g == False:
		return False
	case f == True && g == True:
		return True
	}
	level := min(m.nodes[f].level, m.nodes[g].level)
	cube = m.dropAbove(cube, level)
	switch {
	// Nothing is left to quantify, or one operand is neutral.
	case cube == True:
		return m.And(f, g)
	case f == True || f == g:
		return m.Exists(g, cube)
	case g == True:
		return m.Exists(f, cube)
	}
	// 2. The conjunction is commutative: one cache entry for both orders.
	if f > g {
		f, g = g, f
	}
	if r, ok := m.lookup(opAndExists, f, g, cube); ok {
		return r
	}
	// 3. Expansion as in Exists.
	f0, f1 := m.cofactors(f, level)
	g0, g1 := m.cofactors(g, level)
	var r Ref
	if m.nodes[cube].level == level {
		rest := m.nodes[cube].hi
		if r = m.AndExists(f0, g0, rest); r != True {
			r = m.Or(r, m.AndExists(f1, g1, rest))
		}
	} else {
		lo := m.AndExists(f0, g0, cube)
		hi := m.AndExists(f1, g1, cube)
		r = m.mk(level, lo, hi)
	}
	return m.store(opAndExists, f, g, cube, r)
}

// dropAbove drops the variables of a cube that are above level.
func (m *Manager) dropAbove(cube Ref, level int32) Ref {
	for m.nodes[cube].level < level {
		cube = m.nodes[cube].hi
	}
	return cube
}

// Restrict returns the cofactor of f for a conjunction of literals: each variable of cube is
// replaced by the constant that the cube gives it.
func (m *Manager) Restrict(f, cube Ref) Ref {
	if f <= True {
		return f
	}
	// 1. Literals above f do not matter.
	level := m.nodes[f].level
	for m.nodes[cube].level < level {
		_, cube = m.literal(cube)
	}
	if cube == True {
		return f
	}
	if r, ok := m.lookup(opRestrict, f, cube, 0); ok {
		return r
	}
	// 2. A fixed variable selects a cofactor; another one makes a node.
	n := m.nodes[f]
	var r Ref
	if m.nodes[cube].level == level {
		// The literal fixes the variable of f.
		val, rest := m.literal(cube)
		if r = n.lo; val {
			r = n.hi
		}
		r = m.Restrict(r, rest)
	} else {
		lo := m.Restrict(n.lo, cube)
		hi := m.Restrict(n.hi, cube)
		r = m.mk(level, lo, hi)
	}
	return m.store(opRestrict, f, cube, 0, r)
}

// literal splits the first literal off a cube.
func (m *Manager) literal(cube Ref) (val bool, rest Ref) {
	if n := m.nodes[cube]; n.lo == False {
		return true, n.hi
	} else if n.hi == False {
		return false, n.lo
	}
	panic("bdd: Restrict by something that is not a cube")
}

// Shift is a renaming of variables that keeps their order. NewShift and NewSparseShift make one.
type Shift struct {
	id   Ref
	to   []int32         // by variable: its new name; nil if sparse
	at   map[int32]int32 // sparse: new names of the variables that move
	down []int32         // to by present levels; see relocate
	sunk map[int32]int32 // at by present levels
}

// NewShift returns the renaming of each variable v to to(v). It need not keep the order of all
// variables, only that of the support of every function that it is applied to; Rename checks that
// and panics. A Manager keeps its shifts for ever: make them once.
func (m *Manager) NewShift(to func(v int) int) *Shift {
	s := &Shift{to: make([]int32, m.levels)}
	for v := range s.to {
		s.to[v] = m.check(to(v))
	}
	return m.addShift(s)
}

// NewSparseShift returns the renaming that moves from[i] to to[i] and no other variable. Its size
// does not depend on the number of levels.
func (m *Manager) NewSparseShift(from, to []int) *Shift {
	s := &Shift{at: make(map[int32]int32, len(from))}
	for i, l := range from {
		s.at[m.check(l)] = m.check(to[i])
	}
	return m.addShift(s)
}

// addShift registers a shift.
func (m *Manager) addShift(s *Shift) *Shift {
	s.id = Ref(len(m.shifts))
	m.shifts = append(m.shifts, s)
	m.relocate(s)
	return s
}

// relocate computes the effect of a renaming on the present levels.
func (m *Manager) relocate(s *Shift) {
	if s.to != nil {
		s.down = make([]int32, len(s.to))
		// In the present order, levelOf translates both ends of the renaming.
		for v, w := range s.to {
			s.down[m.levelOf[v]] = m.levelOf[w]
		}
		return
	}
	s.sunk = make(map[int32]int32, len(s.at))
	for v, w := range s.at {
		s.sunk[m.levelOf[v]] = m.levelOf[w]
	}
}

// level returns the new level of the variable at level l.
func (s *Shift) level(l int32) int32 {
	if s.down != nil {
		return s.down[l]
	}
	if to, moves := s.sunk[l]; moves {
		return to
	}
	return l
}

// Rename applies s to the variables of f. It takes one pass over f, since the order is kept.
func (m *Manager) Rename(f Ref, s *Shift) Ref {
	if int(s.id) >= len(m.shifts) || m.shifts[s.id] != s {
		panic(fmt.Sprintf("bdd: shift %d of another manager", s.id))
	}
	return m.rename(f, s)
}

// rename is the recursion of Rename.
func (m *Manager) rename(f Ref, s *Shift) Ref {
	if f <= True {
		return f
	}
	if r, ok := m.lookup(opShift, f, s.id, 0); ok {
		return r
	}
	n := m.nodes[f]
	lo := m.rename(n.lo, s)
	hi := m.rename(n.hi, s)
	return m.store(opShift, f, s.id, 0, m.mk(s.level(n.level), lo, hi))
}

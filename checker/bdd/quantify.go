package bdd

import (
	"fmt"
	"slices"
)

// Cube is the conjunction of the variables at the levels, in any order: the form
// in which Exists and AndExists take the variables to be quantified.
func (m *Manager) Cube(levels []int) Ref {
	keys := m.keys[:0]
	for _, l := range levels {
		keys = append(keys, m.level(l))
	}
	slices.Sort(keys)
	m.keys = keys
	f := True
	for i, l := range slices.Backward(keys) {
		if i+1 == len(keys) || keys[i+1] != l {
			f = m.mk(l, False, f)
		}
	}
	return f
}

// Exists is f with the variables of the cube quantified existentially.
func (m *Manager) Exists(f, cube Ref) Ref {
	if f <= True {
		return f
	}
	if cube = m.dropAbove(cube, m.nodes[f].level); cube == True {
		return f
	}
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

// AndExists is Exists(And(f, g), cube) without building the conjunction first:
// the relational product, the core of image computation.
func (m *Manager) AndExists(f, g, cube Ref) Ref {
	switch {
	case f == False || g == False:
		return False
	case f == True && g == True:
		return True
	}
	level := min(m.nodes[f].level, m.nodes[g].level)
	cube = m.dropAbove(cube, level)
	switch {
	case cube == True:
		return m.And(f, g)
	case f == True || f == g:
		return m.Exists(g, cube)
	case g == True:
		return m.Exists(f, cube)
	}
	if f > g {
		f, g = g, f
	}
	if r, ok := m.lookup(opAndExists, f, g, cube); ok {
		return r
	}
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

// dropAbove skips the variables of a cube that lie above level.
func (m *Manager) dropAbove(cube Ref, level int32) Ref {
	for m.nodes[cube].level < level {
		cube = m.nodes[cube].hi
	}
	return cube
}

// Restrict is the cofactor of f for a conjunction of literals: each variable of
// the cube is replaced by the constant that the cube gives it.
func (m *Manager) Restrict(f, cube Ref) Ref {
	if f <= True {
		return f
	}
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
	n := m.nodes[f]
	var r Ref
	if m.nodes[cube].level == level {
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

// Shift is a renaming of variables that keeps their order, prepared by NewShift or
// NewSparseShift.
type Shift struct {
	id   Ref
	to   []int32         // by variable; nil if sparse
	at   map[int32]int32 // sparse: of the variables that move
	down []int32         // to, by level; see relocate
	sunk map[int32]int32 // at, by level
}

// NewShift prepares the renaming of each variable to to(variable). It need not keep the
// order of all variables, only that of the support of every function it will be applied to; Rename checks that and panics.
// A Manager keeps its shifts for ever: prepare them once.
func (m *Manager) NewShift(to func(v int) int) *Shift {
	s := &Shift{to: make([]int32, m.levels)}
	for v := range s.to {
		s.to[v] = m.check(to(v))
	}
	return m.addShift(s)
}

// NewSparseShift is NewShift for a renaming that moves from[i] to to[i], and no other
// level. Its size does not depend on the number of levels.
func (m *Manager) NewSparseShift(from, to []int) *Shift {
	s := &Shift{at: make(map[int32]int32, len(from))}
	for i, l := range from {
		s.at[m.check(l)] = m.check(to[i])
	}
	return m.addShift(s)
}

func (m *Manager) addShift(s *Shift) *Shift {
	s.id = Ref(len(m.shifts))
	m.shifts = append(m.shifts, s)
	m.relocate(s)
	return s
}

// relocate says of a renaming of variables what it does to levels in the order of now.
func (m *Manager) relocate(s *Shift) {
	if s.to != nil {
		s.down = make([]int32, len(s.to))
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

func (s *Shift) level(l int32) int32 {
	if s.down != nil {
		return s.down[l]
	}
	if to, moves := s.sunk[l]; moves {
		return to
	}
	return l
}

// Rename applies s to the variables of f. Its cost is that of one pass over f:
// no intermediate composition is needed because the order is kept.
func (m *Manager) Rename(f Ref, s *Shift) Ref {
	if int(s.id) >= len(m.shifts) || m.shifts[s.id] != s {
		panic(fmt.Sprintf("bdd: shift %d of another manager", s.id))
	}
	return m.rename(f, s)
}

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

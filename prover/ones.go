package prover

import (
	"maps"
	"math/big"
	"slices"

	"c2bp/logic"
)

// This file decides queries with population counts (the number of ones in a number), as
// decidefloat.go does those with floating point: with facts first, in the models found with the
// real counts, and then in a context of its own with lemmas that exclude the wrong models.
//
// In contrast to floating point this always ends with the exact problem: if the models that were
// tried are not enough, the counts are defined as sums of bits. Z3 may take long then, or give up,
// but knows all.

// maxOnesLemmas bounds the number of models that are tried first.
const maxOnesLemmas = 16

// hasOnes reports whether a population count occurs in one of the formulas.
func hasOnes(fs ...[]*logic.Term) bool {
	for _, list := range fs {
		for _, f := range list {
			if f.HasOnes() {
				return true
			}
		}
	}
	return false
}

// counts lists the population counts in q.
func (q *query) counts() (apps []*logic.Term) {
	seen := map[*logic.Term]bool{}
	for _, f := range append(q.lits[:len(q.lits):len(q.lits)], q.mention...) {
		if !f.HasOnes() {
			continue
		}
		for _, a := range f.Applications() {
			if _, ok := a.Ones(); ok && !seen[a] {
				seen[a] = true
				apps = append(apps, a)
			}
		}
	}
	return apps
}

// aboutOnes returns the facts about the population counts in q.
func (q *query) aboutOnes() []*logic.Term {
	if !hasOnes(q.lits, q.mention) {
		return nil
	}
	if q.ones == nil {
		q.ones = q.t.OnesFacts(append(q.lits[:len(q.lits):len(q.lits)], q.mention...), q.counts())
	}
	return q.ones
}

// claim notes the value that Z3 takes a population count for at a point.
func (m *Model) claim(key string, v *big.Int) {
	if m.claimed == nil {
		m.claimed = map[string]*big.Int{}
	}
	m.claimed[key] = v
}

// onesLemmas returns lemmas that exclude the counts that are wrong in m.
func (m *Model) onesLemmas(q *query) (list []*logic.Term) {
	for _, a := range q.counts() {
		x, ok := m.run(m.u.Compile(a.Args[0]))
		if !ok {
			continue
		}
		if v := m.claimed[pointKey(a, []*big.Int{x})]; v != nil {
			if l := q.t.OnesLemma(a, new(big.Int).Set(x), v); l != nil {
				list = append(list, l)
			}
		}
	}
	return list
}

// maxSweeps bounds the number of times that repair looks at each number.
const maxSweeps = 3

// repair looks for numbers that make the formulas hold, in the place of those whose ones Z3 counted
// wrong. It is a local search: one number after the other gets the value for which most formulas
// hold. It reports whether m is a model then; else m is unchanged.
func (m *Model) repair(q *query) bool {
	list := m.counted(q)
	if len(list) == 0 {
		return false
	}
	programs := make([]*Program, len(q.lits))
	for i, f := range q.lits {
		programs[i] = m.u.Compile(f)
	}
	syms, apps := slices.Clone(m.syms), maps.Clone(m.apps)
	// good is the number of formulas that hold. Stop when all hold, or when a sweep gains nothing.
	good := m.fulfilled(programs)
	for range maxSweeps {
		before := good
		for _, x := range list {
			// put changes m, so the best state so far is kept as copies.
			keep, keepApps := slices.Clone(m.syms), maps.Clone(m.apps)
			// Keep the best value of x; undo the others.
			for _, v := range x.values {
				m.put(x, v)
				if n := m.fulfilled(programs); n > good {
					good, keep, keepApps = n, slices.Clone(m.syms), maps.Clone(m.apps)
				}
				m.syms, m.apps = slices.Clone(keep), maps.Clone(keepApps)
			}
		}
		if good == len(programs) {
			return true
		}
		if good == before {
			break
		}
	}
	m.syms, m.apps = syms, apps
	return false
}

// fulfilled returns the number of formulas that hold in m.
func (m *Model) fulfilled(programs []*Program) (n int) {
	for _, p := range programs {
		if v, ok := m.Truth(p); v && ok {
			n++
		}
	}
	return n
}

// counted lists the numbers whose ones Z3 counted wrong, with values near those in m that have as
// many ones as Z3 claimed.
func (m *Model) counted(q *query) (list []unknown) {
	index := map[*logic.Term]int{}
	for _, a := range q.counts() {
		x, ok := m.run(m.u.Compile(a.Args[0]))
		if !ok {
			continue
		}
		x = new(big.Int).Set(x)
		claimed := m.claimed[pointKey(a, []*big.Int{x})]
		width, _ := a.Ones()
		// Skip counts that are right, or that Z3 did not choose.
		if claimed == nil || !claimed.IsInt64() || claimed.Cmp(logic.Meaning(a.Name, []*big.Int{x})) == 0 {
			continue
		}
		// The number is an atom plus a constant, or a choice between such sums: find values of the atoms.
		for atom, off := range a.Args[0].Leaves() {
			i, known := index[atom]
			if !known {
				u, ok := m.unknown(atom)
				if !ok {
					continue
				}
				i, index[atom] = len(list), len(list)
				list = append(list, u)
			}
			var values []*big.Int
			for _, v := range withOnes(x, int(claimed.Int64()), width) {
				values = append(values, v.Sub(v, off))
			}
			list[i].allow(values)
		}
	}
	return slices.DeleteFunc(list, func(u unknown) bool { return len(u.values) == 0 })
}

// withOnes lists numbers equal to x except for some of the width bits, n of which are set: bits are
// changed from the lowest up, from the highest down, and from others up. Each number is followed by
// the number of the other sign with the same bits.
func withOnes(x *big.Int, n, width int) (list []*big.Int) {
	have := 0
	for i := range width {
		have += int(x.Bit(i))
	}
	// need is the number of ones to add; of ones to remove, if it is negative.
	size := new(big.Int).Lsh(big.NewInt(1), uint(width))
	for _, from := range []int{0, width - 1, 2, width / 4, width / 2} {
		v, need := new(big.Int).Set(x), n-have // more ones; fewer, if it is negative
		for k := 0; k < width && need != 0; k++ {
			i := (from + k) % width
			// From the highest bit down.
			if from == width-1 {
				i = from - k
			}
			switch bit := x.Bit(i); {
			case need > 0 && bit == 0:
				v.SetBit(v, i, 1)
				need--
			case need < 0 && bit == 1:
				v.SetBit(v, i, 0)
				need++
			}
		}
		// The number of the other sign with the same bits.
		other := new(big.Int).Add(v, size)
		if v.Sign() >= 0 {
			other.Sub(v, size)
		}
		list = append(list, v, other)
	}
	return list
}

// onesSums defines the population counts in q as sums of bits.
func (q *query) onesSums() (list []*logic.Term) {
	for _, a := range q.counts() {
		list = append(list, q.t.OnesSum(a))
	}
	return list
}

package logic

import (
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// This file defines population counts: the number of ones in the bits of a number. As a sum of as
// many remainders as there are bits a count is linear, but provers are lost in a few such sums of
// 64 bits. So
//
//	ones64(x)    the number of ones in x mod 2^64
//
// is a function about which facts are stated. Between two numbers it has a least and a greatest
// value, which are easily computed; they are stated for the intervals between the constants that
// operands are compared with:
//
//	x = 255             implies  ones64(x) = 8
//	0 <= x <= 254       implies  0 <= ones64(x) <= 7
//	256 <= x < 2^63     implies  1 <= ones64(x) <= 63
//
// Where that is not enough, a prover finds models in which the function has a wrong value:
// [Table.OnesLemma] excludes such a value, with as many more as it can, and [Table.OnesSum] all of
// them.

// OnesName returns the name of the function for numbers of width bits.
func OnesName(width int) string { return onesPrefix + strconv.Itoa(width) }

const onesPrefix = "ones"

// onesWidth returns the width of the numbers whose ones the function of that name counts; 0 if it
// is another function.
func onesWidth(name string) int {
	digits, ok := strings.CutPrefix(name, onesPrefix)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > 128 {
		return 0
	}
	return n
}

// Ones returns the width of the numbers whose ones the application f counts; ok is false for other
// terms.
func (f *Term) Ones() (width int, ok bool) {
	if f.Op != OpApp || len(f.Args) != 1 {
		return 0, false
	}
	width = onesWidth(f.Name)
	return width, width > 0
}

// unwrapped returns x without the case distinction of a wrap modulo 2^width, or of a part of it,
// where the wrapped number is not far away: it is the same modulo 2^width. So conversions between
// types of one width do not make another operand: with x in [0, 2^32-1] and a width of 32,
// ite(x <= 2^31-1, x, x - 2^32) becomes x.
func (t *Table) unwrapped(x *Term, width int) *Term {
	if x.Op != OpIte {
		return x
	}
	a, b, size := t.unwrapped(x.Args[1], width), t.unwrapped(x.Args[2], width), power(width)
	// The branches must be equal modulo 2^width; then either will do that is not far away.
	d := t.Sub(a, b)
	if !d.IsConst() || new(big.Int).Mod(d.Val, size).Sign() != 0 {
		return x
	}
	for _, y := range []*Term{a, b} {
		if within(y, new(big.Int).Neg(size), new(big.Int).Sub(size, one)) {
			return y
		}
	}
	return x
}

// countOnes returns the number of ones in x mod 2^width.
func countOnes(x *big.Int, width int) int64 {
	n := int64(0)
	for i := range width { // Bit is that of two's complement, also for negative numbers
		n += int64(x.Bit(i))
	}
	return n
}

// onesBetween returns the least and the greatest number of ones in the numbers from lo to hi, both
// of which are in [0, 2^width) or both in [-2^width, 0).
//
// A number below hi has a zero where hi has a one, and equals hi above; of the numbers with the
// highest differing bit i, the one with all ones below i has most. Likewise for numbers above lo.
func onesBetween(lo, hi *big.Int, width int) (least, most int64) {
	least, most = countOnes(lo, width), countOnes(hi, width)
	for i := range width {
		// Try the best number that differs first at bit i, if it is in the interval.
		below := new(big.Int).Sub(power(i), one)
		if hi.Bit(i) == 1 {
			x := new(big.Int).SetBit(hi, i, 0)
			if x.Or(x, below); x.Cmp(lo) >= 0 {
				most = max(most, countOnes(x, width))
			}
		}
		if lo.Bit(i) == 0 {
			x := new(big.Int).SetBit(lo, i, 1)
			if x.AndNot(x, below); x.Cmp(hi) <= 0 {
				least = min(least, countOnes(x, width))
			}
		}
	}
	return least, most
}

// onesAxioms returns facts about f, which counts the ones in numbers of width bits.
func (t *Table) onesAxioms(f *Term, width int) []*Term {
	x, zero, size := f.Args[0], t.Int(0), t.Big(power(width))
	// The range; 0 if and only if the number is; at most the number itself.
	inside := t.And(t.Lt(t.Sub(zero, size), x), t.Lt(x, size))
	return []*Term{
		t.Le(zero, f),
		t.Le(f, t.Int(int64(width))),
		t.Implies(t.Eq(x, zero), t.Eq(f, zero)),
		t.Implies(t.And(inside, t.Eq(f, zero)), t.Eq(x, zero)),
		t.Implies(t.And(t.Le(zero, x), t.Lt(x, size)), t.Le(f, x)),
	}
}

// onesOn states the bounds of f for operands from lo to hi.
func (t *Table) onesOn(f *Term, width int, lo, hi *big.Int) *Term {
	least, most := onesBetween(lo, hi, width)
	x := f.Args[0]
	between := t.And(t.Le(t.Big(lo), x), t.Le(x, t.Big(hi)))
	return t.Implies(between, t.And(t.Le(t.Int(least), f), t.Le(f, t.Int(most))))
}

// maxCuts bounds the interval ends at which facts about one application are stated, because each
// interval is a fact.
const maxCuts = 40

// OnesFacts lists facts about the population counts in apps. Each is true for all values. They are
// about the intervals between the constants that the operands are compared with in formulas.
func (t *Table) OnesFacts(formulas, apps []*Term) (facts []*Term) {
	cuts := cutsIn(formulas)
	for _, f := range apps {
		if width, ok := f.Ones(); ok {
			facts = append(facts, t.stretches(f, width, cuts)...)
		}
	}
	return facts
}

// stretches is OnesFacts for one application.
func (t *Table) stretches(f *Term, width int, cuts map[*Term][]*big.Int) (facts []*Term) {
	//   1. Collect the ends of intervals: -1, the last operand, and the cuts of the operand's
	//      leaves.
	lo, hi := new(big.Int).Neg(power(width)), new(big.Int).Sub(power(width), one)
	if x := f.Args[0]; x.Lo != nil && x.Lo.Cmp(lo) > 0 {
		lo = x.Lo
	}
	if x := f.Args[0]; x.Hi != nil && x.Hi.Cmp(hi) < 0 {
		hi = x.Hi
	}
	// No interval holds both -1 and 0: onesBetween needs numbers of one sign.
	list := []*big.Int{big.NewInt(-1), hi}
	for atom, off := range f.Args[0].Leaves() {
		for _, v := range cuts[atom] {
			if len(list) < maxCuts {
				list = append(list, new(big.Int).Add(v, off))
			}
		}
	}
	// 2. State a fact about each interval from the number after the previous end to the next.
	slices.SortFunc(list, (*big.Int).Cmp)
	for _, v := range list {
		if v.Cmp(lo) >= 0 && v.Cmp(hi) <= 0 {
			if fact := t.onesOn(f, width, lo, v); fact != t.True {
				facts = append(facts, fact)
			}
			lo = new(big.Int).Add(v, one)
		}
	}
	return facts
}

// Leaves yields the values between which x distinguishes cases, each as a term that is not itself a
// term plus a constant, and the constant to add to it.
func (x *Term) Leaves() iter.Seq2[*Term, *big.Int] {
	return func(yield func(*Term, *big.Int) bool) {
		var visit func(x *Term) bool
		visit = func(x *Term) bool {
			if x.Op == OpIte {
				return visit(x.Args[1]) && visit(x.Args[2])
			}
			return yield(apart(x))
		}
		visit(x)
	}
}

// apart returns x as a term plus a constant, if it is one.
func apart(x *Term) (atom *Term, off *big.Int) {
	if x.Op == OpSum && len(x.Args) == 1 && x.Coef[0].Cmp(one) == 0 {
		return x.Args[0], x.Val
	}
	return x, new(big.Int)
}

// cutsIn lists, for terms that formulas compare with constants, the last number for which a
// comparison has the same outcome as for the numbers below.
func cutsIn(formulas []*Term) map[*Term][]*big.Int {
	cuts, seen := map[*Term][]*big.Int{}, map[*Term]bool{}
	cut := func(x *Term, k *big.Int) {
		for atom, off := range x.Leaves() {
			v := new(big.Int).Sub(k, off)
			if !slices.ContainsFunc(cuts[atom], func(w *big.Int) bool { return v.Cmp(w) == 0 }) {
				cuts[atom] = append(cuts[atom], v)
			}
		}
	}
	var visit func(f *Term)
	visit = func(f *Term) {
		if seen[f] {
			return
		}
		seen[f] = true
		// x <= k changes after k; k <= x changes after k-1; x = k changes after both.
		if f.Op == OpLe || f.Op == OpEq {
			s := f.Args[0]
			x, k, positive := s, new(big.Int), true // s is x - k or k - x
			if s.Op == OpSum && len(s.Args) == 1 && s.Coef[0].CmpAbs(one) == 0 {
				x, positive = s.Args[0], s.Coef[0].Sign() > 0
				if k.Set(s.Val); positive {
					k.Neg(k)
				}
			}
			if f.Op == OpEq || positive {
				cut(x, k)
			}
			if f.Op == OpEq || !positive {
				cut(x, new(big.Int).Sub(k, one))
			}
		}
		for _, a := range f.Args {
			visit(a)
		}
	}
	for _, f := range formulas {
		visit(f)
	}
	return cuts
}

// OnesLemma returns a fact that excludes the value got of the application f, a population count,
// for the operand x. It is about the widest interval around x, of numbers that differ in their last
// bits only, in which all have more ones, or all fewer; nil if f may have that value. If Z3 claims
// that ones64(0xff00) is 3, the lemma is that 0xf000 <= x <= 0xffff implies 4 <= ones64(x) <= 16
// (in the interval from 0xe000 a number may have 3).
func (t *Table) OnesLemma(f *Term, x, got *big.Int) *Term {
	width, ok := f.Ones()
	if !ok {
		return nil
	}
	// Outside the interval of onesBetween, exclude the value for x alone.
	if x.Cmp(power(width)) >= 0 || x.Cmp(new(big.Int).Neg(power(width))) < 0 {
		return t.Implies(t.Eq(f.Args[0], t.Big(x)), t.Eq(f, t.Int(countOnes(x, width))))
	}
	// In the last interval, of x alone, the count is exact.
	for k := width; k >= 0; k-- {
		lo := new(big.Int).Rsh(x, uint(k))
		lo.Lsh(lo, uint(k))
		hi := new(big.Int).Add(lo, ones(k))
		least, most := onesBetween(lo, hi, width)
		if got.Cmp(big.NewInt(least)) < 0 || got.Cmp(big.NewInt(most)) > 0 {
			return t.onesOn(f, width, lo, hi)
		}
	}
	return nil
}

// OnesSum defines the application f, a population count, as a sum of bits:
// ones8(x) = x mod 2 + floor(x/2) mod 2 + … + floor(x/128) mod 2.
func (t *Table) OnesSum(f *Term) *Term {
	width, _ := f.Ones()
	bits := make([]*Term, width)
	for i := range bits {
		bits[i] = t.Mod(t.Div(f.Args[0], power(i)), big.NewInt(2))
	}
	return t.Eq(f, t.Add(bits...))
}

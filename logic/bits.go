package logic

import "math/big"

// This file makes bit operations linear where possible: those with a constant, and those of numbers
// that have no bit in common. A run of ones in a mask, from bit i up to but not including bit j,
// cuts a slice out of a number,
//
//	x & mask = 2^i * (floor(x / 2^i) mod 2^(j-i))
//
// in two's complement of unbounded width, for negative numbers, too; the run of ones at the top of
// a negative mask has no end, and no mod. Slices of one number do not overlap, so with a constant c
//
//	x | c = (x & ~c) + c
//	x ^ c = (x & ~c) + (c - (x & c))
//
// The normal forms of Div and Mod (slices.go) cut sums of slices into slices again: (x | 2) & 1
// becomes x mod 2, and (x & ~2) & 2 becomes 0.

// mostRuns bounds the runs of ones in a mask whose operation is made linear: each costs the prover
// one more quotient and remainder.
const mostRuns = 8

// masked returns a op k for a bit operation with the constant k, nil if that would take too many
// slices. With x in [0, 255],
//
//	x & 0x0c   is  4 * (floor(x/4) mod 4)
//	x & ~3     is  4 * floor(x/4)
//	x | 0x80   is  x mod 128 + 128
func (t *Table) masked(op string, a *Term, k *big.Int) *Term {
	// inside is x & k, nil if it has too many slices; outside is x & ~k.
	inside := t.cut(a, k)
	if op == FnAnd {
		return inside
	}
	outside := t.cut(a, new(big.Int).Not(k))
	if outside == nil {
		return nil
	}
	if op == FnOr {
		return t.Add(outside, t.Big(k))
	}
	if inside == nil {
		return nil
	}
	return t.Add(outside, t.Sub(t.Big(k), inside))
}

// cut returns a & mask, nil if it has too many slices.
func (t *Table) cut(a *Term, mask *big.Int) *Term {
	// Bits that no value of a has need no slice.
	if a.Lo != nil && a.Hi != nil && a.Lo.Sign() >= 0 {
		mask = new(big.Int).And(mask, ones(a.Hi.BitLen()))
	}
	sum := t.Int(0)
	top := mask.BitLen() // above it all bits are those of the sign
	for i, runs := 0, 0; i <= top; {
		if mask.Bit(i) == 0 {
			i++
			continue
		}
		if runs++; runs > mostRuns {
			return nil
		}
		// A run of ones from i up to j.
		j := i
		for j <= top && mask.Bit(j) == 1 {
			j++
		}
		// The run as a slice; the one at the top of a negative mask has no end.
		slice := t.Div(a, power(i))
		if j <= top {
			slice = t.Mod(slice, power(j-i))
		}
		sum = t.Add(sum, t.Scale(power(i), slice))
		i = j
	}
	return sum
}

// power returns 2^n.
func power(n int) *big.Int { return new(big.Int).Lsh(one, uint(n)) }

// ones returns a mask of n ones.
func ones(n int) *big.Int { return new(big.Int).Sub(power(n), one) }

// support returns a mask of the bits that may be set in a, if a is seen to be a sum of slices that
// do not overlap; else nil. The mask is new: 101 in binary for 4*(x mod 2) + 1.
func support(a *Term) *big.Int {
	// A term that is no sum may have any bit up to the highest of its greatest value.
	if a.Op != OpSum {
		if a.Lo == nil || a.Hi == nil || a.Lo.Sign() < 0 {
			return nil
		}
		return ones(a.Hi.BitLen())
	}
	// A negative number has ones without end above its highest bit.
	if a.Val.Sign() < 0 {
		return nil
	}
	all := new(big.Int).Set(a.Val)
	for i, x := range a.Args {
		// Each summand must be a power of two times a value, in bits that are still free.
		k := a.Coef[i]
		bits := support(x)
		if bits == nil || k.Sign() < 0 || new(big.Int).And(k, new(big.Int).Sub(k, one)).Sign() != 0 {
			return nil
		}
		bits.Mul(bits, k)
		if new(big.Int).And(all, bits).Sign() != 0 {
			return nil
		}
		all.Or(all, bits)
	}
	return all
}

// disjoint returns a op b for a bit operation on numbers that have no bit in common; nil if that is
// not seen.
func (t *Table) disjoint(op string, a, b *Term) *Term {
	m, n := support(a), support(b)
	if m == nil || n == nil || new(big.Int).And(m, n).Sign() != 0 {
		return nil
	}
	if op == FnAnd {
		return t.Int(0)
	}
	return t.Add(a, b)
}

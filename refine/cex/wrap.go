package cex

import (
	"math/big"

	"c2bp/logic"
)

// This file reads numbers as if they had not wrapped around: n - 1 of an unsigned n is a case
// distinction, n - 1 or n + 2^32 - 1. Where it is only guessed what numbers do, the first is
// what the programmer had in mind.

// Unwrapped is t with the nearer number in the place of each distinction between two that
// are a power of 2 apart.
func Unwrapped(tab *logic.Table, t *logic.Term) *logic.Term {
	done := map[*logic.Term]*logic.Term{} // n - 1 - 1 - 1 has many ways to one n
	var visit func(t *logic.Term) *logic.Term
	visit = func(t *logic.Term) *logic.Term {
		if u := done[t]; u != nil {
			return u
		}
		u := t
		switch {
		case t.Op == logic.OpIte:
			u = nearer(tab, t, visit(t.Args[1]), visit(t.Args[2]))
		case t.Op == logic.OpSum && !t.IsConst():
			u = tab.Big(t.Val)
			for i, a := range t.Args {
				u = tab.Add(u, tab.Scale(t.Coef[i], visit(a)))
			}
		}
		done[t] = u
		return u
	}
	return visit(t)
}

// nearer is that of a and b which has the smaller constant, if they are a power of 2 apart;
// else t.
func nearer(tab *logic.Table, t, a, b *logic.Term) *logic.Term {
	d := tab.Sub(a, b)
	switch {
	case !d.IsConst() || !isModulus(d.Val):
		return t
	case constantIn(a).CmpAbs(constantIn(b)) <= 0:
		return a
	}
	return b
}

// isModulus reports whether d is what an integer type wraps around at, or the negative.
func isModulus(d *big.Int) bool {
	d = new(big.Int).Abs(d)
	for _, bits := range []uint{8, 16, 32, 64} {
		if d.Cmp(new(big.Int).Lsh(big.NewInt(1), bits)) == 0 {
			return true
		}
	}
	return false
}

// constantIn is the constant in a sum.
func constantIn(t *logic.Term) *big.Int {
	if t.Op == logic.OpSum {
		return t.Val
	}
	return new(big.Int)
}

package cex

import (
	"math/big"

	"c2bp/logic"
)

// This file reads numbers as if they had not wrapped around. n - 1 of an unsigned n is a case
// distinction between n - 1 and n + 2^32 - 1; where only a candidate is needed, the programmer had the
// former in mind.

// Unwrapped returns t with each distinction between two numbers that are a power of 2 apart replaced
// by the one with the smaller constant.
//
//	n >= 1 ? n - 1 : n + 2^32 - 1        n - 1
func Unwrapped(tab *logic.Table, t *logic.Term) *logic.Term {
	done := map[*logic.Term]*logic.Term{} // n - 1 - 1 - 1 has many ways to one n
	var visit func(t *logic.Term) *logic.Term
	visit = func(t *logic.Term) *logic.Term {
		if u := done[t]; u != nil {
			return u
		}
		// Distinctions occur alone or as summands.
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

// nearer returns that of a and b which has the smaller constant, if they are the modulus of an integer
// type apart; otherwise t, the distinction between them.
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

// isModulus reports whether d is the modulus of an integer type, or its negative.
func isModulus(d *big.Int) bool {
	d = new(big.Int).Abs(d)
	for _, bits := range []uint{8, 16, 32, 64} {
		if d.Cmp(new(big.Int).Lsh(big.NewInt(1), bits)) == 0 {
			return true
		}
	}
	return false
}

// constantIn returns the constant summand of t.
func constantIn(t *logic.Term) *big.Int {
	if t.Op == logic.OpSum {
		return t.Val
	}
	return new(big.Int)
}

package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file uses that a new object is different from all objects that are alive.

// unlikeNew returns phi, which is about the state before s, without the equations that cannot hold
// there, because the object that s makes is not alive yet:
//
//	WP(q := alloc, p = q)   p = new   false, if p points to a live object, or is null
//
// The values that cannot be in the new object are those for which package alias is certain
// (Aliases.Kept).
func (tr *Translator) unlikeNew(phi *logic.Term, s *core.Alloc) *logic.Term {
	t, made := tr.T, tr.Allocated(s)
	done := map[*logic.Term]*logic.Term{}
	// Rebuild the formula with false for such equations. Equations inside terms stay as they are.
	var without func(f *logic.Term) *logic.Term
	without = func(f *logic.Term) *logic.Term {
		if g := done[f]; g != nil {
			return g
		}
		g := f
		switch f.Op {
		case logic.OpNot:
			g = t.Not(without(f.Args[0]))
		case logic.OpAnd, logic.OpOr:
			var list []*logic.Term
			for _, a := range f.Args {
				list = append(list, without(a))
			}
			if g = t.And(list...); f.Op == logic.OpOr {
				g = t.Or(list...)
			}
		case logic.OpEq:
			if x, off := difference(f.Args[0], made); x != nil && off.Sign() >= 0 && off.Cmp(made.Val) < 0 && tr.kept(x, s) {
				g = t.False
			}
		}
		done[f] = g
		return g
	}
	return without(phi)
}

// difference returns x and k if s = 0 states that x is made + k; else nil.
func difference(s, made *logic.Term) (x *logic.Term, k *big.Int) {
	if s.Op != logic.OpSum || len(s.Args) != 2 {
		return nil, nil
	}
	// made is summand number at, and the two summands have opposite signs.
	at := 0
	if s.Args[1] == made {
		at = 1
	}
	one := big.NewInt(1)
	if s.Args[at] != made || s.Coef[at].CmpAbs(one) != 0 || s.Coef[1-at].CmpAbs(one) != 0 || s.Coef[0].Sign() == s.Coef[1].Sign() {
		return nil, nil
	}
	// made - x + k = 0, or x - made - k = 0.
	k = new(big.Int).Set(s.Val)
	if s.Coef[at].Sign() < 0 {
		k.Neg(k)
	}
	return s.Args[1-at], k
}

// kept reports whether the value x before s is certain not to be in the object that s makes.
func (tr *Translator) kept(x *logic.Term, s *core.Alloc) bool {
	if v := tr.mem.vars[x]; v != nil {
		return tr.mem.aliases.Kept(v.Ref(), s)
	}
	places := tr.mem.places[x]
	for _, l := range places {
		if !tr.mem.aliases.Kept(l, s) {
			return false
		}
	}
	return len(places) > 0
}

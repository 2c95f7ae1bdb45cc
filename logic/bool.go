package logic

import (
	"math/big"
	"sort"
)

// This file builds formulas in normal form.

// Bool returns the constant of that truth value.
func (t *Table) Bool(v bool) *Term {
	if v {
		return t.True
	}
	return t.False
}

// Le returns a <= b. Like those of Lt and Eq, the result need not be an atom: it may be a constant,
// or a formula over the conditions of case distinctions in a and b.
func (t *Table) Le(a, b *Term) *Term { return t.atom(OpLe, t.Sub(a, b)) }

// Lt returns a < b.
func (t *Table) Lt(a, b *Term) *Term { return t.atom(OpLe, t.Add(t.Sub(a, b), t.Int(1))) }

// Eq returns a = b.
func (t *Table) Eq(a, b *Term) *Term { return t.atom(OpEq, t.Sub(a, b)) }

// atom returns s <= 0 or s = 0 in normal form.
func (t *Table) atom(op Op, s *Term) *Term {
	// 1. Intervals may decide it, or addresses of two objects.
	if v, ok := decide(op, s); ok {
		return t.Bool(v)
	}
	if op == OpEq && t.apart(s) {
		return t.False
	}
	// 2. Turn case distinctions into formulas.
	if f := t.splitIte(op, s); f != nil {
		return f
	}
	if f := t.splitCase(op, s); f != nil {
		return f
	}
	// 3. Divide by the common divisor.
	if s.Op == OpSum {
		s = t.coprime(op, s)
		if s == nil {
			return t.False // an equation without integer solutions
		}
	}
	return t.intern(&Term{Op: op, Args: []*Term{s}})
}

// decide evaluates an atom by the interval of its term.
func decide(op Op, s *Term) (value, known bool) {
	// s <= 0 is decided if the whole interval is on one side of 0.
	below := s.Hi != nil && s.Hi.Sign() <= 0
	above := s.Lo != nil && s.Lo.Sign() > 0
	if op == OpLe {
		return below, below || above
	}
	// s = 0 holds for the interval [0, 0], and fails for intervals without 0.
	if s.Lo != nil && s.Hi != nil && s.Lo.Sign() == 0 && s.Hi.Sign() == 0 {
		return true, true
	}
	return false, above || s.Hi != nil && s.Hi.Sign() < 0
}

// splitIte turns an atom over c + k*ite(b, c1, c2) with constant branches into a formula over b;
// C's (x < y) == 0 is such an atom: ite(x < y, 1, 0) = 0 becomes !(x < y). It returns nil if s is
// not of that form.
func (t *Table) splitIte(op Op, s *Term) *Term {
	val, k, ite := new(big.Int), one, s
	if s.Op == OpSum && len(s.Args) == 1 {
		val, k, ite = s.Val, s.Coef[0], s.Args[0]
	}
	if ite.Op != OpIte || !ite.Args[1].IsConst() || !ite.Args[2].IsConst() {
		return nil
	}
	// branch is the atom with a constant in the place of the ite: true or false.
	branch := func(c *Term) *Term {
		v := new(big.Int).Mul(k, c.Val)
		return t.atom(op, t.Big(v.Add(v, val)))
	}
	b := ite.Args[0]
	return t.Or(t.And(b, branch(ite.Args[1])), t.And(t.Not(b), branch(ite.Args[2])))
}

// splitCase turns an atom over k*ite(x = y, a, b) + rest into a disjunction of cases. Reads over
// writes are such terms; often one of the cases is decided, or is one of the predicates. It returns
// nil if there is no such summand.
func (t *Table) splitCase(op Op, s *Term) *Term {
	// 1. Find the first summand that is such a case distinction.
	ite, k := s, one
	if s.Op == OpSum {
		ite = nil
		for i, a := range s.Args {
			if a.Op == OpIte && a.Args[0].Op == OpEq {
				ite, k = a, s.Coef[i]
				break
			}
		}
	}
	if ite == nil || ite.Op != OpIte || ite.Args[0].Op != OpEq || cases(ite) > maxCases || branches(s, maxBranches) >= maxBranches {
		return nil
	}
	// 2. In each case put its value in the place of the summand.
	branch := func(x *Term) *Term {
		n := newSum()
		n.add(one, s)
		n.add(new(big.Int).Neg(k), ite)
		n.add(k, x)
		return t.atom(op, n.term(t))
	}
	c := ite.Args[0]
	return t.Or(t.And(c, branch(ite.Args[1])), t.And(t.Not(c), branch(ite.Args[2])))
}

// maxCases bounds the case distinctions that are taken apart: nested in each other, they would make
// deep formulas.
const maxCases = 16

// maxBranches bounds the atoms that an atom is taken apart into: several distinctions in one sum multiply.
const maxBranches = 1024

// branches counts the terms without case distinctions that f is taken apart into, up to most.
func branches(f *Term, most int) int {
	switch {
	case f.Op == OpIte && f.Args[0].Op == OpEq:
		n := branches(f.Args[1], most)
		if n >= most {
			return most
		}
		return min(n+branches(f.Args[2], most-n), most)
	case f.Op == OpSum:
		n := 1
		for _, a := range f.Args {
			// Of n ways so far, each goes on in as many.
			if n *= branches(a, (most+n-1)/n); n >= most {
				return most
			}
		}
		return n
	}
	return 1
}

// cases counts the case distinctions in f that are nested in the last branch, up to maxCases + 1:
// ite(a, x, ite(b, y, z)) has two.
func cases(f *Term) int {
	n := 0
	for f.Op == OpIte && n <= maxCases {
		f, n = f.Args[2], n+1
	}
	return n
}

// coprime divides a sum by the common divisor of its coefficients, rounding the constant (over the
// integers 2x <= 3 is x <= 1); an equation gets a positive first coefficient. It returns nil if the
// equation has no solution.
func (t *Table) coprime(op Op, s *Term) *Term {
	// 1. The common divisor.
	g := new(big.Int)
	for _, c := range s.Coef {
		g.GCD(nil, nil, g, new(big.Int).Abs(c))
	}
	// 2. Divide the constant: exactly in an equation, rounded in an inequality.
	val := s.Val
	if op == OpEq {
		if new(big.Int).Mod(val, g).Sign() != 0 {
			return nil
		}
		if s.Coef[0].Sign() < 0 {
			g.Neg(g)
		}
		val = new(big.Int).Quo(val, g)
	} else {
		// Σ + val <= 0 iff Σ/g <= floor(-val/g) iff Σ/g + ceil(val/g) <= 0
		val = floorDiv(new(big.Int).Neg(val), g)
		val.Neg(val)
	}
	// 3. Divide the coefficients.
	n := newSum()
	n.val.Set(val)
	for i, a := range s.Args {
		n.addAtom(new(big.Int).Quo(s.Coef[i], g), a)
	}
	return n.term(t)
}

// Not returns the negation of f, which is made once.
func (t *Table) Not(f *Term) *Term {
	if f.not == nil {
		f.not = t.negate(f)
	}
	return f.not
}

// negate makes the negation of f: only equations get an OpNot.
func (t *Table) negate(f *Term) *Term {
	switch f.Op {
	case OpTrue:
		return t.False
	case OpFalse:
		return t.True
	case OpNot:
		return f.Args[0]
	case OpLe: // not s <= 0 iff 1 - s <= 0
		return t.atom(OpLe, t.Sub(t.Int(1), f.Args[0]))
	// De Morgan.
	case OpAnd, OpOr:
		args := make([]*Term, len(f.Args))
		for i, a := range f.Args {
			args[i] = t.Not(a)
		}
		if f.Op == OpAnd {
			return t.Or(args...)
		}
		return t.And(args...)
	case OpEq:
		return t.intern(&Term{Op: OpNot, Args: []*Term{f}})
	}
	panic("logic: negation of an integer")
}

// And returns the conjunction; of nothing, true.
func (t *Table) And(fs ...*Term) *Term { return t.junction(OpAnd, t.True, t.False, fs) }

// Or returns the disjunction; of nothing, false.
func (t *Table) Or(fs ...*Term) *Term { return t.junction(OpOr, t.False, t.True, fs) }

// junction flattens, sorts and simplifies a conjunction or disjunction with the given neutral and
// absorbing element.
func (t *Table) junction(op Op, neutral, absorbing *Term, fs []*Term) *Term {
	// 1. Flatten; the arguments of a term of this operator are flat already.
	var flat []*Term
	for _, f := range fs {
		switch {
		case f == neutral:
		case f == absorbing:
			return absorbing
		case f.Op == op:
			flat = append(flat, f.Args...)
		default:
			flat = append(flat, f)
		}
	}
	// 2. Sort, and drop repetitions.
	sort.Slice(flat, func(i, j int) bool { return less(flat[i], flat[j]) })
	has := make(map[*Term]bool, len(flat))
	args := flat[:0]
	for _, f := range flat {
		if !has[f] {
			has[f] = true
			args = append(args, f)
		}
	}
	// 3. Look for complementary literals. An equation is the complement of an OpNot, an
	// inequality that of another inequality: so it is enough to look at these two operators.
	for _, f := range args {
		if (f.Op == OpNot || f.Op == OpLe) && has[t.Not(f)] {
			return absorbing
		}
	}
	switch len(args) {
	case 0:
		return neutral
	case 1:
		return args[0]
	}
	return t.intern(&Term{Op: op, Args: args})
}

// Implies returns !a | b.
func (t *Table) Implies(a, b *Term) *Term { return t.Or(t.Not(a), b) }

package algebra

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
)

// This file simplifies predicates: i + 1 - 1 < n + 0 becomes i < n. That serves people, and it finds
// predicates that say the same. A wrong simplification would do no harm but cost: a predicate is
// true or false in a state, whatever it was meant to say.

// Simplify returns condition e in a simpler form; known is set if e is seen to be always true or
// always false. Unless exact, unsigned numbers are taken not to wrap around: the result is then
// simpler, and may differ from e where they do.
func Simplify(e core.Expr, exact bool) (simple core.Expr, known bool) {
	e = fold(e)
	switch x := e.(type) {
	case *core.Const:
		return e, true
	case *core.Unary:
		if x.Op == core.Not {
			inner, known := Simplify(x.X, exact)
			return core.Negate(inner), known
		}
	case *core.Binary:
		if x.Op.IsComparison() {
			return simplifyComparison(x, exact)
		}
	}
	return e, false
}

// fold computes operations on constants, from the inside out.
func fold(e core.Expr) core.Expr {
	// 1. Fold the operands.
	children := core.Children(e)
	if len(children) == 0 {
		return e
	}
	folded, constant, changed := make([]core.Expr, len(children)), true, false
	for i, c := range children {
		folded[i] = fold(c)
		_, isConst := folded[i].(*core.Const)
		constant = constant && isConst
		changed = changed || folded[i] != c
	}
	if changed {
		e = core.WithChildren(e, folded)
	}
	// 2. Addresses keep their spelling.
	t, isInt := e.Type().(core.Int)
	switch x := e.(type) {
	case *core.Mem, *core.Offset, *core.Index, *core.Diff, *core.ToPtr, *core.ToInt:
		return e
	case *core.Conv:
		if from, ok := x.X.Type().(core.Int); ok && from == x.To {
			return x.X
		}
	}
	// 3. Compute the operation if they are all constants, and the mathematical value fits the type.
	if !isInt {
		return e
	}
	if !constant {
		return foldSum(e, t)
	}
	if v := core.EvalMath(e, nil); t.Contains(v) {
		return &core.Const{Val: v, Typ: t}
	}
	return e
}

// foldSum returns e, of type t, with one constant for two that are added one after the other: i + 1 + 1 is i + 2. In a
// conversion, as in (size_t)(i + 1 + 1) < 47, which is no sum of numbers, a loop would add another 1 in each round.
func foldSum(e core.Expr, t core.Int) core.Expr {
	x, k := addend(e)
	if k == nil {
		return e
	}
	inner, l := addend(x)
	if l == nil {
		return e
	}
	sum := new(big.Int).Add(k, l)
	switch {
	case sum.Sign() == 0:
		return inner
	case sum.Sign() < 0 && t.Contains(new(big.Int).Neg(sum)):
		return &core.Binary{Op: core.Sub, X: inner, Y: &core.Const{Val: sum.Neg(sum), Typ: t}}
	case t.Contains(sum):
		return &core.Binary{Op: core.Add, X: inner, Y: &core.Const{Val: sum, Typ: t}}
	}
	return e
}

// addend returns x and k if e is x + k or x - -k for a constant k; k is nil if it is neither.
func addend(e core.Expr) (x core.Expr, k *big.Int) {
	b, ok := e.(*core.Binary)
	if !ok || b.Op != core.Add && b.Op != core.Sub {
		return nil, nil
	}
	c, ok := b.Y.(*core.Const)
	switch {
	case !ok:
		return nil, nil
	case b.Op == core.Sub:
		return b.X, new(big.Int).Neg(c.Val)
	}
	return b.X, c.Val
}

// Sum is a linear expression over the integers: Constant + Σ Factors[i]·Atoms[i], with different
// Atoms. For 2 * i - (j - 3) the atoms are i and j, the factors 2 and -1, the constant 3.
type Sum struct {
	Constant *big.Int
	Atoms    []core.Expr
	Factors  []*big.Int
	Exact    bool // unsigned arithmetic wraps around: it is no sum
}

// Add adds k·e to the sum. It looks into conversions that keep values, negations, sums, differences
// and products with a constant, of signed numbers, and if not s.Exact of unsigned ones, too; anything
// else is an atom.
func (s *Sum) Add(k *big.Int, e core.Expr) {
	switch x := e.(type) {
	case *core.Const:
		s.Constant.Add(s.Constant, new(big.Int).Mul(k, x.Val))
		return
	case *core.Conv:
		if from, ok := x.X.Type().(core.Int); ok && x.To.Holds(from) && !x.To.Bool && (from.Signed || !s.Exact) {
			s.Add(k, x.X)
			return
		}
	case *core.Unary:
		if t, ok := x.Type().(core.Int); ok && x.Op == core.Neg && t.Signed {
			s.Add(new(big.Int).Neg(k), x.X)
			return
		}
	case *core.Binary:
		if t, ok := x.Type().(core.Int); ok && (t.Signed || !s.Exact) && s.addBinary(k, x) {
			return
		}
	}
	s.AddAtom(k, e)
}

// addBinary adds k·x if x is a sum, a difference or a product with a constant; it reports whether
// that is so.
func (s *Sum) addBinary(k *big.Int, x *core.Binary) bool {
	switch x.Op {
	case core.Add:
		s.Add(k, x.X)
		s.Add(k, x.Y)
		return true
	case core.Sub:
		s.Add(k, x.X)
		s.Add(new(big.Int).Neg(k), x.Y)
		return true
	case core.Mul:
		if c, ok := x.X.(*core.Const); ok {
			s.Add(new(big.Int).Mul(k, c.Val), x.Y)
			return true
		}
		if c, ok := x.Y.(*core.Const); ok {
			s.Add(new(big.Int).Mul(k, c.Val), x.X)
			return true
		}
	}
	return false
}

// AddAtom adds k·e without looking into e.
func (s *Sum) AddAtom(k *big.Int, e core.Expr) {
	for i, a := range s.Atoms {
		if core.Equal(a, e) {
			s.Factors[i] = new(big.Int).Add(s.Factors[i], k)
			return
		}
	}
	s.Atoms = append(s.Atoms, e)
	s.Factors = append(s.Factors, k)
}

// simplifyComparison brings a comparison of numbers to the form sum op sum with each atom once; known
// is set if no atom is left, or both sides are equal.
func simplifyComparison(x *core.Binary, exact bool) (core.Expr, bool) {
	// Pointers are compared by their bases. Of other values that are no integers, and of unsigned ones if
	// the answer is to be exact, all that is seen is that both sides are the same expression.
	t, ok := x.X.Type().(core.Int)
	if _, isPtr := x.X.Type().(core.Ptr); isPtr && (x.Op == core.Eq || x.Op == core.Ne) {
		return simplifyPointers(x)
	}
	if !ok || exact && !t.Signed {
		if core.Equal(x.X, x.Y) {
			return x, true
		}
		return x, false
	}
	// Collect x.X - x.Y, and spell it as a comparison of two sums without negative factors.
	s := &Sum{Constant: new(big.Int), Exact: exact}
	s.Add(big.NewInt(1), x.X)
	s.Add(big.NewInt(-1), x.Y)
	s.Compact()
	if len(s.Atoms) == 0 {
		return x, true
	}
	left, right, ok := s.Sides(t)
	if !ok {
		return x, false
	}
	y := &core.Binary{Op: x.Op, X: left, Y: right}
	if core.Equal(left, right) {
		return y, true
	}
	return y, false
}

// Compact drops atoms with factor 0, and divides all factors by their greatest common divisor if that
// divides the constant, too.
func (s *Sum) Compact() {
	var atoms []core.Expr
	var factors []*big.Int
	common := new(big.Int)
	for i, k := range s.Factors {
		// 1. Atoms with other factors than 0, and the common divisor of these.
		if k.Sign() != 0 {
			atoms, factors = append(atoms, s.Atoms[i]), append(factors, k)
			common.GCD(nil, nil, common, new(big.Int).Abs(k))
		}
	}
	s.Atoms, s.Factors = atoms, factors
	// 2. Division must keep the constant an integer: 2·i + 1 <= 2·j has no simpler form.
	if common.Cmp(big.NewInt(1)) <= 0 || new(big.Int).Rem(s.Constant, common).Sign() != 0 {
		return
	}
	s.Constant.Quo(s.Constant, common)
	for i, k := range s.Factors {
		s.Factors[i] = new(big.Int).Quo(k, common)
	}
}

// Sides returns two expressions of type t without negative factors, the difference of which is the
// sum; ok is false if a number does not fit t. For i - 2·j + 3 they are i + 3 and 2 * j.
func (s *Sum) Sides(t core.Int) (left, right core.Expr, ok bool) {
	order := make([]int, len(s.Atoms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return s.Factors[j].Sign() - s.Factors[i].Sign() })
	plus := func(to *core.Expr, e core.Expr) {
		if *to == nil {
			*to = e
			return
		}
		*to = &core.Binary{Op: core.Add, X: *to, Y: e}
	}
	ok = true
	number := func(v *big.Int) core.Expr {
		ok = ok && t.Contains(v)
		return &core.Const{Val: v, Typ: t}
	}
	// 1. Atoms with positive factors go to the left side, others to the right, each in its order.
	for _, i := range order {
		side, k := &left, s.Factors[i]
		if k.Sign() < 0 {
			side, k = &right, new(big.Int).Neg(k)
		}
		var e core.Expr = s.Atoms[i]
		if e.Type() != core.Type(t) {
			e = &core.Conv{X: e, To: t}
		}
		if k.Cmp(big.NewInt(1)) != 0 {
			e = &core.Binary{Op: core.Mul, X: number(k), Y: e}
		}
		plus(side, e)
	}
	// 2. The constant goes to the side that has no atoms; otherwise to where it is positive.
	switch c := s.Constant; {
	case left == nil: // 0 - right + c
		left = number(c)
	case right == nil:
		right = number(new(big.Int).Neg(c))
	case c.Sign() > 0:
		plus(&left, number(c))
	case c.Sign() < 0:
		plus(&right, number(new(big.Int).Neg(c)))
	}
	return left, right, ok
}

// Expression returns the sum as an expression of type t; nil if a number does not fit. For i - 2·j + 3
// that is i + -2 * j + 3.
func (s *Sum) Expression(t core.Int) core.Expr {
	var e core.Expr
	fits := true
	number := func(v *big.Int) core.Expr {
		fits = fits && t.Contains(v)
		return &core.Const{Val: v, Typ: t}
	}
	for i, a := range s.Atoms {
		a = Convert(a, t)
		k := s.Factors[i]
		switch {
		case k.Cmp(big.NewInt(1)) == 0 && e == nil:
			e = a
		case k.Cmp(big.NewInt(1)) == 0:
			e = &core.Binary{Op: core.Add, X: e, Y: a}
		case k.Cmp(big.NewInt(-1)) == 0 && e != nil:
			e = &core.Binary{Op: core.Sub, X: e, Y: a}
		default:
			m := &core.Binary{Op: core.Mul, X: number(k), Y: a}
			if e == nil {
				e = m
			} else {
				e = &core.Binary{Op: core.Add, X: e, Y: m}
			}
		}
	}
	switch {
	case e == nil:
		e = number(s.Constant)
	case s.Constant.Sign() > 0:
		e = &core.Binary{Op: core.Add, X: e, Y: number(s.Constant)}
	case s.Constant.Sign() < 0:
		e = &core.Binary{Op: core.Sub, X: e, Y: number(new(big.Int).Neg(s.Constant))}
	}
	if !fits {
		return nil
	}
	return e
}

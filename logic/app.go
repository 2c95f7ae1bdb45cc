package logic

import "math/big"

// This file defines the uninterpreted functions with a meaning, and facts about them. A fact is
// about one application and holds under the intended meaning, so a proof that uses it is sound; a
// counterexample may not be real.

// The uninterpreted functions and their meanings: over integers, bit operations on two's complement
// of unbounded width.
const (
	FnMul = "mul" // x * y
	FnQuo = "quo" // x / y truncated; x / 0 = 0
	FnRem = "rem" // x % y with the sign of x; x % 0 = x
	FnAnd = "and"
	FnOr  = "or"
	FnXor = "xor"
	FnShl = "shl" // x * 2^y;         0 unless 0 <= y < 64
	FnShr = "shr" // floor(x / 2^y);  0 unless 0 <= y < 64
)

// Uninterpreted returns name(args…), simplified where the meaning is simple: two constants, a
// constant factor, divisor or shift, neutral elements. Arguments of commutative functions are
// ordered.
func (t *Table) Uninterpreted(name string, lo, hi *big.Int, args ...*Term) *Term {
	// 1. Floating-point operations and population counts of constants are computed.
	if f := floatOf(name); f != nil {
		if c := t.float(f, args); c != nil {
			return c
		}
		return t.App(name, lo, hi, args...)
	}
	if width := onesWidth(name); width > 0 && len(args) == 1 {
		if args[0].IsConst() {
			return t.Big(Meaning(name, []*big.Int{args[0].Val}))
		}
		return t.App(name, lo, hi, t.unwrapped(args[0], width))
	}
	// 2. Other functions: compute constants, order arguments (a constant comes second), look for
	// linear forms.
	if len(args) == 2 && HasMeaning(name) {
		a, b := args[0], args[1]
		if a.IsConst() && b.IsConst() {
			return t.Big(Meaning(name, []*big.Int{a.Val, b.Val}))
		}
		if commutes(name) && (a.IsConst() || !b.IsConst() && less(b, a)) {
			a, b = b, a
		}
		if r := t.simplifyApp(name, a, b); r != nil {
			return r
		}
		args = []*Term{a, b}
		// The range of a product is that of its factors, whatever it was in a term of which this one is an instance.
		if name == FnMul {
			lo, hi = productRange(a, b)
		}
	}
	return t.App(name, lo, hi, args...)
}

// commutes reports whether the function is commutative.
func commutes(name string) bool {
	return name == FnMul || name == FnAnd || name == FnOr || name == FnXor
}

// simplifyApp returns an application that is linear in a form without the function, nil if it is
// not linear. At most one of a and b is constant.
func (t *Table) simplifyApp(name string, a, b *Term) *Term {
	// 1. Bit operations on equal operands, and on operands without common bits.
	if a == b {
		switch name {
		case FnAnd, FnOr:
			return a
		case FnXor:
			return t.Int(0)
		}
	}
	bitwise := name == FnAnd || name == FnOr || name == FnXor
	// For example, 2*x | 1 is 2*x + 1 if x is in [0, 255].
	if bitwise {
		if r := t.disjoint(name, a, b); r != nil {
			return r
		}
	}
	// 2. Operations with a constant.
	if !b.IsConst() {
		return nil
	}
	k := b.Val
	switch name {
	case FnMul:
		return t.Scale(k, a)
	case FnQuo:
		if k.Sign() == 0 {
			return t.Int(0)
		}
		return t.Quo(a, k)
	case FnRem:
		if k.Sign() == 0 {
			return a
		}
		return t.Rem(a, k)
	case FnShl, FnShr:
		if k.Sign() < 0 || k.Cmp(big.NewInt(64)) >= 0 {
			return t.Int(0)
		}
		p := new(big.Int).Lsh(one, uint(k.Int64()))
		if name == FnShl {
			return t.Scale(p, a)
		}
		return t.Div(a, p)
	case FnAnd, FnOr, FnXor:
		return t.masked(name, a, k)
	}
	return nil
}

// HasMeaning reports whether name is one of the functions above, a floating-point operation or a
// population count. Any other function, such as the map of a memory region, may be anything.
func HasMeaning(name string) bool { return arity(name) > 0 }

// arity returns the number of arguments of a function with a meaning, 0 for others.
func arity(name string) int {
	switch name {
	case FnMul, FnQuo, FnRem, FnAnd, FnOr, FnXor, FnShl, FnShr:
		return 2
	}
	if f := floatOf(name); f != nil {
		return f.op.Arity()
	}
	if onesWidth(name) > 0 {
		return 1
	}
	return 0
}

// Meaning computes the function of that name, one that [HasMeaning].
func Meaning(name string, args []*big.Int) *big.Int {
	if f := floatOf(name); f != nil {
		return f.meaning(args)
	}
	if width := onesWidth(name); width > 0 {
		return big.NewInt(countOnes(args[0], width))
	}
	a, b := args[0], args[1]
	r := new(big.Int)
	// shift returns the amount of a shift; ok is false if that is out of range.
	shift := func() (uint, bool) {
		return uint(b.Uint64()), b.Sign() >= 0 && b.Cmp(big.NewInt(64)) < 0
	}
	switch name {
	case FnMul:
		r.Mul(a, b)
	case FnQuo:
		if b.Sign() != 0 {
			r.Quo(a, b)
		}
	case FnRem:
		// The remainder by 0 is the dividend, the quotient 0: see the constants.
		if b.Sign() == 0 {
			return r.Set(a)
		}
		r.Rem(a, b)
	case FnAnd:
		r.And(a, b)
	case FnOr:
		r.Or(a, b)
	case FnXor:
		r.Xor(a, b)
	case FnShl:
		if n, ok := shift(); ok {
			r.Lsh(a, n)
		}
	case FnShr:
		if n, ok := shift(); ok {
			r.Rsh(a, n)
		}
	default:
		panic("logic: no meaning of " + name)
	}
	return r
}

// Axioms returns facts about the application f (an OpApp): each is true under the
// intended meaning, for all values.
func (t *Table) Axioms(f *Term) []*Term {
	if width, ok := f.Ones(); ok {
		return t.onesAxioms(f, width)
	}
	// Population counts have one argument; the other functions with axioms have two.
	if len(f.Args) != 2 {
		return nil
	}
	a, b, zero := f.Args[0], f.Args[1], t.Int(0)
	nonNeg := func(x *Term) *Term { return t.Le(zero, x) }
	both := t.And(nonNeg(a), nonNeg(b))
	isZero := func(x *Term) *Term { return t.Eq(x, zero) }
	minus := func(x *Term) *Term { return t.Sub(zero, x) }
	switch f.Name {
	case FnMul:
		return t.productAxioms(f, a, b)
	case FnQuo: // with r the remainder: a = b*f + r, r and a of one sign, |r| < |b|
		return []*Term{
			// |f| <= |a|.
			t.Implies(nonNeg(a), t.And(t.Le(f, a), t.Le(minus(f), a))),
			t.Implies(t.Not(nonNeg(a)), t.And(t.Le(a, f), t.Le(f, minus(a)))),
			// The sign is that of the operands' signs.
			t.Implies(both, nonNeg(f)),
			t.Implies(t.And(t.Le(a, zero), nonNeg(b)), t.Le(f, zero)),
			t.Implies(t.And(nonNeg(a), t.Le(b, zero)), t.Le(f, zero)),
			t.Implies(t.And(t.Le(a, zero), t.Le(b, zero)), nonNeg(f)),
			// Divisors 1, -1 and a; quotients that are 0, and those that are positive.
			t.Implies(t.Eq(b, t.Int(1)), t.Eq(f, a)),
			t.Implies(t.Eq(b, t.Int(-1)), t.Eq(f, minus(a))),
			t.Implies(t.And(t.Eq(a, b), t.Not(isZero(b))), t.Eq(f, t.Int(1))),
			t.Implies(t.And(nonNeg(a), t.Lt(a, b)), isZero(f)),
			t.Implies(t.And(t.Lt(zero, b), t.Le(b, a)), t.Lt(zero, f)),
		}
	// The sign of the dividend; in absolute value below the divisor, and at most the dividend.
	case FnRem:
		return []*Term{
			t.Implies(nonNeg(a), t.And(nonNeg(f), t.Le(f, a))),
			t.Implies(t.Le(a, zero), t.And(t.Le(f, zero), t.Le(a, f))),
			t.Implies(t.Lt(zero, b), t.And(t.Lt(f, b), t.Lt(minus(b), f))),
			t.Implies(t.Lt(b, zero), t.And(t.Lt(b, f), t.Lt(f, minus(b)))),
			t.Implies(t.And(nonNeg(a), t.Lt(a, b)), t.Eq(f, a)),
			t.Implies(t.Eq(a, b), isZero(f)),
		}
	// A non-negative operand bounds the result.
	case FnAnd:
		return []*Term{
			t.Implies(nonNeg(a), t.And(nonNeg(f), t.Le(f, a))),
			t.Implies(nonNeg(b), t.And(nonNeg(f), t.Le(f, b))),
			t.Implies(t.Or(isZero(a), isZero(b)), isZero(f)),
			t.Implies(t.Eq(a, b), t.Eq(f, a)),
		}
	// The result lies between the operands and their sum.
	case FnOr:
		return []*Term{
			t.Implies(both, t.And(t.Le(a, f), t.Le(b, f), t.Le(f, t.Add(a, b)))),
			t.Implies(isZero(f), t.And(isZero(a), isZero(b))),
			t.Implies(isZero(a), t.Eq(f, b)),
			t.Implies(isZero(b), t.Eq(f, a)),
		}
	// At most the sum; 0 if and only if the operands are equal.
	case FnXor:
		return []*Term{
			t.Implies(both, t.And(nonNeg(f), t.Le(f, t.Add(a, b)))),
			t.And(t.Implies(isZero(f), t.Eq(a, b)), t.Implies(t.Eq(a, b), isZero(f))),
		}
	// Shifts keep a number non-negative; a shift by 0 changes nothing.
	case FnShl:
		return []*Term{
			t.Implies(nonNeg(a), nonNeg(f)),
			t.Implies(isZero(b), t.Eq(f, a)),
			t.Implies(isZero(a), isZero(f)),
		}
	case FnShr:
		return []*Term{
			t.Implies(nonNeg(a), t.And(nonNeg(f), t.Le(f, a))),
			t.Implies(t.Le(a, zero), t.And(t.Le(a, f), t.Le(f, zero))),
			t.Implies(isZero(b), t.Eq(f, a)),
		}
	}
	return nil
}

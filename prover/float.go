package prover

import (
	"math"
	"math/big"
	"runtime"

	"github.com/aclements/go-z3/z3"

	"c2bp/ieee"
	"c2bp/logic"
)

// This file defines floating-point operations for Z3, in its theory of floating point. To package
// logic the numbers are integers, their bits, and the operations are functions on integers. For a
// term x that is an operand, Z3 gets the floating-point number F(x), where F is a function that it
// knows at constants only; and for each application a fact:
//
//	ieee64.add(x, y)     F(ieee64.add(x, y)) = F(x) + F(y)
//	ieee64.lt(x, y)      ieee64.lt(x, y) = 1 if F(x) < F(y), else 0
//	ieee64.from(n)       F(ieee64.from(n)) is n as a bit vector, converted
//
// So equal integers are equal numbers, and the results obey Z3's theory. The facts do not say which
// bits a number has: for -0.0, 1.5 and NaN, Z3 can take any. That leaves more interpretations than
// there are, which is sound, and a hundred times faster than bit vectors instead of integers (two
// additions and a comparison: 0.7 s, not 6 s, and not all of the latter end).
//
// Operations that take Z3 too long are given by axioms: the square root, the remainders of a
// division.

// floats makes expressions of floating-point sorts in one context, each once: as with the
// encoder's, the maps keep them alive.
type floats struct {
	*encoder
	sorts  map[int]z3.Sort
	funcs  map[int]z3.FuncDecl // F, by width
	values map[floatKey]z3.Float
}

// floatKey identifies F(x) for numbers of a width.
type floatKey struct {
	term  logic.Hash
	width int
}

// newFloats returns the floating-point expressions of z's context.
func newFloats(z *encoder) *floats {
	return &floats{encoder: z, sorts: map[int]z3.Sort{}, funcs: map[int]z3.FuncDecl{}, values: map[floatKey]z3.Float{}}
}

// hasFloats reports whether a floating-point operation occurs in one of the formulas.
func hasFloats(fs ...[]*logic.Term) bool {
	for _, list := range fs {
		for _, f := range list {
			if f.HasFloats() {
				return true
			}
		}
	}
	return false
}

// sort returns the sort of numbers of 32 or 64 bits.
func (z *floats) sort(width int) z3.Sort {
	s, ok := z.sorts[width]
	if !ok {
		// Z3 counts bits of the exponent and of the significand, the hidden one included.
		if s = z.ctx.FloatSort(11, 53); width == 32 {
			s = z.ctx.FloatSort(8, 24)
		}
		z.sorts[width] = s
	}
	return s
}

// float returns F(x).
func (z *floats) float(x *logic.Term, width int) z3.Float {
	key := floatKey{x.Hash(), width}
	if v, ok := z.values[key]; ok {
		return v
	}
	v := z.makeFloat(x, width)
	z.values[key] = v
	return v
}

// makeFloat makes F(x), in terms of the operands if x is an operation.
func (z *floats) makeFloat(x *logic.Term, width int) z3.Float {
	// F(x) is known for constants, and pushed into the branches of a case distinction.
	switch {
	case isBits(x, width):
		return z.literalFloat(x.Val.Uint64(), width)
	case x.Op == logic.OpIte:
		return z.encoder.bool(x.Args[0]).IfThenElse(z.float(x.Args[1], width), z.float(x.Args[2], width)).(z3.Float)
	}
	if v, ok := z.result(x, width); ok {
		return v
	}
	return z.unknown(x, width)
}

// unknown makes F(x) for an x that only facts say something about.
func (z *floats) unknown(x *logic.Term, width int) z3.Float {
	f, ok := z.funcs[width]
	if !ok {
		name := map[int]string{32: "float32", 64: "float64"}[width]
		f = z.ctx.FuncDecl(name, []z3.Sort{z.intSort}, z.sort(width))
		z.funcs[width] = f
	}
	return f.Apply(z.int(x)).(z3.Float)
}

// isBits reports whether x is a constant that is the bits of a number.
func isBits(x *logic.Term, width int) bool {
	return x.IsConst() && x.Val.Sign() >= 0 && x.Val.BitLen() <= width
}

// literalFloat makes the number with these bits.
func (z *floats) literalFloat(bits uint64, width int) z3.Float {
	s := z.sort(width)
	v := math.Float64frombits(bits)
	if width == 32 {
		v = float64(math.Float32frombits(uint32(bits)))
	}
	// Z3 has constructors of their own for special values.
	switch {
	case v != v:
		return z.ctx.FloatNaN(s)
	case math.IsInf(v, 0):
		return z.ctx.FloatInf(s, v < 0)
	case v == 0:
		return z.ctx.FloatZero(s, math.Signbit(v))
	case width == 32:
		return z.ctx.FromFloat32(float32(v), s)
	}
	return z.ctx.FromFloat64(v, s)
}

// zeroFloat makes 0.0.
func (z *floats) zeroFloat(width int) z3.Float { return z.literalFloat(0, width) }

// rounding calls f with another rounding mode, that of all operations made meanwhile.
func (z *floats) rounding(rm z3.RoundingMode, f func() z3.Value) z3.Value {
	old := z.ctx.SetRoundingMode(rm)
	defer z.ctx.SetRoundingMode(old)
	return f()
}

// fact defines the application f of op; ok is false if nothing is said.
func (z *floats) fact(f *logic.Term, op ieee.Op, width int) (fact z3.Bool, ok bool) {
	// 1. Conversions from and to integers, and the sign, which is a bit.
	switch op {
	case ieee.FromInt:
		if v, ok := z.fromInt(f, width); ok {
			return z.unknown(f, width).Eq(v), true
		}
		return fact, false
	case ieee.ToInt:
		return z.toInt(f, width), true
	case ieee.Sign:
		return z.int(f).Eq(z.truth(z.negative(f.Args[0], width))).And(z.signed(f.Args[0], width)), true
	}
	// 2. Operations whose result is a truth value, and those known by axioms.
	x := z.float(f.Args[0], width)
	y := x
	if len(f.Args) > 1 {
		y = z.float(f.Args[1], width)
	}
	switch op {
	case ieee.Eq:
		return z.int(f).Eq(z.truth(x.IEEEEq(y))), true
	case ieee.Lt:
		return z.int(f).Eq(z.truth(x.LT(y))), true
	case ieee.Le:
		return z.int(f).Eq(z.truth(x.LE(y))), true
	case ieee.Sqrt:
		return z.squareRoot(z.float(f, width), x, width), true
	case ieee.Mod, ieee.Remainder:
		return z.remainder(op, z.float(f, width), x, y, width), true
	case ieee.Resize:
		width = 96 - width
	}
	// 3. Operations whose result is a number: F(f) is the result. For changes of the sign the bits
	// are known as well.
	v := z.float(f, width)
	same := z.unknown(f, width).Eq(v) // also for terms that are equal to f
	switch op {
	case ieee.CopySign:
		return same.And(z.signed(f.Args[1], width)), true
	case ieee.Neg:
		return same.And(z.flipped(f, width)), true
	case ieee.Abs:
		return same.And(z.cleared(f, width)), true
	}
	return same, true
}

// result returns F(x) for an operation x in terms of its operands; ok is false for operations that
// are known by some facts only, and for other terms.
func (z *floats) result(x *logic.Term, width int) (v z3.Float, ok bool) {
	op, from, ok := x.Float()
	if !ok || op.IsTruth() || op == ieee.ToInt || op == ieee.Sqrt || op == ieee.Mod || op == ieee.Remainder {
		return v, false
	}
	// The result must be a number of this width. Resize makes one of the other width: 96-width.
	if to := from; op == ieee.Resize && width != 96-to || op != ieee.Resize && width != to {
		return v, false // the bits of another type
	}
	// Here the operand is an integer, not a number.
	if op == ieee.FromInt {
		return z.fromInt(x, width)
	}
	// Apply the operation to the operands.
	a := z.float(x.Args[0], from)
	switch op {
	case ieee.Resize:
		return a.ToFloat(z.sort(width)), true
	case ieee.Neg:
		return a.Neg(), true
	case ieee.Abs:
		return a.Abs(), true
	case ieee.CopySign:
		// The sign is the bit of the integer, even of a NaN; see signed.
		return z.negative(x.Args[1], width).IfThenElse(a.Abs().Neg(), a.Abs()).(z3.Float), true
	}
	return z.arithmetic(op, a, z.float(x.Args[len(x.Args)-1], from)), true
}

// arithmetic applies op to x and, if it has two operands, y.
func (z *floats) arithmetic(op ieee.Op, x, y z3.Float) z3.Float {
	switch op {
	case ieee.Add:
		return x.Add(y)
	case ieee.Sub:
		return x.Sub(y)
	case ieee.Mul:
		return x.Mul(y)
	case ieee.Div:
		return x.Div(y)
	case ieee.Floor:
		return x.Round(z3.RoundToNegative)
	case ieee.Ceil:
		return x.Round(z3.RoundToPositive)
	case ieee.Trunc:
		return x.Round(z3.RoundToZero)
	case ieee.Round:
		return x.Round(z3.RoundToNearestAway)
	case ieee.Rint:
		return x.Round(z3.RoundToNearestEven)
	}
	panic("prover: no floating-point operation: " + op.String())
}

// truth returns 1 where b holds, else 0.
func (z *floats) truth(b z3.Bool) z3.Int {
	return b.IfThenElse(z.encoder.number(big.NewInt(1)), z.zero).(z3.Int)
}

// signBit returns the number with only the sign bit set.
func (z *floats) signBit(width int) z3.Int {
	return z.encoder.number(new(big.Int).Lsh(big.NewInt(1), uint(width-1)))
}

// negative states that the sign of x is set.
func (z *floats) negative(x *logic.Term, width int) z3.Bool { return z.int(x).GE(z.signBit(width)) }

// signed states that the sign of F(x) is that in the bits, if F(x) is a number.
func (z *floats) signed(x *logic.Term, width int) z3.Bool {
	v := z.float(x, width)
	return v.IsNaN().Or(z.negative(x, width).Iff(v.IsNegative()))
}

// flipped states that f has the bits of its operand with the other sign.
func (z *floats) flipped(f *logic.Term, width int) z3.Bool {
	x, sign := z.int(f.Args[0]), z.signBit(width)
	return z.int(f).Eq(z.negative(f.Args[0], width).IfThenElse(x.Sub(sign), x.Add(sign)).(z3.Int))
}

// cleared states that f has the bits of its operand without the sign.
func (z *floats) cleared(f *logic.Term, width int) z3.Bool {
	x := z.int(f.Args[0])
	return z.int(f).Eq(z.negative(f.Args[0], width).IfThenElse(x.Sub(z.signBit(width)), x).(z3.Int))
}

// fromInt converts the operand of f, an integer, to a number; ok is false if the range of the
// integer is unknown or too wide.
func (z *floats) fromInt(f *logic.Term, width int) (v z3.Float, ok bool) {
	n := f.Args[0]
	if n.Lo == nil || n.Hi == nil {
		return v, false
	}
	// One bit more for the sign.
	bits := max(n.Lo.BitLen(), n.Hi.BitLen()) + 1
	if bits > 80 {
		return v, false
	}
	return z.int(n).ToBV(bits).SToFloat(z.sort(width)), true
}

// toInt states that f is the whole part of its operand where that is in the range of f; elsewhere
// the conversion is undefined, and f is 0.
func (z *floats) toInt(f *logic.Term, width int) z3.Bool {
	x := z.float(f.Args[0], width)
	// 1. Compare the operand with the bounds of the range: it fits if lo-1 < x < hi+1.
	lo, hi := f.FloatRange()
	below, above := new(big.Int).Sub(lo, big.NewInt(1)), new(big.Int).Add(hi, big.NewInt(1))
	bound := func(v *big.Int) z3.Float { return z.literalFloat(ieee.FromBig(v, width), width) }
	fits := x.LT(bound(above)) // a power of two: exact
	if exact, _ := ieee.Whole(ieee.FromBig(below, width), width); exact.Cmp(below) == 0 {
		fits = fits.And(x.GT(bound(below)))
	} else { // then there is no number between it and lo
		fits = fits.And(x.GE(bound(lo)))
	}
	// 2. Convert it to a bit vector that holds the range.
	bits := max(lo.BitLen(), hi.BitLen()) + 1
	whole := z.rounding(z3.RoundToZero, func() z3.Value { return x.ToSBV(bits) }).(z3.BV).SToInt()
	return fits.IfThenElse(z.int(f).Eq(whole), z.int(f).Eq(z.zero)).(z3.Bool)
}

// squareRoot states simple facts about r, the square root of x.
func (z *floats) squareRoot(r, x z3.Float, width int) z3.Bool {
	// NaN, zero, infinity, signs; between the operand and 1.
	one, zero := z.literalFloat(ieee.FromBig(big.NewInt(1), width), width), z.zeroFloat(width)
	return z.all(
		x.IsNaN().Or(x.LT(zero)).Iff(r.IsNaN()),
		x.IsZero().Implies(r.Eq(x)),
		x.IsInfinite().And(x.GT(zero)).Iff(r.IsInfinite()),
		x.GT(zero).Implies(r.GT(zero)),
		x.GE(one).Implies(r.GE(one).And(r.LE(x))),
		x.GE(zero).And(x.LE(one)).Implies(r.GE(x).And(r.LE(one))),
	)
}

// remainder states simple facts about r, the remainder of the division of x by y.
func (z *floats) remainder(op ieee.Op, r, x, y z3.Float, width int) z3.Bool {
	// The remainder is a NaN where it is undefined; else it is below both operands in absolute
	// value. fmod is strictly below the divisor and has the sign of the dividend.
	undefined := z.any(x.IsNaN(), y.IsNaN(), x.IsInfinite(), y.IsZero())
	facts := []z3.Bool{
		undefined.Iff(r.IsNaN()),
		undefined.Or(r.Abs().LE(x.Abs())),
		undefined.Or(r.Abs().LE(y.Abs())),
	}
	if op == ieee.Mod {
		facts = append(facts, undefined.Or(r.Abs().LT(y.Abs())), undefined.Or(r.IsNegative().Iff(x.IsNegative())))
	}
	return z.all(facts...)
}

// all returns the conjunction of list.
func (z *floats) all(list ...z3.Bool) z3.Bool {
	defer runtime.KeepAlive(list)
	return list[0].And(list[1:]...)
}

// any returns the disjunction of list.
func (z *floats) any(list ...z3.Bool) z3.Bool {
	defer runtime.KeepAlive(list)
	return list[0].Or(list[1:]...)
}

// operand is a term that is read as a floating-point number.
type operand struct {
	term  *logic.Term
	width int
}

// operandsOf lists the terms whose F occurs in the facts about applications, except constants:
// operands, and the results that are numbers. Each is listed once for each width that it is read
// with.
func operandsOf(apps []*logic.Term) (list []operand) {
	seen := map[operand]bool{}
	var add func(x *logic.Term, width int)
	// Of a case distinction the branches are the operands.
	add = func(x *logic.Term, width int) {
		o := operand{x, width}
		switch {
		case x.IsConst() || seen[o]:
		case x.Op == logic.OpIte:
			add(x.Args[1], width)
			add(x.Args[2], width)
		default:
			seen[o] = true
			list = append(list, o)
		}
	}
	// The operands and, if it is a number, the result of each application.
	for _, f := range apps {
		op, width, ok := f.Float()
		if !ok {
			continue
		}
		switch {
		case op == ieee.FromInt:
		case op == ieee.Resize:
			add(f, 96-width)
		case !op.IsTruth() && op != ieee.ToInt:
			add(f, width)
		}
		if op == ieee.FromInt {
			add(f, width)
			continue
		}
		for _, x := range f.Args {
			add(x, width)
		}
	}
	return list
}

// equations states which numbers operands are where an atom of a literal says which bits they are:
// for the atom x = 0x3ff0000000000000, that this implies F(x) = 1.0. Z3 does not know otherwise:
// the number of a constant is made without F.
func (z *floats) equations(infos []*literal) (facts []z3.Bool) {
	var apps []*logic.Term
	for _, l := range infos {
		apps = append(apps, l.apps...)
	}
	// For each operand and each atom that says which bits it is: then it is that number.
	for _, o := range operandsOf(apps) {
		for _, l := range infos {
			for _, eq := range l.equations {
				if eq.term == o.term && isBits(eq.value, o.width) {
					facts = append(facts, z.int(o.term).Eq(z.int(eq.value)).Implies(z.float(o.term, o.width).Eq(z.float(eq.value, o.width))))
				}
			}
		}
	}
	return facts
}

// bitEquation is an atom that says which number a term is.
type bitEquation struct{ term, value *logic.Term }

// bitEquations lists the equations in f of a term with a constant.
func bitEquations(f *logic.Term, t *logic.Table) (list []bitEquation) {
	for f := range logic.Subterms(f) {
		// c + x = 0 and c - x = 0 give the value of x.
		if s := f.Args; f.Op == logic.OpEq && s[0].Op == logic.OpSum && len(s[0].Args) == 1 && s[0].Coef[0].CmpAbs(big.NewInt(1)) == 0 {
			v := new(big.Int).Neg(s[0].Val)
			v.Mul(v, s[0].Coef[0])
			list = append(list, bitEquation{s[0].Args[0], t.Big(v)})
		} else if f.Op == logic.OpEq && s[0].Op != logic.OpSum {
			list = append(list, bitEquation{s[0], t.Int(0)})
		}
	}
	return list
}

// bitsIn returns the bits of F(x) in a model of Z3, those of the usual NaN if it is none.
func (z *floats) bitsIn(from *z3.Model, o operand) (*big.Int, bool) {
	v, ok := from.Eval(z.float(o.term, o.width), true).(z3.Float)
	if !ok {
		return nil, false
	}
	f, ok := v.AsBigFloat()
	if !ok {
		return nil, false
	}
	// A nil f is a NaN.
	var bits uint64
	switch {
	case f == nil:
		// Z3 has one NaN: it becomes the quiet one without payload.
		bits = 0x7ff8 << 48
		if o.width == 32 {
			bits = 0x7fc0 << 16
		}
	case o.width == 32:
		g, _ := f.Float32()
		bits = uint64(math.Float32bits(g))
	default:
		g, _ := f.Float64()
		bits = math.Float64bits(g)
	}
	return new(big.Int).SetUint64(bits), true
}

package logic

import (
	"math/big"
	"strings"
	"sync"

	"c2bp/ieee"
)

// This file defines functions on floating-point numbers, which are integers here: their bits. So
// floating point needs no sort of its own. Code that reads and writes memory, copies it or compares
// it bit by bit treats a float as any other number. Only package prover, which asks Z3 about the
// meaning of the functions, knows that
//
//	ieee64.add(x, y)        the bits of the sum of two doubles
//	ieee32.lt(x, y)         1 if the float x is less than y, else 0
//	ieee64.from(n)          the bits of the double nearest to the integer n
//	ieee64.to:-128:127(x)   the whole part of the double x; 0 if it is not in the range
//	ieee64.resize(x)        the bits of the float that the double x becomes

// floatFunction is the meaning of a name.
type floatFunction struct {
	op     ieee.Op
	width  int      // of the floating-point operands, or of the result if they are integers
	lo, hi *big.Int // of the result of ieee.ToInt
}

// FloatName returns the name of op on numbers of width bits; ieee.ToInt has results in [lo, hi],
// and ieee.Resize converts from width bits to the other width.
func FloatName(op ieee.Op, width int, lo, hi *big.Int) string {
	name := "ieee64."
	if width == 32 {
		name = "ieee32."
	}
	name += op.String()
	if op == ieee.ToInt {
		name += ":" + lo.String() + ":" + hi.String()
	}
	return name
}

// floatFunctions caches the meanings of names; it maps a string to a *floatFunction.
var floatFunctions sync.Map

// floatOf returns the function of that name; nil if it is not one on floating-point numbers.
func floatOf(name string) *floatFunction {
	if !strings.HasPrefix(name, "ieee") {
		return nil
	}
	if f, ok := floatFunctions.Load(name); ok {
		return f.(*floatFunction)
	}
	f := parseFloatName(name)
	floatFunctions.Store(name, f)
	return f
}

// parseFloatName parses a name that FloatName made; nil if it is none.
func parseFloatName(name string) *floatFunction {
	width := map[string]int{"ieee32.": 32, "ieee64.": 64}[name[:min(7, len(name))]]
	if width == 0 {
		return nil
	}
	// After the width comes the operation and, for ToInt, the bounds of the result.
	op, bounds, _ := strings.Cut(name[7:], ":")
	f := &floatFunction{width: width}
	var ok bool
	if f.op, ok = ieee.Named(op); !ok {
		return nil
	}
	if f.op == ieee.ToInt {
		low, high, _ := strings.Cut(bounds, ":")
		var okLo, okHi bool
		f.lo, okLo = new(big.Int).SetString(low, 10)
		f.hi, okHi = new(big.Int).SetString(high, 10)
		if !okLo || !okHi {
			return nil
		}
	}
	return f
}

// Float returns the operation that the application f stands for, and the width of its operands, or
// of the result if only that is a floating-point number; ok is false for other terms.
func (f *Term) Float() (op ieee.Op, width int, ok bool) {
	if f.Op != OpApp {
		return 0, 0, false
	}
	fn := floatOf(f.Name)
	if fn == nil || len(f.Args) != fn.op.Arity() {
		return 0, 0, false
	}
	return fn.op, fn.width, true
}

// FloatRange returns the range of the results of f, an application of ieee.ToInt.
func (f *Term) FloatRange() (lo, hi *big.Int) {
	fn := floatOf(f.Name)
	return fn.lo, fn.hi
}

// meaning returns the value of f: truth values are 0 and 1, numbers are bits. Arguments that are
// not the bits of a number of that width, which occur in models alone, are cut.
func (f *floatFunction) meaning(args []*big.Int) *big.Int {
	if f.op == ieee.FromInt {
		// An integer of any size, rounded to the nearest number.
		return new(big.Int).SetUint64(ieee.FromBig(args[0], f.width))
	}
	// bits returns argument i, cut to the width.
	mask := ones(f.width)
	bits := func(i int) uint64 { return new(big.Int).And(args[i], mask).Uint64() }
	switch f.op {
	case ieee.ToInt:
		whole, ok := ieee.Whole(bits(0), f.width)
		if !ok || whole.Cmp(f.lo) < 0 || whole.Cmp(f.hi) > 0 {
			return new(big.Int)
		}
		return whole
	case ieee.Resize:
		// The other width: 96 - 32 is 64, and 96 - 64 is 32.
		return new(big.Int).SetUint64(ieee.Resized(bits(0), f.width, 96-f.width))
	}
	// Operations on one number ignore y.
	y := uint64(0)
	if len(args) > 1 {
		y = bits(1)
	}
	return new(big.Int).SetUint64(ieee.Apply(f.op, f.width, bits(0), y))
}

// float returns the value of f for constant arguments; nil if they are not constant, and where
// compilers may differ: in the bits of a NaN, and where the result is not defined.
func (t *Table) float(f *floatFunction, args []*Term) *Term {
	values := make([]*big.Int, len(args))
	for i, a := range args {
		if !a.IsConst() || f.op != ieee.FromInt && (a.Val.Sign() < 0 || a.Val.BitLen() > f.width) {
			return nil
		}
		values[i] = a.Val
	}
	// Leave the result open where compilers may differ.
	v := f.meaning(values)
	switch {
	case f.op.IsTruth():
	case f.op == ieee.ToInt:
		// A whole part that is not v is outside the range: C11 6.3.1.4p1 leaves its result
		// undefined.
		whole, ok := ieee.Whole(values[0].Uint64(), f.width)
		if !ok || whole.Cmp(v) != 0 {
			return nil
		}
	case f.op == ieee.Resize:
		if ieee.IsNaN(v.Uint64(), 96-f.width) {
			return nil
		}
	case ieee.IsNaN(v.Uint64(), f.width):
		return nil
	}
	return t.Big(v)
}

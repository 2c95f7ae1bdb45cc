package zom

import (
	"math"
	"math/big"
	"testing"
)

// numbersOf are interesting values of a type of integers, as words.
func numbersOf(t Number) []Word {
	lo, hi := rangeOf(t)
	var list []Word
	for _, near := range []*big.Int{lo, hi, big.NewInt(0), big.NewInt(7)} {
		for d := int64(-2); d <= 2; d++ {
			if x := new(big.Int).Add(near, big.NewInt(d)); x.Cmp(lo) >= 0 && x.Cmp(hi) <= 0 {
				list = append(list, wordOf(x))
			}
		}
	}
	return list
}

// rangeOf returns the bounds of a type of integers.
func rangeOf(t Number) (lo, hi *big.Int) {
	if t == UInt64 {
		return new(big.Int), new(big.Int).SetUint64(math.MaxUint64)
	}
	return big.NewInt(bounds[t][0]), big.NewInt(bounds[t][1])
}

// bigOf returns the number that a word stands for, wordOf the word of a number.
func bigOf(t Number, w Word) *big.Int {
	if t == UInt64 {
		return new(big.Int).SetUint64(uint64(w))
	}
	return big.NewInt(w)
}

func wordOf(x *big.Int) Word {
	if x.IsUint64() {
		return Word(x.Uint64())
	}
	return x.Int64()
}

// TestCalculate compares arithmetic of all types of integers with exact arithmetic.
func TestCalculate(t *testing.T) {
	ops := map[Calculation]func(z, x, y *big.Int) *big.Int{
		Plus: (*big.Int).Add, Minus: (*big.Int).Sub, Times: (*big.Int).Mul, Quotient: (*big.Int).Quo, Remainder: (*big.Int).Rem,
		BitAnd: (*big.Int).And, BitOr: (*big.Int).Or, BitXor: (*big.Int).Xor,
		Negate: func(z, x, _ *big.Int) *big.Int { return z.Neg(x) },
	}
	for typ := Byte; typ <= UInt64; typ++ {
		lo, hi := rangeOf(typ)
		for _, x := range numbersOf(typ) {
			for _, y := range numbersOf(typ) {
				bx, by := bigOf(typ, x), bigOf(typ, y)
				for op, exactly := range ops {
					got, o := calculate(CalcOf(op, typ, false), x, y)
					if (op == Quotient || op == Remainder) && y == 0 {
						if o != DivByZero {
							t.Errorf("%d %s 0: %v", x, calculationNames[op], o)
						}
						continue
					}
					want := exactly(new(big.Int), bx, by)
					fits := want.Cmp(lo) >= 0 && want.Cmp(hi) <= 0
					if op == Remainder {
						q := new(big.Int).Quo(bx, by)
						fits = q.Cmp(lo) >= 0 && q.Cmp(hi) <= 0
					}
					if fits != (o == Stepped) || fits && got != wordOf(want) {
						t.Errorf("%s: %v %s %v = %d, %v; want %v", numberNames[typ], bx, calculationNames[op], by, got, o, want)
					}
				}
				for op, want := range map[Calculation]bool{LessThan: bx.Cmp(by) < 0, LessEqual: bx.Cmp(by) <= 0} {
					if got, _ := calculate(CalcOf(op, typ, false), x, y); got != truth(want) {
						t.Errorf("%s: %v %s %v = %d", numberNames[typ], bx, calculationNames[op], by, got)
					}
				}
			}
			// Conversions keep the number, or do not fit.
			for to := Byte; to <= UInt64; to++ {
				bx := bigOf(typ, x)
				lo, hi := rangeOf(to)
				fits := bx.Cmp(lo) >= 0 && bx.Cmp(hi) <= 0
				if got, o := convert(CastOf(typ, to, false), x); fits != (o == Stepped) || fits && got != wordOf(bx) {
					t.Errorf("%v of type %s as %s = %d, %v", bx, numberNames[typ], numberNames[to], got, o)
				}
			}
		}
	}
}

// TestWraps: without checks, results have the low bits of the exact ones.
func TestWraps(t *testing.T) {
	for _, c := range []struct {
		imm, x, y, want Word
	}{
		{CalcOf(Plus, Int32, true), math.MaxInt32, 1, math.MinInt32},
		{CalcOf(Times, Byte, true), 200, 2, 144},
		{CalcOf(Minus, UInt32, true), 0, 1, math.MaxUint32},
		{CalcOf(Plus, UInt64, true), -1, 1, 0},
		{CalcOf(ShiftLeft, Int32, false), 1, 31, math.MinInt32},
		{CalcOf(ShiftLeft, Int32, false), 1, 33, 2},
		{CalcOf(ShiftRight, Int32, false), -8, 1, -4},
		{CalcOf(ShiftRight, UInt64, false), -1, 63, 1},
		{CalcOf(Complement, UShort, false), 0, 0, math.MaxUint16},
	} {
		if got, o := calculate(c.imm, c.x, c.y); got != c.want || o != Stepped {
			t.Errorf("%x: %d and %d: %d, %v; want %d", c.imm, c.x, c.y, got, o, c.want)
		}
	}
}

// TestReals: conversions from reals truncate, and fail for what no integer is near to.
func TestReals(t *testing.T) {
	for _, c := range []struct {
		x    float64
		to   Number
		want Word
		o    Outcome
	}{
		{2.9, Int32, 2, Stepped}, {-2.9, Int32, -2, Stepped}, {3e9, Int32, 0, Overflow}, {3e9, UInt32, 3000000000, Stepped},
		{-0.5, Byte, 0, Stepped}, {-1, Byte, 0, Overflow}, {math.NaN(), Int64, 0, Overflow}, {1e19, UInt64, -8446744073709551616, Stepped},
		{math.Inf(1), UInt64, 0, Overflow},
	} {
		if got, o := convert(CastOf(Float64, c.to, false), fromReal(Float64, c.x)); got != c.want || o != c.o {
			t.Errorf("%v as %s = %d, %v; want %d, %v", c.x, numberNames[c.to], got, o, c.want, c.o)
		}
	}
}

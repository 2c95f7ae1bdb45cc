package frontend

import (
	"math"
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file computes the values of floating-point literals. What is computed with them is in
// float.go.

// floatConstant returns the literal n, nil if it is none, or of a type without values here.
// 0.1f has the bits of the float nearest to 0.1; it is not computed by way of the double.
func (l *typing) floatConstant(n cc.ExpressionNode) *core.Const {
	text, t, ok := ccfix.FloatLiteral(n)
	if !ok {
		return nil
	}
	// A long double has no values here, and on i386 double has none.
	i, isInt := l.coreType(t).(core.Int)
	if !isInt || !i.Float {
		return nil
	}
	bits, ok := ieee.Parse(strings.TrimRight(text, ccfix.SuffixOf(i.Bits)), i.Bits)
	if !ok {
		return nil
	}
	return core.NewFloat(bits, i)
}

// foldCondition returns the truth of n, if that is a literal of a type without values here: 0.5L.
func (l *typing) foldCondition(n cc.ExpressionNode) *core.Const {
	text, t, ok := ccfix.FloatLiteral(n)
	if !ok || isScalarType(l.coreType(t)) {
		return nil
	}
	v, _, err := big.ParseFloat(strings.TrimRight(text, "lLfF"), 0, 64, big.ToNearestEven)
	// What is not much smaller than 1 is not rounded to zero in any type.
	if err != nil || v.Sign() != 0 && v.MantExp(nil) < -16 {
		return nil
	}
	return truth(v.Sign() != 0).(*core.Const)
}

// convertedLiteral returns n, a literal of a type without values here, converted to t: (int)7.5L.
// It is nil of others, and of one that not every such type, nor double, has exactly. The value must
// be exact in double, so the conversion from any wider type gives the same.
func (l *typing) convertedLiteral(n cc.ExpressionNode, t core.Type) *core.Const {
	text, from, ok := ccfix.FloatLiteral(n)
	i, isInt := t.(core.Int)
	if !ok || !isInt || isScalarType(l.coreType(from)) {
		return nil
	}
	if i.Bool {
		if c := l.foldCondition(n); c != nil {
			return core.NewConst(c.Val.Int64(), i)
		}
		return nil
	}
	text = strings.TrimRight(text, "lL")
	// A number of many digits, 1e999999999L, is not written out.
	if rough, _, err := big.ParseFloat(text, 0, 64, big.ToNearestEven); err != nil || rough.Sign() != 0 && max(rough.MantExp(nil), -rough.MantExp(nil)) > 256 {
		return nil
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	double, same := exact.Float64()
	switch {
	case !same:
		return nil
	case i.Float:
		return core.NewFloat(ieee.Resized(math.Float64bits(double), 64, i.Bits), i)
	}
	// Conversions to integers round towards zero (C11 6.3.1.4p1).
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if i.Convert(whole).Cmp(whole) != 0 {
		return nil // C gives that no meaning
	}
	return &core.Const{Val: whole, Typ: i}
}

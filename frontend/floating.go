package frontend

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file reads floating-point literals. What is computed with them is in float.go.
//
// cc fails where a floating-point constant is a condition. A text in which it does is read
// again with its literals respelt, so that they are no constants to cc:
//
//	0.5      a macro for (*(double *)"\0010.5")

// floatMark begins the text that stands for a literal. In literals of the program, a control
// character stands for it: see escaped.
const floatMark = "\\001"

// floating respells the floating-point literal at token i.
func (s *respeller) floating(i int) {
	t := s.toks[i]
	if i > 0 && s.toks[i-1].end == t.start && s.isExponent(i-1) {
		return // of the number before
	}
	if i > 0 && s.is(i-1, ".") && s.toks[i-1].end == t.start { // .25
		t.start--
	}
	if s.isExponent(i + 1) {
		t.end = s.toks[i+2].end
	}
	word := string(s.text[t.start:t.end])
	typ := "double"
	switch {
	case !isFloatLiteral(word):
		return
	case strings.HasSuffix(word, "f") && !isHex(word) || isHex(word) && strings.HasSuffix(strings.ToLower(word), "f"), strings.HasSuffix(word, "F"):
		typ = "float"
	case strings.ContainsAny(word[len(word)-1:], "lL"):
		typ = "long double"
	case strings.ContainsAny(word[len(word)-1:], "iIjJdDqQwW"): // imaginary, decimal, wider
		return
	}
	s.macro(t.start, t.end, fmt.Sprintf("(*(%s *)\"%s%s\")", typ, floatMark, word))
}

// wholePart respells the floating-point literal at token i, which is converted to an integer
// type, as an integer: (int)2.5 is (int)2. cc cannot do with the one as an enumerator or the
// length of an array. It reports false of other literals.
func (s *respeller) wholePart(i int) bool {
	k := i - 1
	minus := s.is(k, "-")
	if minus {
		k--
	}
	if !s.is(k, ")") || !isFloatLiteral(s.word(i)) || s.toks[i].start > 0 && s.text[s.toks[i].start-1] == '.' {
		return false
	}
	most := int64(math.MaxInt32)
	for k--; k >= 0 && !s.is(k, "("); k-- {
		switch s.word(k) {
		case "int", "long", "signed":
		case "short", "char": // nothing that they do not hold: that is undefined
			most = math.MaxInt8
		case "unsigned":
			if minus {
				return false
			}
		default:
			return false
		}
	}
	bits := 64
	text := s.word(i)
	if strings.TrimRight(text, "fF") != text && !isHex(text) {
		bits = 32
	}
	v, ok := ieee.Parse(strings.TrimRight(text, suffixOf(bits)), bits)
	whole, isFinite := ieee.Whole(v, bits)
	if !ok || !isFinite || whole.Cmp(big.NewInt(most)) >= 0 {
		return false
	}
	s.macro(s.toks[i].start, s.toks[i].end, whole.String())
	return true
}

// isExponent reports whether token i is the sign between the parts of one number: 1e-3.
func (s *respeller) isExponent(i int) bool {
	if i < 1 || i+1 >= len(s.toks) || !s.is(i, "-") && !s.is(i, "+") {
		return false
	}
	before, sign, after := s.toks[i-1], s.toks[i], s.toks[i+1]
	if before.kind != '0' || after.kind != '0' || before.end != sign.start || sign.end != after.start {
		return false
	}
	word := s.word(i - 1)
	return strings.ContainsAny(word[len(word)-1:], "eE") && !isHex(word) || strings.ContainsAny(word[len(word)-1:], "pP") && isHex(word)
}

func isHex(word string) bool {
	return strings.HasPrefix(word, "0x") || strings.HasPrefix(word, "0X")
}

// isFloatLiteral reports whether the number word is no integer.
func isFloatLiteral(word string) bool {
	if isHex(word) {
		return strings.ContainsAny(word, "pP")
	}
	return strings.ContainsAny(word, ".eE")
}

// conditionFails reports whether cc has failed because of a floating-point constant.
func conditionFails(failure any) bool {
	text := fmt.Sprint(failure)
	return strings.Contains(text, "isNonzero") || strings.Contains(text, "isZero")
}

// respeltFloat returns the text and type of the literal that floating has put in place of n.
func respeltFloat(n cc.ExpressionNode) (text string, t cc.Type, ok bool) {
	deref, ok := strip(n).(*cc.UnaryExpression)
	if !ok || deref.Case != cc.UnaryExpressionDeref {
		return "", nil, false
	}
	cast, ok := strip(deref.CastExpression).(*cc.CastExpression)
	if !ok || cast.Case != cc.CastExpressionCast {
		return "", nil, false
	}
	literal, ok := strip(cast.CastExpression).(*cc.PrimaryExpression)
	if !ok || literal.Case != cc.PrimaryExpressionString {
		return "", nil, false
	}
	text, ok = strings.CutPrefix(literal.Token.SrcStr(), "\""+floatMark)
	pointer, isPtr := cast.TypeName.Type().(*cc.PointerType)
	if !ok || !isPtr || !isFloating(pointer.Elem()) {
		return "", nil, false // U"\1" begins like that, too
	}
	return strings.TrimSuffix(text, "\""), pointer.Elem(), true
}

// floatBits returns the width of float and double, 0 for other types.
func floatBits(t cc.Type) int {
	if t != nil && t.VectorSize() <= 0 {
		switch t.Kind() {
		case cc.Float:
			return 32
		case cc.Double:
			return 64
		}
	}
	return 0
}

// floatLiteral returns the text and the type of the literal n; ok is false if n is none.
func floatLiteral(n cc.ExpressionNode) (text string, t cc.Type, ok bool) {
	if e, isPrimary := strip(n).(*cc.PrimaryExpression); isPrimary && e.Case == cc.PrimaryExpressionFloat {
		return e.Token.SrcStr(), e.Type(), true
	}
	return respeltFloat(n)
}

// floatConstant returns the literal n, nil if it is none, or of a type without values here.
func (l *linker) floatConstant(n cc.ExpressionNode) *core.Const {
	text, t, ok := floatLiteral(n)
	if !ok {
		return nil
	}
	i, isInt := l.coreType(t).(core.Int)
	if !isInt || !i.Float {
		return nil
	}
	bits, ok := ieee.Parse(strings.TrimRight(text, suffixOf(i.Bits)), i.Bits)
	if !ok {
		return nil
	}
	return core.NewFloat(bits, i)
}

// suffixOf returns the letters that end a literal of a type of bits bits.
func suffixOf(bits int) string {
	if bits == 32 {
		return "fF"
	}
	return ""
}

// foldCondition returns the truth of n, if that is a literal of a type without values here: 0.5L.
func (l *linker) foldCondition(n cc.ExpressionNode) *core.Const {
	text, t, ok := floatLiteral(n)
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

// convertedLiteral returns n, a literal of a type without values here, converted to t: (int)7.5L. It
// is nil of others, and of one that not every such type, nor double, has exactly.
func (l *linker) convertedLiteral(n cc.ExpressionNode, t core.Type) *core.Const {
	text, from, ok := floatLiteral(n)
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
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if i.Convert(whole).Cmp(whole) != 0 {
		return nil // C gives that no meaning
	}
	return &core.Const{Val: whole, Typ: i}
}

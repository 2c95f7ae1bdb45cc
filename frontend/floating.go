package frontend

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file computes floating-point constants, as far as integers come of them: 0.5 as a
// condition, (int)2.75, 0.1 + 0.2 > 0.3. float and double are those of IEEE 754, rounded to
// nearest after each operation, as on x86-64. Everything else of floating point is arbitrary.
//
// cc fails where a floating-point constant is a condition. A text in which it does is read
// again with its literals respelt, so that they are no constants to cc:
//
//	0.5      a macro for (*(double *)"\0010.5")

// floatMark begins the text that stands for a literal; nobody writes it.
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
	most := float64(math.MaxInt32)
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
	v, _, ok := parseFloat(text, bits)
	if !ok || v >= most {
		return false
	}
	s.macro(s.toks[i].start, s.toks[i].end, fmt.Sprint(int64(v)))
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

// respeltFloat is the text and type of the literal that floating has put in place of n.
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
	if !ok || !isPtr {
		return "", nil, false
	}
	return strings.TrimSuffix(text, "\""), pointer.Elem(), true
}

// floatBits is the width of float and double, 0 for other types.
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

// rounded is v as a value of bits bits.
func rounded(v float64, bits int) float64 {
	if bits == 32 {
		return float64(float32(v))
	}
	return v
}

// floatConstant is the value of n, of type float or double and made of constants.
func (l *linker) floatConstant(n cc.ExpressionNode) (v float64, bits int, ok bool) {
	n = strip(n)
	if l.opts.Bits32 || l.opts.mutation == noFloatConstants { // registers of i386 hold more than doubles
		return 0, 0, false
	}
	if text, t, isLiteral := respeltFloat(n); isLiteral {
		return parseFloat(text, floatBits(t))
	}
	if bits = floatBits(n.Type()); bits == 0 {
		return 0, 0, false
	}
	if op, x, y, isBinary := binaryOperator(n); isBinary {
		return l.floatOperation(op, x, y)
	}
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionFloat {
			return parseFloat(e.Token.SrcStr(), bits)
		}
	case *cc.UnaryExpression:
		switch e.Case {
		case cc.UnaryExpressionMinus:
			v, bits, ok = l.floatConstant(e.CastExpression)
			return -v, bits, ok
		case cc.UnaryExpressionPlus:
			return l.floatConstant(e.CastExpression)
		}
	case *cc.CastExpression:
		if v, ok = l.asFloat(e.CastExpression, bits); ok {
			return v, bits, true
		}
	}
	return 0, 0, false
}

// literalTruth is whether n, a literal of any floating-point type, is not zero.
func (l *linker) literalTruth(n cc.ExpressionNode) (truth, ok bool) {
	text := ""
	if e, isPrimary := strip(n).(*cc.PrimaryExpression); isPrimary && e.Case == cc.PrimaryExpressionFloat {
		text = e.Token.SrcStr()
	} else if text, _, ok = respeltFloat(n); !ok {
		return false, false
	}
	v, _, err := big.ParseFloat(strings.TrimRight(text, "lL"), 0, 64, big.ToNearestEven)
	// What is not much smaller than 1 is not rounded to zero in any type.
	if err != nil || v.Sign() != 0 && v.MantExp(nil) < -16 {
		return false, false
	}
	return v.Sign() != 0, true
}

// parseFloat is the value of a literal.
func parseFloat(text string, bits int) (float64, int, bool) {
	if bits == 32 {
		text = strings.TrimRight(text, "fF")
	}
	v, err := strconv.ParseFloat(text, max(bits, 32))
	return v, bits, bits > 0 && err == nil
}

// asFloat is the constant n, a floating-point number or an integer, converted.
func (l *linker) asFloat(n cc.ExpressionNode, bits int) (float64, bool) {
	if v, _, ok := l.floatConstant(n); ok {
		return rounded(v, bits), true
	}
	if _, isInt := intType(n.Type()); !isInt {
		return 0, false
	}
	c, ok := l.constantValue(n)
	if !ok {
		return 0, false
	}
	if bits == 32 { // in one step: rounding twice is another number
		v, _ := new(big.Float).SetInt(c.Val).Float32()
		return float64(v), true
	}
	v, _ := new(big.Float).SetInt(c.Val).Float64()
	return v, true
}

// floatOperands is the constants x and y converted to their common type, float or double.
func (l *linker) floatOperands(x, y cc.ExpressionNode) (v, w float64, bits int, ok bool) {
	bits = max(floatBits(x.Type()), floatBits(y.Type()))
	if bits == 0 {
		return 0, 0, 0, false
	}
	v, ok = l.asFloat(x, bits)
	if !ok {
		return 0, 0, 0, false
	}
	w, ok = l.asFloat(y, bits)
	return v, w, bits, ok
}

// floatOperation is x op y.
func (l *linker) floatOperation(op core.BinaryOp, x, y cc.ExpressionNode) (float64, int, bool) {
	v, w, bits, ok := l.floatOperands(x, y)
	if !ok {
		return 0, 0, false
	}
	switch op { // a double holds enough for one rounding of each of these to float
	case core.Add:
		v += w
	case core.Sub:
		v -= w
	case core.Mul:
		v *= w
	case core.Div:
		v /= w
	default:
		return 0, 0, false
	}
	return rounded(v, bits), bits, true
}

// floatTruth is whether the floating-point constant n is not zero.
func (l *linker) floatTruth(n cc.ExpressionNode) (truth, ok bool) {
	if v, _, ok := l.floatConstant(n); ok {
		return v != 0, true
	}
	if l.opts.mutation == noFloatConstants {
		return false, false
	}
	return l.literalTruth(n)
}

// foldFloating is the integer n that is made of floating-point constants: a comparison of
// them, !x, a conversion; nil for other expressions.
func (l *linker) foldFloating(n cc.ExpressionNode) *core.Const {
	n = strip(n)
	t, isInt := intType(n.Type())
	if !isInt {
		return nil
	}
	if op, x, y, ok := binaryOperator(n); ok {
		if !op.IsComparison() {
			return nil
		}
		v, w, _, ok := l.floatOperands(x, y)
		if !ok {
			return nil
		}
		return truthOf(floatCompares(op, v, w))
	}
	switch e := n.(type) {
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionNot {
			if holds, ok := l.floatTruth(e.CastExpression); ok {
				return truthOf(!holds)
			}
		}
	case *cc.CastExpression:
		return l.floatAsInteger(e.CastExpression, t)
	}
	return nil
}

// floatAsInteger is the floating-point constant n converted to t; nil if n is none, or t does
// not hold its value.
func (l *linker) floatAsInteger(n cc.ExpressionNode, t core.Int) *core.Const {
	v, _, ok := l.floatConstant(n)
	switch {
	case !ok:
	case t.Bool:
		return convert(truth(v != 0), t).(*core.Const)
	case !math.IsNaN(v) && !math.IsInf(v, 0):
		whole, _ := big.NewFloat(v).Int(nil)
		if t.Contains(whole) { // else it is undefined
			return &core.Const{Val: whole, Typ: t}
		}
	}
	return nil
}

// foldCondition is the truth of n, if it is made of floating-point constants; else nil.
func (l *linker) foldCondition(n cc.ExpressionNode) *core.Const {
	if holds, ok := l.floatTruth(n); ok {
		return truthOf(holds)
	}
	return l.foldFloating(n)
}

func truthOf(holds bool) *core.Const { return truth(holds).(*core.Const) }

// floatCompares is v op w.
func floatCompares(op core.BinaryOp, v, w float64) bool {
	switch op {
	case core.Eq:
		return v == w
	case core.Ne:
		return v != w
	case core.Lt:
		return v < w
	case core.Le:
		return v <= w
	case core.Gt:
		return v > w
	}
	return v >= w
}

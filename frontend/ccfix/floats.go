package ccfix

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/ieee"
)

// This file reads floating-point literals, and works around a defect of cc/v4: it panics where a
// floating-point constant is a condition. A text in which it does is read again with its literals
// respelt, so that they are no constants to cc:
//
//	0.5      a macro for (*(double *)"\0010.5")

// floatMark begins the text that stands for a literal. In literals of the program, a control
// character stands for it: see escaped.
const floatMark = "\\001"

// floating respells the floating-point literal at token i. A number with a sign in it is three
// tokens, 1e - 3, and one that begins with a point two.
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

// wholePart respells the floating-point literal at token i, which is converted to an integer type,
// as an integer: (int)2.5 is (int)2. cc cannot do with the one as an enumerator or the length of an
// array. It reports false of other literals, and changes nothing.
func (s *respeller) wholePart(i int) bool {
	// 1. A minus sign before the number, and a cast before that.
	k := i - 1
	minus := s.is(k, "-")
	if minus {
		k--
	}
	if !s.is(k, ")") || !isFloatLiteral(s.word(i)) || s.toks[i].start > 0 && s.text[s.toks[i].start-1] == '.' {
		return false
	}
	// 2. The type of the cast: a basic integer type that holds the number for certain.
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
	// 3. The number as its type rounds it, without its fraction.
	bits := 64
	text := s.word(i)
	if strings.TrimRight(text, "fF") != text && !isHex(text) {
		bits = 32
	}
	v, ok := ieee.Parse(strings.TrimRight(text, SuffixOf(bits)), bits)
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

// isHex reports whether the number word is hexadecimal.
func isHex(word string) bool {
	return strings.HasPrefix(word, "0x") || strings.HasPrefix(word, "0X")
}

// isFloatLiteral reports whether the number word is no integer: 0x1p3 has an exponent, 0x1e has
// none.
func isFloatLiteral(word string) bool {
	if isHex(word) {
		return strings.ContainsAny(word, "pP")
	}
	return strings.ContainsAny(word, ".eE")
}

// conditionFails reports whether cc has failed because of a floating-point constant: failure is its
// panic, which names the function of cc that met the constant.
func conditionFails(failure any) bool {
	text := fmt.Sprint(failure)
	return strings.Contains(text, "isNonzero") || strings.Contains(text, "isZero")
}

// respeltFloat returns the text and type of the literal that floating has put in place of n.
func respeltFloat(n cc.ExpressionNode) (text string, t cc.Type, ok bool) {
	deref, ok := ctree.Strip(n).(*cc.UnaryExpression)
	if !ok || deref.Case != cc.UnaryExpressionDeref {
		return "", nil, false
	}
	cast, ok := ctree.Strip(deref.CastExpression).(*cc.CastExpression)
	if !ok || cast.Case != cc.CastExpressionCast {
		return "", nil, false
	}
	literal, ok := ctree.Strip(cast.CastExpression).(*cc.PrimaryExpression)
	if !ok || literal.Case != cc.PrimaryExpressionString {
		return "", nil, false
	}
	text, ok = strings.CutPrefix(literal.Token.SrcStr(), "\""+floatMark)
	pointer, isPtr := cast.TypeName.Type().(*cc.PointerType)
	if !ok || !isPtr || !ctree.IsFloating(pointer.Elem()) {
		return "", nil, false // U"\1" begins like that, too
	}
	return strings.TrimSuffix(text, "\""), pointer.Elem(), true
}

// FloatLiteral returns the text and the type of the literal n, respelt or not; ok is false if n is
// none.
func FloatLiteral(n cc.ExpressionNode) (text string, t cc.Type, ok bool) {
	if e, isPrimary := ctree.Strip(n).(*cc.PrimaryExpression); isPrimary && e.Case == cc.PrimaryExpressionFloat {
		return e.Token.SrcStr(), e.Type(), true
	}
	return respeltFloat(n)
}

// SuffixOf returns the letters that end a literal of a type of bits bits, as a set for
// strings.TrimRight.
func SuffixOf(bits int) string {
	if bits == 32 {
		return "fF"
	}
	return ""
}

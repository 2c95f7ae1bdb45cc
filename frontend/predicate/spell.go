package predicate

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
)

// This file spells predicates: the tokens of the user, macros expanded, one
// space around binary operators and none elsewhere.

// speller spells the expressions of one predicate. Equal predicates should have equal names,
// however they were typed; parentheses and numbers stay as they are.
type speller struct{ q *request }

// spell returns the text of n with one space around binary operators. It has the parentheses of the
// user and no others.
func (s speller) spell(n cc.Node) string {
	if op, x, y, ok := ctree.BinaryOperator(n); ok {
		return s.spell(x) + " " + op.String() + " " + s.spell(y)
	}
	switch e := n.(type) {
	case *cc.ExpressionList:
		return s.spell(e.AssignmentExpression)
	case *cc.ConstantExpression:
		return s.spell(e.ConditionalExpression)
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionExpr:
			return "(" + s.spell(e.ExpressionList) + ")"
		case cc.PrimaryExpressionIdent:
			return s.q.rename(e.Token.SrcStr())
		}
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionIndex:
			return s.spell(e.PostfixExpression) + "[" + s.spell(e.ExpressionList) + "]"
		case cc.PostfixExpressionSelect:
			return s.spell(e.PostfixExpression) + "." + e.Token2.SrcStr()
		case cc.PostfixExpressionPSelect:
			if s.q.isObject(e.PostfixExpression) {
				return e.Token2.SrcStr()
			}
			return s.spell(e.PostfixExpression) + "->" + e.Token2.SrcStr()
		}
	case *cc.UnaryExpression:
		_, arithmetic := ctree.UnaryOperator(e)
		switch {
		case arithmetic, e.Case == cc.UnaryExpressionAddrof, e.Case == cc.UnaryExpressionDeref:
			x := s.spell(e.CastExpression)
			// Twice the same operator: - -x, not --x.
			if op := e.Token.SrcStr(); strings.HasPrefix(x, op) && strings.Contains("+-&", op) {
				return op + " " + x
			}
			return e.Token.SrcStr() + x
		}
	case *cc.CastExpression:
		return "(" + s.typeName(e.TypeName) + ")" + s.spell(e.CastExpression)
	case *cc.ConditionalExpression:
		mid := " ?: "
		if !ctree.IsNil(e.ExpressionList) {
			mid = " ? " + s.spell(e.ExpressionList) + " : "
		}
		return s.spell(e.LogicalOrExpression) + mid + s.spell(e.ConditionalExpression)
	}
	return s.tokens(n)
}

// typeName returns the type name n: one space between words and in front of a group of
// stars, as in struct s *, none elsewhere.
func (s speller) typeName(n cc.Node) string {
	var b strings.Builder
	last := byte(0)
	for _, w := range s.words(n) {
		text := w.text
		first := text[0]
		if last != 0 && ccfix.IsIdentByte(last) && (ccfix.IsIdentByte(first) || first == '*' || first == '(') || last == ',' {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		last = text[len(text)-1]
	}
	return b.String()
}

// tokens returns n's tokens, separated as in the source, by one blank at most: of calls, sizeof and
// all else that has no rule above.
func (s speller) tokens(n cc.Node) string {
	var b strings.Builder
	for i, w := range s.words(n) {
		if i > 0 && w.apart {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// word is a token of a predicate as the user wrote it.
type word struct {
	text  string
	apart bool // there was white space before it
}

// words returns the tokens of n, without those by which the scanner has made a name that of a
// member.
func (s speller) words(n cc.Node) (list []word) {
	tokens := cc.NodeTokens(n)
	for i := 0; i < len(tokens); i++ {
		apart := len(tokens[i].Sep()) > 0
		// $v0->state: the member takes the white space before it.
		if s.q.object != nil && i+2 < len(tokens) && tokens[i].SrcStr() == dollar(0) {
			i += 2
		}
		list = append(list, word{s.q.rename(tokens[i].SrcStr()), apart})
	}
	return list
}

package core

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestExprReadBack prints random expressions and reads them back by C's grammar:
// the tree must come out the same.
func TestExprReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		e := randomExpr(rng, 5)
		text := ExprString(e)
		r := reader{tokens: token.FindAllString(text, -1)}
		if got, want := r.conditional(), brackets(e); got != want || len(r.tokens) > 0 {
			t.Errorf("%s reads as %s, but is %s", text, got, want)
		}
	}
}

func randomExpr(rng *rand.Rand, depth int) Expr {
	sub := func() Expr { return randomExpr(rng, depth-1) }
	if depth == 0 || rng.IntN(6) == 0 {
		if rng.IntN(3) == 0 {
			return NewConst(rng.Int64N(5)-2, Int32)
		}
		return (&Var{Name: string(rune('x' + rng.IntN(3))), Type: Int32}).Ref()
	}
	switch rng.IntN(6) {
	case 0:
		return &Unary{Op: UnaryOp(rng.IntN(3)), X: sub()}
	case 1:
		return &Conv{X: sub(), To: []Int{Int8, Uint32, Bool}[rng.IntN(3)]}
	case 2:
		return &Cond{C: sub(), X: sub(), Y: sub()}
	}
	return &Binary{Op: BinaryOp(rng.IntN(int(LOr) + 1)), X: sub(), Y: sub()}
}

// brackets spells e with all parentheses.
func brackets(e Expr) string {
	switch e := e.(type) {
	case *Unary:
		return fmt.Sprintf("(%s %s)", e.Op, brackets(e.X))
	case *Conv:
		return fmt.Sprintf("((%s) %s)", e.To, brackets(e.X))
	case *Cond:
		return fmt.Sprintf("(%s ? %s : %s)", brackets(e.C), brackets(e.X), brackets(e.Y))
	case *Binary:
		return fmt.Sprintf("(%s %s %s)", brackets(e.X), e.Op, brackets(e.Y))
	case *Const:
		if e.Val.Sign() < 0 { // C has no negative constants
			return fmt.Sprintf("(- %s)", e.Val.String()[1:])
		}
	}
	return ExprString(e)
}

var token = regexp.MustCompile(`\((?:int8|uint32|bool)\)|\w+|--|<<|>>|&&|\|\||[<>=!]=|\S`)

// reader parses by the grammar of C23 6.5: levels lists the left-associative
// binary operators, weakest first.
type reader struct{ tokens []string }

var levels = [][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
	{"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

func (r *reader) peek() string {
	if len(r.tokens) == 0 {
		return ""
	}
	return r.tokens[0]
}

func (r *reader) next() string {
	t := r.peek()
	r.tokens = r.tokens[min(1, len(r.tokens)):]
	return t
}

func (r *reader) conditional() string {
	c := r.level(0)
	if r.peek() != "?" {
		return c
	}
	r.next()
	x := r.conditional()
	r.next()
	return fmt.Sprintf("(%s ? %s : %s)", c, x, r.conditional())
}

func (r *reader) level(n int) string {
	if n == len(levels) {
		return r.unary()
	}
	x := r.level(n + 1)
	for {
		found := false
		for _, op := range levels[n] {
			if r.peek() == op {
				r.next()
				x = fmt.Sprintf("(%s %s %s)", x, op, r.level(n+1))
				found = true
				break
			}
		}
		if !found {
			return x
		}
	}
}

func (r *reader) unary() string {
	t := r.next()
	switch t {
	case "-", "~", "!", "(int8)", "(uint32)", "(bool)":
		return fmt.Sprintf("(%s %s)", t, r.unary())
	case "(":
		e := r.conditional()
		r.next()
		return e
	}
	return t
}

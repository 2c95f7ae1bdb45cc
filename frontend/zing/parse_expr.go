package zing

// This file parses expressions.

// level is the precedence of each binary operator, a higher one binding tighter. All associate to
// the left. The operator in has none: see operation.
var level = map[string]struct {
	op    BinaryOp
	level int
}{
	"*": {Mul, 10}, "/": {Div, 10}, "%": {Rem, 10},
	"+": {Add, 9}, "-": {Sub, 9},
	"<<": {Shl, 8}, ">>": {Shr, 8},
	"<": {Lt, 7}, "<=": {Le, 7}, ">": {Gt, 7}, ">=": {Ge, 7},
	"==": {Eq, 6}, "!=": {Ne, 6},
	"&": {And, 5}, "^": {Xor, 4}, "|": {Or, 3},
	"&&": {AndAnd, 2}, "||": {OrOr, 1},
}

// expr reads an expression, which may be an assignment.
func (p *parser) expr() Expr {
	p.enter()
	defer p.leave()
	start := p.tok.off
	x := p.operation()
	if !p.accept("=") {
		return x
	}
	a := &Assign{Lhs: x, Rhs: p.expr()}
	a.Span = p.span(start)
	return a
}

// operation reads an expression of operators. The operator in takes everything before it as its
// left operand, and as its right operand no more than a unary expression: p && x in s is
// (p && x) in s, and x in s && p is (x in s) && p.
func (p *parser) operation() Expr {
	depth := p.depth
	defer func() { p.depth = depth }()
	start := p.tok.off
	x := p.binary(p.unary(), start, 1)
	for p.tok.is("in") {
		p.enter()
		b := &Binary{Op: In, OpPos: p.cursor.Pos(p.tok.off), X: x}
		p.advance()
		b.Y = p.unary()
		b.Span = p.span(start)
		x = p.binary(b, start, 1)
	}
	return x
}

// binary reads operators of the level least or a higher one, with their operands, after the operand
// x, which starts at start.
func (p *parser) binary(x Expr, start, least int) Expr {
	for p.tok.kind == tokOp {
		op, ok := level[p.tok.text]
		if !ok || op.level < least {
			break
		}
		p.enter()
		b := &Binary{Op: op.op, OpPos: p.cursor.Pos(p.tok.off), X: x}
		p.advance()
		next := p.tok.off
		b.Y = p.binary(p.unary(), next, op.level+1)
		b.Span = p.span(start)
		x = b
	}
	return x
}

var unaryOps = map[string]UnaryOp{"+": Plus, "-": Neg, "!": Not, "~": Com}

// unary reads an operand with the operators before it.
func (p *parser) unary() Expr {
	op, ok := unaryOps[p.tok.text]
	if !ok || p.tok.kind != tokOp {
		return p.primary()
	}
	p.enter()
	defer p.leave()
	start := p.tok.off
	p.advance()
	// A minus sign right before an integer literal is part of it, if the result is an int or a long.
	number := p.tok
	x := p.unary()
	if lit, ok := x.(*IntLit); ok && op == Neg && number.kind == tokInt && negate(lit, number.lit.decimal) {
		lit.Span = p.span(start)
		return lit
	}
	u := &Unary{Op: op, X: x}
	u.Span = p.span(start)
	return u
}

// negate gives an integer literal a minus sign and reports true, if the result is an int or a long.
// -2147483648 is an int and -9223372036854775808 is a long, although they do not fit without the sign.
func negate(x *IntLit, decimal bool) bool {
	switch {
	case x.Type == UInt && decimal && x.Abs == 1<<31:
		x.Type = Int
	case x.Type == ULong && decimal && x.Abs == 1<<63:
		x.Type = Long
	case x.Type != Int && x.Type != Long:
		return false
	}
	x.Neg = true
	return true
}

// primary reads an operand and all of .name, [e] and (args) after it.
func (p *parser) primary() Expr {
	depth := p.depth
	defer func() { p.depth = depth }()
	start := p.tok.off
	x := p.operand()
	for {
		switch {
		case p.accept("."):
			s := &Selector{X: x, Name: p.ident("the name of a member")}
			s.Span = p.span(start)
			x = s
		case p.accept("["):
			s := &Index{X: x, I: p.expr()}
			p.expect("]")
			s.Span = p.span(start)
			x = s
		case p.tok.is("("):
			x = p.call(x, start)
		default:
			return x
		}
		p.enter()
	}
}

// call reads the arguments of a call.
func (p *parser) call(fun Expr, start int) *Call {
	c := &Call{Fun: fun}
	p.list(func() {
		out := p.accept("out")
		c.Args = append(c.Args, Arg{Out: out, X: p.expr()})
	})
	c.Span = p.span(start)
	return c
}

// list reads a list in parentheses, perhaps empty, with commas between its items.
func (p *parser) list(item func()) {
	p.expect("(")
	if p.accept(")") {
		return
	}
	for {
		item()
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
}

// operand reads a literal, a name, or one of the other forms that need no operator.
func (p *parser) operand() Expr {
	start := p.tok.off
	switch p.tok.kind {
	case tokInt:
		return p.intLit()
	case tokReal:
		x := &RealLit{Text: p.tok.text, Value: p.tok.lit.real}
		x.Type = p.tok.lit.typ
		p.advance()
		x.Span = p.span(start)
		return x
	case tokString:
		return p.stringLit()
	case tokName:
		x := &Name{Name: p.tok.text}
		p.advance()
		x.Span = p.span(start)
		return x
	}
	return p.keyword(start)
}

func (p *parser) intLit() *IntLit {
	start := p.tok.off
	x := &IntLit{Abs: p.tok.lit.abs}
	x.Type = p.tok.lit.typ
	p.advance()
	x.Span = p.span(start)
	return x
}

func (p *parser) stringLit() *StringLit {
	if p.tok.kind != tokString {
		p.expected("a string")
	}
	start := p.tok.off
	x := &StringLit{Value: p.tok.text}
	p.advance()
	x.Span = p.span(start)
	return x
}

// keyword reads an operand that starts with a keyword or a parenthesis.
func (p *parser) keyword(start int) Expr {
	base := func() ExprBase { return ExprBase{Span: p.span(start)} }
	switch {
	case p.accept("("):
		x := p.expr()
		p.expect(")")
		return x
	case p.accept("true"):
		return &BoolLit{base(), true}
	case p.accept("false"):
		return &BoolLit{base(), false}
	case p.accept("null"):
		return &NullLit{base()}
	case p.accept("this"):
		return &This{base()}
	case p.accept("self"):
		return &Self{base()}
	case p.accept("new"):
		return p.newExpr(start)
	case p.accept("sizeof"):
		x := p.operandOf()
		return &Sizeof{ExprBase: base(), X: x}
	case p.accept("choose"):
		x := p.operandOf()
		return &Choose{ExprBase: base(), X: x}
	case p.tok.is("typeof"):
		p.fail("typeof stands only in attributes")
	case p.tok.is("=") && p.prevEnd == p.tok.off:
		p.fail(`expected an expression, found "=": there are no assignments with an operator like +=`)
	}
	p.expected("an expression")
	return nil
}

// newExpr reads the type and the size after new.
func (p *parser) newExpr(start int) *New {
	x := &New{Of: p.typeRef()}
	if p.accept("[") {
		x.Size = p.expr()
		p.expect("]")
	}
	x.Span = p.span(start)
	return x
}

// operandOf reads the expression or type in parentheses after sizeof or choose.
func (p *parser) operandOf() Expr {
	p.expect("(")
	var x Expr
	if p.atPredefined() {
		t := &TypeExpr{Of: p.typeRef()}
		t.Span = t.Of.Span
		x = t
	} else {
		x = p.expr()
	}
	p.expect(")")
	return x
}

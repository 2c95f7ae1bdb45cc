package boolprog

import (
	"fmt"

	"c2bp/source"
)

// This file parses expressions: operator precedence with an explicit stack, so that only
// parentheses recurse. It warns about operators that Boppo reads differently.

// binaryOp returns the operator of a spelling; ok is false if it is none. "==" is an error from
// which the parser recovers: chain reports it, and reads on.
func binaryOp(text string) (op BinOp, ok bool) {
	switch text {
	case "=>":
		return Implies, true
	case "|", "||":
		return Or, true
	case "^":
		return Xor, true
	case "&", "&&":
		return And, true
	case "=", "==":
		return Eq, true
	case "!=":
		return Ne, true
	}
	return 0, false
}

// reading is a way to group binary operators: precedence and associativity.
type reading struct {
	level      [Ne + 1]int // tighter operators have higher levels
	rightLevel int         // the right-associative level
}

var (
	// ourReading: =>, to the right; then |, ^, &; then = and !=.
	ourReading = reading{level: [...]int{Implies: 1, Or: 2, Xor: 3, And: 4, Eq: 5, Ne: 5}, rightLevel: 1}
	// boppoReading has =, != and => on one loosest level.
	boppoReading = reading{level: [...]int{Implies: 1, Or: 2, Xor: 3, And: 4, Eq: 1, Ne: 1}}
)

// needsParens reports whether an operand "x op y" of outer, on its right or left side, must be in
// parentheses.
func (r *reading) needsParens(outer, op BinOp, right bool) bool {
	o, i := r.level[outer], r.level[op]
	// A looser operator needs them; of two on one level, the one on the side to which the level
	// does not group. So a => (b => c) needs none, and (a => b) => c does.
	return i < o || i == o && right != (o == r.rightLevel)
}

// operand is an expression during parsing.
type operand struct {
	e     Expr
	depth int  // levels of operators inside
	off   int  // offset of its operator
	bare  bool // a binary operation without parentheses
}

// expr reads an expression.
func (p *parser) expr() Expr { return p.operation().e }

// operation reads a chain of operators.
func (p *parser) operation() operand {
	x := p.unary()
	if p.tok.kind == tokOp {
		if _, more := binaryOp(p.tok.text); more {
			return p.chain(x)
		}
	}
	return x // most expressions have one operand
}

// chain reads the operators and operands after the first operand x of a chain: a | b & c = d
// becomes a | (b & (c = d)).
func (p *parser) chain(x operand) operand {
	type pending struct {
		x   operand
		op  BinOp
		off int
	}
	var room [2]pending // for most chains
	stack := room[:0]
	warned := false
	// reduce combines the topmost pending operator with x.
	reduce := func() {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !warned {
			warned = p.warnBoppo(top.op, top.x, false) || p.warnBoppo(top.op, x, true)
		}
		e := p.mem.binaries.new()
		*e = Binary{Op: top.op, X: top.x.e, Y: x.e}
		x = operand{e: e, depth: p.deeper(max(top.x.depth, x.depth), 1), off: top.off, bare: true}
	}
	// Reduce the operators that bind tighter than the next one, and push that.
	for p.tok.kind == tokOp {
		op, ok := binaryOp(p.tok.text)
		if !ok {
			break
		}
		if p.tok.is("==") {
			p.errorAt(p.tok.off, `expected "=", found "==": equality is written "=" here`)
		}
		// An operator on the stack that could stand as the left operand of the new one
		// without parentheses is complete. In a & b | c the & is reduced at the |; in a | b
		// & c the | waits.
		for len(stack) > 0 && !ourReading.needsParens(op, stack[len(stack)-1].op, false) {
			reduce()
		}
		stack = append(stack, pending{x, op, p.tok.off})
		p.advance()
		x = p.unary()
	}
	// At the end of the chain the operators that wait are combined from right to left.
	for len(stack) > 0 {
		reduce()
	}
	return x
}

// deeper returns depth + n, or fails if that exceeds the limit.
func (p *parser) deeper(depth, n int) int {
	if depth += n; depth > maxNesting {
		p.errorAt(p.tok.off, "expression with more than %d levels of operators", maxNesting)
		panic(abandonAll{})
	}
	return depth
}

// warnBoppo warns if x, an operand of outer, would need parentheses in Boppo: of a = b | c, which
// Boppo reads as a = (b | c). It reports whether it did.
func (p *parser) warnBoppo(outer BinOp, x operand, right bool) bool {
	if !x.bare || p.lex.references { // Boppo has no references
		return false
	}
	inner := x.e.(*Binary).Op
	if !boppoReading.needsParens(outer, inner, right) {
		return false
	}
	if len(p.warns) < maxWarn {
		msg := fmt.Sprintf(`"%s" is read as an operand of "%s" here, as Bebop does; Boppo reads it otherwise: add parentheses`, inner, outer)
		p.warns.Add(p.quote.diagnostic(source.Warning, p.file.Pos(x.off), msg))
	}
	return true
}

// unary reads negations and their operand, in a loop.
func (p *parser) unary() operand {
	// Count the negations, and wrap the operand in them.
	n := 0
	for p.tok.is("!") || p.tok.is("~") {
		p.advance()
		n++
	}
	x := p.primary()
	x.depth = p.deeper(x.depth, n)
	for i := 0; i < n; i++ {
		e := p.mem.nots.new()
		e.X = x.e
		x.e, x.bare = e, false
	}
	return x
}

// primary reads an operand without negations.
func (p *parser) primary() operand {
	off := p.tok.off
	switch text := p.tok.text; p.tok.kind {
	// A new or any object, or a variable with fields.
	case tokName:
		switch {
		case p.at("new"):
			return operand{e: p.newObject(), off: off}
		case p.at("any"):
			return operand{e: p.anyObject(), off: off}
		}
		return p.selection(operand{e: p.variableRef(), off: off})
	case tokNumber:
		if text != "0" && text != "1" {
			p.expected(`the constant "0" or "1"`)
		}
		p.advance()
		return operand{e: p.constant(text == "1"), off: off}
	case tokKeyword, tokOp:
		switch text {
		// Constants and choices.
		case "T", "true", "F", "false":
			p.advance()
			return operand{e: p.constant(text == "T" || text == "true"), off: off}
		case "*", "?":
			p.advance()
			return operand{e: &Nondet{}, off: off}
		// The value after an assignment, of a variable only.
		case "'":
			p.advance()
			r := p.name("a variable")
			r.Next = true
			if p.tok.is(".") {
				p.fail(`'%s.%s: a value after the assignment has no fields here: expected a variable alone`, r.Name, p.ahead.text)
			}
			return operand{e: r, off: off}
		case "null":
			e := &Null{Pos: p.pos()}
			p.advance()
			return operand{e: e, off: off}
		case "new":
			return operand{e: p.newObject(), off: off}
		case "choose", "schoose":
			return p.choose()
		// A parenthesised operation.
		case "(":
			p.enter()
			defer p.leave()
			p.advance()
			x := p.operation()
			if !p.accept(")") {
				p.expected(`an operator or ")"`)
			}
			// In parentheses it needs no more of them, in either reading.
			x.bare = false
			return x
		}
	}
	p.expected("an expression")
	return operand{}
}

// constant returns a constant.
func (p *parser) constant(val bool) *Const {
	e := p.mem.consts.new()
	e.Val = val
	return e
}

// variableRef reads a variable; a call cannot be an operand.
func (p *parser) variableRef() *Ref {
	r := p.name("a variable")
	if p.tok.is("(") {
		p.fail(`a call of "%s" cannot stand in an expression: call it in a statement "x := %s(…);"`, r.Name, r.Name)
	}
	return r
}

// choose reads choose(p, n) or schoose[p, n]; both accept either kind of brackets.
func (p *parser) choose() operand {
	p.enter()
	defer p.leave()
	off, strict, closing := p.tok.off, p.tok.text == "schoose", ")"
	p.advance()
	// The closing bracket must match the opening one.
	if p.accept("[") {
		closing = "]"
	} else if !p.accept("(") {
		p.expected(`"(" or "["`)
	}
	// Both operands are operations of their own, one level deeper.
	pos := p.operation()
	if !p.accept(",") {
		p.expected(`an operator or ","`)
	}
	neg := p.operation()
	if !p.accept(closing) {
		p.expected(`an operator or "` + closing + `"`)
	}
	return operand{e: &Choose{P: pos.e, N: neg.e, Strict: strict}, depth: p.deeper(max(pos.depth, neg.depth), 1), off: off}
}

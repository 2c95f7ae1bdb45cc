package boolprog

import "fmt"

// This file parses assignments and calls, and the lists in them.

// names reads a list of names, at least one, separated by commas. The text of what says in messages
// which kind of name was expected.
func (p *parser) names(what string) []*Ref {
	var room [8]*Ref // for most lists
	refs := room[:0]
	for {
		refs = append(refs, p.name(what))
		if !p.accept(",") {
			return p.mem.refLists.copyOf(refs)
		}
	}
}

// name reads a name; what describes it in messages.
func (p *parser) name(what string) *Ref {
	if p.tok.kind != tokName {
		p.expected(what)
	}
	r := p.mem.refs.new()
	r.Name, r.Pos = p.tok.text, p.pos()
	p.advance()
	return r
}

// assignOrCall reads a statement that starts with a name.
func (p *parser) assignOrCall() Op {
	// A call without targets.
	if p.ahead.is("(") {
		return p.call(nil)
	}
	lhs := p.targets()
	if !p.accept(":=") {
		// After one name, the reader may have meant a label or a call: name these, too.
		if len(lhs) == 1 && lhs[0].Field == "" {
			p.expected(fmt.Sprintf(`":=", ",", "(" or ":" after "%s"`, lhs[0].Name))
		}
		p.expected(`":=" or ","`)
	}
	// After ":=", a name and "(" are a call; expressions have no calls.
	if p.tok.kind == tokName && p.ahead.is("(") {
		return p.call(lhs)
	}
	a := p.mem.assigns.new()
	a.Lhs, a.Rhs = lhs, p.exprs()
	// A constrain clause of its own may follow as a statement: see constrainStmt.
	p.clauses = 0
	if p.accept("constrain") {
		a.Constrain = p.expr()
	}
	return a
}

// call reads a call after its targets.
func (p *parser) call(lhs []*Ref) Op {
	callee := p.name("a procedure")
	p.expect("(")
	c := p.mem.calls.new()
	c.Lhs, c.Callee, c.Args = lhs, callee, p.args()
	return c
}

// args reads expressions up to and including the closing parenthesis.
func (p *parser) args() []Expr {
	if p.accept(")") {
		return nil
	}
	list := p.exprs()
	if !p.accept(")") {
		p.expected(`an operator, "," or ")"`)
	}
	return list
}

// exprs reads a list of expressions, at least one, separated by commas.
func (p *parser) exprs() []Expr {
	var room [8]Expr // for most lists
	list := room[:0]
	for {
		list = append(list, p.expr())
		if !p.accept(",") {
			return p.mem.exprLists.copyOf(list)
		}
	}
}

package boolprog

import "fmt"

// This file defines the parser of statements.

// startsStmt and endsBlock are the keywords at which recovery stops.
var (
	startsStmt = map[string]bool{"skip": true, "goto": true, "assume": true, "assert": true, "return": true,
		"if": true, "while": true, "dead": true, "print": true, "abortif": true}
	endsBlock = map[string]bool{"end": true, "fi": true, "od": true, "else": true, "elsif": true,
		"void": true, "bool": true, "dfs": true}
)

// atBlockEnd reports whether no statement can follow in this block.
func (p *parser) atBlockEnd() bool {
	return p.tok.kind == tokEOF || p.tok.kind == tokKeyword && endsBlock[p.tok.text]
}

// stmts reads statements to the end of the block.
func (p *parser) stmts() (list []*Stmt) {
	p.enter()
	defer p.leave()
	for {
		for p.accept(";") {
		}
		if p.atBlockEnd() {
			return list
		}
		p.syncStmt(p.guard(func() { list = p.stmt(list) }))
	}
}

// block reads statements; none at all are a skip, so that programs print in the form
// that other readers, too, accept.
func (p *parser) block() []*Stmt {
	list := p.stmts()
	if len(list) == 0 {
		list = append(list, &Stmt{Pos: p.pos(), Op: &Skip{}})
	}
	return list
}

// syncStmt steps over the rest of a statement if it was abandoned.
func (p *parser) syncStmt(reason any) {
	switch reason.(type) {
	case nil:
		return
	case abandonProc, abandonAll:
		panic(reason)
	}
	for !p.atBlockEnd() && !p.accept(";") {
		if p.tok.kind == tokKeyword && startsStmt[p.tok.text] {
			return
		}
		p.advance()
	}
}

// stmt reads a statement with its labels and appends it to list; or it reads a
// separate constrain clause and adds it to the last assignment of list.
func (p *parser) stmt(list []*Stmt) []*Stmt {
	s := &Stmt{Pos: p.pos()}
	for p.tok.kind == tokName && p.ahead.is(":") {
		s.Labels = append(s.Labels, p.tok.text)
		p.advance()
		p.advance()
	}
	if p.tok.is("constrain") {
		p.constrainStmt(s, list)
	} else {
		s.Annot = p.annots.takeStmt()
		s.Op = p.op()
		list = append(list, s)
	}
	switch s.Op.(type) {
	case *If, *While:
	default:
		if !p.tok.is(";") && !p.atBlockEnd() {
			p.expected(p.missingEnd(s.Op))
		}
	}
	return list
}

// missingEnd says what could continue a statement that should have ended.
func (p *parser) missingEnd(op Op) string {
	switch op := op.(type) {
	case *Skip, *Call, *Print:
		return `";"`
	case *Goto, *Dead:
		return `"," or ";"`
	case *Assign:
		if op.Constrain == nil {
			return `an operator, ",", "constrain" or ";"`
		}
	case *Return:
		if len(op.Values) == 0 {
			return `an expression or ";"`
		}
		return `an operator, "," or ";"`
	}
	return `an operator or ";"`
}

// constrainStmt reads a constrain clause that stands as a statement of its own.
func (p *parser) constrainStmt(s *Stmt, list []*Stmt) {
	var last *Assign
	if len(list) > 0 {
		last, _ = list[len(list)-1].Op.(*Assign)
	}
	switch {
	case last == nil:
		p.fail(`"constrain" must follow the assignment that it constrains`)
	case len(s.Labels) > 0:
		p.fail(`a label cannot stand between an assignment and its "constrain"`)
	}
	p.advance()
	last.Constrain = p.conjoin(last.Constrain, p.expr())
}

// op reads a statement without its labels and semicolon.
func (p *parser) op() Op {
	if p.tok.kind == tokName {
		return p.assignOrCall()
	}
	if p.tok.kind == tokKeyword {
		switch word := p.tok.text; word {
		case "skip":
			p.advance()
			return &Skip{}
		case "goto":
			p.advance()
			return &Goto{Targets: p.names("a label")}
		case "assume":
			p.advance()
			return &Assume{Cond: p.expr()}
		case "assert":
			p.advance()
			return &Assert{Cond: p.expr()}
		case "abortif":
			p.advance()
			return &AbortIf{Cond: p.expr()}
		case "return":
			p.advance()
			return p.returnOp()
		case "if":
			return p.ifOp()
		case "while":
			p.advance()
			cond := p.condition("do")
			body := p.block()
			p.closeBlock("od")
			return &While{Cond: cond, Body: body}
		case "dead":
			p.advance()
			return &Dead{Vars: p.names("a variable")}
		case "print":
			p.advance()
			p.expect("(")
			return &Print{Args: p.args()}
		case "decl", "enforce":
			p.fail(`"%s" must stand before the statements of the procedure`, word)
		}
	}
	p.expected("a statement")
	return nil
}

func (p *parser) returnOp() Op {
	if p.tok.is(";") || p.atBlockEnd() {
		return &Return{}
	}
	return &Return{Values: p.exprs()}
}

func (p *parser) ifOp() Op {
	op := &If{}
	for p.tok.is("if") && len(op.Conds) == 0 || p.tok.is("elsif") {
		p.advance()
		op.Conds = append(op.Conds, p.condition("then"))
		op.Thens = append(op.Thens, p.block())
	}
	if p.accept("else") {
		op.Else = p.stmts()
		p.closeBlock("fi")
	} else {
		p.closeBlock("fi", "elsif", "else")
	}
	return op
}

// condition reads a condition and the word behind it. After an error in it the
// block is read all the same.
func (p *parser) condition(word string) (e Expr) {
	reason := p.guard(func() {
		e = p.expr()
		if !p.accept(word) {
			p.expected(fmt.Sprintf(`an operator or "%s"`, word))
		}
	})
	if reason == nil {
		return e
	}
	if _, ok := reason.(abandonStmt); ok {
		for !p.tok.is(word) && !p.tok.is(";") && !p.atBlockEnd() {
			p.advance()
		}
		if p.accept(word) {
			return &Const{}
		}
	}
	panic(reason)
}

// names reads a list of names.
func (p *parser) names(what string) (refs []*Ref) {
	for {
		refs = append(refs, p.name(what))
		if !p.accept(",") {
			return refs
		}
	}
}

func (p *parser) name(what string) *Ref {
	if p.tok.kind != tokName {
		p.expected(what)
	}
	r := &Ref{Name: p.tok.text, Pos: p.pos()}
	p.advance()
	return r
}

// assignOrCall reads a statement that starts with a name.
func (p *parser) assignOrCall() Op {
	switch {
	case p.ahead.is("("):
		return p.call(nil)
	case p.ahead.is("."):
		p.advance()
		p.noReferences()
	case p.ahead.kind == tokName:
		if p.tok.text == "ref" || p.tok.text == "class" {
			p.noReferences()
		}
	}
	lhs := p.names("a variable")
	if !p.accept(":=") {
		if len(lhs) == 1 {
			p.expected(fmt.Sprintf(`":=", ",", "(" or ":" after "%s"`, lhs[0].Name))
		}
		p.expected(`":=" or ","`)
	}
	if p.tok.kind == tokName && p.ahead.is("(") {
		return p.call(lhs)
	}
	if p.tok.text == "new" && p.ahead.kind == tokName {
		p.noReferences()
	}
	a := &Assign{Lhs: lhs, Rhs: p.exprs()}
	p.clauses = 0
	if p.accept("constrain") {
		a.Constrain = p.expr()
	}
	return a
}

func (p *parser) call(lhs []*Ref) Op {
	callee := p.name("a procedure")
	p.expect("(")
	return &Call{Lhs: lhs, Callee: callee, Args: p.args()}
}

// args reads expressions up to and with the closing parenthesis.
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

func (p *parser) exprs() (list []Expr) {
	for {
		list = append(list, p.expr())
		if !p.accept(",") {
			return list
		}
	}
}

package zing

// This file parses statements; selects are in parse_select.go.

// block reads statements in braces; each recovers on its own.
func (p *parser) block() *Block {
	b := &Block{}
	start := p.tok.off
	p.expect("{")
	p.enter()
	defer p.leave()
	for !p.tok.is("}") && p.tok.kind != tokEOF {
		p.recoverAt(p.guard(func() { b.Stmts = append(b.Stmts, p.stmt()) }))
	}
	p.expect("}")
	b.Span = p.span(start)
	return b
}

// stmt reads a statement and the attributes before it.
func (p *parser) stmt() Stmt {
	p.attributes()
	p.enter()
	defer p.leave()
	start := p.tok.off
	base := func() StmtBase { return StmtBase{p.span(start)} }
	switch {
	case p.tok.is("{"):
		return p.block()
	case p.accept(";"):
		return &Empty{base()}
	case p.tok.kind == tokName && p.peek().is(":"):
		return p.labeled()
	case p.atPredefined(), p.tok.kind == tokName && p.peek().kind == tokName:
		return p.declare()
	case p.accept("if"):
		return p.ifStmt(start)
	case p.accept("while"):
		cond := p.condition()
		body := p.stmt()
		return &While{base(), cond, body}
	case p.accept("foreach"):
		return p.foreach(start)
	case p.accept("atomic"):
		body := p.block()
		return &Atomic{base(), body}
	case p.accept("select"):
		return p.selectStmt(start)
	case p.accept("try"):
		return p.try(start)
	case p.accept("goto"):
		label := p.ident("a label")
		p.end("goto")
		return &Goto{StmtBase: base(), Label: label}
	case p.accept("return"):
		return p.returnStmt(start)
	}
	if s := p.operationStmt(start); s != nil {
		return s
	}
	return p.simple(start)
}

// condition reads an expression in parentheses.
func (p *parser) condition() Expr {
	p.expect("(")
	x := p.expr()
	p.expect(")")
	return x
}

func (p *parser) labeled() *Labeled {
	start := p.tok.off
	l := &Labeled{Label: p.ident("a label")}
	p.expect(":")
	if p.tok.is("}") {
		p.fail(`expected a statement after the label %q, found "}"; "%s: ;" is one`, l.Label.Name, l.Label.Name)
	}
	l.Stmt = p.stmt()
	l.Span = p.span(start)
	return l
}

func (p *parser) declare() *Declare {
	start := p.tok.off
	d := &Declare{Local: &Local{Of: p.typeRef()}}
	d.Local.Name = p.ident("the name of a variable")
	if p.accept("=") {
		d.Init = p.expr()
	}
	if p.tok.is(",") {
		p.fail(`a declaration declares one variable; expected ";"`)
	}
	p.end("the declaration")
	d.Span = p.span(start)
	return d
}

func (p *parser) ifStmt(start int) *If {
	s := &If{Cond: p.condition(), Then: p.stmt()}
	if p.accept("else") {
		s.Else = p.stmt()
	}
	s.Span = p.span(start)
	return s
}

// foreach reads the rest of a foreach statement. If a type and a name come first, they declare the
// variable.
func (p *parser) foreach(start int) *Foreach {
	f := &Foreach{}
	p.expect("(")
	if p.atPredefined() || p.tok.kind == tokName && p.peek().kind == tokName {
		f.Local = &Local{Of: p.typeRef()}
		f.Local.Name = p.ident("the name of a variable")
	} else {
		f.Var = p.primary()
	}
	p.expect("in")
	f.Coll = p.expr()
	p.expect(")")
	f.Body = p.stmt()
	f.Span = p.span(start)
	return f
}

func (p *parser) returnStmt(start int) *Return {
	r := &Return{}
	if !p.tok.is(";") {
		r.X = p.expr()
	}
	p.end("return")
	r.Span = p.span(start)
	return r
}

// try reads the rest of a try statement.
func (p *parser) try(start int) *Try {
	t := &Try{Body: p.block()}
	p.expect("with")
	p.expect("{")
	for !p.tok.is("}") && p.tok.kind != tokEOF {
		p.recoverAt(p.guard(func() { t.Handlers = append(t.Handlers, p.handler()) }))
	}
	p.expect("}")
	t.Span = p.span(start)
	return t
}

func (p *parser) handler() *Handler {
	p.attributes()
	start := p.tok.off
	h := &Handler{}
	if h.Any = p.accept("*"); !h.Any {
		h.Exception = p.ident(`the name of an exception or "*"`)
	}
	p.expect("->")
	h.Body = p.stmt()
	h.Span = p.span(start)
	return h
}

// operationStmt reads a statement that is one operation with arguments, or returns nil.
func (p *parser) operationStmt(start int) Stmt {
	base := func(name string) StmtBase { p.end(name); return StmtBase{p.span(start)} }
	switch {
	case p.accept("assert"):
		return p.assert(start)
	case p.accept("assume"):
		x := p.condition()
		return &Assume{base("assume"), x}
	case p.accept("accept"):
		x := p.condition()
		return &Accept{base("accept"), x}
	case p.accept("async"):
		return p.async(start)
	case p.accept("send"):
		p.expect("(")
		ch := p.expr()
		p.expect(",")
		x := p.expr()
		p.expect(")")
		return &Send{base("send"), ch, x}
	case p.accept("raise"):
		e := p.ident("the name of an exception")
		return &Raise{base("raise"), e}
	case p.accept("yield"):
		return &Yield{base("yield")}
	case p.accept("trace"):
		return p.trace(start)
	case p.accept("event"):
		e := p.event()
		return &EventStmt{base("event"), e}
	case p.accept("invokeplugin"):
		args := p.arguments()
		return &InvokePlugin{base("invokeplugin"), args}
	case p.accept("invokescheduler"):
		args := p.arguments()
		return &InvokeScheduler{base("invokescheduler"), args}
	}
	return nil
}

func (p *parser) assert(start int) *Assert {
	p.expect("(")
	a := &Assert{Cond: p.expr()}
	if p.accept(",") {
		a.Text = p.stringLit()
	}
	p.expect(")")
	p.end("assert")
	a.Span = p.span(start)
	return a
}

func (p *parser) async(start int) *Async {
	at := p.tok.off
	call, ok := p.primary().(*Call)
	if !ok {
		p.errorAt(at, "expected a call after async")
		panic(abandon{})
	}
	p.end("async")
	return &Async{StmtBase{p.span(start)}, call}
}

func (p *parser) trace(start int) *Trace {
	p.expect("(")
	t := &Trace{Format: p.stringLit()}
	for p.accept(",") {
		t.Args = append(t.Args, p.expr())
	}
	p.expect(")")
	p.end("trace")
	t.Span = p.span(start)
	return t
}

// event reads the three parts of an event in parentheses.
func (p *parser) event() (e Event) {
	p.expect("(")
	e.Chan = p.expr()
	p.expect(",")
	e.Msg = p.expr()
	p.expect(",")
	e.Dir = p.expr()
	p.expect(")")
	return e
}

func (p *parser) arguments() (list []Expr) {
	p.list(func() { list = append(list, p.expr()) })
	return list
}

// simple reads a statement that is an assignment or a call.
func (p *parser) simple(start int) Stmt {
	if p.tok.kind == tokKeyword && !operandWords[p.tok.text] {
		p.expected("a statement")
	}
	x := p.operation()
	if !p.accept("=") {
		return p.callStmt(x, start)
	}
	y := p.expr()
	p.end("the assignment")
	base := StmtBase{p.span(start)}
	switch y := y.(type) {
	case *Call:
		return &CallStmt{StmtBase: base, Lhs: x, Call: y}
	case *Choose:
		return &ChooseStmt{StmtBase: base, Lhs: x, Choose: y}
	}
	return &AssignStmt{StmtBase: base, Lhs: x, Rhs: y}
}

// operandWords are the keywords that an expression can start with.
var operandWords = wordSet("true false null this self new sizeof choose typeof")

// callStmt ends a statement that is the expression x, which must be a call.
func (p *parser) callStmt(x Expr, start int) Stmt {
	call, ok := x.(*Call)
	if !ok {
		p.errorAt(start, "this expression is not a statement: expected an assignment or a call")
		panic(abandon{})
	}
	p.end("the call")
	return &CallStmt{StmtBase: StmtBase{p.span(start)}, Call: call}
}

package shylock

// This file parses statements and conditions.

// nested runs parse one level deeper.
func (p *parser) nested(parse func()) {
	if p.depth == maxNesting {
		p.at(p.tok().off, "more than %d levels of nesting", maxNesting)
		panic(abandon{})
	}
	p.depth++
	parse()
	p.depth--
}

// statement parses branches with "+" between them.
func (p *parser) statement() (s Stmt) {
	p.nested(func() {
		off := p.tok().off
		s = p.sequence()
		if !p.tok().is("+") {
			return
		}
		c := &Choice{}
		c.add(s)
		for p.accept("+") {
			c.add(p.sequence())
		}
		c.span = span{off, p.end()}
		s = c
	})
	return s
}

// add appends a branch. A choice in parentheses is one with its branches: nothing distinguishes them.
func (c *Choice) add(s Stmt) {
	if inner, ok := s.(*Choice); ok {
		c.List = append(c.List, inner.List...)
		return
	}
	c.List = append(c.List, s)
}

// sequence parses basic statements with ";" between them. One may stand after the last.
func (p *parser) sequence() Stmt {
	off := p.tok().off
	first := p.basic()
	if !p.tok().is(";") {
		return first
	}
	list := flat(nil, first)
	end := p.end()
	for p.accept(";") && !p.atEnd() {
		list = flat(list, p.basic())
		end = p.end()
	}
	if len(list) == 1 {
		return first
	}
	return &Seq{span{off, end}, list}
}

// flat appends the statements of which s is a sequence.
func flat(list []Stmt, s Stmt) []Stmt {
	if inner, ok := s.(*Seq); ok {
		return append(list, inner.List...)
	}
	return append(list, s)
}

// atEnd reports whether no statement can begin at the current token because a body ends there.
func (p *parser) atEnd() bool {
	t := p.tok()
	return t.kind == tokEOF || t.is(")") || t.is("+") || t.is("od") || t.is("else") || t.is("fi") || p.atDeclaration() || p.atHead()
}

// basic parses a basic statement, or one in parentheses.
func (p *parser) basic() (s Stmt) {
	off := p.tok().off
	here := func() span { return span{off, p.end()} }
	switch {
	case p.accept("("):
		s = p.statement()
		p.expect(")", " that closes the parenthesis")
	case p.accept("["):
		c := p.condition()
		p.expect("]", " after the condition of the test")
		p.nested(func() { s = p.basic() })
		s = &Test{here(), c, s}
	case p.accept("skip"):
		s = &Skip{here()}
	case p.accept("assert"):
		c := p.guard("assert")
		s = &Assert{here(), c}
	case p.accept("return"):
		y := p.value()
		s = &Return{here(), y}
	case p.accept("while"):
		c := p.guard("while")
		p.expect("do", " after the condition of the loop")
		body := p.statement()
		p.expect("od", " at the end of the loop")
		s = &While{here(), c, body}
	case p.accept("if"):
		s = p.conditional(off)
	case p.tok().kind == tokName:
		s = p.simple(off)
	case p.tok().is("nil"):
		p.at(off, "nil is constant: it cannot be assigned, and has no fields")
		panic(abandon{})
	default:
		p.expected("a statement")
	}
	return s
}

// guard parses a condition in parentheses, after a keyword.
func (p *parser) guard(keyword string) Cond {
	p.expect("(", ` after "`+keyword+`"`)
	c := p.condition()
	p.expect(")", " after the condition")
	return c
}

// conditional parses an if, the keyword of which stands at off.
func (p *parser) conditional(off int) Stmt {
	s := &If{Cond: p.guard("if")}
	p.expect("then", " after the condition")
	s.Then = p.statement()
	if p.accept("else") {
		s.Else = p.statement()
	}
	if s.Else == nil {
		p.expect("fi", ` or "else"`)
	} else {
		p.expect("fi", ` at the end of the "if"`)
	}
	s.span = span{off, p.end()}
	return s
}

// simple parses an assignment or a call, which begins with a name at off.
func (p *parser) simple(off int) Stmt {
	x := p.name("a name")
	here := func() span { return span{off, p.end()} }
	switch {
	case p.accept(":="):
		return p.assignment(off, x)
	case p.accept("."):
		f := p.name("a field")
		if p.tok().is(".") {
			p.at(p.tok().off, "only one field is possible on the left: assign %s.%s to a variable first", x.Name, f.Name)
			panic(abandon{})
		}
		p.expect(":=", " after the field")
		if p.tok().is("new") {
			p.at(p.tok().off, "a new object is assigned to a variable first")
			panic(abandon{})
		}
		y := p.value()
		if p.tok().is(".") {
			p.at(p.tok().off, "the value of a field is assigned to a variable first")
			panic(abandon{})
		}
		return &Store{here(), x, f, y}
	case p.tok().is("("):
		args := p.arguments(p.value)
		return &Call{span: here(), Name: x, Args: args}
	case p.tok().is("="):
		p.at(p.tok().off, `an assignment is spelled ":="`)
		panic(abandon{})
	}
	return &Call{span: here(), Name: x}
}

// assignment parses the right side of an assignment to x.
func (p *parser) assignment(off int, x Ref) Stmt {
	here := func() span { return span{off, p.end()} }
	if p.accept("new") {
		return &New{here(), x}
	}
	if t := p.tok(); t.kind != tokName && !t.is("nil") || p.atHead() {
		p.expected("new, nil, a variable, a field or a call")
	}
	y := p.value()
	if p.tok().is("(") && y.Name != "nil" {
		args := p.arguments(p.value)
		return &Call{span: here(), Name: y, Args: args, Result: &x}
	}
	var fields []Ref
	for p.accept(".") {
		fields = append(fields, p.name("a field"))
	}
	return &Assign{span: here(), X: x, Y: y, Fields: fields}
}

// condition parses comparisons with !, & and |, the loosest of which is |.
func (p *parser) condition() (c Cond) {
	p.nested(func() {
		c = p.conjunction()
		for p.accept("|") {
			c = &Or{c, p.conjunction()}
		}
	})
	return c
}

// conjunction parses conditions with "&" between them.
func (p *parser) conjunction() Cond {
	c := p.comparison()
	for p.accept("&") {
		c = &And{c, p.comparison()}
	}
	return c
}

// comparison parses a comparison, or a condition in parentheses or with "!" before it.
func (p *parser) comparison() (c Cond) {
	switch {
	case p.accept("!"):
		p.nested(func() { c = &Not{p.comparison()} })
		return c
	case p.accept("("):
		c = p.condition()
		p.expect(")", " after the condition")
		return c
	}
	x := p.value()
	if p.tok().is(".") {
		p.at(p.tok().off, "conditions compare variables: assign the field to a variable first")
		panic(abandon{})
	}
	equal := p.tok().is("=")
	if !equal && !p.tok().is("!=") {
		p.expected(`"=" or "!="`)
	}
	p.i++
	y := p.value()
	return &Compare{x, y, equal}
}

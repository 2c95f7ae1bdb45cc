package zing

// This file parses select statements.

// selectStmt reads the rest of a select statement.
func (p *parser) selectStmt(start int) *Select {
	s := &Select{}
	p.qualifiers(s)
	open := p.tok.off
	if p.expect("{"); p.tok.is("}") {
		p.errorAt(open, "a select has at least one join statement")
	}
	for !p.tok.is("}") && p.tok.kind != tokEOF {
		p.recoverAt(p.guard(func() { s.Joins = append(s.Joins, p.join()) }))
	}
	p.expect("}")
	s.Span = p.span(start)
	return s
}

// qualifiers reads end, first and visible, in any order and at most once each.
func (p *parser) qualifiers(s *Select) {
	for {
		var q *bool
		switch {
		case p.tok.is("end"):
			q = &s.End
		case p.tok.is("first"):
			q = &s.First
		case p.tok.is("visible"):
			q = &s.Visible
		default:
			return
		}
		if *q {
			p.errorAt(p.tok.off, "%q is repeated", p.tok.text)
		}
		*q = true
		p.advance()
	}
}

// join reads a join statement.
func (p *parser) join() *Join {
	p.attributes()
	start := p.tok.off
	j := &Join{}
	for {
		j.Patterns = append(j.Patterns, p.pattern())
		if !p.accept("&&") {
			break
		}
	}
	p.expect("->")
	j.Body = p.stmt()
	j.Span = p.span(start)
	return j
}

// pattern reads a condition of a join statement.
func (p *parser) pattern() Pattern {
	start := p.tok.off
	switch {
	case p.accept("wait"):
		cond := p.condition()
		return &WaitPattern{p.span(start), cond}
	case p.accept("receive"):
		p.expect("(")
		ch := p.expr()
		p.expect(",")
		lhs := p.expr()
		p.expect(")")
		return &ReceivePattern{p.span(start), ch, lhs}
	case p.accept("event"):
		e := p.event()
		return &EventPattern{p.span(start), e}
	case p.accept("timeout"):
		return &TimeoutPattern{p.span(start)}
	}
	p.expected("a pattern, which starts with wait, receive, event or timeout")
	return nil
}

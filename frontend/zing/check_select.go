package zing

// This file checks select statements.

// maxJoins is the greatest number of join statements of a select.
const maxJoins = 64

// selectStmt checks a select statement.
func (c *checker) selectStmt(s *Select) {
	if len(s.Joins) > maxJoins {
		c.errorf(s.Joins[maxJoins], "a select has at most %d join statements", maxJoins)
	}
	timeout := false
	for _, j := range s.Joins {
		for _, p := range j.Patterns {
			if _, ok := p.(*TimeoutPattern); ok {
				c.timeout(p, j, timeout)
				timeout = true
			}
			c.pattern(p)
		}
		c.direct(j.Body, "->")
	}
}

// timeout checks that a timeout is alone in its join statement j, and that none came before it.
func (c *checker) timeout(p Pattern, j *Join, before bool) {
	switch {
	case len(j.Patterns) > 1:
		c.errorf(p, "timeout cannot be joined with another pattern")
	case before:
		c.errorf(p, "a select has at most one timeout")
	}
}

// pattern checks a condition of a join statement.
func (c *checker) pattern(p Pattern) {
	switch p := p.(type) {
	case *WaitPattern:
		c.wait = true
		p.Cond = c.condition(p.Cond)
		c.wait = false
	case *ReceivePattern:
		p.Chan = c.expr(p.Chan)
		p.Lhs = c.place(p.Lhs)
		elem, t := c.elem(p.Chan), p.Lhs.TypeOf()
		if elem != invalid && t != invalid && t != elem {
			c.errorf(p.Lhs, "channels of type %q give values of type %s: expected a variable of exactly that type, found %s", p.Chan.TypeOf(), elem, t)
		}
	case *EventPattern:
		c.event(&p.Event)
	}
}

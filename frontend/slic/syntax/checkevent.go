package syntax

// This file checks tables of events.

// event checks a table of aliases: each argument leads to one parameter, as x, &x->member or &_->member == x.
func (c *checker) event(e *Event) {
	// 1. Names.
	params := map[string]Name{}
	for _, p := range e.Params {
		c.unique(params, p, "a parameter")
	}
	for _, other := range c.set.Events {
		if other.Name.Text == e.Name.Text {
			c.errorf(e.Name.Pos, `the event "%s" has two tables, the first at %s; expected one`, e.Name.Text, other.Name.Pos)
		}
	}
	// 2. Aliases.
	funcs := map[string]Name{e.Name.Text: e.Name}
	for i, a := range e.Aliases {
		if (a.Entry != nil) != (e.Aliases[0].Entry != nil) {
			c.errorf(a.Func.Pos, `the event "%s" is both of functions and of entry points; expected one of the two`, e.Name.Text)
			continue
		}
		if a.Entry != nil {
			if c.entry(e, a); i > 0 {
				continue
			}
		}
		c.unique(funcs, a.Func, "a function")
		for _, x := range a.Args {
			p, _ := Root(x)
			if p.Text == "" {
				p, _ = Part(x)
			}
			if p.Text == "" {
				c.errorf(x.At(), "%s; expected a parameter p, &p->member, or &_->member == p", String(x))
			} else if _, known := params[p.Text]; !known && p.Text != "_" {
				c.errorf(p.Pos, `"%s" is no parameter of the event; expected one of %s`, p.Text, list(e.Params))
			}
		}
	}
	c.set.Events = append(c.set.Events, e)
}

// entry checks an alias of entry points: it has the parameters of the event.
func (c *checker) entry(e *Event, a *Alias) {
	if len(a.Entry.Params) != len(e.Params) {
		c.errorf(a.Func.Pos, "an entry point with %s for an event with %d; expected as many", count(len(a.Entry.Params), "parameter"), len(e.Params))
	}
	for _, t := range a.Entry.Params {
		if len(t.Words) == 1 && t.Words[0] == "void" && t.Stars == 0 {
			c.errorf(t.Pos, "a parameter of type void; expected the type of a number or pointer")
		}
	}
}

// OfEntries reports whether the event is one of entry points.
func (e *Event) OfEntries() bool { return len(e.Aliases) > 0 && e.Aliases[0].Entry != nil }

// Root returns the parameter in an argument of an alias, and the path of members that lead from it: l and
// "a.b" for &l->a.b. For an argument of another form the name is empty.
func Root(x Expr) (n Name, path string) {
	if i, ok := x.(*Ident); ok {
		return i.Name, ""
	}
	u, ok := x.(*Unary)
	if !ok || u.Op != "&" {
		return Name{}, ""
	}
	// From the last member to the first.
	for e := u.X; ; {
		m, ok := e.(*Member)
		if !ok {
			return Name{}, ""
		}
		path = m.Name.Text + "." + path
		if i, ok := m.X.(*Ident); ok && m.Arrow {
			return i.Name, path[:len(path)-1]
		} else if m.Arrow {
			return Name{}, ""
		}
		e = m.X
	}
}

// Part returns the parameter that is a member of the object that an argument of an alias points to, and the path of that member: l
// and "a.b" for &_->a.b == l. For an argument of another form the name is empty.
func Part(x Expr) (n Name, path string) {
	e, ok := x.(*Binary)
	if !ok || e.Op != "==" {
		return Name{}, ""
	}
	of, path := Root(e.X)
	if p, ok := e.Y.(*Ident); ok && of.Text == "_" && path != "" {
		return p.Name, path
	}
	return Name{}, ""
}

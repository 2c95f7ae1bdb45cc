package finite

import "c2bp/boolprog"

// This file translates parallel assignments: to a field x.f they write in each object to which x may lead.

// update is a parallel assignment under construction. A target that is written twice has the last value.
type update struct {
	*scope
	names  []string
	values map[string]boolprog.Expr
}

func (s *scope) newUpdate() *update { return &update{scope: s, values: map[string]boolprog.Expr{}} }

// set assigns a value to a variable of the translation where a condition holds, which has no choices in it.
func (u *update) set(name string, when, e boolprog.Expr) {
	old, is := u.values[name]
	if !is {
		u.names = append(u.names, name)
		old = &boolprog.Ref{Name: name}
	}
	u.values[name] = ite(when, e, old)
}

// bits assigns to a cell where a condition holds.
func (u *update) bits(c *cell, when boolprog.Expr, e []boolprog.Expr) {
	for i, name := range c.bits {
		u.set(name, when, e[i])
	}
}

// right is a value that is stored.
type right struct {
	ref   bool
	value value
	e     boolprog.Expr // a Boolean
	from  *cell         // the value is that of a variable; may be nil
}

// right translates a right side, argument or result.
func (s *scope) right(e boolprog.Expr, t boolprog.Type) right {
	if !t.Ref {
		return right{e: s.boolean(e)}
	}
	out := right{ref: true, value: s.reference(e)}
	if r, is := e.(*boolprog.Ref); is && !r.Next {
		out.from = s.cell(r.Name)
	}
	return out
}

// in returns the bits of a value in a cell, or the Boolean.
func (r right) in(c *cell) []boolprog.Expr {
	if !r.ref {
		return []boolprog.Expr{r.e}
	}
	if r.from == nil || !c.copies(r.from) {
		return c.encode(r.value)
	}
	var out []boolprog.Expr
	for _, name := range r.from.bits {
		out = append(out, &boolprog.Ref{Name: name})
	}
	return out
}

// store assigns to a target of the program.
func (u *update) store(to *boolprog.Ref, r right) {
	if to.Field == "" {
		if r.ref {
			c := u.cell(to.Name)
			u.bits(c, yes, r.in(c))
		} else {
			u.set(to.Name, yes, r.e)
		}
		return
	}
	for _, g := range u.cell(to.Name).value(false) {
		_, i := u.objects[g.object].class.Field(to.Field)
		if r.ref {
			c := u.fields[g.object][i]
			u.bits(c, g.when, r.in(c))
		} else {
			u.set(u.scope.values[g.object][i], g.when, r.e)
		}
	}
}

// assign returns the assignment.
func (u *update) assign(constrain boolprog.Expr) *boolprog.Assign {
	a := &boolprog.Assign{Constrain: constrain}
	for _, name := range u.names {
		a.Lhs = append(a.Lhs, &boolprog.Ref{Name: name})
		a.Rhs = append(a.Rhs, u.values[name])
	}
	return a
}

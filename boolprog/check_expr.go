package boolprog

import (
	"fmt"
	"maps"
	"slices"

	"c2bp/source"
)

// This file checks expressions. The type of an operator is known without its operands, so each
// operand is checked once and nothing recurses: expressions may be deep. For
//
//	assume(!(x.f & y));
//
// fits is called for the negation (as the condition), for x.f & y (as the operand of !), and for
// x.f and y (as operands of &).

// need is the type that an expression must have, with the place and the role for messages.
type need struct {
	Type
	any  bool       // every type is allowed
	pos  source.Pos // where errors are shown if the expression has no position
	role string     // format for i and name, as far as they are set
	i    int
	name string
}

// condition returns the need of the condition of a statement at pos.
func condition(pos source.Pos) need { return need{pos: pos, role: "as the condition"} }

// String returns the role as messages have it: as argument 1 of "f".
func (n need) String() string {
	switch {
	case n.i > 0:
		return fmt.Sprintf(n.role, n.i, n.name)
	case n.name != "":
		return fmt.Sprintf(n.role, n.name)
	}
	return n.role
}

// exprs checks each expression of a list.
func (c *checker) exprs(list []Expr, n need) {
	for _, e := range list {
		c.expr(e, n)
	}
}

// expr checks e, with all its operands.
func (c *checker) expr(e Expr, n need) {
	if e == nil || c.full {
		return
	}
	c.fits(e, n)
	// The type of e itself is right, or reported; now those of all operands in it.
	Inspect(e, func(e Expr) {
		switch e := e.(type) {
		case *Not:
			c.fits(e.X, need{role: `as the operand of "!"`})
		case *Choose:
			c.fits(e.P, need{role: `in "choose"`})
			c.fits(e.N, need{role: `in "choose"`})
		case *Binary:
			// Equality compares two Booleans or two references to one class.
			if e.Op == Eq || e.Op == Ne {
				c.comparison(e)
				return
			}
			n := need{role: `as an operand of "%s"`, name: e.Op.String()}
			c.fits(e.X, n)
			c.fits(e.Y, n)
		case *New:
			// As the whole right side it does not come here: see assignedValue.
			c.errorf(e.Pos, `"new" must be all that is assigned: write "x := new %s;" before, and x here`, e.Class)
		case *Any:
			c.errorf(e.Pos, `"any" must be all that is assigned: write "x := %s;" before, and x here`, ExprString(e))
		}
	})
}

// fits checks the type of an expression, and resolves its names, without its operands. An
// expression whose type is unknown was reported, and fits everywhere.
func (c *checker) fits(e Expr, n need) {
	t, ok := c.value(e)
	if !ok || n.any || t.Is(n.Type) {
		return
	}
	// Explain that * is no reference.
	want, found := n.Type.String(), t.String()
	if n.Ref {
		want += " or null"
		if _, ok := e.(*Nondet); ok {
			found = fmt.Sprintf(`"*", which is a Boolean: an arbitrary reference is "any %s"`, n.Class)
		}
	}
	c.errorf(posOf(e, n.pos), "expected %s %s, found %s", want, n, found)
}

// comparison checks the operands of = and !=.
func (c *checker) comparison(e *Binary) {
	x, okX := c.value(e.X)
	y, okY := c.value(e.Y)
	if okX && okY && !x.Is(y) && !y.Is(x) {
		c.errorf(posOf(e.X, posOf(e.Y, source.Pos{})),
			`"%s" between %s and %s: expected two Booleans or two references to one class`, e.Op, x, y)
	}
}

// value resolves the names of an expression without its operands. It returns its type and whether
// that is known.
func (c *checker) value(e Expr) (Type, bool) {
	switch e := e.(type) {
	case *Ref:
		return c.read(e)
	// Null, new and any belong to programs with classes.
	case *Null:
		if !c.references {
			c.errorf(e.Pos, "null in a program without classes")
		}
		// null is a reference to an object of any class.
		return Type{Ref: true}, true
	case *New:
		return typeOf(e.Class), c.known(e.Class, e.Pos)
	case *Any:
		return typeOf(e.Class), c.known(e.Class, e.Pos)
	case *Select:
		return c.selection(e)
	}
	// Constants, choices and all operations are Booleans.
	return Type{}, true
}

// selection returns the type of x.f.g, of which e is the last field, and whether it is known.
func (c *checker) selection(e *Select) (Type, bool) {
	// Collect the chain, innermost field last.
	chain := []*Select{e}
	for x, ok := e.X.(*Select); ok; x, ok = x.X.(*Select) {
		chain = append(chain, x)
	}
	inner := chain[len(chain)-1]
	base, ok := inner.X.(*Ref)
	if !ok {
		c.errorf(inner.Pos, `field "%s" of an expression: expected a variable in front of it`, inner.Field)
		return Type{}, false
	}
	// Resolve the fields from the variable outwards.
	t, ok := c.read(base)
	name := base.Name
	for _, s := range slices.Backward(chain) {
		if !ok {
			break
		}
		t, ok = c.field(t, name, s.Field, s.Pos)
		name = s.Field
	}
	return t, ok
}

// read returns the type of a variable in an expression, and whether it is known.
func (c *checker) read(r *Ref) (Type, bool) {
	t, ok := c.variable(r)
	switch {
	case !ok, !r.Next:
	case !c.primes:
		c.errorf(r.Pos, `'%s outside a "constrain" clause: there is no assignment after which it could have a value`, r.Name)
	case !c.targets[r.Name]: // it keeps its value
		r.Next = false
	}
	return t, ok
}

// variable returns the type of a variable in scope, and whether it is known.
func (c *checker) variable(r *Ref) (Type, bool) {
	// Locals hide globals.
	v := c.locals[r.Name]
	if v == nil {
		v = c.globals[r.Name]
	}
	switch {
	case v != nil:
		return c.declared(v.Class)
	// After so many errors names are not resolved any more.
	case c.full:
	case r.Name == "_":
		c.errorf(r.Pos, `"_" is no variable: it can only discard a result of a call`)
	default:
		names := slices.AppendSeq(slices.Collect(maps.Keys(c.locals)), maps.Keys(c.globals))
		c.errorf(r.Pos, `variable "%s" is not declared%s`, r.Name, nearest(r.Name, names))
	}
	return Type{}, false
}

// posOf returns the start of an expression, if the syntax tree has it, else fallback.
func posOf(e Expr, fallback source.Pos) source.Pos {
	for {
		switch x := e.(type) {
		case *Ref:
			return x.Pos
		case *Null:
			return x.Pos
		case *New:
			return x.Pos
		case *Any:
			return x.Pos
		case *Select:
			// Operators have no position: take that of the first operand.
			e = x.X
		case *Not:
			e = x.X
		case *Binary:
			e = x.X
		case *Choose:
			e = x.P
		default:
			return fallback
		}
	}
}

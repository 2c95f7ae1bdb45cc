package boolprog

import "fmt"

// This file checks assignments and calls.

// assign checks an assignment: targets with their values, values without targets, then the
// constrain clause.
func (c *checker) assign(s *Stmt, op *Assign) {
	// Errors are shown at the first target.
	pos := s.Pos
	if len(op.Lhs) > 0 {
		pos = op.Lhs[0].Pos
	}
	if len(op.Lhs) != len(op.Rhs) {
		c.errorf(pos, "assignment of %s to %s", count(len(op.Rhs), "value"), count(len(op.Lhs), "variable"))
	}
	c.targets = emptied(c.targets)
	// Each target with its value; a target whose type is unknown accepts any.
	for i, r := range op.Lhs {
		n := need{role: `as the value of "%s"`, name: r.Name, pos: r.Pos, any: true}
		if t, ok := c.assigned(r); ok {
			n.Type, n.any = t, false
		}
		if r.Field != "" {
			n.role, n.name = `as the value of field "%s"`, r.Field
		}
		if i < len(op.Rhs) {
			c.assignedValue(op.Rhs[i], n)
		}
	}
	// Values without targets are checked, too: their names must exist.
	for i := len(op.Lhs); i < len(op.Rhs); i++ {
		c.assignedValue(op.Rhs[i], need{any: true})
	}
	// In the constrain clause, targets may be primed.
	c.primes = true
	c.expr(op.Constrain, condition(pos))
	c.primes = false
}

// assignedValue checks a right side; only a right side may be a new or any object.
func (c *checker) assignedValue(e Expr, n need) {
	switch e.(type) {
	case *New, *Any:
		c.fits(e, n)
		return
	}
	c.expr(e, n)
}

// assigned checks a target of an assignment or call and notes it. It returns its type and whether
// that is known.
func (c *checker) assigned(r *Ref) (Type, bool) {
	// Variables and fields are told apart by their text: x.f and y.f are two targets, even if x
	// = y.
	text := target(r)
	twice := c.targets[text]
	c.targets[text] = true
	t, ok := Type{}, false
	switch {
	// A target that was assigned before is an error; its type does not matter then.
	case !twice:
		t, ok = c.variable(r)
	case r.Field == "":
		c.errorf(r.Pos, `variable "%s" is assigned twice at once`, text)
	default:
		c.errorf(r.Pos, `"%s" is assigned twice at once`, text)
	}
	// A field has a type of its own.
	if !ok || r.Field == "" {
		return t, ok
	}
	return c.field(t, r.Name, r.Field, r.Pos)
}

// call checks a call: targets, arguments, then the callee and its arities.
func (c *checker) call(op *Call) {
	// The operands are checked even if there is no such procedure.
	callee := c.procs[op.Callee.Name]
	c.targets = emptied(c.targets)
	for i, r := range op.Lhs {
		if r.Name != "_" || r.Field != "" {
			c.resultTarget(callee, i, r)
		}
	}
	for i, e := range op.Args {
		// An argument beyond the parameters may have any type: the number is reported
		// below.
		n := need{any: true, pos: op.Callee.Pos, role: `as argument %d of "%s"`, i: i + 1, name: op.Callee.Name}
		if callee != nil && i < len(callee.Params) {
			t, ok := c.declared(callee.Params[i].Class)
			n.Type, n.any = t, !ok
		}
		c.expr(e, n)
	}
	if callee == nil {
		c.errorf(op.Callee.Pos, `procedure "%s" is not defined%s`, op.Callee.Name, nearest(op.Callee.Name, append(c.procNames(), "assume", "assert", "print")))
		return
	}
	// Arities: all results or none may be taken.
	if len(op.Args) != len(callee.Params) {
		c.errorf(op.Callee.Pos, `call of "%s" with %s: expected %d`, callee.Name, count(len(op.Args), "argument"), len(callee.Params))
	}
	if len(op.Lhs) > 0 && len(op.Lhs) != callee.Results {
		c.errorf(op.Lhs[0].Pos, `%s for the call of "%s", which returns %s`, count(len(op.Lhs), "variable"), callee.Name, count(callee.Results, "result"))
	}
}

// resultTarget checks the target of result i of a call; callee may be nil.
func (c *checker) resultTarget(callee *Proc, i int, r *Ref) {
	t, ok := c.assigned(r)
	// A result without a callee or type was, or will be, reported elsewhere.
	if !ok || callee == nil || i >= callee.Results {
		return
	}
	if result, ok := c.result(callee, i); ok && !result.Is(t) {
		c.errorf(r.Pos, `"%s" is %s, but result %d of "%s" is %s`, target(r), t, i+1, callee.Name, result)
	}
}

// count returns "1 value", "2 values", "no value".
func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

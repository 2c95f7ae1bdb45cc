package boolprog

import "fmt"

// This file defines what the type checker asks of assignments and calls.

func (c *checker) assign(s *Stmt, op *Assign) {
	if len(op.Lhs) != len(op.Rhs) {
		pos := s.Pos
		if len(op.Lhs) > 0 {
			pos = op.Lhs[0].Pos
		}
		c.errorf(pos, "assignment of %s to %s", count(len(op.Rhs), "value"), count(len(op.Lhs), "variable"))
	}
	c.assigned(op.Lhs, false)
	c.exprs(op.Rhs)
	c.expr(op.Constrain, c.targets)
}

// assigned checks the left-hand side of an assignment or call and takes note of its names.
func (c *checker) assigned(lhs []*Ref, call bool) {
	c.targets = emptied(c.targets)
	for _, r := range lhs {
		switch {
		case call && r.Name == "_":
			continue
		case c.targets[target(r)]:
			c.errorf(r.Pos, `variable "%s" is assigned twice at once`, target(r))
		default:
			c.variable(r)
		}
		c.targets[target(r)] = true
	}
}

func (c *checker) call(op *Call) {
	c.assigned(op.Lhs, true)
	c.exprs(op.Args)
	callee, ok := c.procs[op.Callee.Name]
	if !ok {
		c.errorf(op.Callee.Pos, `procedure "%s" is not defined%s`, op.Callee.Name, nearest(op.Callee.Name, append(c.procNames(), "assume", "assert", "print")))
		return
	}
	if len(op.Args) != len(callee.Params) {
		c.errorf(op.Callee.Pos, `call of "%s" with %s: expected %d`, callee.Name, count(len(op.Args), "argument"), len(callee.Params))
	}
	if len(op.Lhs) > 0 && len(op.Lhs) != callee.Results {
		c.errorf(op.Lhs[0].Pos, `%s for the call of "%s", which returns %s`, count(len(op.Lhs), "variable"), callee.Name, count(callee.Results, "result"))
	}
}

// count prints "1 value", "2 values", "no value".
func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

package lower

import (
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/zom"
)

// This file translates expressions, assignments and calls.

// expr emits code that computes e, and returns the slot of the result: a scratch slot, or a
// variable that is a reference.
func (c *procBuilder) expr(e boolprog.Expr) int32 {
	switch e := e.(type) {
	// Constants and choices get a scratch slot.
	case *boolprog.Const:
		return c.constant(e.Val)
	case *boolprog.Null:
		t := c.temp(zom.Ref)
		c.emit(zom.Const, t, 0, 0)
		return t
	case *boolprog.Nondet:
		t := c.temp(zom.Bool)
		c.emit(zom.Any, t, 0, 0)
		return t
	// Variables and fields are read once, here.
	case *boolprog.Ref:
		return c.variableRef(e)
	case *boolprog.Select:
		return c.selection(e)
	case *boolprog.New:
		t := c.temp(zom.Ref)
		c.emit(zom.New, t, int32(c.classes[e.Class]), 0)
		return t
	case *boolprog.Any:
		t := c.temp(zom.Ref)
		in := c.emit(zom.AnyObject, t, int32(c.classes[e.Class]), 0)
		if e.New {
			in.C = 1
		}
		return t
	// Operators.
	case *boolprog.Not:
		return c.boolean(zom.Not, c.expr(e.X), 0)
	case *boolprog.Choose:
		return c.boolean(zom.Choose, c.expr(e.P), c.expr(e.N))
	case *boolprog.Binary:
		return c.binary(e)
	}
	panic(fmt.Sprintf("lower: expression of type %T", e))
}

// constant emits a constant.
func (c *procBuilder) constant(val bool) int32 {
	t := c.temp(zom.Bool)
	if in := c.emit(zom.Const, t, 0, 0); val {
		in.Imm = 1
	}
	return t
}

// boolean emits an operation with a Boolean result.
func (c *procBuilder) boolean(op zom.Op, x, y int32) int32 {
	t := c.temp(zom.Bool)
	c.emit(op, t, x, y)
	return t
}

var operations = map[boolprog.BinOp]zom.Op{
	boolprog.Implies: zom.Implies, boolprog.Or: zom.Or, boolprog.Xor: zom.Xor, boolprog.And: zom.And, boolprog.Eq: zom.Eq,
}

// binary emits a chain of operators. It walks down the left operands in a loop, since there may be
// many.
func (c *procBuilder) binary(e *boolprog.Binary) int32 {
	// 1. Collect the left spine, outermost operator first.
	spine := []*boolprog.Binary{e}
	for {
		x, ok := spine[len(spine)-1].X.(*boolprog.Binary)
		if !ok {
			break
		}
		spine = append(spine, x)
	}
	// 2. Emit from the innermost operator outwards; != is the negation of =.
	t := c.expr(spine[len(spine)-1].X)
	for i := len(spine) - 1; i >= 0; i-- {
		op, y := spine[i].Op, c.expr(spine[i].Y)
		if op == boolprog.Ne {
			t = c.boolean(zom.Not, c.boolean(zom.Eq, t, y), 0)
			continue
		}
		t = c.boolean(operations[op], t, y)
	}
	return t
}

// variableRef reads a variable. A Boolean is copied, because a copy decides it if it is unknown.
func (c *procBuilder) variableRef(r *boolprog.Ref) int32 {
	if r.Next {
		return c.next[r.Name]
	}
	// A primed variable was read from c.next above.
	s, _ := c.p.Slot(r.Name)
	kind := c.kind(r.Name)
	switch {
	case s.Global:
		t := c.temp(kind)
		c.emit(zom.Global, t, int32(s.Index), 0)
		return t
	case kind == zom.Ref:
		return int32(s.Index)
	}
	t := c.temp(kind)
	c.emit(zom.Copy, t, int32(s.Index), 0)
	return t
}

// kind returns the kind of a variable.
func (c *procBuilder) kind(name string) zom.Kind { return kindOf(c.g.Var(c.p, name).Type()) }

// kindOf returns the kind of a type.
func kindOf(t boolprog.Type) zom.Kind {
	if t.Ref {
		return zom.Ref
	}
	return zom.Bool
}

// selection reads a field.
func (c *procBuilder) selection(e *boolprog.Select) int32 {
	// The class of the object tells the index of the field.
	class := c.g.Prog.Class(c.g.TypeOf(c.p, e.X).Class)
	f, i := class.Field(e.Field)
	obj := c.expr(e.X)
	t := c.temp(kindOf(f.Type()))
	c.emit(zom.Field, t, obj, int32(i))
	return t
}

// values computes expressions into slots that are not written before they are used: references are
// copied.
func (c *procBuilder) values(list []boolprog.Expr) []int32 {
	out := make([]int32, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
		// The slot is a variable: copy it, since a later target may be the same.
		if int(out[i]) < c.out.Scratch {
			t := c.temp(zom.Ref)
			c.emit(zom.Copy, t, out[i], 0)
			out[i] = t
		}
	}
	return out
}

// target is a place where a value is stored: a variable, or a field of the object in slot obj.
type target struct {
	ref *boolprog.Ref
	obj int32
}

// targets reads the objects whose fields are on a left side. They must not be null, even if a
// constrain clause prevents the assignment.
func (c *procBuilder) targets(lhs []*boolprog.Ref) []target {
	out := make([]target, len(lhs))
	for i, r := range lhs {
		// A field needs its object, which must exist.
		out[i] = target{ref: r}
		if r.Field != "" {
			out[i].obj = c.values([]boolprog.Expr{&boolprog.Ref{Name: r.Name}})[0]
			c.emit(zom.Object, out[i].obj, 0, 0)
		}
	}
	return out
}

// store writes the value of a scratch slot to a target.
func (c *procBuilder) store(to target, from int32) {
	// A field, a global, or a local variable.
	if to.ref.Field != "" {
		_, i := c.g.Prog.Class(c.g.Var(c.p, to.ref.Name).Class).Field(to.ref.Field)
		c.emit(zom.SetField, to.obj, int32(i), from)
		return
	}
	s, _ := c.p.Slot(to.ref.Name)
	if s.Global {
		c.emit(zom.SetGlobal, int32(s.Index), from, 0)
	} else {
		c.emit(zom.Move, int32(s.Index), from, 0)
	}
}

// assign reads the targets' objects and the right sides, checks the constrain clause, and writes.
func (c *procBuilder) assign(a *boolprog.Assign) {
	targets, values := c.targets(a.Lhs), c.values(a.Rhs)
	if a.Constrain != nil {
		c.constrain(a, values)
	}
	for i, t := range targets {
		c.store(t, values[i])
	}
}

// constrain assumes the clause of an assignment. It mentions the new values that are stored, so
// they are decided.
func (c *procBuilder) constrain(a *boolprog.Assign, values []int32) {
	// 1. Find the slots of the new values that the clause mentions.
	next := map[string]int32{}
	boolprog.InspectRefs(a.Constrain, func(r *boolprog.Ref) {
		// 2. Decide them, and assume the clause.
		for i, l := range a.Lhs {
			if r.Next && l.Field == "" && l.Name == r.Name {
				next[r.Name] = values[i]
			}
		}
	})
	for i, l := range a.Lhs {
		if _, ok := next[l.Name]; ok && l.Field == "" && c.kind(l.Name) == zom.Bool {
			c.emit(zom.Decide, values[i], 0, 0)
		}
	}
	c.next = next
	c.emit(zom.Assume, c.expr(a.Constrain), 0, 0)
	c.next = nil
}

// passed computes the arguments of a call or of a thread, and returns the first of the slots that carry them.
func (c *procBuilder) passed(n *boolprog.Node) int32 {
	args := c.args(n.Callee)
	for i, t := range c.values(n.Call.Args) {
		c.emit(zom.Move, args+int32(i), t, 0)
	}
	return args
}

// call emits a call.
func (c *procBuilder) call(n *boolprog.Node) {
	// Arguments and results travel in slots that calls share.
	results := c.results(n.Callee)
	// 1. Arguments.
	args := c.passed(n)
	c.emit(zom.Call, args, int32(n.Callee.Index), results)
	// 2. Results: take them all, then read the targets' objects and write from left to right.
	lhs := n.Call.Lhs
	values := make([]int32, len(lhs))
	for i := range lhs {
		values[i] = c.temp(kindOf(n.Callee.Proc.Result(i)))
		c.emit(zom.Move, values[i], results+int32(i), 0)
	}
	for i, t := range c.targets(lhs) {
		if t.ref.Name != "_" {
			c.store(t, values[i])
		}
	}
}

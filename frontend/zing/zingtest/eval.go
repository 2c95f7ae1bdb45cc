package zingtest

import (
	"c2bp/frontend/zing"
)

// This file evaluates expressions.

// truth evaluates a condition.
func (r *run) truth(e zing.Expr) bool { return r.eval(e).(bool) }

// evalAll evaluates expressions for their failures.
func (r *run) evalAll(list []zing.Expr) {
	for _, e := range list {
		r.eval(e)
	}
}

// eval evaluates an expression.
func (r *run) eval(e zing.Expr) value {
	switch e := e.(type) {
	case *zing.IntLit:
		return integerLiteral(e)
	case *zing.RealLit:
		return rounded(e.Value, e.Type)
	case *zing.StringLit:
		return e.Value
	case *zing.BoolLit:
		return e.Value
	case *zing.NullLit:
		return nil
	case *zing.This:
		return r.frame().this
	case *zing.Self:
		return int64(r.number)
	case *zing.Name, *zing.Index:
		return copied(*r.place(e))
	case *zing.Selector:
		if m, is := e.Symbol.(*zing.EnumMember); is {
			return int64(m.Value)
		}
		return copied(*r.place(e))
	case *zing.Call:
		return r.predicate(e)
	case *zing.New:
		return r.make(e)
	case *zing.Sizeof:
		if e.Of != nil {
			return int64(e.Of.Size)
		}
		return int64(len(r.object(e.X).elems))
	case *zing.Unary:
		return r.unary(e)
	case *zing.Binary:
		return r.binary(e)
	case *zing.Assign:
		return r.store(e.Lhs, e.Rhs)
	case *zing.Convert:
		return r.convert(r.eval(e.X), e.X.TypeOf(), e.Type, e)
	}
	panic("zingtest: unknown expression")
}

// literal returns the value of a condition that literals determine. Operands of && and || that are
// literals are folded; one after an operand that is none hides no failure of that one.
func literal(e zing.Expr) (value, known bool) {
	switch e := e.(type) {
	case *zing.BoolLit:
		return e.Value, true
	case *zing.Binary:
		if e.Op != zing.AndAnd && e.Op != zing.OrOr {
			return false, false
		}
		if x, known := literal(e.X); !known || x == (e.Op == zing.OrOr) {
			return x, known
		}
		return literal(e.Y)
	}
	return false, false
}

// binary evaluates an operator between its operands.
func (r *run) binary(e *zing.Binary) value {
	switch e.Op {
	case zing.AndAnd, zing.OrOr:
		if r.truth(e.X) == (e.Op == zing.OrOr) {
			return e.Op == zing.OrOr
		}
		return r.truth(e.Y)
	case zing.In:
		x := r.eval(e.X)
		for _, v := range r.object(e.Y).elems {
			if compare(x, v) == 0 {
				return true
			}
		}
		return false
	}
	x := r.eval(e.X)
	y := r.eval(e.Y)
	switch e.Op {
	case zing.Eq:
		return compare(x, y) == 0
	case zing.Ne:
		return compare(x, y) != 0
	case zing.Lt:
		return less(x, y)
	case zing.Gt:
		return less(y, x)
	case zing.Le:
		return less(x, y) || compare(x, y) == 0
	case zing.Ge:
		return less(y, x) || compare(x, y) == 0
	}
	if p, is := x.(bool); is {
		return logical(e.Op, p, y.(bool))
	}
	return r.arithmetic(e, x, y)
}

// logical applies an operator on Booleans that evaluates both operands.
func logical(op zing.BinaryOp, x, y bool) bool {
	switch op {
	case zing.And:
		return x && y
	case zing.Or:
		return x || y
	}
	return x != y
}

// make makes an object and initialises it.
func (r *run) make(e *zing.New) value {
	o := &object{of: e.Type}
	switch e.Type.Kind {
	case zing.KindArray:
		size := int64(e.Type.Size)
		if e.Size != nil {
			size = r.eval(e.Size).(int64)
		}
		if size < 0 {
			panic(&Failure{Kind: Overflow, Pos: e.Pos(), Text: "negative size"})
		}
		for range size {
			o.elems = append(o.elems, initial(e.Type.Elem))
		}
	case zing.KindClass:
		for _, f := range e.Type.Fields {
			o.elems = append(o.elems, initial(f.Type))
		}
	}
	at := r.state.allocate(o)
	r.initialise(at, o, e)
	return at
}

// initialise evaluates the initialisers of the fields of a new object.
func (r *run) initialise(at ref, o *object, e *zing.New) {
	if r.depth++; r.depth > 1000 {
		panic(&Failure{Kind: Internal, Pos: e.Pos(), Text: "initialisers without end"})
	}
	outer := r.env
	r.env = &frame{this: at}
	for i, f := range e.Type.Fields {
		if f.Init != nil {
			o.elems[i] = r.eval(f.Init)
		}
	}
	r.env = outer
	r.depth--
}

package refexec

import "c2bp/boolprog"

// This file defines the values of expressions.

// run is one step of a program, with definite choices.
type run struct {
	prog   *boolprog.Program
	tape   *tape
	state  *state           // is changed by the step
	after  map[string]value // what variables are about to become: for constrain
	broken mutation
}

// nullDereference is the panic that ends a step in which a null is dereferenced.
type nullDereference struct{}

// eval evaluates e in the top frame.
func (r *run) eval(e boolprog.Expr) value {
	switch e := e.(type) {
	case *boolprog.Const:
		return e.Val
	case *boolprog.Nondet:
		return r.choice()
	case *boolprog.Null:
		return null
	case *boolprog.Ref:
		if e.Next && r.broken != constrainOld {
			return r.after[e.Name]
		}
		return *r.state.variable(e.Name)
	case *boolprog.Select:
		return *field(r.eval(e.X), e.Field)
	case *boolprog.New:
		return r.allocate(r.prog.Class(e.Class))
	case *boolprog.Not:
		return !r.holds(e.X)
	case *boolprog.Binary:
		return r.binary(e)
	case *boolprog.Choose:
		return r.choose(r.holds(e.P), r.holds(e.N), e.Strict)
	}
	panic("refexec: unknown expression")
}

// holds evaluates a Boolean expression.
func (r *run) holds(e boolprog.Expr) bool { return r.eval(e).(bool) }

func (r *run) evalAll(exprs []boolprog.Expr) (values []value) {
	for _, e := range exprs {
		values = append(values, r.eval(e))
	}
	return values
}

// binary evaluates both operands, whatever the first one is.
func (r *run) binary(e *boolprog.Binary) value {
	x := r.eval(e.X)
	if r.broken == lazyOperators && (e.Op == boolprog.And && x == false || e.Op == boolprog.Or && x == true) {
		return x
	}
	y := r.eval(e.Y)
	switch e.Op {
	case boolprog.Eq:
		return x == y // of two objects: are they one
	case boolprog.Ne:
		return x != y
	}
	return operate(e.Op, x.(bool), y.(bool))
}

func operate(op boolprog.BinOp, x, y bool) bool {
	switch op {
	case boolprog.Implies:
		return !x || y
	case boolprog.Or:
		return x || y
	case boolprog.Xor:
		return x != y
	case boolprog.And:
		return x && y
	}
	panic("refexec: unknown operator")
}

// choose is choose(p, n): 1 if p, else 0 if n, else *. And schoose[p, n] is p | (* & !n).
func (r *run) choose(p, n, strict bool) bool {
	star := r.broken != chooseZero && r.choice()
	if strict {
		return p || star && !n
	}
	if p || n {
		return p
	}
	return star
}

// choice is a *.
func (r *run) choice() bool { return r.broken != oneTape && r.tape.choose(2) == 1 }

// arbitrary is what a variable or result of a type starts with. A mutation is about it.
func (r *run) arbitrary(t boolprog.Type, zero mutation) value {
	switch {
	case t.Ref:
		return null
	case r.broken == zero:
		return false
	}
	return r.choice()
}

// field is the place of a field of an object.
func field(base value, name string) *value {
	o := base.(*object)
	if o == nil {
		panic(nullDereference{})
	}
	_, i := o.class.Field(name)
	return &o.fields[i]
}

// allocate makes an object.
func (r *run) allocate(c *boolprog.Class) value {
	o := &object{class: c}
	for _, f := range c.Fields {
		switch {
		case f.Type().Ref:
			o.fields = append(o.fields, null)
		case f.Init == nil || r.broken == fieldsZero:
			o.fields = append(o.fields, false)
		default:
			o.fields = append(o.fields, r.eval(f.Init))
		}
	}
	return o
}

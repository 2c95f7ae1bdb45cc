package refexec

import "c2bp/boolprog"

// This file evaluates expressions.

// run is one step of a program, with definite choices.
type run struct {
	prog  *boolprog.Program
	tape  *tape
	state *state           // the state, which the step changes
	after map[string]value // values that variables are about to get: for the constrain clause
}

// nullDereference is the panic that ends a step in which a null is dereferenced.
type nullDereference struct{}

// eval evaluates e in the top frame. It panics with nullDereference if it must.
func (r *run) eval(e boolprog.Expr) value {
	switch e := e.(type) {
	case *boolprog.Const:
		return e.Val
	case *boolprog.Nondet:
		return r.choice()
	case *boolprog.Null:
		return null
	// Variables, fields, and new objects.
	case *boolprog.Ref:
		if e.Next {
			return r.after[e.Name]
		}
		return *r.state.variable(e.Name)
	case *boolprog.Select:
		return r.read(r.eval(e.X), e.Field)
	case *boolprog.New:
		return r.allocate(r.prog.Class(e.Class))
	case *boolprog.Any:
		return r.anyObject(e.Class, e.New)
	// Operators.
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

// evalAll evaluates expressions from left to right.
func (r *run) evalAll(exprs []boolprog.Expr) (values []value) {
	for _, e := range exprs {
		values = append(values, r.eval(e))
	}
	return values
}

// binary evaluates both operands, whatever the value of the first one is.
func (r *run) binary(e *boolprog.Binary) value {
	x := r.eval(e.X)
	y := r.eval(e.Y)
	switch e.Op {
	case boolprog.Eq:
		return x == y // two references are equal if they refer to one object
	case boolprog.Ne:
		return x != y
	}
	return operate(e.Op, x.(bool), y.(bool))
}

// operate returns x op y.
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

// choose returns choose(p, n): 1 if p, else 0 if n, else *. schoose[p, n] (strict) is p | (* & !n).
func (r *run) choose(p, n, strict bool) bool {
	// The choice is made in any case, like the evaluation of an operand.
	star := r.choice()
	if strict {
		return p || star && !n
	}
	if p || n {
		return p
	}
	return star
}

// choice returns a value of *.
func (r *run) choice() bool { return r.tape.choose(2) == 1 }

// arbitrary returns an initial value of a variable or result of a type.
func (r *run) arbitrary(t boolprog.Type) value {
	if t.Ref {
		return null
	}
	return r.choice()
}

// field returns the place of a field of an object. It panics with nullDereference if base is null.
func field(base value, name string) *value {
	// A null reference has no fields.
	o := base.(*object)
	if o == nil {
		panic(nullDereference{})
	}
	_, i := o.class.Field(name)
	return &o.fields[i]
}

// allocate returns a new object; its fields are initialised in order.
func (r *run) allocate(c *boolprog.Class) value {
	// Fields are initialised in order: each * is a choice of its own.
	o := &object{class: c}
	for _, f := range c.Fields {
		switch {
		case f.Type().Ref:
			o.fields = append(o.fields, null)
		case f.Init == nil:
			o.fields = append(o.fields, false)
		default:
			o.fields = append(o.fields, r.initial(f.Init))
		}
	}
	return o
}

// initial returns the value of a field in a new object. An arbitrary one is chosen when it is read.
func (r *run) initial(e boolprog.Expr) value {
	if _, ok := e.(*boolprog.Nondet); ok {
		return undecided{}
	}
	return r.eval(e)
}

// read returns a field of an object. One that is undecided is chosen now.
func (r *run) read(base value, name string) value {
	p := field(base, name)
	if *p == value(undecided{}) {
		f, _ := base.(*object).class.Field(name)
		if f.Type().Ref {
			*p = r.anyObject(f.Class, true)
		} else {
			*p = r.choice()
		}
	}
	return *p
}

// anyObject returns null or a live object of a class or, with fresh, a new one with arbitrary fields.
func (r *run) anyObject(class string, fresh bool) value {
	// 1. Choose.
	live := r.state.live(class)
	n := len(live) + 1
	if fresh {
		n++
	}
	switch k := r.tape.choose(n); {
	case k == 0:
		return null
	case k <= len(live):
		return live[k-1]
	}
	// 2. Make the new object. Its fields are chosen when they are read: objects would have no end.
	o := &object{class: r.prog.Class(class)}
	for range o.class.Fields {
		o.fields = append(o.fields, undecided{})
	}
	return o
}

// anyField makes a field arbitrary in all live objects of a class. It is chosen when it is read.
func (r *run) anyField(f *boolprog.Ref) {
	for _, o := range r.state.live(f.Name) {
		*field(o, f.Field) = undecided{}
	}
}

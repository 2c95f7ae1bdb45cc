package refine

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file executes calls symbolically.

// enter passes the arguments to the activation g.
func (x *execution) enter(g *Frame, step int, c *core.Call) {
	caller := g.Caller
	values := make([]*logic.Term, len(c.Args))
	for i, a := range c.Args {
		if _, ok := core.Word(g.Proc.Formals[i].Type); ok && a != nil {
			values[i] = x.eval(caller, step, a)
		}
	}
	for i, v := range g.Proc.Formals {
		switch {
		case values[i] == nil: // a struct: what is copied is left open
		case v.InMemory():
			x.memory = append(x.memory, x.in(g, step).Store(v.Ref(), values[i]))
		default:
			x.set(placeOf(g, v), values[i])
		}
	}
}

// leave stores the result of the activation f, the return of which is step i.
func (x *execution) leave(p *Path, f *Frame, i int) {
	c := p.Steps[f.Call].stmt().(*core.Call)
	if c.Lhs == nil {
		return
	}
	var v *logic.Term
	if r := f.Proc.Result; r != nil && isScalar(r.Type) && isScalar(c.Lhs.Type()) {
		v = x.eval(f, i, r.Ref())
		if c.ResultConv != nil {
			v = x.base.Convert(v, *c.ResultConv)
		}
	}
	x.store(f.Caller, i, c.Lhs, v)
}

func isScalar(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

// external executes a call of a procedure without a body.
func (x *execution) external(f *Frame, step int, c *core.Call) {
	affected := func(l core.Loc) bool { return x.alias.Affected(c, l) }
	x.memory = append(x.memory, x.in(f, step).Forget(affected))
	for _, g := range x.prog.Globals {
		if !g.InMemory() && isScalar(g.Type) && affected(g.Ref()) {
			x.store(f, step, g.Ref(), nil)
		}
	}
	if c.Lhs != nil {
		x.store(f, step, c.Lhs, nil)
	}
}

package cex

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
)

// This file executes calls symbolically: of procedures whose activations are on the path, and of
// procedures without a body.

// enter passes the arguments of call c to the activation g.
func (x *Execution) enter(g *Frame, step int, c *core.Call) {
	caller := g.Caller
	// 1. Evaluate all scalar arguments in the caller.
	values := make([]*logic.Term, len(c.Args))
	for i, a := range c.Args {
		if _, ok := core.Word(g.Proc.Formals[i].Type); ok && a != nil {
			values[i] = x.Eval(caller, step, a)
		}
	}
	// 2. Store them in the formals; structs are copied.
	for i, v := range g.Proc.Formals {
		if v.InMemory() {
			x.reveal(caller, step, nil, c.Args[i])
		}
		switch {
		case values[i] == nil:
			x.pass(g, step, v, c.Args[i])
		case v.InMemory():
			x.Memory.add(x.In(g, step).Store(v.Ref(), values[i]))
		default:
			x.set(SlotOf(g, v), values[i])
		}
	}
}

// leave stores the result of activation f, which returns at step i, in the destination of its call.
func (x *Execution) leave(p *Path, f *Frame, i int) {
	c := p.Steps[f.Call].Stmt().(*core.Call)
	if c.Lhs == nil {
		return
	}
	if r := f.Proc.Result; r != nil && r.InMemory() && !algebra.IsScalar(c.Lhs.Type()) {
		// A struct is copied from the callee's result variable.
		s := structCopy(f.Proc, r, &core.AddrOf{Var: r, Typ: core.Ptr{Bits: x.Bits}})
		x.Memory.add(x.In(f, i).CopyTo(c.Lhs, x.In(f.Caller, i).Address(c.Lhs), s))
		return
	}
	// A scalar is converted; without one the destination gets an arbitrary value.
	var v *logic.Term
	if r := f.Proc.Result; r != nil && algebra.IsScalar(r.Type) && algebra.IsScalar(c.Lhs.Type()) {
		v = x.Eval(f, i, r.Ref())
		if c.ResultConv != nil {
			v = x.Translator.Convert(v, *c.ResultConv)
		}
	}
	x.store(f.Caller, i, c.Lhs, v)
}

// external executes a call of a procedure without a body: all that it may change is arbitrary, and so
// is its result.
func (x *Execution) external(f *Frame, step int, c *core.Call) {
	// 1. Memory and globals that the procedure may change.
	affected := func(l core.Loc) bool { return !(x.Still && changesNothing(c)) && x.affected(c, l) }
	for _, a := range slices.Concat(c.Args, c.Extra) {
		x.reveal(f, step, nil, a)
	}
	secret := x.secret
	x.Memory.add(x.In(f, step).ForgetOutside(affected, func(address *logic.Term) bool { return isSecret(secret, address) }))
	for _, g := range x.Prog.Globals {
		if !g.InMemory() && algebra.IsScalar(g.Type) && affected(g.Ref()) {
			x.store(f, step, g.Ref(), nil)
		}
	}
	// 2. Its result.
	if c.Lhs != nil {
		x.store(f, step, c.Lhs, nil)
	}
}

// changesNothing reports whether c, a call of a procedure without a body, changes nothing in some runs: if it is
// not assembly, whose effect is not chosen freely.
func changesNothing(c *core.Call) bool { return c.Callee == nil || !c.Callee.Assembly }

// Stills reports whether p has other runs than those in which procedures without a body change no memory.
func (facts *Facts) Stills(p *Path) bool {
	return facts.Prog.Extern != core.ExternPure && slices.ContainsFunc(p.Steps, func(s Step) bool {
		c, ok := s.Stmt().(*core.Call)
		return ok && s.Enter == nil && changesNothing(c)
	})
}

// pass copies the struct at arg to formal v of activation g.
func (x *Execution) pass(g *Frame, step int, v *core.Var, arg core.Expr) {
	if arg == nil || core.Bytes(v.Type) == 0 {
		return // left open
	}
	s := structCopy(g.Proc, v, arg)
	x.Memory.add(x.frozen(g.Caller, step, s).CopyTo(v.Ref(), x.In(g, step).Address(v.Ref()), s))
}

// structCopy returns the copy of a struct at src that is, or will be, in variable v of p: only the
// parts that p uses.
func structCopy(p *core.Proc, v *core.Var, src core.Expr) *core.Copy {
	return &core.Copy{
		Src: src, Dst: src, Size: core.NewConst(core.Bytes(v.Type), core.Uint64), Parts: core.PartsOf(p, v),
	}
}

package refine

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file says what a callee did on a path in terms of its entry: g is 'g + 1 at the
// return, the result is 'x. A caller's fact about g and a variable that the callee
// cannot name then becomes a fact about the state before the call, and the callee's part
// in it a predicate over symbolic constants, which is true at other calls, too.

// effects is what an activation did: the execution of its steps alone, from an open state.
func (c *carrier) effects(f *Frame) *execution {
	return c.execute(logic.NewTable(), c.path, f.Call+1, f.Return)
}

// summarised splits e, an atom behind the call that started f, at the call: in callee,
// equations between what the call changed and symbolic constants; and what e says before
// the call if these hold. ok is false if the effect is no sum of inputs.
func (c *carrier) summarised(e core.Expr, call *core.Call, f *Frame) (callee []core.Expr, before core.Expr, ok bool) {
	x := c.effects(f)
	changed := map[*core.Var]core.Expr{} // in terms of the callee's formals and globals at its entry
	ok = true
	core.WalkVars(e, func(v *core.Var) {
		if v != c.result && (v.Kind != core.Global || !c.alias.Affected(call, v.Ref())) || changed[v] != nil || !ok {
			return
		}
		if v.InMemory() {
			ok = false
			return
		}
		at, exit := v, v
		if v == c.result {
			at = f.Proc.Result
			exit = at
		}
		if at.InMemory() {
			ok = false
			return
		}
		value := c.express(x, x.value(f, exit), f, v.Type)
		if value == nil {
			ok = false
			return
		}
		changed[v] = value
		callee = append(callee, &core.Binary{Op: core.Eq, X: at.Ref(), Y: c.withGhosts(value, f)})
	})
	for _, l := range core.Loads(e) {
		ok = ok && !c.alias.Affected(call, l)
	}
	if !ok || len(changed) == 0 {
		return nil, nil, false
	}
	before = core.Replace(e, func(y core.Expr) core.Expr {
		if r, isVar := y.(*core.VarRef); isVar && changed[r.Var] != nil {
			return c.actual(changed[r.Var], call)
		}
		return nil
	})
	return callee, before, true
}

// express spells a term as an expression over formals and globals; nil if it is no sum of
// what these held at the start.
func (c *carrier) express(x *execution, t *logic.Term, f *Frame, typ core.Type) core.Expr {
	to, ok := typ.(core.Int)
	if !ok {
		if p, isPtr := typ.(core.Ptr); isPtr && t.Op == logic.OpSym {
			if v := x.startOf(t, f); v != nil && v.Type == core.Type(p) {
				return v.Ref()
			}
		}
		return nil
	}
	s := sum{constant: new(big.Int)}
	switch {
	case t.IsConst():
		s.constant = t.Val
	case t.Op == logic.OpSym:
		if !s.addStart(x, t, big.NewInt(1), f) {
			return nil
		}
	case t.Op == logic.OpSum:
		s.constant = t.Val
		for i, a := range t.Args {
			if !s.addStart(x, a, t.Coef[i], f) {
				return nil
			}
		}
	default:
		return nil
	}
	return s.expression(to)
}

// startOf is the formal or global whose value at the start t is.
func (x *execution) startOf(t *logic.Term, f *Frame) *core.Var {
	for _, v := range f.Proc.Formals {
		if !v.InMemory() && isScalar(v.Type) && x.inputs[input{-1, f, v}] == t {
			return v
		}
	}
	for _, g := range x.prog.Globals {
		if !g.InMemory() && isScalar(g.Type) && x.inputs[input{-1, nil, g}] == t {
			return g
		}
	}
	return nil
}

func (s *sum) addStart(x *execution, t *logic.Term, k *big.Int, f *Frame) bool {
	v := x.startOf(t, f)
	if v == nil {
		return false
	}
	if _, isInt := v.Type.(core.Int); !isInt {
		return false
	}
	s.addAtom(k, v.Ref())
	return true
}

// expression spells the sum in type t; nil if a number does not fit.
func (s *sum) expression(t core.Int) core.Expr {
	var e core.Expr
	fits := true
	number := func(v *big.Int) core.Expr {
		fits = fits && t.Contains(v)
		return &core.Const{Val: v, Typ: t}
	}
	for i, a := range s.atoms {
		a = convertTo(a, t)
		k := s.factors[i]
		switch {
		case k.Cmp(big.NewInt(1)) == 0 && e == nil:
			e = a
		case k.Cmp(big.NewInt(1)) == 0:
			e = &core.Binary{Op: core.Add, X: e, Y: a}
		case k.Cmp(big.NewInt(-1)) == 0 && e != nil:
			e = &core.Binary{Op: core.Sub, X: e, Y: a}
		default:
			m := &core.Binary{Op: core.Mul, X: number(k), Y: a}
			if e == nil {
				e = m
			} else {
				e = &core.Binary{Op: core.Add, X: e, Y: m}
			}
		}
	}
	switch {
	case e == nil:
		e = number(s.constant)
	case s.constant.Sign() > 0:
		e = &core.Binary{Op: core.Add, X: e, Y: number(s.constant)}
	case s.constant.Sign() < 0:
		e = &core.Binary{Op: core.Sub, X: e, Y: number(new(big.Int).Neg(s.constant))}
	}
	if !fits {
		return nil
	}
	return e
}

// withGhosts is e, over the state at the entry of f, in terms of symbolic constants.
func (c *carrier) withGhosts(e core.Expr, f *Frame) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if r, ok := x.(*core.VarRef); ok {
			return c.ghosts.of(f.Proc, r.Var).Ref()
		}
		return nil
	})
}

// actual is e, over formals and globals, before the call.
func (c *carrier) actual(e core.Expr, call *core.Call) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if r, ok := x.(*core.VarRef); ok {
			for i, v := range call.Callee.Formals {
				if v == r.Var {
					return call.Args[i]
				}
			}
		}
		return nil
	})
}

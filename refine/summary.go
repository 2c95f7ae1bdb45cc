package refine

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/wp"
)

// This file says what a callee did on a path in terms of its entry: g is 'g + 1 at the
// return, the result is 'x. A caller's fact about g and a variable that the callee
// cannot name then becomes a fact about the state before the call, and the callee's part
// in it a predicate over symbolic constants, which is true at other calls, too.

// summarised splits e, an atom behind the call that started f, at the call: in callee,
// equations between what the call changed and symbolic constants; and what e says before
// the call if these hold. ok is false if the effect is no sum of inputs.
func (c *carrier) summarised(e core.Expr, call *core.Call, f *Frame) (callee []core.Expr, before core.Expr, ok bool) {
	x, sums := c.effects(call, f), c.sums[f.Proc]
	changed := map[string]core.Expr{} // places by text; in terms of the callee's formals and globals at its entry
	ends := map[string]core.Loc{}     // the same in terms of the callee at its exit
	for _, l := range core.Locs(e) {
		text := core.ExprString(l)
		if changed[text] != nil || !c.changedBy(l, call) {
			continue
		}
		at, value := c.atExit(x, l, call, f)
		if sums != nil && at != nil {
			value = sums[variable(at)]
		}
		if value == nil {
			return nil, nil, false
		}
		changed[text], ends[text] = value, at
		callee = append(callee, &core.Binary{Op: core.Eq, X: at, Y: c.ghosts.in(f.Proc, value)})
	}
	if len(changed) == 0 {
		return nil, nil, false
	}
	if all := c.together(e, changed, ends, f.Proc); all != nil && sums == nil && !c.apart {
		callee = []core.Expr{all}
	}
	before = core.Replace(e, func(y core.Expr) core.Expr {
		if l, isLoc := y.(core.Loc); isLoc && changed[core.ExprString(l)] != nil {
			return plain(wp.Actual(call, changed[core.ExprString(l)]))
		}
		return nil
	})
	if simple, trivial := simplify(before, false); !trivial && !readsMemory(simple) && !core.Mentions(simple, c.foreign) {
		// A fact about globals before the call: the callee changes them, and it is the
		// callee's symbolic constants that remember it.
		callee = append(callee, c.ghosts.in(f.Proc, simple))
	}
	return callee, before, true
}

// changedBy reports whether a call may change l, which atReturn speaks of.
func (c *carrier) changedBy(l core.Loc, call *core.Call) bool {
	if core.Mentions(l, func(v *core.Var) bool { return v == c.result }) {
		return true
	}
	return c.alias.Affected(call, l)
}

// atExit is l in terms of the callee, and what it holds at the end of activation f in
// terms of what held at its start; nil if that cannot be said.
func (c *carrier) atExit(x *execution, l core.Loc, call *core.Call, f *Frame) (at core.Loc, value core.Expr) {
	if l = c.ofResult(l, f).(core.Loc); variable(l) != nil && !variable(l).InMemory() {
		return l, c.express(x, x.value(f, variable(l)), f, l.Type())
	}
	if base, _ := baseOf(addressOf(l)); !isResult(base, f) && core.Mentions(l, c.foreign) {
		if l = c.passed(l, call, f); l == nil {
			return nil, nil
		}
	}
	if !c.regions.Know(l) {
		return nil, nil // an address that the program does not lead to: so far from what was passed, there may be anything
	}
	return l, c.express(x, x.eval(f, f.Return, l), f, l.Type())
}

// passed is l, a place in memory that variables of the caller lead to, in terms of the
// callee: at an address that it was given; nil if there is none.
func (c *carrier) passed(l core.Loc, call *core.Call, f *Frame) core.Loc {
	m, ok := l.(*core.Mem)
	if !ok {
		m = &core.Mem{Addr: addressOf(l), Typ: l.Type()}
	}
	out := *m
	byText := c.arguments(call, f)
	out.Addr = core.Replace(m.Addr, func(x core.Expr) core.Expr { return byText[core.ExprString(x)] })
	if !core.Mentions(out.Addr, func(v *core.Var) bool { return v.Kind != core.Ghost && c.foreign(v) }) &&
		!core.Mentions(out.Addr, func(v *core.Var) bool { return v.Proc != nil && v.Proc != f.Proc }) {
		return &out
	}
	if out.Addr = c.nearby(m.Addr, call, f); out.Addr != nil {
		return &out
	}
	base, off := baseOf(m.Addr)
	r, ok := base.(*core.VarRef)
	s := c.calls[f.Call]
	if !ok || r.Var.InMemory() || s == nil {
		return nil
	}
	value := s.valueOf(r.Var, f.Caller)
	best, at := -1, int64(0) // the argument that is nearest to the place, and how far that is
	for i, a := range s.args {
		if value == nil || a == nil || i >= len(f.Proc.Formals) {
			continue
		}
		if d := s.t.Sub(value, a); d.IsConst() && d.Val.IsInt64() {
			if far := d.Val.Int64() + off; best < 0 || abs(far) < abs(at) {
				best, at = i, far
			}
		}
	}
	if best < 0 {
		return nil
	}
	if same := offset(call.Args[best], at-off); core.ExprString(same) != core.ExprString(base) {
		c.facts[f] = append(c.facts[f], &core.Binary{Op: core.Eq, X: base, Y: same})
	}
	out.Addr = offset(c.ghosts.of(f.Proc, f.Proc.Formals[best].Ref()).Ref(), at)
	return &out
}

func abs(x int64) int64 { return max(x, -x) }

// express spells a term as an expression over formals and globals; nil if it is no sum of
// what these held at the start.
func (c *carrier) express(x *execution, t *logic.Term, f *Frame, typ core.Type) core.Expr {
	switch to := typ.(type) {
	case core.Int:
		return x.number(t, f, to)
	case core.Ptr:
		if t.IsConst() && t.Val.Sign() == 0 {
			return core.Null(to)
		}
		if l := x.startRead(t, f); l != nil && l.Type() == typ {
			return l
		}
		return x.address(t, f, to, c.prog.Globals)
	}
	return nil
}

// number is express for numbers.
func (x *execution) number(t *logic.Term, f *Frame, to core.Int) core.Expr {
	s := sum{constant: new(big.Int)}
	switch t = unwrapped(x.t, t); {
	case t.IsConst():
		s.constant = t.Val
	case t.Op == logic.OpSym, t.Op == logic.OpApp:
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
	v := x.startRead(t, f)
	if v == nil {
		return false
	}
	if _, isInt := v.Type().(core.Int); !isInt {
		return false
	}
	s.addAtom(k, v)
	return true
}

// startRead is the place that held t at the start: a formal or global, or a place in memory
// at a fixed distance from the address of a global or from where one of these pointed.
func (x *execution) startRead(t *logic.Term, f *Frame) core.Loc {
	if v := x.startOf(t, f); v != nil {
		return v.Ref()
	}
	if t.Op != logic.OpApp || logic.HasMeaning(t.Name) || !x.base.Open(t) || openedAt(t) != 0 {
		return nil
	}
	typ := x.base.TypeOf(t)
	pointer := core.Ptr{Bits: x.bits}
	if a := x.address(t.Args[0], nil, pointer, x.prog.Globals); a != nil {
		return &core.Mem{Addr: a, Typ: typ}
	}
	for _, v := range f.Proc.Formals {
		start := x.inputs[input{-1, f, v}]
		if _, ok := v.Type.(core.Ptr); v.InMemory() {
			start = x.in(f, 0).Address(v.Ref())
		} else if !ok || start == nil {
			continue
		}
		if d := x.t.Sub(t.Args[0], start); d.IsConst() && d.Val.IsInt64() {
			return placeAt(f.Proc, v, d.Val.Int64(), typ)
		}
	}
	return nil
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

package coregen

import "c2bp/frontend/core"

// This file makes predicates.

// predicates makes the predicates of all scopes.
func (g *generator) predicates() []Pred {
	global := map[string]bool{}
	out := g.scope(nil, g.readable(), global)
	for _, p := range g.prog.Procs {
		if !p.HasBody() {
			continue
		}
		b := &builder{generator: g, proc: p}
		vars := append(b.ownVars(), g.readable()...)
		seen := map[string]bool{}
		for text := range global {
			seen[text] = true
		}
		out = append(out, g.scope(p, append(vars, g.ghosts(p)...), seen)...)
	}
	return out
}

// ghosts makes symbolic constants for some formals and globals of p: 'x is the value of x at entry.
func (g *generator) ghosts(p *core.Proc) []*core.Var {
	var out []*core.Var
	for _, v := range append(p.Formals[:len(p.Formals):len(p.Formals)], g.readable()...) {
		if _, ok := v.Type.(core.Int); ok && g.chance(2) {
			out = append(out, &core.Var{Name: "'" + v.Name, Type: v.Type, Kind: core.Ghost, Proc: p, Init: v.Ref()})
		}
	}
	return out
}

// scope makes predicates over vars that differ from each other and from those in
// seen, which it extends.
func (g *generator) scope(p *core.Proc, vars []*core.Var, seen map[string]bool) []Pred {
	var out []Pred
	for range g.rng.IntN(g.config.Preds + 1) {
		e := g.predicate(p, vars)
		text := core.ExprString(e)
		if seen[text] || !core.Mentions(e, func(*core.Var) bool { return true }) {
			continue
		}
		seen[text] = true
		out = append(out, Pred{Proc: p, Expr: e})
	}
	return out
}

// predicate makes one predicate of p, nil for a global one: a condition that p tests, a relation to
// a symbolic constant, an expression that is used as a truth value, a condition, or x == c.
func (g *generator) predicate(p *core.Proc, vars []*core.Var) core.Expr {
	t := terms{generator: g, vars: vars, rich: true}
	if p != nil {
		switch g.rng.IntN(8) {
		case 0, 1:
			if e := g.conditionOf(p); e != nil {
				return e
			}
		case 2, 3, 4:
			if e := t.relation(); e != nil {
				return e
			}
		}
	}
	switch g.rng.IntN(8) {
	case 0:
		return t.expr(g.intType(), 1)
	case 1, 2:
		return t.cond(2)
	case 3, 4:
		v := pick(g, vars)
		return &core.Binary{Op: core.Eq, X: v.Ref(), Y: g.constant(v.Type.(core.Int))}
	}
	return t.cond(1)
}

// conditionOf returns a condition that p tests, without temporaries, or nil.
func (g *generator) conditionOf(p *core.Proc) core.Expr {
	var list []core.Expr
	isTemp := func(v *core.Var) bool { return v.Kind == core.Temp }
	for _, n := range p.Nodes {
		// Branches are nodes that assume their conditions.
		if s, ok := n.Stmt.(*core.Assume); ok && !core.Mentions(s.Cond, isTemp) {
			list = append(list, s.Cond)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return pick(g, list)
}

// relation compares two different variables of one type, one of them a symbolic
// constant if there is one: x == 'x, \result > 'x + 1. It is nil if it finds no
// such variables.
func (t terms) relation() core.Expr {
	x := pick(t.generator, t.vars)
	for _, v := range t.vars {
		if v.Kind == core.Ghost && t.chance(2) {
			x = v
		}
	}
	// Find a second variable of the same type.
	for range 8 {
		y := pick(t.generator, t.vars)
		if y == x || y.Type != x.Type {
			continue
		}
		var left core.Expr = x.Ref()
		typ := x.Type.(core.Int)
		if !typ.Bool && t.chance(2) {
			// The other variable plus a constant.
			left = &core.Binary{Op: core.Add, X: left, Y: t.constant(typ)}
		}
		op := pick(t.generator, []core.BinaryOp{core.Eq, core.Eq, core.Eq, core.Ne, core.Lt, core.Ge})
		return &core.Binary{Op: op, X: y.Ref(), Y: left}
	}
	return nil
}

// Ghosts lists the symbolic constants that preds mention, each once.
func Ghosts(preds []Pred) []*core.Var {
	var out []*core.Var
	seen := map[*core.Var]bool{}
	for _, p := range preds {
		core.WalkVars(p.Expr, func(v *core.Var) {
			if v.Kind == core.Ghost && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		})
	}
	return out
}

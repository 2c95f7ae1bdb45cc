package coregen

import "c2bp/frontend/core"

// This file makes predicates for programs with memory.

// memoryGhosts makes symbolic constants for formals and globals of p and for the places they point
// to: 'x, '*p, '(p->f).
func (g *generator) memoryGhosts(p *core.Proc) []*core.Var {
	var out []*core.Var
	add := func(name string, init core.Expr, s *shape, null bool) *core.Var {
		v := &core.Var{Name: name, Type: s.typ, Kind: core.Ghost, Proc: p, Init: init}
		g.world.bindings[v] = &binding{shape: s, null: null}
		out = append(out, v)
		return v
	}
	for _, v := range append(p.Formals[:len(p.Formals):len(p.Formals)], g.prog.Globals...) {
		c := g.world.bindings[v]
		if c == nil || !c.shape.isScalar() {
			continue
		}
		// The variable itself: its value at entry.
		if g.chance(2) {
			add("'"+v.Name, v.Ref(), c.shape, true)
		}
		if c.shape.elem == nil || !g.chance(2) {
			continue
		}
		// The place that it points to.
		switch t := c.shape.elem; {
		case t.isScalar():
			add("'*"+v.Name, &core.Mem{Addr: v.Ref(), Typ: t.typ}, t, true)
		// One member of the struct, as it was at entry.
		case t.fields != nil:
			f := pick(g, t.fields)
			if f.shape.isScalar() {
				at := &core.Mem{Addr: &core.Offset{X: v.Ref(), Off: f.off, Field: f.name}, Typ: f.shape.typ, Bit: f.bit}
				add("'("+v.Name+"->"+f.name+")", at, f.shape, true)
			}
		}
	}
	return out
}

// memoryPredicates makes the predicates of all scopes.
func (g *generator) memoryPredicates() []Pred {
	total := func(p *core.Proc, vars []*core.Var) scope {
		s := scope{generator: g, proc: p, total: true}
		for _, v := range vars {
			if g.world.bindings[v] != nil {
				s.vars = append(s.vars, v)
			}
		}
		return s
	}
	globals := map[string]bool{}
	out := g.memoryScope(nil, total(nil, g.prog.Globals), globals)
	for _, p := range g.prog.Procs {
		if !p.HasBody() {
			continue
		}
		vars := append(p.Formals[:len(p.Formals):len(p.Formals)], p.Locals...)
		if len(vars) > 0 && g.chance(2) {
			vars = append(vars, vars...) // a procedure's own are likelier
		}
		vars = append(append(vars, g.prog.Globals...), g.memoryGhosts(p)...)
		seen := map[string]bool{}
		// A predicate of a procedure must not repeat a global one.
		for text := range globals {
			seen[text] = true
		}
		out = append(out, g.memoryScope(p, total(p, vars), seen)...)
	}
	return out
}

// memoryScope makes predicates over the places of s that differ from each other and
// from those in seen, which it extends.
func (g *generator) memoryScope(p *core.Proc, s scope, seen map[string]bool) (out []Pred) {
	for range g.rng.IntN(g.config.Preds + 1) {
		e := s.predicate()
		if e == nil {
			continue
		}
		text := core.ExprString(e)
		// A condition without variables is no predicate.
		if seen[text] || !core.Mentions(e, func(*core.Var) bool { return true }) {
			continue
		}
		seen[text] = true
		out = append(out, Pred{Proc: p, Expr: e})
	}
	return out
}

// predicate makes a predicate, or nil if it finds no places for one: p == q, p->val == x, x == 'x,
// a condition of the procedure, another condition, or a place compared with a constant.
func (s scope) predicate() core.Expr {
	t := s.terms()
	switch n := s.rng.IntN(16); {
	case n < 4:
		e, _ := s.comparison()
		return e
	case n < 7:
		return s.equal((*shape).isScalar)
	case n < 8:
		return s.symbolic()
	case n < 10 && s.proc != nil:
		if e := s.conditionOf(s.proc); e != nil {
			return e
		}
	case n < 11 && len(t.vars) > 0:
		return t.cond(1)
	}
	p, ok := s.walk((*shape).isInt)
	if !ok {
		return nil
	}
	op := pick(s.generator, []core.BinaryOp{core.Eq, core.Eq, core.Eq, core.Ne, core.Lt, core.Ge})
	return &core.Binary{Op: op, X: p.loc(), Y: s.constant(p.shape.typ.(core.Int))}
}

// equal returns a comparison of two places of one type, or nil if it finds none.
func (s scope) equal(want func(*shape) bool) core.Expr {
	p, ok := s.walk(want)
	if !ok {
		return nil
	}
	for range 4 {
		q, ok := s.walk(p.shape.same)
		if !ok || core.Equal(p.loc(), q.loc()) {
			continue
		}
		return &core.Binary{Op: core.Eq, X: p.loc(), Y: q.loc()}
	}
	return nil
}

// symbolic compares a symbolic constant, or the place one points to, with the present value of its
// variable; nil if there is none.
func (s scope) symbolic() core.Expr {
	var ghosts []*core.Var
	for _, v := range s.vars {
		if v.Kind == core.Ghost {
			ghosts = append(ghosts, v)
		}
	}
	if len(ghosts) == 0 {
		return nil
	}
	v := pick(s.generator, ghosts)
	b := s.world.bindings[v]
	if b.shape.elem != nil && b.shape.elem.isScalar() && s.chance(2) { // *'p == '*p, or the like
		at := &core.Mem{Addr: v.Ref(), Typ: b.shape.elem.typ}
		for _, w := range ghosts {
			if w.Type == at.Typ && s.chance(2) {
				return &core.Binary{Op: core.Eq, X: at, Y: w.Ref()}
			}
		}
	}
	return &core.Binary{Op: core.Eq, X: v.Init, Y: v.Ref()}
}

// terms returns terms over the integer variables of s and its places.
func (s scope) terms() terms {
	t := terms{generator: s.generator, rich: s.total}
	for _, v := range s.vars {
		if _, ok := v.Type.(core.Int); ok {
			t.vars = append(t.vars, v)
		}
	}
	t.places = func(typ core.Int) core.Expr {
		e, guards := s.integer(typ)
		if guards != nil {
			return nil
		}
		return e
	}
	t.pointers = func() core.Expr {
		e, guards := s.comparison()
		if guards != nil {
			return nil
		}
		return e
	}
	return t
}

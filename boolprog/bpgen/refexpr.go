package bpgen

import "c2bp/boolprog"

// This file generates the expressions of random programs with references, and guards against null.

// booleans returns the visible Boolean variables.
func (g *references) booleans() (list []*boolprog.Var) {
	for _, v := range g.vars {
		if v.Class == "" {
			list = append(list, v)
		}
	}
	return list
}

// refs returns the visible references of a class; "" is any class.
func (g *references) refs(class string) (list []*boolprog.Var) {
	for _, v := range g.vars {
		if v.Class != "" && (class == "" || v.Class == class) {
			list = append(list, v)
		}
	}
	return list
}

// fields returns the fields of a class of the cells that visible references point to; "" is
// Boolean.
func (g *references) fields(class string) (list []*boolprog.Select) {
	for _, v := range g.refs("") {
		for _, f := range g.prog.Class(v.Class).Fields {
			if f.Class == class {
				list = append(list, &boolprog.Select{X: ref(v.Name), Field: f.Name})
			}
		}
	}
	return list
}

// boolean generates a Boolean expression. The guards of its dereferences are added to g.guards, for
// the statement in which it stands; with g.plain it has none.
func (g *references) boolean(depth int) boolprog.Expr {
	if depth > 0 && g.chance(40) {
		return g.operator(depth - 1)
	}
	// A field, a comparison, a choice, a constant, or else a variable.
	switch n := g.IntN(100); {
	case n < 40:
		if fields := g.fields(""); len(fields) > 0 && !g.plain {
			return g.read(pick(g, fields))
		}
	case n < 62:
		return g.comparison()
	case n < 70:
		return &boolprog.Nondet{}
	case n < 76:
		return &boolprog.Const{Val: g.chance(50)}
	}
	return ref(pick(g, g.booleans()).Name)
}

// operator generates an operation.
func (g *references) operator(depth int) boolprog.Expr {
	switch n := g.IntN(100); {
	case n < 30:
		return &boolprog.Not{X: g.boolean(depth)}
	case n < 38:
		return &boolprog.Choose{P: g.boolean(depth), N: g.boolean(depth), Strict: g.chance(50)}
	}
	return &boolprog.Binary{Op: boolprog.BinOp(g.IntN(int(boolprog.Ne) + 1)), X: g.boolean(depth), Y: g.boolean(depth)}
}

// comparison generates a comparison of references.
func (g *references) comparison() boolprog.Expr {
	v := pick(g, g.refs(""))
	op := boolprog.Eq
	if g.chance(40) {
		op = boolprog.Ne
	}
	other := g.reference(v.Class)
	// A comparison of a variable with itself says nothing.
	if same, ok := other.(*boolprog.Ref); ok && same.Name == v.Name {
		other = &boolprog.Null{}
	}
	return &boolprog.Binary{Op: op, X: ref(v.Name), Y: other}
}

// reference generates an expression of a class that is not new: mostly a variable, in some cases a
// field or null.
func (g *references) reference(class string) boolprog.Expr {
	vars, fields := g.refs(class), g.fields(class)
	switch n := g.IntN(100); {
	case n < 30 && len(fields) > 0 && !g.plain:
		s := pick(g, fields)
		if _, isVar := s.X.(*boolprog.Ref); isVar && g.chance(20) {
			s = g.further(s, class)
		}
		return g.read(s)
	case n < 85 && len(vars) > 0:
		return ref(pick(g, vars).Name)
	}
	return &boolprog.Null{}
}

// further follows a list for one more step, if it is one: x.next.next.
func (g *references) further(s *boolprog.Select, class string) *boolprog.Select {
	if f, _ := g.prog.Class(class).Field(s.Field); f != nil && f.Class == class {
		return &boolprog.Select{X: s, Field: s.Field}
	}
	return s
}

// read returns s, and notes the guards under which it dereferences no null.
func (g *references) read(s *boolprog.Select) boolprog.Expr {
	// The inner reference must be tested first: its guard comes before this one.
	if inner, ok := s.X.(*boolprog.Select); ok {
		g.read(inner)
	}
	// A variable that certainly has a cell needs no guard.
	if v, ok := s.X.(*boolprog.Ref); ok && g.full[v.Name] {
		return s
	}
	// Remember the guard, once.
	notNull := &boolprog.Binary{Op: boolprog.Ne, X: s.X, Y: &boolprog.Null{}}
	for _, known := range g.guards {
		if boolprog.ExprString(known) == boolprog.ExprString(notNull) {
			return s
		}
	}
	g.guards = append(g.guards, notNull)
	return s
}

// guarded returns a statement after most of its guards, which are assumed one after the other, or
// branched on:
//
//	if (r0 != null) then r0.x := 1; fi
//	assume(r0 != null); r0.x := 1;
//
// The guards are those that read has noted since the last statement.
func (g *references) guarded(op boolprog.Op) []*boolprog.Stmt {
	guards := g.guards
	g.guards = nil
	list := []*boolprog.Stmt{{Op: op}}
	// From the last guard to the first, each around the statements so far.
	for i := len(guards) - 1; i >= 0; i-- {
		switch {
		// Without the guard a run may end at a null.
		case g.chance(g.Unguarded):
		case g.index > 0 && g.chance(g.Pruned):
			list = append([]*boolprog.Stmt{{Op: &boolprog.Assume{Cond: guards[i]}}}, list...)
			// So that other runs continue after the assumption.
			if g.chance(85) {
				list = g.optional(list)
			}
		default:
			list = []*boolprog.Stmt{{Op: &boolprog.If{Conds: []boolprog.Expr{guards[i]}, Thens: [][]*boolprog.Stmt{list}}}}
		}
	}
	return list
}

// enforce returns a clause that holds more often than not; in some cases it dereferences references
// that may be null, without a guard.
func (g *references) enforce() boolprog.Expr {
	g.plain = g.chance(85)
	e := &boolprog.Binary{Op: boolprog.Or, X: g.boolean(0), Y: &boolprog.Binary{Op: boolprog.Or, X: g.boolean(0), Y: g.boolean(0)}}
	g.plain, g.guards = false, nil
	return e
}

// sharp returns a condition on the content of a cell, or on the cell that a reference points to:
// one that distinguishes states, in contrast to likely.
func (g *references) sharp() boolprog.Expr {
	if fields := g.fields(""); len(fields) > 0 && g.chance(70) {
		return &boolprog.Binary{Op: boolprog.Eq, X: g.read(pick(g, fields)), Y: &boolprog.Const{Val: g.chance(50)}}
	}
	return g.comparison()
}

// likely returns a condition that holds more often than not.
func (g *references) likely() boolprog.Expr {
	ops := []boolprog.BinOp{boolprog.Or, boolprog.Or, boolprog.Implies}
	return &boolprog.Binary{Op: pick(g, ops), X: g.boolean(1), Y: g.boolean(1)}
}

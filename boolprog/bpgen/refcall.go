package bpgen

import "c2bp/boolprog"

// This file generates the calls of random programs with references, and main.

// later returns a random procedure after the present one; nil if there is none.
func (g *references) later() *boolprog.Proc {
	if g.index+1 == len(g.prog.Procs) {
		return nil
	}
	return pick(g, g.prog.Procs[g.index+1:])
}

// call generates a call, if there is a procedure to call. Around some calls the caller keeps a
// cell.
func (g *references) call(callee *boolprog.Proc) []*boolprog.Stmt {
	if callee == nil {
		return g.guarded(g.assign())
	}
	if locals := g.kept(); len(locals) > 0 && g.chance(g.CutPoints) {
		return g.cutPoint(pick(g, locals), callee)
	}
	return g.plainCall(callee)
}

// plainCall generates a call. Afterwards nothing is known of globals and targets.
func (g *references) plainCall(callee *boolprog.Proc) []*boolprog.Stmt {
	// Mostly the callee may recurse: then the argument again is 1.
	op := g.callOp(callee, boolprog.Const{Val: g.chance(70)})
	// A callee may set any global to null, and a result may be null.
	for _, v := range g.prog.Globals {
		g.full[v.Name] = false
	}
	for _, target := range op.Lhs {
		g.full[target.Name] = false
	}
	return g.guarded(op)
}

// callOp returns a call; more tells a recursive procedure whether it may call itself.
func (g *references) callOp(callee *boolprog.Proc, more boolprog.Const) *boolprog.Call {
	op := &boolprog.Call{Callee: ref(callee.Name)}
	for _, v := range callee.Params {
		// The flag comes first; the other arguments are of the types of the parameters.
		if v.Name == again {
			op.Args = append(op.Args, &more)
			continue
		}
		op.Args = append(op.Args, g.argument(v.Class))
	}
	for _, class := range callee.Returns {
		op.Lhs = append(op.Lhs, g.receiver(class, op.Lhs))
	}
	return op
}

// receiver returns a target for a result that is not among those before it.
func (g *references) receiver(class string, taken []*boolprog.Ref) *boolprog.Ref {
	vars := g.booleans()
	if class != "" {
		vars = g.refs(class)
	}
	// A field or a variable of the class, or none.
	switch {
	case g.chance(35) && len(g.fields(class)) > 0:
		if r, _ := g.fieldTarget(class); !has(taken, r) {
			return r
		}
	case g.chance(85) && len(vars) > 0:
		if r := ref(pick(g, vars).Name); !has(taken, r) {
			return r
		}
	}
	return ref("_")
}

// kept returns the local references of the procedure.
func (g *references) kept() (list []*boolprog.Var) {
	for _, v := range g.proc.Locals {
		if v.Class != "" {
			list = append(list, v)
		}
	}
	return list
}

// cutPoint keeps a cell in a local variable during a call whose callee perhaps reaches it, and then
// looks at the cell. A summary that forgets the cells that a caller keeps, or takes one that the
// callee reached for another, shows in the look: for a kept cell k, with p the procedure,
//
//	k := new C0; k.x := 1; g := f1(q); assert(k.x = 1);
func (g *references) cutPoint(keep *boolprog.Var, callee *boolprog.Proc) []*boolprog.Stmt {
	// 1. Keep a new cell, or one that others know.
	fresh := g.chance(40)
	set := &boolprog.Assign{Lhs: []*boolprog.Ref{ref(keep.Name)}, Rhs: []boolprog.Expr{&boolprog.New{Class: keep.Class}}}
	if !fresh {
		set.Rhs[0] = g.reference(keep.Class)
	}
	list := g.guarded(set)
	g.assigned(set)
	// 2. Write it, and perhaps let it escape.
	contents := &boolprog.Const{Val: g.chance(50)}
	field := &boolprog.Select{X: ref(keep.Name), Field: "x"}
	if fresh || g.chance(50) {
		g.read(field)
		list = append(list, g.guarded(&boolprog.Assign{Lhs: []*boolprog.Ref{{Name: keep.Name, Field: "x"}}, Rhs: []boolprog.Expr{contents}})...)
	}
	if g.chance(35) {
		list = append(list, g.guarded(g.assign())...) // which lets the cell escape in some cases
	}
	// 3. Call, and look.
	list = append(list, g.plainCall(callee)...)
	return append(list, g.look(keep, field, contents, fresh)...)
}

// look compares a kept cell with its old content, or with other cells.
func (g *references) look(keep *boolprog.Var, field *boolprog.Select, contents boolprog.Expr, fresh bool) []*boolprog.Stmt {
	if g.chance(50) {
		// The cell holds contents if it was written, and the callee did not change it.
		return g.assert(&boolprog.Binary{Op: boolprog.Eq, X: g.read(field), Y: contents})
	}
	op := boolprog.Eq
	// A new cell differs from all others, unless it escaped; one that others know may be one of
	// them.
	if fresh {
		op = boolprog.Ne
	}
	others := &boolprog.Binary{Op: op, X: ref(keep.Name), Y: g.reference(keep.Class)}
	if g.chance(60) {
		return g.assert(others)
	}
	return g.guarded(&boolprog.If{Conds: []boolprog.Expr{others}, Thens: [][]*boolprog.Stmt{g.inner(g.likely)}})
}

// inner generates an assertion within a statement whose guards are kept: those of the assertion
// stay inside.
func (g *references) inner(cond func() boolprog.Expr) []*boolprog.Stmt {
	outer := g.guards
	g.guards = nil
	list := g.assert(cond())
	g.guards = outer
	return list
}

// recursion generates a recursive call of the procedure, which may not recurse further:
//
//	if (again) then …; f1(0, r0); fi
func (g *references) recursion() *boolprog.Stmt {
	then := append(g.block(0), g.call(g.proc)...)
	g.full = map[string]bool{}
	setLast(then, g.proc.Name)
	return &boolprog.Stmt{Op: &boolprog.If{Conds: []boolprog.Expr{ref(again)}, Thens: [][]*boolprog.Stmt{then}}}
}

// setLast tells calls of a procedure that it may not call itself again, so that the depth of
// recursion is bounded: its first argument, again, becomes 0.
func setLast(list []*boolprog.Stmt, name string) {
	boolprog.InspectStmts(list, func(s *boolprog.Stmt) {
		if op, ok := s.Op.(*boolprog.Call); ok && op.Callee.Name == name {
			op.Args[0] = &boolprog.Const{}
		}
	})
}

// endless generates a call of the procedure or an earlier one that may be repeated for ever: stacks
// without bound, which only summaries can treat.
//
//	if (*) then f1(1, r0); fi
func (g *references) endless() *boolprog.Stmt {
	then := g.plainCall(pick(g, g.prog.Procs[1:g.index+1]))
	return &boolprog.Stmt{Op: &boolprog.If{Conds: []boolprog.Expr{&boolprog.Nondet{}}, Thens: [][]*boolprog.Stmt{then}}}
}

// main generates the body of main: it fills the globals, then calls procedures from several places
// and changes their state in between.
func (g *references) main() (list []*boolprog.Stmt) {
	// 1. Fill globals and locals.
	var seen []*boolprog.Var
	for _, v := range g.prog.Globals {
		switch {
		case v.Class != "":
			list = append(list, g.either(v, seen)...)
			seen = append(seen, v)
		case !g.chance(g.Arbitrary):
			list = append(list, assignment(v.Name, &boolprog.Const{Val: g.chance(50)}))
		}
	}
	list = append(list, g.fillLocals()...)
	// 2. A few rounds, each with a change and a call; only some runs reach some of them.
	// One procedure is called more often than the others: later calls can use the summary of
	// the first.
	favourite := g.later()
	for i := range g.IntN(3) + 2 {
		callee := favourite
		if g.chance(50) {
			callee = g.prog.Procs[1+i%(len(g.prog.Procs)-1)]
		}
		// The body of a round: a statement, and then a call after a change, or twice.
		round := func() []*boolprog.Stmt {
			list := g.stmt(1)
			if g.chance(g.Twice) {
				return append(list, g.twice(callee)...)
			}
			return append(append(list, g.change()...), g.call(callee)...)
		}
		if g.chance(g.Skipped) {
			list = append(list, g.maybe(round)...)
		} else {
			list = append(list, round()...)
		}
	}
	return append(list, g.assert(g.likely())...)
}

// assignment returns an assignment.
func assignment(name string, value boolprog.Expr) *boolprog.Stmt {
	return &boolprog.Stmt{Op: &boolprog.Assign{Lhs: []*boolprog.Ref{ref(name)}, Rhs: []boolprog.Expr{value}}}
}

// either fills a global, in some cases in one of two ways, and its cell.
func (g *references) either(v *boolprog.Var, others []*boolprog.Var) []*boolprog.Stmt {
	list := []*boolprog.Stmt{g.fill(v, others)}
	if g.chance(g.Arbitrary) {
		// Filled in one of two ways, the variable is known not to be null only if both make
		// a cell.
		full := g.full[v.Name]
		list = append(list, g.optional([]*boolprog.Stmt{g.fill(v, others)})...)
		g.full[v.Name] = full && g.full[v.Name]
	}
	if g.chance(g.Arbitrary) {
		// The content of the cell is arbitrary at the start, not 0.
		g.read(&boolprog.Select{X: ref(v.Name), Field: "x"})
		list = append(list, g.guarded(&boolprog.Assign{Lhs: []*boolprog.Ref{{Name: v.Name, Field: "x"}}, Rhs: []boolprog.Expr{&boolprog.Nondet{}}})...)
	}
	return list
}

// fill returns the first assignment to a reference: mostly a cell of its own, in some cases that of
// another one, or null. Afterwards g.full tells whether the reference is certainly not null.
//
//	r1 := new C0;  r1 := r0;  r1 := null;
func (g *references) fill(v *boolprog.Var, others []*boolprog.Var) *boolprog.Stmt {
	var cell boolprog.Expr = &boolprog.New{Class: v.Class}
	switch {
	case g.chance(10):
		cell = &boolprog.Null{}
	// The last one of its class, so that two variables are aliases.
	case g.chance(40):
		for _, w := range others {
			if w.Class == v.Class && w != v {
				cell = ref(w.Name)
			}
		}
	}
	_, g.full[v.Name] = cell.(*boolprog.New)
	return assignment(v.Name, cell)
}

// fillLocals gives most local references a cell, mostly one that the caller sees.
func (g *references) fillLocals() (list []*boolprog.Stmt) {
	for _, v := range g.kept() {
		switch {
		case g.chance(30):
			list = append(list, g.fill(v, g.prog.Globals))
		case g.chance(70):
			s := assignment(v.Name, g.reference(v.Class))
			list = append(list, g.guarded(s.Op)...)
		}
	}
	return list
}

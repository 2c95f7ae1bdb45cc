package bpgen

import (
	"slices"

	"c2bp/boolprog"
)

// This file generates statements that change the state that a procedure finds, in random programs
// with references.

// change generates a change of globals between calls: they point to other cells, or the cells hold
// other values:
//
//	g0 := !g0;  r0.x := !r0.x;  r0, r1 := r1, r0;  r0 := r1;
//
// A summary that was made before the change and does not depend on the right parts of the state is
// then used where it does not apply.
func (g *references) change() []*boolprog.Stmt {
	globals := g.prog.Globals
	v, w := pick(g, globals), pick(g, globals)
	// Try to find another global of the same type.
	for range 3 {
		if w == v || w.Class != v.Class {
			w = pick(g, globals)
		}
	}
	op := &boolprog.Assign{Lhs: []*boolprog.Ref{ref(v.Name)}}
	switch {
	// Invert a Boolean.
	case v.Class == "":
		op.Rhs = []boolprog.Expr{&boolprog.Not{X: ref(v.Name)}}
	// Change the content of a cell.
	case g.chance(40):
		s := &boolprog.Select{X: ref(v.Name), Field: "x"}
		op.Lhs[0].Field = "x"
		op.Rhs = []boolprog.Expr{&boolprog.Not{X: g.read(s)}}
	// Point to another cell.
	case w == v || w.Class != v.Class:
		op.Rhs = []boolprog.Expr{g.value(v.Class)}
	// Swap two references, or make them aliases.
	case g.chance(60):
		op.Lhs = append(op.Lhs, ref(w.Name))
		op.Rhs = []boolprog.Expr{ref(w.Name), ref(v.Name)}
	default:
		op.Rhs = []boolprog.Expr{ref(w.Name)}
	}
	g.assigned(op)
	return g.guarded(op)
}

// touch generates a write of a global or its cell on some runs, perhaps of the value that is there
// already, and then a look at it:
//
//	if (*) then r0.x := 1; fi
//	assert(r0.x = 1);
//
// Runs that wrote and runs that did not meet at the look: an engine that joins states which differ
// only in places not read so far must keep them apart here.
func (g *references) touch() []*boolprog.Stmt {
	v := pick(g, g.prog.Globals)
	var place, value boolprog.Expr = ref(v.Name), &boolprog.Const{Val: g.chance(50)}
	target := ref(v.Name)
	switch {
	case v.Class == "":
	case g.chance(60):
		target.Field = "x"
		place = &boolprog.Select{X: place, Field: "x"}
	default:
		value = g.reference(v.Class)
	}
	// 1. Write on some runs, before or after the others reach the place.
	list := g.maybe(func() []*boolprog.Stmt {
		op := &boolprog.Assign{Lhs: []*boolprog.Ref{target}, Rhs: []boolprog.Expr{value}}
		if s, ok := place.(*boolprog.Select); ok {
			g.read(s)
		}
		g.assigned(op)
		return g.guarded(op)
	})
	// Four skips make the branch without a write the longer one.
	if write, ok := list[0].Op.(*boolprog.If); ok && g.chance(50) { // so that either branch is explored first
		skip := &boolprog.Stmt{Op: &boolprog.Skip{}}
		write.Thens[0], write.Else = []*boolprog.Stmt{skip, skip, skip, skip}, write.Thens[0]
	}
	// The look may lie after a call, whose callee sees either state.
	if g.chance(20) {
		list = append(list, g.call(g.later())...)
	}
	if s, ok := place.(*boolprog.Select); ok {
		g.read(s)
	}
	// 2. Look at the value.
	look := &boolprog.Binary{Op: boolprog.Eq, X: place, Y: value}
	if g.chance(50) {
		return append(list, g.assert(look)...)
	}
	return append(list, g.guarded(&boolprog.Assume{Cond: look})...)
}

// thin generates the body of a procedure that does little itself, so that its callees and callers
// matter.
func (g *references) thin() (list []*boolprog.Stmt) {
	for range g.IntN(2) + 1 {
		switch n := g.IntN(100); {
		case n < 50 && g.later() != nil:
			list = append(list, g.call(g.later())...)
		case n < 70:
			list = append(list, g.touch()...)
		case n < 85:
			list = append(list, g.guarded(&boolprog.Assume{Cond: g.sharp()})...)
			list = append(list, g.assert(g.sharp())...)
		default:
			list = append(list, g.assert(g.sharp())...)
		}
	}
	return list
}

// twice generates a call, a change of the state, and the same call. Only some runs reach the first
// call, or the change.
//
//	if (*) then f1(r0); fi
//	r0.x := !r0.x;
//	f1(r0);
//
// So the second call finds summaries of the first, and some of these do not fit any more.
func (g *references) twice(callee *boolprog.Proc) []*boolprog.Stmt {
	call := g.plainCall(callee)
	if g.chance(50) {
		return slices.Concat(g.optional(call), g.change(), copied(call))
	}
	return slices.Concat(call, g.maybe(g.change), copied(call))
}

// copied returns copies of guarded calls: the calls are the same, the statements around them are
// new, as each statement must be.
func copied(list []*boolprog.Stmt) (copies []*boolprog.Stmt) {
	for _, s := range list {
		op := s.Op
		if branch, ok := op.(*boolprog.If); ok {
			op = &boolprog.If{Conds: branch.Conds, Thens: [][]*boolprog.Stmt{copied(branch.Thens[0])}}
		}
		copies = append(copies, &boolprog.Stmt{Op: op})
	}
	return copies
}

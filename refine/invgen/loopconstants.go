package invgen

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file finds loop constants that the program looks at together with induction variables:
//
//	int plugged = 1;
//	while (plugged + users > 0) …          users comes and goes, plugged == 1
//
// Without that, plugged + users <= 0 becomes plugged + users <= 1 before the round in which one user
// went, and plugged + users <= 2 before that, without end.

// constantBounds returns the conditions of the path, wherever they are, that compare a loop constant with
// a number, if a condition here mentions it beside an induction variable: its caller may have seen to
// n < 40. They are said of the place here that has the same value.
//
//	f(n) called if (n < 40)
//	in f: for (i = 0; i < n; i++)      n < 40
func (fd *Finder) constantBounds(t *logic.Table, l *loop, vars []inductionVar, here, conds []cex.Condition) (out []core.Expr) {
	with := fd.mentionedBeside(vars, here)
	for _, q := range l.tracked {
		// 1. A loop constant whose value is open, and which a condition mentions beside an induction variable.
		value := l.same(q)
		if value == nil || value.IsConst() || !with[fd.nameOf(q.loc)] {
			continue
		}
		for _, c := range conds {
			for _, atom := range algebra.Atoms(c.Expr) {
				// 2. The conditions that compare its value with a number: the terms tell, whatever the place was called
				// there.
				b, ok := atom.(*core.Binary)
				if !ok || b.X.Type() != core.Type(q.typ) {
					continue
				}
				k, ok := b.Y.(*core.Const)
				if !ok || c.Term != orderedBy(t, b.Op, value, k) && c.Term != t.Not(orderedBy(t, b.Op, value, k)) {
					continue
				}
				out = append(out, &core.Binary{Op: b.Op, X: q.loc, Y: k})
			}
		}
	}
	return out
}

// orderedBy returns the formula value op k, True if op is no ordering.
func orderedBy(t *logic.Table, op core.BinaryOp, value *logic.Term, k *core.Const) *logic.Term {
	number := t.Big(k.Val)
	switch op {
	case core.Lt:
		return t.Lt(value, number)
	case core.Le:
		return t.Le(value, number)
	case core.Gt:
		return t.Lt(number, value)
	case core.Ge:
		return t.Le(number, value)
	}
	return t.True
}

// constantValues returns q == k for each number q that was the constant k at each visit, if a condition
// mentions it beside an induction variable.
func (fd *Finder) constantValues(l *loop, vars []inductionVar, conds []cex.Condition) (out []core.Expr) {
	with := fd.mentionedBeside(vars, conds)
	for _, q := range l.tracked {
		if k := l.constant(q); k != nil && with[fd.nameOf(q.loc)] && q.typ.Contains(k.Val) {
			out = append(out, &core.Binary{Op: core.Eq, X: q.loc, Y: &core.Const{Val: k.Val, Typ: q.typ}})
		}
	}
	return out
}

// mentionedBeside returns the places, by name, that an atom of the conditions mentions beside an induction
// variable.
func (fd *Finder) mentionedBeside(vars []inductionVar, conds []cex.Condition) map[string]bool {
	with := map[string]bool{}
	for _, c := range conds {
		for _, atom := range algebra.Atoms(c.Expr) {
			// The places of each atom, by names that pointers with one target share.
			read := map[string]bool{}
			for _, loc := range core.Locs(fd.Alias.AllFollowed(atom)) {
				read[algebra.PlaceName(loc)] = true
			}
			for _, m := range vars {
				if !read[fd.nameOf(m.loc)] {
					continue
				}
				for name := range read {
					with[name] = true
				}
			}
		}
	}
	return with
}

// nameOf returns the name of a place, the same for all ways in which pointers with one target spell it.
func (fd *Finder) nameOf(l core.Loc) string {
	return algebra.PlaceName(fd.Alias.AllFollowed(l).(core.Loc))
}

// constant returns the value of q if that is one constant at all visits; else nil.
func (l *loop) constant(q lvalue) *logic.Term {
	if same := l.same(q); same != nil && same.IsConst() {
		return same
	}
	return nil
}

// same returns the value of q if that is the same at all visits; else nil.
func (l *loop) same(q lvalue) *logic.Term {
	first := l.values[0][q.text()]
	for _, values := range l.values {
		if values[q.text()] != first {
			return nil
		}
	}
	return first
}

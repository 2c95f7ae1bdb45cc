package invgen

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file finds what does not move while a loop goes round, and is asked about together
// with what does:
//
//	int plugged = 1;
//	while (plugged + users > 0) …          users comes and goes, plugged == 1
//
// Without it plugged + users <= 0 becomes plugged + users <= 1 before the round in which one
// user went, and plugged + users <= 2 before that, for ever.

// limits is what the path has asked of each number that does not move and that a condition here
// mentions along with a mover, wherever it asked: its caller may have seen to n < 40.
func (fd *Finder) constantBounds(t *logic.Table, l *loop, movers []inductionVar, here, conds []cex.Condition) (out []core.Expr) {
	with := fd.mentionedBeside(movers, here)
	for _, q := range l.tracked {
		value := l.same(q)
		if value == nil || value.IsConst() || !with[fd.nameOf(q.loc)] {
			continue
		}
		for _, c := range conds {
			for _, atom := range algebra.Atoms(c.Expr) {
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

// orderedBy is value op k, as a formula; true if op is no ordering.
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

// steady is q == k for each number q that was the constant k at each visit, and that a
// condition mentions along with a mover.
func (fd *Finder) constantValues(l *loop, movers []inductionVar, conds []cex.Condition) (out []core.Expr) {
	with := fd.mentionedBeside(movers, conds)
	for _, q := range l.tracked {
		if k := l.constant(q); k != nil && with[fd.nameOf(q.loc)] && q.typ.Contains(k.Val) {
			out = append(out, &core.Binary{Op: core.Eq, X: q.loc, Y: &core.Const{Val: k.Val, Typ: q.typ}})
		}
	}
	return out
}

// beside is the places, by name, that a condition mentions along with a mover.
func (fd *Finder) mentionedBeside(movers []inductionVar, conds []cex.Condition) map[string]bool {
	with := map[string]bool{}
	for _, c := range conds {
		for _, atom := range algebra.Atoms(c.Expr) {
			read := map[string]bool{}
			for _, loc := range core.Locs(fd.Alias.AllFollowed(atom)) {
				read[algebra.PlaceName(loc)] = true
			}
			for _, m := range movers {
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

// nameOf is the name of a place, however pointers to the one device spell it.
func (fd *Finder) nameOf(l core.Loc) string {
	return algebra.PlaceName(fd.Alias.AllFollowed(l).(core.Loc))
}

// constant is what q was at each visit, if that is one constant; else nil.
func (l *loop) constant(q lvalue) *logic.Term {
	if same := l.same(q); same != nil && same.IsConst() {
		return same
	}
	return nil
}

// same is what q was at each visit, if that is one value; else nil.
func (l *loop) same(q lvalue) *logic.Term {
	first := l.values[0][q.text()]
	for _, values := range l.values {
		if values[q.text()] != first {
			return nil
		}
	}
	return first
}

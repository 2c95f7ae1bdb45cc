package refine

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file finds what does not move while a loop goes round, and is asked about together
// with what does:
//
//	int plugged = 1;
//	while (plugged + users > 0) …          users comes and goes, plugged == 1
//
// Without it plugged + users <= 0 becomes plugged + users <= 1 before the round in which one
// user went, and plugged + users <= 2 before that, for ever.

// steady is q == k for each number q that was the constant k at each visit, and that a
// condition mentions along with a mover.
func (l *loop) steady(movers []mover, conds []condition) (out []core.Expr) {
	with := map[string]bool{}
	for _, c := range conds {
		for _, atom := range atomsOf(c.expr) {
			read := map[string]bool{}
			for _, loc := range core.Locs(atom) {
				read[core.ExprString(loc)] = true
			}
			for _, m := range movers {
				if !read[m.text()] {
					continue
				}
				for text := range read {
					with[text] = true
				}
			}
		}
	}
	for _, q := range l.places {
		if k := l.constant(q); k != nil && with[q.text()] && q.typ.Contains(k.Val) {
			out = append(out, &core.Binary{Op: core.Eq, X: q.loc, Y: &core.Const{Val: k.Val, Typ: q.typ}})
		}
	}
	return out
}

// constant is what q was at each visit, if that is one constant; else nil.
func (l *loop) constant(q quantity) *logic.Term {
	if same := l.same(q); same != nil && same.IsConst() {
		return same
	}
	return nil
}

// same is what q was at each visit, if that is one value; else nil.
func (l *loop) same(q quantity) *logic.Term {
	first := l.values[0][q.text()]
	for _, values := range l.values {
		if values[q.text()] != first {
			return nil
		}
	}
	return first
}

package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
)

// This file relates two induction variables to a loop constant, if it is a sum of the three that stays
// the same:
//
//	room = SIZE - f->count;
//	if (count > room)
//		count = room;
//	for (n = 0; n < count; n++)
//		f->count++;                   f->count + room == n + SIZE, and count <= room
//
// The path to the loop may come from where the numbers have just been set, and then f->count == n at
// each visit, by accident. So the loop is looked at as if the path began at the call of its procedure,
// from any state.

// callRelation is a linear relation of two induction variables and a loop constant.
type callRelation struct {
	a, b     string // texts of the induction variables
	expr     core.Expr
	constant lvalue
}

// mostCallRelations bounds the relations of a loop.
const mostCallRelations = 4

// fromCall is a loop with the values of its numbers over the state at the call of its procedure.
type fromCall struct {
	*loop
	t    *logic.Table
	vars []inductionVar
}

// observeFromCall executes the path from the call of a loop's procedure on; nil if the loop is in the
// entry procedure.
func (fd *Finder) observeFromCall(l *loop, p *cex.Path) *fromCall {
	if l.frame.Caller == nil || fd.Without.Has(technique.LinearRelations) {
		return nil
	}
	// The same loop, executed from the call on.
	here := &loop{frame: l.frame, steps: l.steps, tracked: l.tracked}
	at := l.frame.Call + 1
	x := fd.Execute(logic.NewTable(), p, at, at)
	for _, to := range l.steps {
		for ; at < to; at++ {
			x.Step(p, at)
		}
		here.values = append(here.values, valuesAt(x, here, to))
	}
	return &fromCall{here, x.Table, here.inductionVars(x.Table)}
}

// relations returns the relations of a loop, none of nil.
func (c *fromCall) relations() (out []callRelation) {
	if c == nil {
		return nil
	}
	for i, a := range c.vars {
		for _, b := range c.vars[:i] {
			for _, s := range c.tracked {
				if e := c.affineWithConstant(c.t, a, b, s); e != nil && len(out) < mostCallRelations {
					out = append(out, callRelation{a.text(), b.text(), e, s})
				}
			}
		}
	}
	return out
}

// affineWithConstant returns k·a - m·b + s == c, or the same with -s, if that held at each visit, s is a
// loop constant whose value is open, and k·a - m·b is not a constant; else nil.
func (l *loop) affineWithConstant(t *logic.Table, a, b inductionVar, s lvalue) core.Expr {
	if a.typ != b.typ || a.typ != s.typ || a.distinct() < cex.LoopVisits && b.distinct() < cex.LoopVisits {
		return nil
	}
	// 1. The changes of a and b determine their factors; s does not change.
	k, m := ratio(a.deltas, b.deltas)
	value := l.same(s)
	if k == nil || value == nil || value.IsConst() {
		return nil
	}
	// 2. Without s the difference must not be a constant: there is a relation of a and b alone then.
	d := t.Sub(t.Scale(k, a.values[0]), t.Scale(m, b.values[0]))
	if d.IsConst() {
		return nil
	}
	// 3. Does it become one with s added or subtracted?
	for _, sign := range []int64{1, -1} {
		c := t.Add(d, t.Scale(big.NewInt(sign), value))
		if !c.IsConst() {
			continue
		}
		all := algebra.Sum{Constant: new(big.Int).Neg(c.Val), Exact: true}
		all.AddAtom(k, a.loc)
		all.AddAtom(new(big.Int).Neg(m), b.loc)
		all.AddAtom(big.NewInt(sign), s.loc)
		if left, right, ok := all.Sides(a.typ); ok {
			return &core.Binary{Op: core.Eq, X: left, Y: right}
		}
	}
	return nil
}

// boundsOnConstants returns the comparisons in the conditions of a loop constant of one of the
// relations.
func boundsOnConstants(related []callRelation, conds []cex.Condition) (out []core.Expr) {
	for _, c := range conds {
		for _, atom := range algebra.Atoms(c.Expr) {
			e, ok := atom.(*core.Binary)
			if !ok || !e.Op.IsComparison() {
				continue
			}
			for _, b := range related {
				if name := algebra.PlaceName(b.constant.loc); heldName(e.X) == name || heldName(e.Y) == name {
					out = append(out, atom)
					break
				}
			}
		}
	}
	return out
}

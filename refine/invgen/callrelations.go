package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
)

// This file relates numbers that move in step in a loop to one that does not move, where it
// is the sum of the three that stays the same:
//
//	room = SIZE - f->count;
//	if (count > room)
//		count = room;
//	for (n = 0; n < count; n++)
//		f->count++;                   f->count + room == n + SIZE, and count <= room
//
// A path to the loop may come from where the numbers have just been set, and then f->count == n
// has held at each visit, by accident. So what they are is looked at as if the path began
// where the procedure of the loop was called, with anything.

// balance is a relation between two movers and a steady number.
type callRelation struct {
	a, b     string // texts of the movers
	expr     core.Expr
	constant lvalue
}

// mostBalances bounds the relations of a loop.
const mostCallRelations = 4

// called is a loop with what its numbers are from the call of its procedure on, over what
// they were then.
type fromCall struct {
	*loop
	t    *logic.Table
	vars []inductionVar
}

// observeCall looks at a loop as if the path began where its procedure was called; nil if it
// was not.
func (fd *Finder) observeFromCall(l *loop, p *cex.Path) *fromCall {
	if l.frame.Caller == nil || fd.Without[technique.LinearRelations] {
		return nil
	}
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

// balances guesses relations of this kind at a head.
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

// balanced is k·a - m·b + s == c, or the same with -s, if that has held at each visit, s has
// been the same each time, and k·a - m·b is no constant; else nil.
func (l *loop) affineWithConstant(t *logic.Table, a, b inductionVar, s lvalue) core.Expr {
	if a.typ != b.typ || a.typ != s.typ || a.distinct() < cex.LoopVisits && b.distinct() < cex.LoopVisits {
		return nil
	}
	k, m := ratio(a.deltas, b.deltas)
	value := l.same(s)
	if k == nil || value == nil || value.IsConst() {
		return nil
	}
	d := t.Sub(t.Scale(k, a.values[0]), t.Scale(m, b.values[0]))
	if d.IsConst() {
		return nil
	}
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

// limitsOf is what the conditions compare a steady number of a balance with.
func boundsOnConstants(balances []callRelation, conds []cex.Condition) (out []core.Expr) {
	for _, c := range conds {
		for _, atom := range algebra.Atoms(c.Expr) {
			e, ok := atom.(*core.Binary)
			if !ok || !e.Op.IsComparison() {
				continue
			}
			for _, b := range balances {
				if name := algebra.PlaceName(b.constant.loc); heldName(e.X) == name || heldName(e.Y) == name {
					out = append(out, atom)
					break
				}
			}
		}
	}
	return out
}

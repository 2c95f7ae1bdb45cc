package backward

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file summarises the effect of a callee on the sum of several places:
//
//	n = submit();          used == inflight + n after the call, used == inflight before
//
// On one path submit returns 2 and adds 2 to used, on another it returns 1 and adds 1. On all of them
// used == 'used + \result, and that is all that matters to the caller.

// sumSummary returns an equation about the exit of p: the changes of the places in e, weighted as in e,
// add up to a constant. ends are these places in terms of p, by their texts in e; changed are their
// values in terms of p's entry. It is nil unless e compares a sum of several such places with
// something that does not change.
func (w *Walk) sumSummary(e core.Expr, changed map[string]core.Expr, ends map[string]core.Loc, p *core.Proc) core.Expr {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() || len(changed) < 2 {
		return nil
	}
	typ, ok := b.X.Type().(core.Int)
	if !ok {
		return nil
	}
	// 1. The sum of e: left side less right side.
	all := &algebra.Sum{Constant: new(big.Int), Exact: true}
	all.Add(big.NewInt(1), b.X)
	all.Add(big.NewInt(-1), b.Y)
	// 2. Of the atoms that change, the value at the exit less that at the entry.
	change, found := &algebra.Sum{Constant: new(big.Int), Exact: true}, 0
	for i, a := range all.Atoms {
		text := core.ExprString(a)
		if changed[text] == nil {
			continue
		}
		found++
		k := all.Factors[i]
		change.Add(k, ends[text])
		change.Add(new(big.Int).Neg(k), w.Constants.In(p, changed[text]))
	}
	// 3. It is of use if e is linear in all of them and compares them with something else.
	if found < len(changed) || found == len(all.Atoms) {
		return nil
	}
	change.Compact()
	if len(change.Atoms) == 0 {
		return nil // two ways to write one place
	}
	left, right, ok := change.Sides(typ)
	if !ok {
		return nil
	}
	return &core.Binary{Op: core.Eq, X: left, Y: right}
}

package backward

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file says of several numbers that a callee changed what became of their sum:
//
//	n = submit();          used == inflight + n behind the call, used == inflight before
//
// On one path submit returns 2 and adds 2 to used, on another it is 1; on all of them
// used == 'used + \result, and that is all that matters to the caller.

// together is an equation, about the exit of p, between the changes of the places that e
// speaks of, weighted as they are there; nil if e does not compare a sum of several of them
// with what stays the same. ends are these places in terms of p, changed their values in
// terms of its entry.
func (w *Walk) sumSummary(e core.Expr, changed map[string]core.Expr, ends map[string]core.Loc, p *core.Proc) core.Expr {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() || len(changed) < 2 {
		return nil
	}
	typ, ok := b.X.Type().(core.Int)
	if !ok {
		return nil
	}
	all := &algebra.Sum{Constant: new(big.Int), Exact: true}
	all.Add(big.NewInt(1), b.X)
	all.Add(big.NewInt(-1), b.Y)
	change, found := &algebra.Sum{Constant: new(big.Int), Exact: true}, 0
	for i, a := range all.Atoms {
		text := core.ExprString(a)
		if changed[text] == nil {
			continue
		}
		found++
		k := all.Factors[i]
		change.Add(k, ends[text])
		change.Add(new(big.Int).Neg(k), w.constants.In(p, changed[text]))
	}
	if found < len(changed) || found == len(all.Atoms) {
		return nil // there is nothing that the sum is compared with
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

package refine

import (
	"math/big"

	"c2bp/frontend/core"
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
func (c *carrier) together(e core.Expr, changed map[string]core.Expr, ends map[string]core.Loc, p *core.Proc) core.Expr {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() || len(changed) < 2 {
		return nil
	}
	typ, ok := b.X.Type().(core.Int)
	if !ok {
		return nil
	}
	all := &sum{constant: new(big.Int), exact: true}
	all.add(big.NewInt(1), b.X)
	all.add(big.NewInt(-1), b.Y)
	change, found := &sum{constant: new(big.Int), exact: true}, 0
	for i, a := range all.atoms {
		text := core.ExprString(a)
		if changed[text] == nil {
			continue
		}
		found++
		k := all.factors[i]
		change.add(k, ends[text])
		change.add(new(big.Int).Neg(k), c.ghosts.in(p, changed[text]))
	}
	if found < len(changed) || found == len(all.atoms) {
		return nil // there is nothing that the sum is compared with
	}
	change.compact()
	if len(change.atoms) == 0 {
		return nil // two ways to write one place
	}
	left, right, ok := change.sides(typ)
	if !ok {
		return nil
	}
	return &core.Binary{Op: core.Eq, X: left, Y: right}
}

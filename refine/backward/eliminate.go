package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file says what atoms still say when an input decides what one of their locations
// holds: what they say together without it.

// eliminate adds to atoms what they say together, without l, which an input decides: of
// l == t and l < u, t < u; of t <= l and l < u, t < u; of p == &a[l], p == 0.
func (w *Walk) eliminate(atoms []core.Expr, l core.Loc) []core.Expr {
	text := core.ExprString(l)
	out := atoms
	for _, a := range atoms {
		if p := w.pointerTo(a, l); p != nil {
			out = append(out, p)
		}
		t := solved(a, text)
		if t == nil || w.reads(t, l) {
			continue
		}
		for _, b := range atoms {
			if b == a || !w.reads(b, l) {
				continue
			}
			out = append(out, core.Replace(b, func(x core.Expr) core.Expr {
				if y, ok := x.(core.Loc); ok && core.ExprString(y) == text {
					return algebra.Convert(t, x.Type())
				}
				return nil
			}))
		}
	}
	return out
}

// pointerTo is what a, which compares a pointer with the address of a place that l, an
// input, chooses, leaves of the pointer: that it may be null, when it leads to none of these
// places.
func (w *Walk) pointerTo(a core.Expr, l core.Loc) core.Expr {
	b, ok := a.(*core.Binary)
	if !ok || b.Op != core.Eq && b.Op != core.Ne {
		return nil
	}
	for _, side := range [][2]core.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		p, isPlace := side[0].(core.Loc)
		if !isPlace || !w.reads(side[1], l) || w.reads(p, l) {
			continue
		}
		if t, isPtr := p.Type().(core.Ptr); isPtr {
			return &core.Binary{Op: core.Eq, X: p, Y: core.Null(t)}
		}
	}
	return nil
}

// solved returns t if a compares the location spelt text with t, whatever the comparison
// is.
func solved(a core.Expr, text string) core.Expr {
	b, ok := a.(*core.Binary)
	if !ok || !b.Op.IsComparison() {
		return nil
	}
	for _, side := range [][2]core.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x := side[0]
		if k, ok := x.(*core.Conv); ok && algebra.KeepsValue(k) {
			x = k.X
		}
		if core.ExprString(x) == text {
			return side[1]
		}
	}
	return nil
}

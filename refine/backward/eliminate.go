package backward

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file eliminates a place that an input decides: it adds consequences of the atoms that do not
// read it.

// eliminate adds to atoms their consequences without l, which an input decides:
//
//	l == t, l < u       t < u
//	t <= l, l < u       t < u
//	l < t               0 < t, if l is unsigned
//	p == &a[l]          p == 0
func (w *Walk) eliminate(atoms []core.Expr, l core.Loc) []core.Expr {
	out := atoms
	for _, a := range atoms {
		if p := w.pointerTo(a, l); p != nil {
			out = append(out, p)
		}
		// What a compares with l takes the place of l in the other atoms, and it may be above 0.
		t := solved(a, l)
		if t == nil || w.reads(t, l) {
			continue
		}
		if e := aboveZero(a.(*core.Binary), l); e != nil {
			out = append(out, e)
		}
		for _, b := range atoms {
			if b == a || !w.reads(b, l) {
				continue
			}
			out = append(out, core.Replace(b, func(x core.Expr) core.Expr {
				if y, ok := x.(core.Loc); ok && core.Equal(y, l) {
					return algebra.Convert(t, x.Type())
				}
				return nil
			}))
		}
	}
	return out
}

// pointerTo returns p == 0 if atom a compares pointer p with an address that input l chooses: p may be
// null if it leads to none of the places that l can choose. It returns nil for other atoms.
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

// aboveZero returns the comparison a of input l with something else for an l of 0, if l is unsigned and a says that it is less
// than that, or not: 0 < t of l < t, l >= t, t > l and t <= l. It returns nil for others: an int is seldom compared so at the end of
// its range.
func aboveZero(a *core.Binary, l core.Loc) core.Expr {
	t, ok := l.Type().(core.Int)
	if !ok || t.Signed || t.Bool || t.Float {
		return nil
	}
	less := a.Op == core.Lt || a.Op == core.Ge
	if onLeft := slices.ContainsFunc(core.Locs(a.X), func(x core.Loc) bool { return core.Equal(x, l) }); !onLeft {
		less = a.Op == core.Gt || a.Op == core.Le
	}
	if !less {
		return nil
	}
	return core.Replace(a, func(y core.Expr) core.Expr {
		if p, ok := y.(core.Loc); ok && core.Equal(p, l) {
			return &core.Const{Val: new(big.Int), Typ: t}
		}
		return nil
	})
}

// solved returns t if a compares l with t, by whichever comparison; else nil. The conversion of l to a
// type that holds all its values counts as l.
func solved(a core.Expr, l core.Loc) core.Expr {
	b, ok := a.(*core.Binary)
	if !ok || !b.Op.IsComparison() {
		return nil
	}
	for _, side := range [][2]core.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x := side[0]
		if k, ok := x.(*core.Conv); ok && algebra.KeepsValue(k) {
			x = k.X
		}
		if core.Equal(x, l) {
			return side[1]
		}
	}
	return nil
}

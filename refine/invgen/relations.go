package invgen

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/algebra"
	"c2bp/refine/backward"
	"c2bp/wp"
)

// This file finds relations between numbers at the return and at the entry of activations that hold in
// all samples: linear equations and inequalities. Each is then checked by the prover.

// relations returns for each number at the return an equation, or else inequalities, that hold in all
// activations that were looked at; and those equations that give a variable's value as summaries.
// Relations that hold from any state are better than those that hold where the path comes from.
func (w *sampling) relations(divisors map[*core.Var]*big.Int) (equations backward.Summaries, all []core.Expr) {
	equations = backward.Summaries{}
	bounds := w.entryBounds()
	for i, v := range w.exits {
		// 1. An equation that holds from any state.
		found := w.equation(w.anyState, i, v, divisors)
		// 2. One that holds within the bounds of calls, or on the path; the bounds become predicates.
		for _, acts := range [][]*activation{w.withinBounds(bounds), w.onPath} {
			if found == nil {
				if found = w.equation(acts, i, v, divisors); found != nil {
					w.addEntryBounds(bounds)
				}
			}
		}
		if found != nil {
			all = append(all, found)
			if value := w.solved(found, v); value != nil {
				equations[v] = value
			}
			continue
		}
		// 3. Inequalities.
		some := w.inequalities(w.anyState, i, v)
		if len(some) == 0 {
			some = w.inequalities(w.onPath, i, v)
		}
		all = append(all, some...)
	}
	return equations, all
}

// equation returns an equation for v, the i-th exit, that holds for all of the activations: a linear one,
// or with the remainder of a formal; nil if none is seen.
func (w *sampling) equation(acts []*activation, i int, v *core.Var, divisors map[*core.Var]*big.Int) core.Expr {
	if l, k := w.fit(acts, i); l != nil {
		if e := w.affineRelation(core.Eq, v, k, l); e != nil && w.holds(acts, e) {
			return e
		}
	}
	// The exit may be the remainder of a formal.
	for _, f := range w.proc.Formals {
		if d := divisors[f]; d != nil {
			e := &core.Binary{Op: core.Eq, X: v.Ref(), Y: algebra.Convert(remainderOf(w.Constants.Of(w.proc, f.Ref()).Ref(), d), v.Type)}
			if w.holds(acts, e) {
				return e
			}
		}
	}
	return nil
}

// solved returns t, over formals and globals, if e is v == t; else nil.
func (w *sampling) solved(e core.Expr, v *core.Var) core.Expr {
	b := e.(*core.Binary)
	if r, ok := b.X.(*core.VarRef); !ok || r.Var != v {
		return nil
	}
	return backward.AtEntry(b.Y)
}

// inequalities returns the bounds of v, the i-th exit, that hold for all of the activations.
func (w *sampling) inequalities(acts []*activation, i int, v *core.Var) (out []core.Expr) {
	for _, op := range []core.BinaryOp{core.Ge, core.Le} {
		for _, l := range w.extremes(acts, op, i) {
			if e := w.affineRelation(op, v, big.NewInt(1), l); e != nil && w.holds(acts, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// extremes returns candidate bounds of an exit: constants, and entries plus constants, that it is never
// below (Ge) or above (Le). The constants are 0, and the extreme of the samples if several activations
// have it or it is 1 or -1.
//
//	n = 0, 1, 2   \result = 0, 1, 3        Ge: 0, 'n        Le: 0, 'n, 'n + 1
//
// Those that do not hold are dropped later (inequalities).
func (w *sampling) extremes(acts []*activation, op core.BinaryOp, exit int) (out []*affine) {
	for entry := -1; entry < len(w.entries); entry++ {
		var best *big.Int
		met := map[*activation]bool{}
		// 1. The extreme of exit less entry, and the activations that have it.
		for _, s := range samplesOf(acts) {
			d := new(big.Int).Set(s.exit[exit])
			if entry >= 0 {
				d.Sub(d, s.entry[entry])
			}
			c := 1
			if best != nil {
				c = d.Cmp(best)
				if op == core.Ge {
					c = -c
				}
			}
			if c > 0 {
				best, met = d, map[*activation]bool{}
			}
			if c >= 0 {
				met[s.of] = true
			}
		}
		if best == nil {
			continue
		}
		// 2. Bounds by it, and by 0.
		candidates := []*big.Int{new(big.Int)}
		if best.Sign() != 0 && (len(met) > 1 || best.IsInt64() && best.Int64() == 1 || best.IsInt64() && best.Int64() == -1) {
			candidates = append(candidates, best)
		}
		for _, c := range candidates {
			l := &affine{factors: make([]*big.Int, len(w.entries)), constant: c}
			for i := range l.factors {
				l.factors[i] = new(big.Int)
			}
			if entry >= 0 {
				l.factors[entry].SetInt64(1)
			}
			out = append(out, l)
		}
	}
	return out
}

// holds reports whether e, about the return, holds for all of the activations, of which there is at least
// one.
func (w *sampling) holds(acts []*activation, e core.Expr) bool {
	// The negation must be impossible in each activation.
	for _, a := range acts {
		if w.Prover.Check(w.ctx, append(slices.Clone(a.conds), a.t.Not(w.reading(a).Cond(e))), a.t) != prover.Unsat {
			return false
		}
	}
	return len(acts) > 0
}

// reading returns a translator for expressions about the return of an activation.
func (w *sampling) reading(a *activation) *wp.Translator {
	return wp.New(a.t, w.Aliases, w.Bits).With(func(v *core.Var) *logic.Term {
		if v.Kind == core.Ghost {
			return a.entry[v.Init.(*core.VarRef).Var]
		}
		return a.exit[v]
	})
}

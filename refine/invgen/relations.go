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

// This file guesses from samples of activations what they have in common: linear equations
// and inequalities between numbers at their returns and at their entries.

// common is what holds at all returns that were looked at: what variables are, as far as
// there are equations, and all equations and inequalities. What holds from any state is
// better than what holds where the path comes from.
func (w *sampling) relations(divisors map[*core.Var]*big.Int) (equations backward.Summaries, all []core.Expr) {
	equations = backward.Summaries{}
	limits := w.entryBounds()
	for i, v := range w.exits {
		found := w.equation(w.anyState, i, v, divisors)
		for _, acts := range [][]*activation{w.withinBounds(limits), w.onPath} {
			if found == nil {
				if found = w.equation(acts, i, v, divisors); found != nil {
					w.addEntryBounds(limits)
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
		some := w.inequalities(w.anyState, i, v)
		if len(some) == 0 {
			some = w.inequalities(w.onPath, i, v)
		}
		all = append(all, some...)
	}
	return equations, all
}

// equation is an equation for the exit v, the i-th, that holds for all of these activations;
// nil if none is seen.
func (w *sampling) equation(acts []*activation, i int, v *core.Var, divisors map[*core.Var]*big.Int) core.Expr {
	if l, k := w.fit(acts, i); l != nil {
		if e := w.affineRelation(core.Eq, v, k, l); e != nil && w.holds(acts, e) {
			return e
		}
	}
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

// solved is t, over formals and globals, if e says that v == t; else nil.
func (w *sampling) solved(e core.Expr, v *core.Var) core.Expr {
	b := e.(*core.Binary)
	if r, ok := b.X.(*core.VarRef); !ok || r.Var != v {
		return nil
	}
	return backward.AtEntry(b.Y)
}

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

// bounds lists constants and entries plus constants that the exit is never below (Ge), or
// above (Le), and that it meets in several activations; or that are next to 0.
func (w *sampling) extremes(acts []*activation, op core.BinaryOp, exit int) (out []*affine) {
	for entry := -1; entry < len(w.entries); entry++ {
		var best *big.Int
		met := map[*activation]bool{}
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

// holds reports whether e, about the return, holds for all of these activations.
func (w *sampling) holds(acts []*activation, e core.Expr) bool {
	for _, a := range acts {
		if w.Prover.Check(w.ctx, append(slices.Clone(a.conds), a.t.Not(w.reading(a).Cond(e))), a.t) != prover.Unsat {
			return false
		}
	}
	return len(acts) > 0
}

// reading reads what is said about the return of an activation.
func (w *sampling) reading(a *activation) *wp.Translator {
	return wp.New(a.t, w.Aliases, w.Bits).With(func(v *core.Var) *logic.Term {
		if v.Kind == core.Ghost {
			return a.entry[v.Init.(*core.VarRef).Var]
		}
		return a.exit[v]
	})
}

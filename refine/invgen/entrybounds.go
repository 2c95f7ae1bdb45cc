package invgen

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/refine/backward"
)

// This file finds the bounds within which a recursive procedure is called: a relation may hold only
// there, as the depth of recursion is n only if n is not negative.

// entryBounds returns bounds of formals by constants that they are compared with, as far as they hold
// where the path comes from.
func (w *sampling) entryBounds() (out []core.Expr) {
	seen := map[string]bool{}
	for _, c := range w.conds {
		if c.frame.Proc != w.proc {
			continue
		}
		for _, v := range w.proc.Formals {
			// 1. A constant that the formal is compared with in some activation.
			k := comparedWith(v, c.expr)
			if k == nil {
				continue
			}
			// 2. Is it a bound of the formal in all activations on the path?
			for _, op := range []core.BinaryOp{core.Ge, core.Le} {
				e := &core.Binary{Op: op, X: w.Constants.Of(w.proc, v.Ref()).Ref(), Y: &core.Const{Val: k, Typ: v.Type.(core.Int)}}
				if text := core.ExprString(e); !seen[text] && w.holds(w.onPath, e) {
					seen[text] = true
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// addEntryBounds adds bounds as predicates at the entry, and about the arguments of calls.
func (w *sampling) addEntryBounds(bounds []core.Expr) {
	for _, e := range bounds {
		e = backward.AtEntry(e)
		w.Known.Add(w.proc, e)
		w.addAtCalls(w.path, w.proc, e)
	}
}

// withinBounds returns the activations from any state within the bounds, with samples; none if there are
// no bounds.
func (w *sampling) withinBounds(bounds []core.Expr) (out []*activation) {
	if len(bounds) == 0 {
		return nil
	}
	for _, a := range w.anyState {
		// The same activation, with the bounds as conditions, has other samples.
		b := *a
		b.conds, b.samples = slices.Clone(a.conds), nil
		for _, e := range bounds {
			b.conds = append(b.conds, w.reading(&b).Cond(e))
		}
		w.sample(&b)
		out = append(out, &b)
	}
	return out
}

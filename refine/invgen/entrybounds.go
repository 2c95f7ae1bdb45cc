package invgen

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/refine/backward"
)

// This file knows within what limits a recursive procedure is called: a relation may hold
// only there, as the depth of recursion is n only if n is not negative.

// limits lists what formals are bounded by where the path comes from: constants that they
// are compared with.
func (w *sampling) entryBounds() (out []core.Expr) {
	seen := map[string]bool{}
	for _, c := range w.conds {
		if c.frame.Proc != w.proc {
			continue
		}
		for _, v := range w.proc.Formals {
			k := comparedWith(v, c.expr)
			if k == nil {
				continue
			}
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

// addLimits adds limits as predicates at the entry, and where the procedure is called.
func (w *sampling) addEntryBounds(limits []core.Expr) {
	for _, e := range limits {
		e = backward.AtEntry(e)
		w.Known.Add(w.proc, e)
		w.addAtCalls(w.path, w.proc, e)
	}
}

// within is the activations from any state that is within limits.
func (w *sampling) withinBounds(limits []core.Expr) (out []*activation) {
	if len(limits) == 0 {
		return nil
	}
	for _, a := range w.anyState {
		b := *a
		b.conds, b.samples = slices.Clone(a.conds), nil
		for _, e := range limits {
			b.conds = append(b.conds, w.reading(&b).Cond(e))
		}
		w.sample(&b)
		out = append(out, &b)
	}
	return out
}

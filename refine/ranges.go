package refine

import (
	"context"
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
)

// This file finds predicates for sums and products that stay in a range: for checks of overflow.
//
//	p = a * b;          -2^46 <= p <= 2^46
//	p = p + c * d;      p + c*d does not overflow
//
// The weakest precondition of the last line speaks of p and c * d, and that of the first of two products, of which no
// other atom of the program says anything. The ranges of p and of what is added to it are enough, and each is
// proved where its variable is assigned. They are those of the values that the variables hold on the path,
// by interval arithmetic.

// mostRanges bounds the variables of one path that get a range.
const mostRanges = 24

// pathRanges proposes ranges of the variables that a core's conditions are computed from.
type pathRanges struct{}

func (pathRanges) Name() technique.Name { return technique.PathRanges }

func (pathRanges) Propose(_ context.Context, q *Query) {
	// Ranges that hold whatever the state before the core, which that is enough for; then those of the whole path, for
	// what depends on loops before it.
	known := len(q.audit.search.preds.List)
	for _, from := range []int{q.Core.From, 0} {
		if len(q.audit.search.preds.List) == known {
			q.ranges(from)
		}
	}
}

// ranges proposes the ranges of the values that a path computes from step from on.
func (q *Query) ranges(from int) {
	relevant := computedFrom(q.Path, q.Core, from)
	x := q.audit.Facts.Execute(logic.NewTable(), q.Path, from, from)
	count := 0
	for i := from; i < q.Core.To && count < mostRanges; i++ {
		x.Step(q.Path, i)
		for _, slot := range relevant[i] {
			typ, ok := slot.Var.Type.(core.Int)
			if !ok || slot.Var.InMemory() {
				continue
			}
			owner := q.Path.Steps[i].Frame.Proc
			if slot.Frame != nil {
				owner = slot.Frame.Proc
			}
			for _, e := range narrower(x.Values[slot], slot.Var, typ) {
				q.Add(owner, e)
			}
			count++
		}
	}
}

// narrower returns the bounds of v that a value has beyond those of its type; none of a constant, whose range is
// a value, and not of a value that is not known.
func narrower(value *logic.Term, v *core.Var, typ core.Int) (bounds []core.Expr) {
	if value == nil || value.IsConst() {
		return nil
	}
	bound := func(op core.BinaryOp, k *big.Int) core.Expr {
		return &core.Binary{Op: op, X: v.Ref(), Y: &core.Const{Val: new(big.Int).Set(k), Typ: typ}}
	}
	if value.Lo != nil && value.Lo.Cmp(typ.Min()) > 0 && typ.Contains(value.Lo) {
		bounds = append(bounds, bound(core.Ge, value.Lo))
	}
	if value.Hi != nil && value.Hi.Cmp(typ.Max()) < 0 && typ.Contains(value.Hi) {
		bounds = append(bounds, bound(core.Le, value.Hi))
	}
	return bounds
}

// computedFrom returns the variables that the conditions of a core are computed from, by the step that sets them, from
// step from on; those that are set through memory are not followed.
func computedFrom(p *cex.Path, r *cex.Core, from int) map[int][]cex.Slot {
	wanted, set := map[cex.Slot]bool{}, map[int][]cex.Slot{}
	want := func(f *cex.Frame, e core.Expr) {
		core.WalkVars(e, func(v *core.Var) {
			if !v.InMemory() && algebra.IsScalar(v.Type) {
				wanted[cex.SlotOf(f, v)] = true
			}
		})
	}
	// given notes that a step gives slot the value of e, in activation f.
	given := func(step int, slot cex.Slot, f *cex.Frame, e core.Expr) {
		if wanted[slot] {
			set[step] = append(set[step], slot)
			if e != nil {
				want(f, e)
			}
		}
	}
	conds := r.Conds
	for i := r.To - 1; i >= from; i-- {
		// 1. The conditions of the core.
		s := p.Steps[i]
		for n := len(conds); n > 0 && conds[n-1].Step == i; n = len(conds) {
			want(s.Frame, conds[n-1].Expr)
			conds = conds[:n-1]
		}
		// 2. Assignments, arguments, results.
		switch st := s.Stmt().(type) {
		case *core.Assign:
			for k, l := range st.Lhs {
				if v, ok := l.(*core.VarRef); ok {
					given(i, cex.SlotOf(s.Frame, v.Var), s.Frame, st.Rhs[k])
				}
			}
		case *core.Call:
			if s.Enter == nil {
				continue
			}
			for k, v := range s.Enter.Proc.Formals {
				given(i, cex.SlotOf(s.Enter, v), s.Frame, st.Args[k])
			}
		case *core.Return:
			if s.Frame.Caller == nil || s.Frame.Proc.Result == nil {
				continue
			}
			if v, ok := p.Steps[s.Frame.Call].Stmt().(*core.Call).Lhs.(*core.VarRef); ok {
				given(i, cex.SlotOf(s.Frame.Caller, v.Var), s.Frame, s.Frame.Proc.Result.Ref())
			}
		}
	}
	return set
}

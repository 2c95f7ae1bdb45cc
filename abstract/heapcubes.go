package abstract

import (
	"context"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/prover"
	"c2bp/prover/cubes"
)

// This file excludes valuations of the object predicates of a class that no object has: {n == 1} & {n > 2}.
// Fields may take them where they are made arbitrary, one by one. They are excluded before a node that reads
// one of the fields, and there only: an arbitrary field is not decided before it is read.

// findCubes finds the infeasible cubes of each class.
func (a *abstraction) findCubes(ctx context.Context) error {
	if a.heap == nil || a.opts.NoEnforce {
		return nil
	}
	p := a.stock.Take(a.memo, prover.Options{NoMemo: a.opts.Savers.NoMemo})
	defer a.stock.Return(p)
	for _, c := range a.heap.plan.Classes {
		s := a.newScope(p, &procWork{proc: a.prog.Entry})
		s.at(-1)
		s.terms = nil
		for _, q := range a.heap.preds[c] {
			s.terms = append(s.terms, s.tr.Cond(q.Expr))
		}
		found, _, err := s.newSpace(s.terms).Infeasible(ctx)
		if err != nil {
			return err
		}
		a.heap.cubes[c] = found
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stats.Prover.Add(p.Stats())
	return nil
}

// feasible returns the assumptions that the objects to which seen lead have no infeasible valuation, as far as
// the statements of a node read their fields.
func (h *heap) feasible(seen []follow, body []*boolprog.Stmt) (out []*boolprog.Stmt) {
	read := map[string]bool{}
	readFields(body, read)
	for _, f := range seen {
		var list []cubes.Cube
		reads := h.fieldsOf(f.name, f.class)
		for _, c := range h.cubes[f.class] {
			if slices.ContainsFunc(c.Literals(), func(l cubes.Literal) bool { return read[boolprog.ExprString(reads[l.Pred])] }) {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: excluded(list, reads)}})
		}
	}
	return out
}

// fieldsOf returns the Boolean fields of the object that a reference leads to.
func (h *heap) fieldsOf(name string, c *refs.Class) []boolprog.Expr {
	list := make([]boolprog.Expr, len(h.preds[c]))
	for i, p := range h.preds[c] {
		list[i] = &boolprog.Select{X: &boolprog.Ref{Name: name}, Field: p.Var()}
	}
	return list
}

// readFields collects the fields that statements read.
func readFields(list []*boolprog.Stmt, read map[string]bool) {
	expr := func(e boolprog.Expr) {
		boolprog.Inspect(e, func(e boolprog.Expr) {
			if _, ok := e.(*boolprog.Select); ok {
				read[boolprog.ExprString(e)] = true
			}
		})
	}
	boolprog.InspectStmts(list, func(st *boolprog.Stmt) {
		switch op := st.Op.(type) {
		case *boolprog.Assume:
			expr(op.Cond)
		case *boolprog.Assign:
			for _, e := range op.Rhs {
				expr(e)
			}
		}
	})
}

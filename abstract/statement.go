package abstract

import (
	"context"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/prover/cubes"
	"c2bp/wp"
)

// This file abstracts the statements other than calls (Ball–Millstein–Rajamani 2005, §4.3). For x =
// x + 1 and the predicates x < 3 and x < 4:
//
//	WP(x < 3) = x < 2       F(x < 2) = 0         F(x >= 2) = !{x < 3}
//	WP(x < 4) = x < 3       F(x < 3) = {x < 3}   F(x >= 3) = !{x < 3}
//
//	{x < 3}, {x < 4} := choose(0, !{x < 3}), choose({x < 3}, !{x < 3});

// scope is a procedure as one worker sees it: the predicates in scope as terms of the worker's
// table, and the space in which they are strengthened. A scope around a call or before an
// initialisation has other terms for the same variables.
type scope struct {
	a     *abstraction
	proc  *core.Proc
	tr    *wp.Translator
	preds []*Predicate    // V_Q: global ones first
	names []string        // of the Boolean variables, parallel to preds
	reads []boolprog.Expr // the same, as expressions
	terms []*logic.Term
	inv   invariant

	// With references: roles are the classes that pointers lead to which may lead to several. names, reads
	// and terms go on with the atoms of the present node. follows are the references that lead to their objects, and
	// led those that lead to places that the node writes.
	roles        []role
	atoms        []atom
	follows, led []follow
	dest         *refs.Class // of the object in which a call stores its result

	precision Precision    // at the present node
	space     *cubes.Space // for it
	spaces    map[Precision]*cubes.Space

	prover  *prover.Prover
	limited bool // some cover may lack long cubes
}

// strengthen returns F(φ) over the predicates in scope with their present values (E_Q).
func (s *scope) strengthen(ctx context.Context, phi *logic.Term) ([]cubes.Cube, error) {
	cover, limited, err := s.space.Strengthen(ctx, phi)
	s.limited = s.limited || limited
	return cover, err
}

// node abstracts one node to statements; the first one carries the annotation.
func (s *scope) node(ctx context.Context, i int) ([]*boolprog.Stmt, error) {
	if s.a.heap != nil {
		return s.heapNode(ctx, i)
	}
	return s.plainNode(ctx, s.proc.Nodes[i])
}

// plainNode is node without references.
func (s *scope) plainNode(ctx context.Context, n *core.Node) ([]*boolprog.Stmt, error) {
	switch st := n.Stmt.(type) {
	// Control is the business of shape.
	case *core.Skip, *core.Branch:
		return skip(), nil
	case *core.Assume:
		return s.assume(ctx, s.tr.Tested(st.Cond))
	case *core.Assert:
		return s.assert(ctx, s.tr.Tested(st.Cond))
	// State changes, by weakest preconditions.
	case *core.Assign, *core.Havoc, *core.Copy, *core.Fill, *core.Data, *core.Alloc, *core.Free:
		return s.update(ctx, st)
	case *core.Call:
		return s.call(ctx, st)
	case *core.Return:
		return s.ret(), nil
	}
	panic("abstract: unknown statement")
}

// skip returns a skip.
func skip() []*boolprog.Stmt { return []*boolprog.Stmt{{Op: &boolprog.Skip{}}} }

// assume returns assume(G(φ)), a skip if G(φ) is true.
func (s *scope) assume(ctx context.Context, phi *logic.Term) ([]*boolprog.Stmt, error) {
	cover, err := s.strengthen(ctx, s.tr.T.Not(phi))
	if err != nil {
		return nil, err
	}
	if len(cover) == 0 {
		return skip(), nil
	}
	return []*boolprog.Stmt{{Op: &boolprog.Assume{Cond: s.excludedCubes(cover)}}}, nil
}

// excludedCubes returns G = !F for the cover of F(¬φ).
func (s *scope) excludedCubes(cover []cubes.Cube) boolprog.Expr { return excluded(cover, s.reads) }

// assert returns if (*) then assume(G(¬φ)); assert(0); fi followed by assume(G(φ)): it fails where
// the predicates cannot exclude that φ fails. (assert(G(φ)) would be wrong: it fails only where
// they exclude that φ holds.)
func (s *scope) assert(ctx context.Context, phi *logic.Term) ([]*boolprog.Stmt, error) {
	// 1. The two assumptions.
	fails, err := s.assume(ctx, s.tr.T.Not(phi))
	if err != nil {
		return nil, err
	}
	holds, err := s.assume(ctx, phi)
	if err != nil {
		return nil, err
	}
	if _, ok := fails[0].Op.(*boolprog.Skip); ok {
		fails = nil
	}
	// 2. The failure, in a branch.
	fails = append(fails, &boolprog.Stmt{Op: &boolprog.Assert{Cond: constant(false)}})
	for _, st := range fails {
		st.Annot = &boolprog.Annot{Origin: "assert"}
	}
	test := &boolprog.Stmt{Op: &boolprog.If{
		Conds: []boolprog.Expr{&boolprog.Nondet{}},
		Thens: [][]*boolprog.Stmt{fails},
	}}
	return append([]*boolprog.Stmt{test}, holds...), nil
}

// update returns the parallel assignment that a state change makes to the predicates in scope, and to
// references.
func (s *scope) update(ctx context.Context, st core.Stmt) ([]*boolprog.Stmt, error) {
	op := &boolprog.Assign{}
	s.refUpdate(st, op)
	return s.updateOver(ctx, s, s.tr.Pre(st), op)
}

// updateOver adds to op the update of the predicates in scope: b := choose(F(WP(φ)), F(WP(¬φ))), with
// right sides over the predicates of before. pre maps a formula to its weakest precondition; it commutes
// with negation, being a substitution.
func (s *scope) updateOver(ctx context.Context, before *scope, pre func(*logic.Term) *logic.Term, op *boolprog.Assign) ([]*boolprog.Stmt, error) {
	changed := map[int]bool{}
	for i, phi := range s.terms {
		target := s.target(i)
		if target == nil {
			continue
		}
		// 1. A predicate whose weakest precondition is itself keeps its value.
		wlp := pre(phi)
		if i >= len(s.preds) {
			wlp = s.preOf(i, pre)
		}
		if wlp == phi && !s.a.opts.Savers.NoUntouched {
			continue
		}
		// 2. Strengthen the others.
		rhs, same, err := before.value(ctx, slices.Index(before.names, s.names[i]), wlp)
		if err != nil {
			return nil, err
		}
		if same {
			continue
		}
		changed[i] = true
		op.Lhs = append(op.Lhs, target)
		op.Rhs = append(op.Rhs, rhs)
	}
	if len(op.Lhs) == 0 {
		return skip(), nil
	}
	// 3. Exclude mixed infeasible cubes that mention a changed predicate.
	out := []*boolprog.Stmt{{Op: op}}
	if m := s.inv.assumeMixed(s.reads, func(i int) bool { return changed[i] }); m != nil {
		out = append(out, m)
	}
	return out, nil
}

// target returns the left side of an assignment to predicate i; nil if that is no variable: the equality
// of two references.
func (s *scope) target(i int) *boolprog.Ref {
	if i < len(s.preds) {
		return &boolprog.Ref{Name: s.names[i]}
	}
	return s.atoms[i-len(s.preds)].target
}

// value returns the right side of the assignment to predicate i whose weakest precondition is wlp;
// same reports whether the assignment would be the identity. i is -1 for a variable that is no
// predicate, which is always assigned.
func (s *scope) value(ctx context.Context, i int, wlp *logic.Term) (rhs boolprog.Expr, same bool, err error) {
	pos, err := s.strengthen(ctx, wlp)
	if err != nil {
		return nil, false, err
	}
	neg, err := s.strengthen(ctx, s.tr.T.Not(wlp))
	if err != nil {
		return nil, false, err
	}
	if isLiteral(pos, i, false) && isLiteral(neg, i, true) {
		return nil, true, nil
	}
	return choose(disjunction(pos, s.reads), disjunction(neg, s.reads)), false, nil
}

// isLiteral reports whether the cover is the one literal.
func isLiteral(cover []cubes.Cube, index int, negated bool) bool {
	if len(cover) != 1 {
		return false
	}
	lits := cover[0].Literals()
	return len(lits) == 1 && lits[0].Pred == index && lits[0].Neg == negated
}

// ret returns the return of the predicates of E_r.
func (s *scope) ret() []*boolprog.Stmt {
	op := &boolprog.Return{}
	for _, p := range s.a.ifaces[s.proc].Returns {
		op.Values = append(op.Values, &boolprog.Ref{Name: p.Var()})
	}
	for _, c := range s.a.returned(s.proc) {
		op.Values = append(op.Values, &boolprog.Ref{Name: s.a.heap.refName(s.proc.Result, c)})
	}
	return []*boolprog.Stmt{{Op: op}}
}

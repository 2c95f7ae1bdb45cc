package abstract

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/wp"
)

// This file abstracts calls (Ball–Millstein–Rajamani 2005, §4.4.3). lhs := R(a1, …, ak) becomes
//
//	prm1, … := choose(F(φ[a/f]), F(¬φ[a/f])), …     for φ in E_f of R
//	ret1, … := R(prm1, …)                           for the E_r of R
//	b, …    := choose(F^(WP(lhs := \ret, φ)), …), … for φ in E_u
//
// where F^ strengthens over V_Q and the ret variables under Ê: local predicates are read before the
// call (orig), global ones after it, ret variables through γ. E_u is the local predicates that mention
// a variable or place that the callee may write, and every predicate, local or global, that may depend
// on lhs. Other global predicates are updated by the callee, which has them in scope.
//
// An external has no Boolean body: the call itself disappears, and global predicates are read before
// it and updated, like local ones.

// prmName returns the name of the variable that carries argument i into a call, retName that of result i
// out of it.
func prmName(i int) string { return fmt.Sprintf("prm%d", i+1) }

// retName returns the name of the variable for result i of a call.
func retName(i int) string { return fmt.Sprintf("ret%d", i+1) }

// call abstracts a call: parameters, call, update.
func (s *scope) call(ctx context.Context, c *core.Call) ([]*boolprog.Stmt, error) {
	around := s.tr.Around(c, s.affectedBy(c))
	to, out, err := s.placeOf(ctx, c)
	if err != nil {
		return nil, err
	}
	// 1. An external: the update alone.
	if !c.Callee.HasBody() {
		update, err := s.callUpdate(ctx, c, around, nil, to)
		return append(out, update...), err
	}
	// 2. Assign the parameters.
	iface := s.a.ifaces[c.Callee]
	params, err := s.parameters(ctx, around, iface)
	if err != nil {
		return nil, err
	}
	out = append(out, params...)
	// 3. Call.
	op := &boolprog.Call{Callee: &boolprog.Ref{Name: procName(c.Callee)}}
	for i := range iface.Formals {
		op.Args = append(op.Args, &boolprog.Ref{Name: prmName(i)})
	}
	for i := range iface.Returns {
		op.Lhs = append(op.Lhs, &boolprog.Ref{Name: retName(i)})
	}
	out = append(out, s.passRefs(c, op)...)
	s.takeRef(c, to, op)
	out = append(out, &boolprog.Stmt{Op: op, Annot: &boolprog.Annot{Origin: "call"}})
	// 4. Update after the return.
	update, err := s.callUpdate(ctx, c, around, iface.Returns, to)
	if err != nil {
		return nil, err
	}
	for _, u := range update {
		if _, ok := u.Op.(*boolprog.Skip); !ok {
			out = append(out, u)
		}
	}
	return out, nil
}

// affectedBy returns which variables and places in memory, as the caller sees them, the call may
// change.
func (s *scope) affectedBy(c *core.Call) func(core.Loc) bool {
	return func(l core.Loc) bool { return s.a.alias.Affected(c, l) }
}

// parameters assigns the prm variables.
func (s *scope) parameters(ctx context.Context, around *wp.Call, iface *Interface) ([]*boolprog.Stmt, error) {
	if len(iface.Formals) == 0 {
		return nil, nil
	}
	op := &boolprog.Assign{}
	for i, p := range iface.Formals {
		rhs, _, err := s.value(ctx, -1, around.Actual(p.Expr))
		if err != nil {
			return nil, err
		}
		op.Lhs = append(op.Lhs, &boolprog.Ref{Name: prmName(i)})
		op.Rhs = append(op.Rhs, rhs)
	}
	return []*boolprog.Stmt{{Op: op}}, nil
}

// callUpdate returns the update after the return, and the assumption that excludes mixed infeasible
// cubes: globals have changed, so all of them count.
func (s *scope) callUpdate(ctx context.Context, c *core.Call, around *wp.Call, returns []*Predicate, to place) ([]*boolprog.Stmt, error) {
	after := s.afterCall(c, around, returns, to.inside)
	if after == nil {
		return s.orSkip(s.storeRef(ctx, c, to, around, nil))
	}
	// 1. Update the predicates in E_u.
	op := &boolprog.Assign{}
	for i := range s.preds {
		if !s.inUpdate(c, around, i) {
			continue
		}
		rhs, same, err := after.value(ctx, i, around.Store(s.terms[i]))
		if err != nil {
			return nil, err
		}
		if !same {
			op.Lhs = append(op.Lhs, &boolprog.Ref{Name: s.names[i]})
			op.Rhs = append(op.Rhs, rhs)
		}
	}
	s.limited = s.limited || after.limited
	// 2. Assemble the statements.
	var out []*boolprog.Stmt
	if len(op.Lhs) > 0 {
		out = append(out, &boolprog.Stmt{Op: op, Annot: &boolprog.Annot{Origin: "return"}})
	}
	if m := s.inv.assumeMixed(s.reads, func(int) bool { return true }); m != nil {
		out = append(out, m)
	}
	stored, err := s.storeRef(ctx, c, to, around, after)
	return s.orSkip(append(out, stored...), err)
}

// orSkip returns statements, or a skip if there are none.
func (s *scope) orSkip(out []*boolprog.Stmt, err error) ([]*boolprog.Stmt, error) {
	if len(out) == 0 {
		out = skip()
	}
	return out, err
}

// inUpdate reports whether predicate i is in E_u, widened by the global predicates that may depend
// on the destination.
func (s *scope) inUpdate(c *core.Call, around *wp.Call, i int) bool {
	// 1. The destination may change it.
	if around.Store(s.terms[i]) != s.terms[i] {
		return true
	}
	// 2. The callee updates global predicates.
	p := s.preds[i]
	if p.Proc == nil && c.Callee.HasBody() {
		return false
	}
	// 3. The callee may change a place that it reads.
	affected := s.affectedBy(c)
	for _, l := range core.Locs(p.Expr) {
		if affected(l) {
			return true
		}
	}
	return false
}

// afterCall returns the scope V̂ = V_Q ∪ T_Q under Ê, nil if no predicate is in E_u and it is not
// needed otherwise: the terms of
// local predicates are read in the state before the call, those of global ones after it, and those
// of E_r of the callee become the ret variables.
func (s *scope) afterCall(c *core.Call, around *wp.Call, returns []*Predicate, needed bool) *scope {
	any := needed
	for i := range s.preds {
		any = any || s.inUpdate(c, around, i)
	}
	if !any {
		// Mixed cubes still need their assumption, which does not need Ê.
		if len(s.inv.mixed) == 0 {
			return nil
		}
		return s
	}
	hat := &scope{a: s.a, proc: s.proc, tr: s.tr, prover: s.prover, precision: s.precision}
	// 1. Predicates of the caller: local ones are read before the call.
	orig := around.Orig()
	for i, p := range s.preds {
		t := s.terms[i]
		if p.Proc != nil || !c.Callee.HasBody() {
			t = orig.Cond(p.Expr)
		}
		hat.terms = append(hat.terms, t)
		hat.names = append(hat.names, s.names[i])
	}
	// 2. Predicates that the callee returns.
	for i, p := range returns {
		hat.terms = append(hat.terms, around.Gamma(p.Expr))
		hat.names = append(hat.names, retName(i))
	}
	hat.reads = readsOf(hat.names)
	hat.space = hat.newSpace(hat.terms)
	return hat
}

// callVars returns the numbers of prm and ret variables that the calls of a procedure need.
func (a *abstraction) callVars(p *core.Proc) (prms, rets int) {
	for _, n := range p.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee.HasBody() {
			f := a.ifaces[c.Callee]
			prms, rets = max(prms, len(f.Formals)), max(rets, len(f.Returns))
		}
	}
	return prms, rets
}

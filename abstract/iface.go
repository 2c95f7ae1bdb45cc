package abstract

import "c2bp/frontend/core"

// This file computes the interfaces of procedures.

// Interface is the type signature of a procedure in the Boolean program: the six-tuple of
// Ball–Millstein–Rajamani 2005, §4.4.1, without the components that core.Proc has. It is computed from
// the procedure and its predicates alone, before any body.
type Interface struct {
	Proc    *core.Proc
	Formals []*Predicate // E_f: meaningful to a caller before the call
	Returns []*Predicate // E_r: meaningful to a caller after it
	Locals  []*Predicate // the local predicates that are not in E_f
	Ghosts  []*core.Var  // S_R: the symbolic constants in use
}

// newInterface classifies the local predicates of p. For int inc(int x):
//
//	x > 0              E_f
//	x == 'x            local
//	\result == 'x + 1  E_r
//	y > 0              local, with y a local variable
func newInterface(p *core.Proc, local []*Predicate) *Interface {
	f := &Interface{Proc: p, Ghosts: ghosts(local)}
	for _, q := range local {
		if isFormalPredicate(q) {
			f.Formals = append(f.Formals, q)
		} else {
			f.Locals = append(f.Locals, q)
		}
		if isReturnPredicate(p, q) {
			f.Returns = append(f.Returns, q)
		}
	}
	return f
}

// isFormalPredicate reports whether q mentions a formal, possibly globals, nothing else, and not
// the address of a formal, which would become the address of the actual.
func isFormalPredicate(q *Predicate) bool {
	for _, v := range core.Addressed(q.Expr) {
		if v.Kind == core.Formal {
			return false
		}
	}
	// A formal, and besides it globals alone.
	formal := false
	for _, v := range q.vars {
		switch v.Kind {
		case core.Formal:
			formal = true
		case core.Global:
		default:
			return false
		}
	}
	return formal
}

// isReturnPredicate reports whether q mentions the result of p or a symbolic constant, and no other
// local or formal, and not the address of the result. (Of a result in memory, a struct, it may
// mention members.)
func isReturnPredicate(p *core.Proc, q *Predicate) bool {
	meant := false
	for _, v := range q.vars {
		switch {
		case v == p.Result && (!v.InMemory() || core.ReadsMembers(q.Expr, v)), v.Kind == core.Ghost:
			meant = true
		case v.Kind != core.Global:
			return false
		}
	}
	return meant
}

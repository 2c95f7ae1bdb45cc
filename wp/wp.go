package wp

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file defines weakest liberal preconditions of assignments and havocs.

// Assign returns WP(s, φ) of a parallel assignment: φ with the right sides for the
// left sides, simultaneously (seed 004, §4.2).
func (tr *Translator) Assign(s *core.Assign, phi *logic.Term) *logic.Term {
	by := make(map[*logic.Term]*logic.Term, len(s.Lhs))
	for i, l := range s.Lhs {
		if _, ok := l.Type().(core.Int); ok {
			by[tr.Env(l.(*core.VarRef).Var)] = tr.Value(s.Rhs[i])
		}
	}
	return tr.T.Subst(phi, by)
}

// SuffixNew is the suffix of a variable's value after a havoc or an external call, as an
// unknown of its own.
const SuffixNew = "@new"

// Havoc returns φ about the state after the variables got arbitrary values: they
// are read as new unknowns. It is valid iff WP(havoc vars, φ) is.
func (tr *Translator) Havoc(written func(*core.Var) bool, vars []*core.Var, phi *logic.Term) *logic.Term {
	by := make(map[*logic.Term]*logic.Term)
	for _, v := range vars {
		if _, ok := v.Type.(core.Int); ok && written(v) {
			by[tr.Env(v)] = Sym(tr.T, v, SuffixNew)
		}
	}
	return tr.T.Subst(phi, by)
}

// Vars returns the variables that e reads, each once, in order of occurrence.
func Vars(e core.Expr) []*core.Var {
	var out []*core.Var
	seen := map[*core.Var]bool{}
	core.WalkVars(e, func(v *core.Var) {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	})
	return out
}

package certificate

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file defines certificates, and checks that one fits a program.

// Certificate is an inductive invariant of a program: a state predicate that holds initially and
// that every step keeps.
type Certificate struct {
	Proves     []string     // the nodes "main:3" of the properties that it proves; nil is all
	Globals    []*Predicate // about global variables, in scope in every procedure
	Procedures []*Procedure // those with a body
}

// Predicate is a condition over the state of the program that invariants are made of.
type Predicate struct {
	Name string // distinct within a procedure: p12
	Expr core.Expr
	Note string // for people: where it came from; "" if nobody knows
}

// Procedure is the part of a certificate about one procedure.
type Procedure struct {
	Proc       *core.Proc
	Ghosts     []*core.Var  // symbolic constants: what their Init was at the entry
	Predicates []*Predicate // in scope in this procedure alone
	Invariants []*Formula   // by node: before it is executed
}

// Scope returns the predicates that invariants of p may mention. A Formula names them by their
// index in this list.
func (c *Certificate) Scope(p *Procedure) []*Predicate {
	return append(c.Globals[:len(c.Globals):len(c.Globals)], p.Predicates...)
}

// Annotate sets the note of each predicate, for people.
func (c *Certificate) Annotate(note func(core.Expr) string) {
	for _, p := range c.Globals {
		p.Note = note(p.Expr)
	}
	for _, q := range c.Procedures {
		for _, p := range q.Predicates {
			p.Note = note(p.Expr)
		}
	}
}

// MismatchError says that a certificate does not fit the program: it is about another one.
type MismatchError struct {
	Where string // proc:17, a procedure, or ""
	Why   string
}

// Error returns the reason after the place, if that is known.
func (e *MismatchError) Error() string {
	if e.Where == "" {
		return e.Why
	}
	return e.Where + ": " + e.Why
}

// mismatch returns a MismatchError with a formatted reason.
func mismatch(where, format string, args ...any) error {
	return &MismatchError{where, fmt.Sprintf(format, args...)}
}

// AtEntry reports whether callers can evaluate e at the entry of its procedure: it mentions formals
// and globals only, and does not take the address of a formal, because the actual has another.
func AtEntry(e core.Expr) bool {
	for _, v := range core.Addressed(e) {
		if v.Kind == core.Formal {
			return false
		}
	}
	return !core.Mentions(e, func(v *core.Var) bool { return v.Kind != core.Formal && v.Kind != core.Global })
}

// AtReturn reports whether e still has a meaning for the callers of p after it has returned: it
// mentions the result, symbolic constants and globals only. (A result in memory, a struct, is gone
// for the callers; the values of its members are the value that is returned.)
func AtReturn(p *core.Proc, e core.Expr) bool {
	return !core.Mentions(e, func(v *core.Var) bool {
		isResult := v == p.Result && (!v.InMemory() || core.ReadsMembers(e, v))
		return !isResult && v.Kind != core.Ghost && v.Kind != core.Global
	})
}

// fit checks that c is well formed for prog: the assumptions of the validation. The error is a
// MismatchError.
func (c *Certificate) fit(prog *core.Program) error {
	// 1. Predicates over globals are well typed, and Proves names nodes.
	for _, p := range c.Globals {
		if err := core.ValidatePredicate(prog, nil, p.Expr); err != nil {
			return mismatch("", "predicate %s: %v", p.Name, err)
		}
	}
	if err := c.fitProves(prog); err != nil {
		return err
	}
	// 2. Every procedure with a body occurs once, and nothing else.
	found := map[*core.Proc]bool{}
	for _, p := range c.Procedures {
		if found[p.Proc] {
			return mismatch(p.Proc.Name, "the procedure is there twice")
		}
		found[p.Proc] = true
		if err := c.fitProcedure(prog, p); err != nil {
			return err
		}
	}
	for _, q := range prog.Procs {
		if q.HasBody() && !found[q] {
			return mismatch(q.Name, "the certificate does not have this procedure")
		}
	}
	return nil
}

// fitProcedure checks that p is well formed for its procedure of prog.
func (c *Certificate) fitProcedure(prog *core.Program, p *Procedure) error {
	q := p.Proc
	if !q.HasBody() {
		return mismatch(q.Name, "the procedure has no body")
	}
	// 1. Symbolic constants have a value at the entry.
	ghosts := map[*core.Var]bool{}
	for _, g := range p.Ghosts {
		ghosts[g] = true
		if err := core.ValidatePredicate(prog, q, g.Init); err != nil {
			return mismatch(q.Name, "%s: %v", g.Name, err)
		}
		if !AtEntry(g.Init) || g.Init.Type() != g.Type {
			return mismatch(q.Name, "%s has no value at the entry", g.Name)
		}
	}
	// 2. Predicates are well typed, over variables of this procedure and its constants.
	for _, x := range p.Predicates {
		if err := core.ValidatePredicate(prog, q, x.Expr); err != nil {
			return mismatch(q.Name, "predicate %s: %v", x.Name, err)
		}
		if core.Mentions(x.Expr, func(v *core.Var) bool { return v.Kind == core.Ghost && !ghosts[v] }) {
			return mismatch(q.Name, "predicate %s: an unknown symbolic constant", x.Name)
		}
	}
	// 3. Each node has an invariant over these predicates. Formulas share parts: each is visited
	// once.
	if len(p.Invariants) != len(q.Nodes) {
		return mismatch(q.Name, "%d invariants for %d nodes", len(p.Invariants), len(q.Nodes))
	}
	scope, seen := c.Scope(p), map[*Formula]bool{}
	for i, f := range p.Invariants {
		if f == nil {
			return mismatch(q.NodeID(i), "no invariant")
		}
		if err := f.fit(scope, seen); err != nil {
			return mismatch(q.NodeID(i), "%v", err)
		}
	}
	return nil
}

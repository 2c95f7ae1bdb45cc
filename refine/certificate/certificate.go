package certificate

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file defines certificates.

// Certificate is an inductive invariant of a program.
type Certificate struct {
	Proves     []string     // the nodes "main:3" of the properties that it proves; nil is all
	Globals    []*Predicate // about global variables, in scope in every procedure
	Procedures []*Procedure // those with a body
}

// Predicate is a condition that invariants speak of.
type Predicate struct {
	Name string // distinct within a procedure: p12
	Expr core.Expr
	Note string // for people: where it came from; "" if nobody knows
}

// Procedure is what a certificate says of one.
type Procedure struct {
	Proc       *core.Proc
	Ghosts     []*core.Var  // symbolic constants: what their Init was at the entry
	Predicates []*Predicate // in scope in this procedure alone
	Invariants []*Formula   // by node: before it is executed
}

// Scope is the predicates that invariants of p may mention: a Formula names them by
// their index in this list.
func (c *Certificate) Scope(p *Procedure) []*Predicate {
	return append(c.Globals[:len(c.Globals):len(c.Globals)], p.Predicates...)
}

// Annotate gives each predicate a note, for people.
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

// MismatchError says that a certificate does not fit the program: it is about another
// one.
type MismatchError struct {
	Where string // proc:17, a procedure, or ""
	Why   string
}

func (e *MismatchError) Error() string {
	if e.Where == "" {
		return e.Why
	}
	return e.Where + ": " + e.Why
}

func mismatch(where, format string, args ...any) error {
	return &MismatchError{where, fmt.Sprintf(format, args...)}
}

// AtEntry reports whether e has a truth at the entry of its procedure that callers can
// tell: it speaks of formals and globals alone, and not of the address of a formal, for
// that of the actual is another.
func AtEntry(e core.Expr) bool {
	for _, v := range core.Addressed(e) {
		if v.Kind == core.Formal {
			return false
		}
	}
	return !core.Mentions(e, func(v *core.Var) bool { return v.Kind != core.Formal && v.Kind != core.Global })
}

// AtReturn reports whether e still means something to the callers of p when it has
// returned: it speaks of the result, symbolic constants and globals alone. (A result in
// memory, a struct, is gone for the callers; what its members held is the value that is
// returned.)
func AtReturn(p *core.Proc, e core.Expr) bool {
	return !core.Mentions(e, func(v *core.Var) bool {
		isResult := v == p.Result && (!v.InMemory() || core.ReadsMembers(e, v))
		return !isResult && v.Kind != core.Ghost && v.Kind != core.Global
	})
}

// fit checks that c has what the validation relies on, for program prog.
func (c *Certificate) fit(prog *core.Program) error {
	for _, p := range c.Globals {
		if err := core.ValidatePredicate(prog, nil, p.Expr); err != nil {
			return mismatch("", "predicate %s: %v", p.Name, err)
		}
	}
	if err := c.fitProves(prog); err != nil {
		return err
	}
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

func (c *Certificate) fitProcedure(prog *core.Program, p *Procedure) error {
	q := p.Proc
	if !q.HasBody() {
		return mismatch(q.Name, "the procedure has no body")
	}
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
	for _, x := range p.Predicates {
		if err := core.ValidatePredicate(prog, q, x.Expr); err != nil {
			return mismatch(q.Name, "predicate %s: %v", x.Name, err)
		}
		if core.Mentions(x.Expr, func(v *core.Var) bool { return v.Kind == core.Ghost && !ghosts[v] }) {
			return mismatch(q.Name, "predicate %s: an unknown symbolic constant", x.Name)
		}
	}
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

package abstract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/prover"
)

// This file adds constraints to an abstraction: combinations of literals about the two sides of a
// move that no step of the program satisfies are excluded, by constrain where predicates are
// assigned, and otherwise by assume.

// Constraint says that no step of the program makes the move such that all literals hold.
type Constraint struct {
	Move
	Literals []Literal
}

// String prints a constraint: f:3 !({x < 3} & '{x >= 3}), where ' marks a value after the move.
func (c Constraint) String() string {
	var lits []string
	for _, l := range c.Literals {
		text := l.Pred
		if l.Side != Before {
			text = "'" + text
		}
		if l.Neg {
			text = "!" + text
		}
		lits = append(lits, text)
	}
	// The node, or the entry.
	at := c.Proc.Name + ":entry"
	if c.Node >= 0 {
		at = c.Proc.NodeID(c.Node)
	}
	return fmt.Sprintf("%s !(%s)", at, strings.Join(lits, " & "))
}

// Constrain excludes from the Boolean program the combinations that constraints exclude, as far as
// the prover confirms them; it drops all others. So the abstraction stays sound whatever the caller
// proposes.
func (r *Result) Constrain(ctx context.Context, p *prover.Prover, cs []Constraint) {
	// 1. Keep the constraints that the prover confirms.
	touched := map[*procWork]bool{}
	for _, c := range cs {
		if !r.Impossible(ctx, p, c.Move, c.Literals) {
			continue
		}
		if w := r.abstraction.workOf(c.Proc); w != nil && !w.empty {
			w.constraints = append(w.constraints, c)
			touched[w] = true
		}
	}
	// 2. Assemble the procedures concerned again.
	for i, w := range r.abstraction.work {
		if touched[w] {
			r.Program.Procs[i] = r.abstraction.assemble(w)
		}
	}
}

// workOf returns the abstraction of p, nil if there is none.
func (a *abstraction) workOf(p *core.Proc) *procWork {
	for _, w := range a.work {
		if w.proc == p {
			return w
		}
	}
	return nil
}

// Enforce returns the invariant of a procedure that holds in all its states, nil if nothing is
// known.
func (r *Result) Enforce(p *core.Proc) boolprog.Expr {
	names := r.abstraction.namesInScope(p)
	return r.abstraction.workOf(p).inv.enforce(readsOf(names))
}

// Statements lists the statements for a node, or those before the first node if node is -1, with
// constraints. The caller must not change them.
func (r *Result) Statements(p *core.Proc, node int) []*boolprog.Stmt {
	return r.abstraction.constrained(r.abstraction.workOf(p), node)
}

// Interface returns the interface of a procedure with a body.
func (r *Result) Interface(p *core.Proc) *Interface { return r.abstraction.ifaces[p] }

// constrained returns the statements for a node with the constraints on them, as copies that nobody
// shares.
func (a *abstraction) constrained(w *procWork, node int) []*boolprog.Stmt {
	from := w.entry
	if node >= 0 {
		from = w.nodes[node]
	}
	out := make([]*boolprog.Stmt, len(from))
	for i, s := range from {
		out[i] = clone(s)
	}
	for _, c := range w.constraints {
		if c.Node == node {
			out = a.constrain(out, c)
		}
	}
	return out
}

// clone copies a statement as far as constraints and labels change it.
func clone(s *boolprog.Stmt) *boolprog.Stmt {
	c := *s
	switch op := s.Op.(type) {
	case *boolprog.Assign:
		o := *op
		c.Op = &o
	case *boolprog.If:
		o := *op
		o.Thens = slices.Clone(op.Thens)
		c.Op = &o
	}
	return &c
}

// constrain adds a constraint to the statements of its node.
func (a *abstraction) constrain(stmts []*boolprog.Stmt, c Constraint) []*boolprog.Stmt {
	// 1. Find the statement at which the move ends.
	at := 0
	switch c.Part {
	// In the branch of the failure, before it.
	case Fails:
		test := stmts[0].Op.(*boolprog.If)
		test.Thens[0] = slices.Insert(slices.Clone(test.Thens[0]), 0, a.excluding(c, stmts[0].Annot, "assert"))
		return stmts
	// After the call: at the update, if there is one.
	case Returns:
		at = 1 + slices.IndexFunc(stmts, func(s *boolprog.Stmt) bool { _, ok := s.Op.(*boolprog.Call); return ok })
	// At the initialisation of symbolic constants.
	case Enters:
		at = slices.IndexFunc(stmts, func(s *boolprog.Stmt) bool { _, ok := s.Op.(*boolprog.Assign); return ok })
		if at < 0 {
			return stmts
		}
	case Holds:
		if _, ok := stmts[0].Op.(*boolprog.If); ok {
			at = 1
		}
	}
	// 2. Constrain its assignment, if it is one.
	if at < len(stmts) {
		if op, ok := stmts[at].Op.(*boolprog.Assign); ok {
			clause := a.clause(c, op)
			if op.Constrain != nil {
				clause = &boolprog.Binary{Op: boolprog.And, X: op.Constrain, Y: clause}
			}
			op.Constrain = clause
			return stmts
		}
	}
	// 3. Otherwise no predicate changes in the move: exclude its valuations by an assumption.
	origin := stmts[0].Annot.Origin
	if c.Part == Returns {
		origin = "return"
	}
	return slices.Insert(stmts, at, a.excluding(c, stmts[0].Annot, origin))
}

// excluding returns the assumption of a constraint that has nothing to do with an assignment.
func (a *abstraction) excluding(c Constraint, at *boolprog.Annot, origin string) *boolprog.Stmt {
	annot := *at
	annot.Origin = origin
	return &boolprog.Stmt{Op: &boolprog.Assume{Cond: a.clause(c, nil)}, Annot: &annot}
}

// clause returns the condition that not all literals of a constraint hold. A variable that op,
// which may be nil, does not assign has the same value before and after.
func (a *abstraction) clause(c Constraint, op *boolprog.Assign) boolprog.Expr {
	var lits []boolprog.Expr
	for _, l := range c.Literals {
		ref := &boolprog.Ref{Name: a.variable(c.Move, l.Fact)}
		// A variable that is assigned has its new value here ('b).
		if op != nil && (l.Side == After || l.Side == Passed) {
			ref.Next = slices.ContainsFunc(op.Lhs, func(r *boolprog.Ref) bool { return r.Name == ref.Name })
		}
		var e boolprog.Expr = ref
		if !l.Neg {
			e = &boolprog.Not{X: e}
		}
		lits = append(lits, e)
	}
	return join(boolprog.Or, lits, false)
}

// Variable returns the name of the Boolean variable for a fact.
func (r *Result) Variable(m Move, f Fact) string { return r.abstraction.variable(m, f) }

// variable returns the name of the Boolean variable for a fact: of the predicate itself, or of the
// parameter or result that carries it.
func (a *abstraction) variable(m Move, f Fact) string {
	if f.Side == Before || f.Side == After {
		return f.Pred
	}
	iface := a.ifaces[m.Proc.Nodes[m.Node].Stmt.(*core.Call).Callee]
	is := func(p *Predicate) bool { return p.Var() == f.Pred }
	if f.Side == Passed {
		return prmName(slices.IndexFunc(iface.Formals, is))
	}
	return retName(slices.IndexFunc(iface.Returns, is))
}

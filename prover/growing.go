package prover

import (
	"context"
	"runtime"

	"c2bp/logic"
)

// This file decides conjunctions that grow, without asserting again all that was asserted before.

// Growing is a conjunction of formulas over truth values (symbols that are 0 or 1), to which others are added between
// checks. Z3 keeps it in a context of its own, with all that it has learned:
//
//	g := p.Grow(t, conditions...)
//	for g.Check(ctx) … { g.Add(another) }
//
// The answers depend on the formulas and their order only, not on other queries. There is no memo of them.
type Growing struct {
	p      *Prover
	z      *encoder // nil after an error or an interrupt: all answers are Unknown
	t      *logic.Table
	u      *Universe
	lits   []*logic.Term // all formulas, the first ones of them for good
	always int           // so many
	infos  []*literal    // of the formulas that Z3 has got
	marked bool          // it has got a mark after the first ones
}

// Grow returns a conjunction of formulas over truth values, of table t.
func (p *Prover) Grow(t *logic.Table, lits ...*logic.Term) *Growing {
	p.own()
	return &Growing{p: p, z: newEncoder(p.limit), t: t, u: NewUniverse(), lits: lits[:len(lits):len(lits)], always: len(lits)}
}

// own notes that there is one more context beside that in use.
func (p *Prover) own() {
	if p.contexts++; p.contexts%8 == 0 {
		runtime.GC() // which does not see how much memory a context holds
	}
}

// Add adds a formula.
func (g *Growing) Add(f *logic.Term) { g.lits = append(g.lits, f) }

// Reset takes out the formulas that were added.
func (g *Growing) Reset() {
	g.lits = g.lits[:g.always:g.always]
	if g.z != nil && g.marked {
		g.infos = g.infos[:g.always]
		g.z.solver.Pop()
		g.z.solver.Push()
	}
}

// Check tells whether the conjunction is satisfiable.
func (g *Growing) Check(ctx context.Context) Answer { return g.check(ctx, nil) }

// Model is like Check; if the answer is Sat, it returns a model.
func (g *Growing) Model(ctx context.Context) (Answer, *Model) {
	m := &Model{u: g.u}
	if a := g.check(ctx, m); a != Sat {
		return a, nil
	}
	// Believe Z3 only if the formulas are true in its model.
	if !m.satisfies(g.lits) {
		return Unknown, nil
	}
	return Sat, m
}

// check checks the conjunction, and reads a model into m, if it is not nil.
func (g *Growing) check(ctx context.Context, m *Model) Answer {
	if g.z == nil {
		return Unknown
	}
	g.p.begin()
	defer g.p.Watch(ctx)()
	a := g.p.guard(ctx, g.z, func() Answer {
		// Z3 gets the formulas that it has not.
		for i := len(g.infos); i <= len(g.lits); i++ {
			if i == g.always && !g.marked {
				g.z.solver.Push()
				g.marked = true
			}
			if i < len(g.lits) {
				l := g.z.literal(g.lits[i], g.t)
				g.z.solver.Assert(l.value)
				g.infos = append(g.infos, l)
			}
		}
		return g.p.solve(ctx, g.z, &query{lits: g.lits, t: g.t, model: m}, g.infos)
	})
	if a == Unknown {
		g.z = nil
	}
	g.p.count(a)
	return a
}

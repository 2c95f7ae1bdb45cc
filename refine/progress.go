package refine

import (
	"context"
	"crypto/sha256"
	"fmt"

	"c2bp/abstract"
)

// This file sees to it that a path that was refuted is not refuted again and again. When a
// program has been abstracted by the predicates found for a path, the path is executed in the
// abstraction before anything is checked: it may be one of it still. Then constraints rule it
// out; or if the predicates cannot, more are looked for. The same happens if a path comes
// back later on: more predicates in one place can mean shorter conjunctions of them.

// refuted is the paths known to be infeasible.
type refuted struct {
	seen   map[[sha256.Size]byte]bool // by the sequence of nodes
	back   map[[sha256.Size]byte]bool // those of them that came back and were excluded
	latest []explained                // those that new predicates are for
}

// explained is an infeasible path, why it is, and how hard predicates have been looked for.
type explained struct {
	path   *Path
	reason *reason
	level  level
}

func newRefuted() *refuted {
	return &refuted{seen: map[[sha256.Size]byte]bool{}, back: map[[sha256.Size]byte]bool{}}
}

// add notes how hard predicates for a path have been looked for.
func (r *refuted) add(p *Path, why *reason, l level) {
	now := explained{p, why, l}
	if n := len(r.latest); n > 0 && r.latest[n-1].path == p {
		r.latest[n-1] = now
		return
	}
	r.latest = append(r.latest, now)
	r.seen[p.nodes()] = true
}

// nodes identifies the sequence of nodes that a path goes through.
func (p *Path) nodes() (id [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range p.Steps {
		fmt.Fprintf(h, "%s ", s.id())
	}
	fmt.Fprint(h, p.Fails)
	h.Sum(id[:0])
	return id
}

// abstraction is the program abstracted by the predicates found so far, without the paths
// that these were found for.
func (a *audit) abstraction(ctx context.Context) (*abstract.Result, error) {
	if a.same {
		a.same = false
		return a.made, nil
	}
	for {
		r, err := abstract.Program(ctx, a.prog, a.preds.forAbstraction(), a.opts.Abstract)
		if err != nil {
			return nil, err
		}
		a.queries += r.Stats.Prover.Queries
		a.made = r
		if a.without.NoConstraints {
			return r, nil
		}
		r.Constrain(ctx, a.pr, a.constraints)
		if !a.settle(ctx) {
			return r, nil
		}
	}
}

// settle rules out the paths that were refuted last. It reports whether there are new
// predicates for that, for which the program has to be abstracted again.
func (a *audit) settle(ctx context.Context) bool {
	var more []explained
	for _, x := range a.refuted.latest {
		s, cs := a.excluding(ctx, x.path, x.reason)
		a.constrain(ctx, cs)
		if s == missing && ctx.Err() == nil {
			if l, ok := a.explainFurther(ctx, x); ok {
				more = append(more, explained{x.path, x.reason, l})
			}
		}
	}
	a.refuted.latest = more
	return len(more) > 0
}

// explainFurther looks for predicates for a path harder than before.
func (a *audit) explainFurther(ctx context.Context, x explained) (at level, found bool) {
	before := len(a.preds.list)
	for l := x.level + 1; l < few; l++ {
		a.explainTo(ctx, x.path, x.reason, l)
		if len(a.preds.list) > before {
			a.log("  a path of %d steps is not refuted yet", len(x.path.Steps))
			a.logPredicates(before)
			return l, true
		}
	}
	return levels, false
}

// constrain adds constraints to the abstraction and those to come. Where one is needed,
// others may be: these statements are abstracted more exactly from now on.
func (a *audit) constrain(ctx context.Context, cs []abstract.Constraint) {
	for _, c := range cs {
		a.log("    constraint %s", c)
		a.efforts.raise(c.Proc, c.Node, 1)
	}
	if len(cs) > 0 && !a.mutation.forget {
		a.constraints = append(a.constraints, cs...)
		a.made.Constrain(ctx, a.pr, cs)
	}
}

// isBack reports whether p was refuted before, and all the same is a path of the
// abstraction.
func (a *audit) isBack(p *Path) bool { return a.refuted.seen[p.nodes()] }

// exclude rules out a path of the abstraction by constraints alone, if it can.
func (a *audit) exclude(ctx context.Context, p *Path, r *reason) bool {
	if a.without.NoConstraints {
		return false
	}
	s, cs := a.excluding(ctx, p, r)
	switch {
	case s == gone && len(cs) == 0:
		a.log("  a path of %d steps is back that is none of the abstraction", len(p.Steps))
	case a.refuted.back[p.nodes()]:
		a.log("  a refuted path of %d steps is back again: %s", len(p.Steps), s)
	default:
		a.log("  a refuted path of %d steps is back: %s", len(p.Steps), s)
	}
	a.constrain(ctx, cs)
	a.same = len(cs) > 0
	a.refuted.back[p.nodes()] = a.same
	return a.same
}

// moreExact makes the abstraction more exact along the stretch of a reason, if that can rule
// out the path without new predicates.
func (a *audit) moreExact(ctx context.Context, p *Path, r *reason) bool {
	s, cs := unclear, []abstract.Constraint(nil)
	if !a.without.NoConstraints {
		s, cs = a.excluding(ctx, p, r)
	}
	switch {
	case s == missing:
		return false
	case !a.without.NoPrecision && a.efforts.sharpen(p, r):
		a.log("    abstracted more exactly")
		return true
	}
	a.constrain(ctx, cs)
	a.same = len(cs) > 0
	return a.same
}

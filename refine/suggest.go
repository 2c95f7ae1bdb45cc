package refine

import (
	"context"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
)

// This file goes from a path that is impossible to predicates.

// suggest adds predicates that rule out an infeasible path. If there are none for a reason
// that are not there already, it looks for another reason: a path may be impossible for
// several, and not each can be said in predicates.
func (a *audit) suggest(ctx context.Context, site int, p *Path, f feasibility) (*finding, error) {
	before := len(a.preds.list)
	ignored := map[int]bool{}
	var err error
	var last *reason
	r := a.provable(ctx, p, f.exec)
	if r == nil {
		if r, err = a.better(ctx, p, f); err != nil {
			return nil, err
		}
		if !a.without.NoGuided && a.isAboutLoops(p, r) {
			if found, err := a.longer(ctx, site, p, f.exec); found != nil || err != nil {
				return found, err
			}
		}
	}
	for r != nil {
		a.logReason(p, r)
		exact := apart // where predicates that are there already are given a chance
		if r.rounds(p) >= visitsNeeded {
			exact = counted // before the next round has one of its own
		}
		for l := nested; l < few && len(a.preds.list) == before; l++ {
			if l == exact && a.moreExact(ctx, p, r) {
				a.refuted.add(p, r, l)
				a.learned(site, r, before)
				return nil, nil
			}
			a.explainTo(ctx, p, r, l)
			a.refuted.add(p, r, l)
		}
		if len(a.preds.list) > before {
			a.gained(site, r, before)
			if r.proof != nil { // no other reason says more
				return nil, nil
			}
			return nil, a.moreReasons(ctx, site, p, f, r)
		}
		last = r
		ignored[r.conds[len(r.conds)-1].step] = true
		if r, err = a.explain(ctx, a.pr, p, f.exec, ignored); err != nil {
			return nil, err
		}
	}
	if last != nil {
		a.explainTo(ctx, p, last, few)
		a.refuted.add(p, last, few)
		if len(a.preds.list) > before {
			a.gained(site, last, before)
			return nil, nil
		}
	}
	found := undecided(site, "no predicates were found that rule out an infeasible path to %s", p.Steps[len(p.Steps)-1].id())
	found.retry = true
	return found, nil
}

// gained makes known the predicates from number before on, which are for a reason that a site
// does not fail, and adds what follows from copies.
func (a *audit) gained(site int, r *reason, before int) {
	a.closeCopies(before)
	a.logPredicates(before)
	a.learned(site, r, before)
}

// mostReasons bounds how many reasons are compared.
const mostReasons = 4

// better looks for another reason if that of f is about loops: that a loop cannot end so
// soon is seldom why a property holds. How far loops have counted is left out of account
// if the path is impossible without.
func (a *audit) better(ctx context.Context, p *Path, f feasibility) (*reason, error) {
	best := f.reason
	if !a.isAboutLoops(p, best) {
		return best, nil
	}
	ignored := a.countedSteps(p)
	r, err := a.explain(ctx, a.pr, p, f.exec, ignored)
	switch {
	case err != nil || r != nil && !a.isAboutLoops(p, r):
		return r, err
	case r != nil:
		best = r
	default:
		ignored = map[int]bool{}
	}
	// What the last round alone excludes says more than that there have been too few.
	if near := a.stretch(ctx, a.pr, p, without(f.exec.conds, ignored)); near.rounds(p) < visitsNeeded && near.from > best.from {
		return near, a.pr.Err()
	}
	r = best
	for i := 1; i < mostReasons && a.isAboutLoops(p, r); i++ {
		ignored[r.conds[len(r.conds)-1].step] = true
		var err error
		if r, err = a.explain(ctx, a.pr, p, f.exec, ignored); err != nil {
			return nil, err
		}
		if r == nil {
			break
		}
		if a.cost(p, r) < a.cost(p, best) {
			best = r
		}
	}
	return best, nil
}

func (a *audit) logReason(p *Path, r *reason) {
	a.log("  path of %d steps refuted by steps %d..%d, %d conditions", len(p.Steps), r.from, r.to, len(r.conds))
	for _, c := range r.conds {
		a.log("    %s: %s", p.Steps[c.step].id(), core.ExprString(c.expr))
	}
}

func (a *audit) logPredicates(from int) {
	for _, q := range a.preds.list[from:] {
		scope := "global"
		if q.proc != nil {
			scope = q.proc.Name
		}
		a.log("    + %s: %s", scope, q.name)
	}
}

// explainTo adds the predicates for a reason.
func (a *audit) explainTo(ctx context.Context, p *Path, r *reason, l level) {
	a.preds.from = origin(len(a.iterations.list), p, r, l)
	var hints map[int][]core.Expr
	var sums map[*core.Proc]summaries
	if l == counted {
		if !a.without.NoUnroll {
			a.unroll(p, r)
		}
		return
	}
	if l == few {
		a.enumerate(ctx, p)
		return
	}
	if l == nested {
		if hints, sums = a.recursion(ctx, p, r); len(hints) == 0 {
			return
		}
	}
	if l == looped {
		if a.without.NoHints {
			return
		}
		if hints, r = a.hints(ctx, p, r); len(hints) == 0 {
			return
		}
	}
	from := r.from
	if l == special || l == looped {
		from = 0
	}
	c := &carrier{
		world: a.world, path: p, reason: r, ghosts: a.ghosts, found: a.preds, level: l, hints: hints, sums: sums,
		bypass: map[*Frame][]core.Expr{}, facts: map[*Frame][]core.Expr{}, calls: a.snapshots(p, from, r.to), now: a.execute(logic.NewTable(), p, 0, r.to),
		unsat: func(fs []*logic.Term, t *logic.Table) bool { return a.pr.Check(ctx, fs, t) == prover.Unsat },
	}
	c.walk()
}

// snapshots executes a stretch of a path to see what variables hold at its calls.
func (a *audit) snapshots(p *Path, from, to int) map[int]*snapshot {
	out := map[int]*snapshot{}
	x := a.execute(logic.NewTable(), p, from, from)
	entry := map[*Frame]map[place]*logic.Term{}
	if f := p.Steps[from].Frame; f.Caller == nil || from == 0 || p.Steps[from-1].Enter == f {
		entry[f] = x.inputsOf(f)
	}
	for i := from; i < to; i++ {
		s := p.Steps[i]
		if s.Enter != nil {
			shot := &snapshot{t: x.t, values: map[place]*logic.Term{}, entry: entry[s.Frame]}
			for k, v := range x.values {
				if k.frame == nil || k.frame == s.Frame {
					shot.values[k] = v
				}
			}
			for j, arg := range s.stmt().(*core.Call).Args {
				if isScalar(s.Enter.Proc.Formals[j].Type) {
					shot.args = append(shot.args, x.eval(s.Frame, i, arg))
				} else {
					shot.args = append(shot.args, nil)
				}
			}
			out[i] = shot
		}
		x.step(p, i)
		if s.Enter != nil {
			entry[s.Enter] = x.inputsOf(s.Enter)
		}
	}
	return out
}

// inputsOf is what formals and globals hold now, at the entry of an activation, which are
// looked up without the activation.
func (x *execution) inputsOf(f *Frame) map[place]*logic.Term {
	out := map[place]*logic.Term{}
	for _, v := range f.Proc.Formals {
		if !v.InMemory() && isScalar(v.Type) {
			out[place{nil, v}] = x.value(f, v)
		}
	}
	for _, g := range x.prog.Globals {
		if !g.InMemory() && isScalar(g.Type) {
			out[place{nil, g}] = x.value(nil, g)
		}
	}
	return out
}

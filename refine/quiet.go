package refine

import (
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/refine/event"
	"c2bp/verdict"
)

// This file looks for failing runs in which functions without a body change nothing. Such a function may change all
// memory that it reaches, and so a counterexample of the abstraction may rest on a change that no replay can make:
// the interpreter lets a function change what the run has given it, and not, say, an object of the environment
// that the run has not yet led it to. The property is undecided then, though it may fail in a plainer run, which
// is a run of the program, too.
//
// The audit of the program whose functions change nothing finds it. That it proves properties counts for
// nothing, so it also takes variables for no more than they are declared as (core.Program.Declared): an address from
// outside leads to no lock in a variable that has none, as it may if the program uses the variable in ways that are
// not known exactly. A trace through such a place has no replay.

// moreIterations bounds that audit, together with the iterations of the first one.
const moreIterations = 20

// lookQuietly looks for failing runs of the properties that were set aside since no replay failed. end is how the
// audit ended; lookQuietly returns how it ends now.
func (a *audit) lookQuietly(ctx context.Context, end ending) (ending, error) {
	// 1. The properties, if externals change anything.
	wanted, some := make([]bool, len(a.status.list)), false
	for i := range a.status.list {
		if p := &a.status.list[i]; p.found.unplayed && !p.holds {
			wanted[i], some = true, true
		}
	}
	external := slices.ContainsFunc(a.Prog.Procs, func(p *core.Proc) bool { return !p.HasBody() && !p.Assembly })
	if !some || !external || a.Prog.Extern == core.ExternPure || len(a.status.failures) > 0 && !a.opts.All {
		return end, nil
	}
	a.opts.Log.Report(event.Quietly{})
	// 2. Another audit.
	prog, opts := *a.Prog, a.opts
	prog.Extern, prog.Declared = core.ExternPure, true
	opts.Iterations = min(opts.Iterations, 2*a.abstractions+moreIterations)
	opts.Save, opts.Interim, opts.Progress = nil, nil, nil
	b := newAudit(&prog, opts)
	defer b.close()
	b.wanted = wanted
	if _, err := b.refine(ctx); err != nil && ctx.Err() == nil {
		return end, err
	}
	// 3. Its failures are ours, and its work.
	a.last.Result.Stats = append(a.last.Result.Stats,
		verdict.Stat{Name: "iterations, once more", Value: int64(b.abstractions)},
		verdict.Stat{Name: "prover queries, once more", Value: b.queries + b.pr.Stats().Queries})
	for i := range b.status.list {
		if r := b.status.list[i].found; r.kind == fails {
			a.status.add(r, len(a.search.preds.List))
			a.settled(r)
			end = ending{decided: end.decided || !a.opts.All}
		}
	}
	return end, nil
}

package refine

import (
	"context"
	"fmt"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the loop: abstract, check, follow the trace, find predicates, again.

// Options control Audit. The zero value is the ordinary one.
type Options struct {
	Abstract   abstract.Options
	Checker    checker.Options
	Iterations int // most refinements; 0 is 1000
	TraceSteps int // most steps of a path; 0 is 100,000
	// Progress, if not nil, is told of each iteration: its number and that of the
	// predicates.
	Progress func(iteration, predicates int)
	// Save, if not nil, is given the Boolean program of each iteration.
	Save func(iteration int, p *boolprog.Program) error
	// Log, if not nil, is told of each step of the work, for developers.
	Log func(format string, args ...any)
	// Files are the C files of the program; with Harness, a failing run is repeated by
	// the program that gcc makes of them.
	Files   []*source.File
	Harness *harness.Options // nil: nothing is compiled or run
}

// Outcome is what Audit found.
type Outcome struct {
	Result     *verdict.Result
	Analysis   *checker.Analysis // of the last abstraction
	Path       *Path             // for False: the run
	Recording  *harness.Recording
	Harness    *harness.Harness  // for False, with Options.Harness: the C file that supplies its inputs
	Compiled   *harness.Outcome  // and what came of it
	Program    *boolprog.Program // the last abstraction
	Iterations int
	Predicates []*abstract.Predicate // of that Program, in the order of its variables
}

// audit is one run.
type audit struct {
	*world
	opts    Options
	memo    *prover.Memo
	pr      *prover.Prover
	preds   *predicates
	ghosts  *ghosts
	queries int64 // of the abstractions so far
}

// Audit decides the assertions and error labels of prog. The verdict is True if none can
// fail, False if a run was replayed in which one does, and Unknown otherwise. prog is
// changed: calls through pointers are resolved (alias.Resolve).
func Audit(ctx context.Context, prog *core.Program, opts Options) (*Outcome, error) {
	prog = alias.Resolve(prog)
	result := alias.Analyze(prog)
	bits := prog.PtrBits
	if bits == 0 {
		bits = 64
	}
	if opts.Iterations == 0 {
		opts.Iterations = 1000
	}
	if opts.TraceSteps == 0 {
		opts.TraceSteps = 100_000
	}
	a := &audit{
		world: &world{prog, result, abstract.Aliases(prog, result), bits},
		opts:  opts, memo: prover.NewMemo(), preds: newPredicates(), ghosts: newGhosts(),
	}
	a.opts.Abstract.Alias = result
	a.opts.Abstract.Memo = a.memo
	a.opts.Checker.FewRounds = true // a short trace is not worth the time that it takes to find
	a.pr = prover.New(a.memo, prover.Options{})
	defer a.pr.Close()
	return a.run(ctx)
}

func (a *audit) log(format string, args ...any) {
	if a.opts.Log != nil {
		a.opts.Log(format, args...)
	}
}

// giveUp is an outcome Unknown: that sites fail in the abstraction means nothing.
func giveUp(o *Outcome, format string, args ...any) (*Outcome, error) {
	o.Result.Verdict = verdict.Unknown
	o.Result.Trace = nil
	o.Result.Reason = fmt.Sprintf(format, args...)
	for i := range o.Result.Sites {
		o.Result.Sites[i].Failed = false
	}
	return o, nil
}

// run goes round until there is an outcome. If ctx is done, the outcome is Unknown.
func (a *audit) run(ctx context.Context) (*Outcome, error) {
	last := &Outcome{Result: &verdict.Result{Ledger: a.prog.Ledger}}
	for iter := 1; ; iter++ {
		a.preds.iter = iter
		if a.opts.Progress != nil {
			a.opts.Progress(iter, len(a.preds.list))
		}
		o, err := a.abstract(ctx, iter)
		if o != nil {
			last = o
		}
		if err == nil && o.Result.Verdict == verdict.False {
			if o, err = a.follow(ctx, o); err == nil && o == nil {
				continue
			}
		}
		switch {
		case ctx.Err() != nil:
			return giveUp(last, "%v", context.Cause(ctx))
		case err != nil:
			return nil, err
		}
		return o, nil
	}
}

// abstract abstracts by the predicates found so far, and checks.
func (a *audit) abstract(ctx context.Context, iter int) (*Outcome, error) {
	preds := a.preds.forAbstraction()
	r, err := abstract.Program(ctx, a.prog, preds, a.opts.Abstract)
	if err != nil {
		return nil, err
	}
	a.queries += r.Stats.Prover.Queries
	if a.opts.Save != nil {
		if err := a.opts.Save(iter, r.Program); err != nil {
			return nil, err
		}
	}
	an, err := checker.Analyse(ctx, r.Program, a.opts.Checker)
	if err != nil {
		return nil, err
	}
	a.log("iteration %d: %d predicates, %d queries: %s", iter, r.Stats.Predicates, r.Stats.Prover.Queries, an.Result.Summary())
	an.Result.Stats = append(a.stats(iter, r.Stats.Predicates), an.Result.Stats...)
	return &Outcome{Result: an.Result, Analysis: an, Program: r.Program, Iterations: iter, Predicates: r.Predicates}, nil
}

// stats counts the work so far.
func (a *audit) stats(iter, predicates int) []verdict.Stat {
	return []verdict.Stat{
		{Name: "iterations", Value: int64(iter)},
		{Name: "predicates", Value: int64(predicates)},
		{Name: "prover queries, abstraction", Value: a.queries},
		{Name: "prover queries, paths", Value: a.pr.Stats().Queries},
	}
}

// follow decides the trace of an abstraction. The outcome is nil if the loop is to go on.
func (a *audit) follow(ctx context.Context, o *Outcome) (*Outcome, error) {
	if o.Iterations > a.opts.Iterations {
		return giveUp(o, "%d refinements were not enough", a.opts.Iterations)
	}
	path, err := a.path(ctx, o.Analysis)
	if err != nil {
		return nil, err
	}
	if path == nil {
		return giveUp(o, "a failing run of the abstraction has more than %d steps", a.opts.TraceSteps)
	}
	return a.refine(ctx, o, path)
}

// path reads the path of the trace, nil if it is too long.
func (a *audit) path(ctx context.Context, an *checker.Analysis) (*Path, error) {
	if err := an.Expand(ctx, a.opts.TraceSteps); err != nil {
		return nil, err
	}
	steps := an.Result.Trace.Steps
	for _, s := range steps {
		if s.Collapsed {
			return nil, nil
		}
	}
	site := an.Result.Sites[an.Result.Failed]
	return readPath(a.prog, steps, site.Kind == verdict.Assertion)
}

// refine decides a path and finds predicates that rule it out. The outcome is nil if the
// loop is to go on.
func (a *audit) refine(ctx context.Context, o *Outcome, p *Path) (*Outcome, error) {
	f, err := a.decide(ctx, a.pr, p)
	switch {
	case err != nil:
		return nil, err
	case f.reason == nil && f.model == nil:
		return giveUp(o, "the prover cannot tell whether a path is feasible")
	case f.reason == nil:
		return a.fail(ctx, o, p, f)
	}
	return a.suggest(ctx, o, p, f)
}

// suggest adds predicates that rule out an infeasible path. If there are none for a reason
// that are not there already, it looks for another reason: a path may be impossible for
// several, and not each can be said in predicates.
func (a *audit) suggest(ctx context.Context, o *Outcome, p *Path, f feasibility) (*Outcome, error) {
	before := len(a.preds.list)
	ignored := map[int]bool{}
	r, err := a.better(ctx, p, f)
	if err != nil {
		return nil, err
	}
	for r != nil {
		a.logReason(p, r)
		for l := looped; l < levels && len(a.preds.list) == before; l++ {
			a.explainTo(p, r, l)
		}
		if len(a.preds.list) > before {
			a.logPredicates(before)
			return nil, nil
		}
		ignored[r.conds[len(r.conds)-1].step] = true
		if r, err = a.explain(ctx, a.pr, p, f.exec, ignored); err != nil {
			return nil, err
		}
	}
	return giveUp(o, "no predicates were found that rule out an infeasible path to %s", p.Steps[len(p.Steps)-1].id())
}

// mostReasons bounds how many reasons are compared.
const mostReasons = 4

// better looks for another reason if that of f is about several rounds of a loop: that a
// loop cannot end so soon is seldom why a property holds.
func (a *audit) better(ctx context.Context, p *Path, f feasibility) (*reason, error) {
	best := f.reason
	ignored := map[int]bool{}
	r := best
	for i := 1; i < mostReasons && r.rounds(p) >= visitsNeeded; i++ {
		ignored[r.conds[len(r.conds)-1].step] = true
		var err error
		if r, err = a.explain(ctx, a.pr, p, f.exec, ignored); err != nil {
			return nil, err
		}
		if r == nil {
			break
		}
		if r.cost(p) < best.cost(p) {
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
func (a *audit) explainTo(p *Path, r *reason, l level) {
	var hints map[int][]core.Expr
	if l == counted {
		a.unroll(p, r)
		return
	}
	if l == looped {
		if hints = a.hints(p, r); len(hints) == 0 {
			return
		}
	}
	from := r.from
	if l == special {
		from = 0
	}
	c := &carrier{
		world: a.world, path: p, reason: r, ghosts: a.ghosts, found: a.preds, level: l, hints: hints,
		bypass: map[*Frame][]core.Expr{}, facts: map[*Frame][]core.Expr{}, calls: a.snapshots(p, from, r.to), now: a.execute(logic.NewTable(), p, 0, r.to),
	}
	c.walk()
}

// hints is what holds in every round of the loops that a path takes several times, by the
// steps where it comes to their heads.
func (a *audit) hints(p *Path, r *reason) map[int][]core.Expr {
	hints := map[int][]core.Expr{}
	heads := loops(p, r.from, r.to)
	if len(heads) == 0 {
		return hints
	}
	x := a.observe(p, heads, r.to)
	for _, h := range heads {
		for _, e := range a.relations(x.t, h, x.conds, p) {
			for _, i := range h.steps {
				hints[i] = append(hints[i], e)
			}
		}
	}
	return hints
}

// unroll adds the values of counters of the loops that a path takes several times.
func (a *audit) unroll(p *Path, r *reason) {
	heads := loops(p, r.from, r.to)
	if len(heads) == 0 {
		return
	}
	x := a.observe(p, heads, r.to)
	for _, h := range heads {
		for _, e := range unrolled(x.t, h, x.conds, p) {
			a.preds.add(h.frame.Proc, e)
		}
	}
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
			shot := &snapshot{values: map[place]*logic.Term{}, entry: entry[s.Frame]}
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

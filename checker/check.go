package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"c2bp/boolprog"
	"c2bp/verdict"
)

// Options selects what is checked. The zero value checks every assertion and the
// default error labels, without limits.
type Options struct {
	Reach       string              // check only whether this label is reachable; "" is all properties
	ErrorLabels []string            // labels that must not be reached; nil is DefaultErrorLabels
	NodeLimit   int                 // most BDD nodes in use at a time; 0 is no limit
	FewRounds   bool                // traces go round loops as rarely as can be, instead of being shortest: for large programs
	Avoid       func(string) bool   // nodes, by their names in traces, that traces with FewRounds come to only where they must; nil is none
	WayOnly     bool                // traces show the way alone and no values: for those who read no more
	Aside       func(site int) bool // sites that no trace is sought to: what is to be said of them was said before; nil is none
	Engine      string              // "symbolic" or "explicit"; "" is to pick one
	HeapPath    int                 // explicit: the most references in a row from a variable to an object; 0 is a default
	WholeStates bool                // explicit: patterns are whole visible states, to see what patterns are good for
	NoSummaries bool                // explicit: states have whole stacks, to see what summaries are good for
	Like        *Analysis           // of a program with many of the same variables, whose order this one begins with; may be nil
}

// Analysis is a checked program with what the engine knows about it.
type Analysis struct {
	Graph    *boolprog.Graph
	Result   *verdict.Result
	Engine   string
	Solution Solution // nil if there was nothing to check
	Trace    Trace    // for False: Result.Trace, whose calls can be expanded

	targets []Target
}

// Check decides the properties of p, which must have passed boolprog.Check. The
// error is an *UnknownLabelError if Options.Reach names no label, an error of the input
// if no engine accepts the program, or else an
// internal error; a limit or the end of ctx is no error but the verdict Unknown.
func Check(ctx context.Context, p *boolprog.Program, opts Options) (*verdict.Result, error) {
	a, err := Analyse(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	return a.Result, nil
}

// Analyse is Check for those who want to ask more: traces to further sites, what
// happens inside the calls of a trace, reachable valuations.
func Analyse(ctx context.Context, p *boolprog.Program, opts Options) (*Analysis, error) {
	g := boolprog.BuildGraph(p)
	sites, targets, err := collect(g, opts)
	if err != nil {
		return nil, err
	}
	engine, err := pick(g, opts.Engine)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Graph: g, Engine: engine.Name(), targets: targets}
	a.Result = &verdict.Result{Sites: sites, Ledger: slices.Clone(p.Ledger), Uncalled: slices.Clone(p.Uncalled)}
	switch {
	case len(sites) == 0:
		a.Result.Reason = "vacuous: no assertion and no error label in the program"
		return a, nil
	case opts.Reach == "" && !slices.ContainsFunc(sites, func(s verdict.Site) bool { return !s.Idle }):
		a.Result.Reason = "vacuous: no assertion and no error label in a function that is called"
		return a, nil
	}
	a.Solution, err = engine.Solve(ctx, g, opts.settings())
	failing := a.decide(err == nil)
	if len(failing) > 0 {
		err = a.explainFound(ctx, err, failing, opts.Aside)
	}
	a.Result.Stats = a.Solution.Stats()
	if err != nil {
		return a, a.giveUp(err, len(failing))
	}
	if len(failing) == 0 {
		a.Result.Verdict = verdict.True
	}
	return a, nil
}

func (o Options) settings() Settings {
	s := Settings{Nodes: o.NodeLimit, HeapPath: o.HeapPath, WholeStates: o.WholeStates, NoSummaries: o.NoSummaries, FewRounds: o.FewRounds, Avoid: o.Avoid, WayOnly: o.WayOnly}
	if o.Like != nil {
		s.Like = o.Like.Solution
	}
	return s
}

// Engines are the names of the engines.
func Engines() []string { return []string{symbolicEngine{}.Name(), explicitEngine{}.Name()} }

// pick chooses the engine for a program: explicit for one with references, else symbolic.
func pick(g *boolprog.Graph, name string) (Engine, error) {
	symbolic := Engine(symbolicEngine{})
	err := g.Prog.WithoutReferences("the symbolic engine")
	switch {
	case name == "explicit", name == "" && err != nil:
		return explicitEngine{}, nil
	case name == "":
		return symbolic, nil
	case name == symbolic.Name():
		return symbolic, err
	}
	return nil, fmt.Errorf("no engine %q; expected one of: %s", name, strings.Join(Engines(), ", "))
}

// decide marks the sites that fail and returns their indices. That a site is not reached
// means something only if everything that can be was.
func (a *Analysis) decide(complete bool) (failing []int) {
	for i, t := range a.targets {
		s := &a.Result.Sites[i]
		s.Failed = t.met(a.Solution)
		s.Open = !s.Failed && !complete
		if s.Failed {
			failing = append(failing, i)
		}
	}
	return failing
}

// met reports whether there is a run to t.
func (t Target) met(s Solution) bool {
	switch {
	case t.Fails:
		return s.CanFail(t.Point)
	case t.Null:
		return s.UsesNull(t.Point)
	}
	return s.Reached(t.Point)
}

// explainFound explains the failures that an engine found, also if it came to a limit, err,
// that leaves it traces: they are there all the same, and what is left open has the limit
// for a reason.
func (a *Analysis) explainFound(ctx context.Context, err error, failing []int, aside func(site int) bool) error {
	var limit *LimitError
	if err != nil && !(errors.As(err, &limit) && limit.Traces) {
		return err
	}
	if e := a.explain(ctx, failing, aside); e != nil {
		return cmp.Or(err, e)
	}
	if limit != nil {
		a.Result.Stopped(limit.What)
	}
	return nil
}

// explain finds the trace to the nearest failing site, or none if all are set aside.
func (a *Analysis) explain(ctx context.Context, failing []int, aside func(site int) bool) error {
	if aside != nil {
		if left := slices.DeleteFunc(slices.Clone(failing), aside); len(left) > 0 {
			failing = left
		} else {
			a.Result.Verdict, a.Result.Failed = verdict.False, failing[0]
			return nil
		}
	}
	t, err := a.TraceTo(ctx, failing...)
	if err != nil {
		return err
	}
	a.Trace = t
	a.Result.Verdict = verdict.False
	a.Result.Failed = failing[t.Target()]
	a.Result.Trace = &verdict.Trace{Steps: t.Steps()}
	return nil
}

// TraceTo returns a shortest trace to the nearest of some sites, which are given by their
// index in Result.Sites; nil if none of them fails.
func (a *Analysis) TraceTo(ctx context.Context, sites ...int) (Trace, error) {
	targets := make([]Target, len(sites))
	for i, s := range sites {
		targets[i] = a.targets[s]
	}
	return a.Solution.Trace(ctx, targets)
}

// Expand replaces the trace of the result by one that also shows what happens inside
// the calls it takes as one step, and inside the calls in those, as long as this adds
// at most the given number of steps (a full expansion may have 2^N). It does nothing
// if there is no trace.
func (a *Analysis) Expand(ctx context.Context, steps int) error {
	if a.Trace == nil {
		return nil
	}
	out, err := Expand(ctx, a.Trace, steps)
	if err == nil {
		a.Result.Trace = &verdict.Trace{Steps: out}
	}
	return err
}

// Expand is the steps of t with the insides of calls, as Analysis.Expand has them.
func Expand(ctx context.Context, t Trace, steps int) ([]verdict.Step, error) {
	return expand(ctx, t, &steps)
}

// expand lists the steps of t with the insides of its collapsed calls, which use up
// the budget.
func expand(ctx context.Context, t Trace, budget *int) ([]verdict.Step, error) {
	var out []verdict.Step
	for i, s := range t.Steps() {
		if !s.Collapsed || *budget <= 0 {
			out = append(out, s)
			continue
		}
		inside, err := t.Expand(ctx, i)
		if err != nil {
			return nil, err
		}
		if n := len(inside.Steps()); n > *budget {
			out = append(out, s)
			continue
		} else {
			*budget -= n
		}
		s.Collapsed = false
		out = append(out, s)
		steps, err := expand(ctx, inside, budget)
		if err != nil {
			return nil, err
		}
		out = append(out, steps...)
	}
	return out, nil
}

// giveUp makes the verdict Unknown with the reason for which the engine stopped.
// An error that is no such reason is returned: it is a defect.
func (a *Analysis) giveUp(err error, failing int) error {
	var limit *LimitError
	reason := ""
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		reason = "time limit reached"
	case errors.Is(err, context.Canceled):
		reason = "interrupted"
	case errors.As(err, &limit):
		reason = limit.What
	default:
		return err
	}
	if failing > 0 {
		reason += fmt.Sprintf("; sites found to fail by then, without a trace: %d", failing)
	}
	a.Result.Reason = reason
	return nil
}

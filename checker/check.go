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

// This file defines the check of a program: engine, verdict, trace.

// Options selects what is checked. The zero value checks every assertion and the
// default error labels, without limits.
type Options struct {
	Reach       string              // check only whether this label is reachable; "" is all properties
	ErrorLabels []string            // labels that must not be reached; nil is DefaultErrorLabels
	NodeLimit   int                 // most BDD nodes in use at a time; 0 is no limit
	FewRounds   bool                // traces have the fewest loop rounds instead of the fewest steps: for large programs
	Avoid       func(string) bool   // nodes, by their names in traces, that traces with FewRounds avoid if they can; nil is none
	WayOnly     bool                // traces show no values, which take time to find
	Aside       func(site int) bool // sites to which no trace is sought, because they were reported before; nil is none
	Engine      string              // "symbolic", "explicit", "finite" or "threads"; "" is to pick one
	Contexts    *int                // threads: most context switches of a run; nil is no bound
	// ThreadStates is, of the engine threads, the most states; 0 is no limit.
	ThreadStates int
	HeapPath     int       // explicit: longest path of references from a variable to an object; 0 is a default
	WholeStates  bool      // explicit: patterns are whole visible states, to measure what shorter patterns gain
	NoSummaries  bool      // explicit: states have whole stacks, to measure what summaries gain
	StateLimit   int       // explicit: most whole states; 0 is no limit. There are no traces beyond it
	KeepTraces   bool      // explicit, with whole states: keep a trace to each failure that is not set aside, to save searches for them
	NoNull       bool      // dereferences are no properties: the program excludes null before each, and it is a defect if it does not
	Like         *Analysis // analysis of a program with many of the same variables, whose order this one reuses; may be nil
}

// Analysis is a checked program with the results of the engine.
type Analysis struct {
	Graph    *boolprog.Graph
	Result   *verdict.Result
	Engine   string
	Solution Solution // nil if there was nothing to check
	Trace    Trace    // for False: Result.Trace, whose calls can be expanded

	targets [][]Target // by site
}

// Check decides the properties of p, which must have passed boolprog.Check. It fails with an
// *UnknownLabelError if Options.Reach names no label, with an input error if no engine accepts the
// program, or with an internal error. A limit or the end of ctx is not an error but the verdict
// Unknown.
func Check(ctx context.Context, p *boolprog.Program, opts Options) (*verdict.Result, error) {
	a, err := Analyse(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	return a.Result, nil
}

// Analyse decides the properties of p like Check, and returns an Analysis that answers further
// questions: traces to other sites, the insides of calls, reachable valuations.
func Analyse(ctx context.Context, p *boolprog.Program, opts Options) (*Analysis, error) {
	// 1. Collect the property sites, and choose an engine.
	g := boolprog.BuildGraph(p)
	sites, targets, err := collect(g, opts)
	if err != nil {
		return nil, err
	}
	engine, err := pick(g, opts)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Graph: g, Engine: engine.Name(), targets: targets}
	a.Result = &verdict.Result{Sites: sites, Ledger: slices.Clone(p.Ledger), Uncalled: slices.Clone(p.Uncalled)}
	// 2. A program without properties is vacuous.
	switch {
	case len(sites) == 0:
		a.Result.Reason = "vacuous: no assertion and no error label in the program"
		return a, nil
	case opts.Reach == "" && !slices.ContainsFunc(sites, func(s verdict.Site) bool { return !s.Idle }):
		a.Result.Reason = "vacuous: no assertion and no error label in a function that is called"
		return a, nil
	}
	// 3. Solve, decide the sites, and find a trace to a failing one. A site that fails does so even
	// if the engine reached a limit.
	settings := opts.settings()
	if opts.KeepTraces {
		for i, list := range targets {
			if opts.Aside == nil || !opts.Aside(i) {
				settings.Keep = append(settings.Keep, list...)
			}
		}
	}
	a.Solution, err = engine.Solve(ctx, g, settings)
	if s, is := a.Solution.(finiteSolution); is {
		a.Engine = s.engine()
	}
	if at := a.followsNull(opts); at != "" {
		return nil, fmt.Errorf("the Boolean program follows null at %s", at)
	}
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

// settings returns the settings of the engines.
func (o Options) settings() Settings {
	s := Settings{Nodes: o.NodeLimit, HeapPath: o.HeapPath, WholeStates: o.WholeStates, NoSummaries: o.NoSummaries, States: o.StateLimit, Contexts: o.Contexts, ThreadStates: o.ThreadStates, FewRounds: o.FewRounds, Avoid: o.Avoid, WayOnly: o.WayOnly}
	if o.Like != nil {
		s.Like = o.Like.Solution
	}
	return s
}

// Engines returns the names of the engines.
func Engines() []string {
	return []string{symbolicEngine{}.Name(), explicitEngine{}.Name(), finiteEngine{}.Name(), threadsEngine{}.Name()}
}

// pick returns the engine for a program: symbolic for one without references, else the one that turns out to
// be the better one, or explicit if options are about that.
func pick(g *boolprog.Graph, opts Options) (Engine, error) {
	symbolic := Engine(symbolicEngine{})
	err := g.Prog.WithoutReferences("the symbolic engine")
	name := opts.Engine
	if g.Threads != nil {
		return pickForThreads(g, name)
	}
	switch {
	case name == "" && err != nil && !opts.aboutStates():
		return referenceEngine{explicitFirst, diagramsThen}, nil
	case name == "explicit", name == "" && err != nil:
		return explicitEngine{}, nil
	case name == "":
		return symbolic, nil
	case name == symbolic.Name():
		return symbolic, err
	case name == finiteEngine{}.Name():
		return newFiniteEngine(g)
	case name == threadsEngine{}.Name():
		return threadsEngine{}, nil
	}
	return nil, fmt.Errorf("no engine %q; expected one of: %s", name, strings.Join(Engines(), ", "))
}

// aboutStates reports whether options ask for the ways of an explicit search.
func (o Options) aboutStates() bool {
	return o.WholeStates || o.NoSummaries || o.StateLimit > 0 || o.KeepTraces
}

// decide marks the sites that fail and returns their indices. The others hold only if the solution
// is complete.
func (a *Analysis) decide(complete bool) (failing []int) {
	for i, list := range a.targets {
		s := &a.Result.Sites[i]
		s.Failed = slices.ContainsFunc(list, func(t Target) bool { return t.met(a.Solution) })
		s.Open = !s.Failed && !complete
		if s.Failed {
			failing = append(failing, i)
		}
	}
	return failing
}

// followsNull returns the node at which null is followed in a program that excludes that; "" if there is none.
// A run that does so ends there, and would hide all that comes after it.
func (a *Analysis) followsNull(opts Options) string {
	if !opts.NoNull || len(a.Graph.Prog.Classes) == 0 {
		return ""
	}
	for _, p := range a.Graph.Procs {
		for v, n := range p.Nodes {
			if dereferences(n, p.Proc.Enforce) && a.Solution.UsesNull(Point{p.Index, v}) {
				return siteAt(p, n, nil, verdict.Site{}).Node
			}
		}
	}
	return ""
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

// explainFound finds a trace to the failures that an engine found, also if it stopped at a limit,
// err, that leaves it traces. Then the sites that are open have the limit as their reason.
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
	// Prefer a site that was not reported before.
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
	a.Result.Trace = shownTrace(t)
	return nil
}

// TraceTo returns a shortest trace to the nearest of some sites, which are given by their indices
// in Result.Sites; nil if none of them fails. Its Target is an index in the list of these.
func (a *Analysis) TraceTo(ctx context.Context, sites ...int) (Trace, error) {
	var targets []Target
	var index []int // of the sites, by target
	for i, s := range sites {
		for _, t := range a.targets[s] {
			targets, index = append(targets, t), append(index, i)
		}
	}
	t, err := a.Solution.Trace(ctx, targets)
	if t == nil || err != nil {
		return nil, err
	}
	return siteTrace{t, index[t.Target()]}, nil
}

// siteTrace is a trace to a site.
type siteTrace struct {
	Trace
	site int
}

func (t siteTrace) Target() int { return t.site }

// Expand replaces the trace of the result by one that also shows the steps inside the calls that it
// takes as one step, and inside the calls in those, as long as this adds at most the given number
// of steps (a full expansion may have 2^N). It does nothing if there is no trace.
func (a *Analysis) Expand(ctx context.Context, steps int) error {
	if a.Trace == nil {
		return nil
	}
	out, err := Expand(ctx, a.Trace, steps)
	if err == nil {
		a.Result.Trace.Steps = out
	}
	return err
}

// Expand returns the steps of t with the insides of calls, like Analysis.Expand.
func Expand(ctx context.Context, t Trace, steps int) ([]verdict.Step, error) {
	return expand(ctx, t, &steps)
}

// expand returns the steps of t with the insides of its collapsed calls, which use up the budget.
func expand(ctx context.Context, t Trace, budget *int) ([]verdict.Step, error) {
	var out []verdict.Step
	for i, s := range t.Steps() {
		if !s.Collapsed || *budget <= 0 {
			out = append(out, s)
			continue
		}
		// Keep the call collapsed if its inside exceeds the budget.
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

// giveUp makes the verdict Unknown with the reason for which the engine stopped. Any other error is
// a defect and returned.
func (a *Analysis) giveUp(err error, failing int) error {
	var limit *LimitError
	reason := ""
	switch {
	// Reasons that are no defects: the end of ctx, and limits.
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

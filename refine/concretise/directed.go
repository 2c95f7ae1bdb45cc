package concretise

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file finds failing runs near paths that are infeasible, or have no replay, only because their loops end too soon,
// or because of branches on which the failure does not depend. A checker looks for short paths, on which a loop that
// counts to 256 is left after the first round. So the program is run in a directed way: with the inputs that the path
// would have if its loops could end when they do, and if it could take its ways at such branches, and with as many rounds
// and by the ways that it takes then. In rounds that the path does not have, the run gets the inputs of the path's last
// one. If it fails where the path does, a failure is found; if not, nothing is lost.

// mostDirected bounds the steps of a directed run; and mostAgain those of one that is only tried since another one was made, besides
// twice those of the path.
const mostDirected, mostAgain = 100_000, 10_000

// director makes the choices of a run that follows a path as far as it can.
type director struct {
	replayer                // its step is the last one of the path that the run was at
	visits   map[spot][]int // the steps of the path at each node, ascending
	quiet    bool           // functions without a body change no memory
}

// spot is a node in an activation of the path.
type spot struct {
	frame *cex.Frame
	node  int
}

// mostDirections bounds the directed runs along a path with objects for the pointers from outside.
const mostDirections = 3

// directedRun runs the program along an infeasible path, without regard to how loops count, and to the conditions of the
// steps aside. It returns nil if that run does not fail where the path does.
func (c *Confirmer) directedRun(ctx context.Context, p *cex.Path, x *cex.Execution, aside map[int]bool) *Witness {
	// 1. A model of the path without the conditions that ask how far loops have counted.
	exits, manner := c.LoopExitSteps(p), event.LongerLoops
	if len(aside) > 0 {
		maps.Copy(exits, aside)
		manner = event.OtherWays
	}
	conds := cex.WithoutSteps(x.Conds, exits)
	answer, model := c.Prover.Model(ctx, cex.Terms(conds), x.Table)
	if answer != prover.Sat {
		c.Report.Report(event.NotLoops{Left: len(conds), All: len(x.Conds)})
		return nil
	}
	// 2. A run with an object for each pointer from outside that the path follows, in one of the ways in which these
	// may lie.
	y := &outside{Execution: c.ExecuteWatched(ctx, logic.NewTable(), p)}
	if ctx.Err() != nil {
		return nil
	}
	y.Conds = cex.WithoutSteps(y.Conds, exits)
	var run *Witness
	tries := 0
	c.environmentModels(ctx, c.Prover, y, nil, func(f cex.Feasibility, e *environment) ([]*logic.Term, bool) {
		run = c.runDirected(p, f, e, manner)
		if run == nil && manner == event.LongerLoops {
			// In further rounds it may follow pointers of which the model says nothing. By other ways it would come to so many that
			// it fails for other reasons than the path, if it does.
			e = e.again()
			e.likely = true
			run = c.runDirected(p, f, e, manner)
		}
		if run != nil {
			run = c.quieter(ctx, p, y, f, e, run)
		}
		// Where runs in which functions replace pointers decide nothing, one by other ways says no more than the path.
		if run != nil && c.Plain && manner == event.OtherWays && len(run.Rec.Recording().Replaced) > 0 {
			run = nil
		}
		tries++
		return nil, run == nil && tries < mostDirections
	})
	// By other ways it comes to much of which the model says nothing: so one that rests on little.
	if run == nil && manner == event.OtherWays && ctx.Err() == nil {
		run = c.quietRun(ctx, p, y)
	}
	if run != nil || ctx.Err() != nil {
		return run
	}
	// 3. Or without.
	if model, _ = c.Realistic(ctx, c.Prover, x, cex.Terms(conds), model); model == nil {
		return nil
	}
	z := *x
	z.Conds = conds
	return c.runDirected(p, cex.Feasibility{Exec: &z, Model: model}, nil, manner)
}

// directedNear runs the program along a feasible path that has no replay, without regard to how its loops count, if it
// leaves some, and then without the conditions on which its end does not depend either; first so that functions without a
// body change no memory. It returns nil if no such run fails where the path does.
//
//	p->n = 2;                         The path leaves the loop at once, as p->n may be another one's: p may lead
//	q = r->q;                         into *r, and the store change r->q. If it does not, the loop has two rounds.
//	for (i = 0; i < q->n; i++) …
//
//	if ((long)p < 0) n = …;           The path goes this way, as p may be any number. No object is there.
func (c *Confirmer) directedNear(ctx context.Context, p *cex.Path) *Witness {
	if c.brief || c.Without.Has(technique.DirectedReplay) {
		return nil
	}
	// 1. The conditions to leave out.
	var without []map[int]bool
	if len(c.LoopExitSteps(p)) > 0 {
		without = append(without, nil)
	}
	if aside := c.Irrelevant(p); len(aside) > 0 && !c.Without.Has(technique.PathSlices) {
		without = append(without, aside)
	}
	// 2. What functions without a body may change.
	patient := *c
	patient.Prover = c.Patient()
	ways := []*Confirmer{&patient}
	if c.Stills(p) {
		ways = []*Confirmer{patient.still(), &patient}
	}
	for _, aside := range without {
		for _, w := range ways {
			if run := w.directedRun(ctx, p, w.Execute(logic.NewTable(), p, 0, len(p.Steps)), aside); run != nil {
				return run
			}
		}
	}
	return nil
}

// runDirected runs the program along p with the choices of a model, and the objects that it has outside; nil if that does
// not fail where the path does. If it is quiet, functions without a body change no memory, whatever they do in the model.
func (c *Confirmer) runDirected(p *cex.Path, f cex.Feasibility, e *environment, manner event.Manner) *Witness {
	// 1. The choices, with the visits of each node by the path.
	formulas := cex.Terms(f.Exec.Conds)
	if e != nil { // and the pointers that the run follows
		formulas = slices.Concat(formulas, f.Exec.Accessed, f.Exec.Bases, f.Exec.Released, f.Exec.Defined)
	}
	g := &director{
		replayer: newReplayer(p, f, e, formulas),
		visits:   map[spot][]int{},
		quiet:    manner == event.Quiet,
	}
	for i, s := range p.Steps {
		k := spot{s.Frame, s.Node}
		g.visits[k] = append(g.visits[k], i)
	}
	// 2. The run.
	w := c.newWitness(g, c.RunOptions())
	g.machine = w.Rec.Machine()
	w.Path.Fails = p.Fails
	limit := mostDirected
	if g.quiet || e != nil && e.likely {
		limit = min(limit, 2*len(p.Steps)+mostAgain)
	}
	if err := g.run(w, min(limit, c.MaxSteps)); err != nil {
		c.Report.Report(event.Directed{Manner: manner, Err: err})
		return nil
	}
	c.Report.Report(event.Directed{Steps: len(w.Path.Steps), Manner: manner})
	return w
}

// quieter returns a run with the choices of a model in which functions without a body change no memory, if the given one rests on
// unlikely choices and there is one; else the given one. That a function replaces a pointer of the driver is the least likely of all.
func (c *Confirmer) quieter(ctx context.Context, p *cex.Path, x *outside, f cex.Feasibility, e *environment, run *Witness) *Witness {
	if run.tally.count == 0 || c.Without.Has(technique.DirectedReplay) {
		return run
	}
	quiet := c.runQuietly(p, f, e)
	if quiet == nil {
		quiet = c.quietRun(ctx, p, x)
	}
	if quiet == nil {
		return run
	}
	return quiet
}

// quietRun returns a run along p in which functions without a body change no memory and numbers from outside are small, as far as the
// conditions of x allow it: a loop that such a function ends in another run, as it changes the bound, has few rounds then. It is nil
// if none fails where the path does.
func (c *Confirmer) quietRun(ctx context.Context, p *cex.Path, x *outside) (run *Witness) {
	tries := 0
	c.environmentModels(ctx, c.Prover, x, c.small(ctx, x), func(f cex.Feasibility, e *environment) ([]*logic.Term, bool) {
		run = c.runQuietly(p, f, e)
		tries++
		return nil, run == nil && tries < mostDirections
	})
	return run
}

// runQuietly runs the program along p with the choices of a model, but for functions without a body that change memory. What these have
// not changed holds something, too.
func (c *Confirmer) runQuietly(p *cex.Path, f cex.Feasibility, e *environment) *Witness {
	e = e.again()
	e.likely = true
	return c.runDirected(p, f, e, event.Quiet)
}

// mostSmall bounds the questions which numbers may be small.
const mostSmall = 32

// small returns the formulas that numbers from outside are 0, 1 or 2, of as many numbers as the conditions of x allow, as far as that
// is asked: first of all, then of each half of those that cannot be so together.
func (c *Confirmer) small(ctx context.Context, x *outside) (kept []*logic.Term) {
	// 1. The inputs and the contents of memory that are no pointers.
	t, pointer := x.Table, x.pointerInputs()
	input := map[*logic.Term]bool{}
	for _, s := range x.Inputs {
		input[s] = true
	}
	conds := cex.Terms(x.Conds)
	var list []*logic.Term
	for f := range logic.Subterms(conds...) {
		if _, isInt := x.Translator.TypeOf(f).(core.Int); !pointer[f] && (input[f] || isInt && x.Translator.Open(f)) {
			list = append(list, t.And(t.Le(t.Int(0), f), t.Le(f, t.Int(2))))
		}
	}
	// 2. Those that may be small.
	asked := 0
	var keep func(list []*logic.Term)
	keep = func(list []*logic.Term) {
		if asked++; len(list) == 0 || asked > mostSmall {
			return
		}
		if c.Prover.Check(ctx, slices.Concat(conds, kept, list), t) == prover.Sat {
			kept = append(kept, list...)
		} else if n := len(list) / 2; n > 0 {
			keep(list[:n])
			keep(list[n:])
		}
	}
	keep(list)
	return kept
}

// Directed decides an infeasible path by a directed run, without regard to how loops count, and to the conditions of the
// steps aside, on which the failure does not depend; found is false if that does not fail.
// A run that fails and cannot be confirmed decides the path, too: the property does not hold in the model
// of the program.
func (c *Confirmer) Directed(ctx context.Context, site int, p *cex.Path, x *cex.Execution, aside map[int]bool) (r Result, found bool, err error) {
	run := c.directedRun(ctx, p, x, aside)
	if run == nil {
		return Result{}, false, nil
	}
	r, err = c.Believe(ctx, site, run)
	return r, true, err
}

// run makes the steps of the run. The error says why it does not fail where the path does.
func (g *director) run(w *Witness, limit int) error {
	if err := g.machine.Err(); err != nil {
		return err
	}
	// The run must come to the last node of the path, and fail there if the path does.
	target := g.path.Steps[len(g.path.Steps)-1]
	for range limit {
		top := g.machine.Top()
		if top == nil {
			return fmt.Errorf("it ends")
		}
		// 1. Find the step of the path at which the run is.
		if len(w.Path.Steps) > 0 {
			g.align(top.Node(), w.frame.Proc)
		}
		// 2. Is that where the path fails?
		there := top.Node() == target.Node && top.Proc() == target.Frame.Proc
		if there && !g.path.Fails {
			w.arrive()
			return nil
		}
		// 3. Make the step.
		ev, err := w.step()
		switch {
		case err != nil:
			return err
		case ev.Kind == interp.Failed && there:
			return nil
		case ev.Kind.Final():
			return fmt.Errorf("it is %v at %s", ev.Kind, top.Proc().NodeID(top.Node()))
		// The activations of the path, nil for those that it does not have.
		case ev.Kind == interp.Entered:
			g.enter()
		case ev.Kind == interp.Left:
			g.stack = g.stack[:len(g.stack)-1]
		}
	}
	top := g.machine.Top()
	return fmt.Errorf("it has more than %d steps, and is at %s", limit, top.Proc().NodeID(top.Node()))
}

// enter pushes the activation of the path that the present call starts, nil if the path is elsewhere.
func (g *director) enter() {
	// The path is there if it enters the same call; otherwise the callee is not on the path.
	at := g.path.Steps[g.at]
	if g.here() && at.Enter != nil {
		g.stack = append(g.stack, at.Enter)
	} else {
		g.stack = append(g.stack, nil)
	}
}

// here reports whether the run is in the activation of the path's present step.
func (g *director) here() bool {
	f := g.stack[len(g.stack)-1]
	return f != nil && g.path.Steps[g.at].Frame == f
}

// align finds the step of the path at which the run is: the next one; or if the run goes another way, the
// last visit of the node by the path so far; or the first visit afterwards. If the path never comes
// there, the present step stays.
func (g *director) align(node int, p *core.Proc) {
	f := g.stack[len(g.stack)-1]
	if f == nil || f.Proc != p {
		return
	}
	steps := g.path.Steps
	// The next step, as on the path.
	if next := g.at + 1; next < len(steps) && steps[next].Frame == f && steps[next].Node == node {
		g.at = next
		return
	}
	// The visits of this node before and after the present step of the path.
	before, after := -1, -1
	for _, i := range g.visits[spot{f, node}] {
		if i <= g.at {
			before = i
		} else if after < 0 {
			after = i
		}
	}
	switch {
	case before >= 0:
		g.at = before
	case after >= 0:
		g.at = after
	}
}

// External returns the memory that a procedure without a body writes, as on the path.
func (g *director) External(c interp.ExternalCall) []interp.Write {
	if g.quiet {
		return nil
	}
	return g.replayer.External(c)
}

// Branch takes the way of the path if that is open, and otherwise the first one.
func (g *director) Branch(at interp.Place, next []int) int {
	if n := g.replayer.Branch(at, next); n >= 0 {
		return n
	}
	return next[0]
}

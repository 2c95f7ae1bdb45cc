package checker

import (
	"context"
	"errors"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/finite"
	"c2bp/source"
	"c2bp/verdict"
)

// This file adapts package finite to Engine: programs with references are translated, if the number of their
// objects is bounded, and solved by decision diagrams. It also chooses between that and the explicit search.

// finiteEngine is Bebop after a translation.
type finiteEngine struct {
	t     *finite.Program
	after int // states of an explicit search that was given up before; 0 if there was none
}

func (finiteEngine) Name() string { return "finite" }

// newFiniteEngine returns the engine for g, or an input error if that cannot be translated.
func newFiniteEngine(g *boolprog.Graph) (Engine, error) {
	t, err := finite.Translate(g)
	var refused *finite.RefusedError
	if errors.As(err, &refused) {
		return nil, source.List{g.Prog.File.Errorf(refused.Pos, "the finite engine cannot treat this program: %s", refused.Why)}
	}
	return finiteEngine{t: t}, err
}

func (e finiteEngine) Solve(ctx context.Context, _ *boolprog.Graph, settings Settings) (Solution, error) {
	if like, is := settings.Like.(finiteSolution); is {
		settings.Like = like.symbolicSolution
	}
	s, err := symbolicEngine{}.Solve(ctx, e.t.Graph, settings)
	return finiteSolution{symbolicSolution: s.(symbolicSolution), t: e.t, after: e.after}, err
}

// finiteSolution adapts its result.
type finiteSolution struct {
	symbolicSolution
	t     *finite.Program
	after int // states of an explicit search that was given up before; 0 if there was none

	settings Settings // those of the user, if diagrams were limited further; traces are not
	limited  bool
}

// engine returns the name of the engine, and why it was taken.
func (s finiteSolution) engine() string {
	if s.after == 0 {
		return finiteEngine{}.Name()
	}
	return fmt.Sprintf("%s (%d objects at most; explicit: more than %d states)", finiteEngine{}.Name(), s.t.Objects(), s.after)
}

func (s finiteSolution) Reached(p Point) bool {
	return s.symbolicSolution.Reached(Point(s.t.Visit(finite.Point(p))))
}

func (s finiteSolution) CanFail(p Point) bool {
	return s.symbolicSolution.CanFail(Point(s.t.Statement(finite.Point(p))))
}

func (s finiteSolution) UsesNull(p Point) bool {
	for _, at := range s.t.Nulls(finite.Point(p)) {
		if s.symbolicSolution.CanFail(Point(at)) {
			return true
		}
	}
	return false
}

func (s finiteSolution) Valuations(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s finiteSolution) PathEdges(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s finiteSolution) Stats() []verdict.Stat {
	own := []verdict.Stat{{Name: "objects at most", Value: int64(s.t.Objects())}, {Name: "variables of the translation", Value: int64(s.t.Variables())}}
	return append(own, s.symbolicSolution.Stats()...)
}

func (s finiteSolution) Trace(ctx context.Context, targets []Target) (Trace, error) {
	var list []Target
	var index []int // of the targets
	for i, t := range targets {
		p := finite.Point(t.Point)
		switch {
		case t.Fails:
			list, index = append(list, Target{Point: Point(s.t.Statement(p)), Fails: true}), append(index, i)
		case t.Null:
			for _, at := range s.t.Nulls(p) {
				list, index = append(list, Target{Point: Point(at), Fails: true}), append(index, i)
			}
		default:
			list, index = append(list, Target{Point: Point(s.t.Visit(p))}), append(index, i)
		}
	}
	t, err := s.symbolicSolution.Trace(ctx, list)
	var limit *LimitError
	if errors.As(err, &limit) && s.limited {
		// The search for a trace needs more diagrams than were allowed: solve again without that limit.
		again, err := finiteEngine{s.t, s.after}.Solve(ctx, nil, s.settings)
		if err != nil {
			return nil, err
		}
		return again.Trace(ctx, targets)
	}
	if t == nil || err != nil {
		return nil, err
	}
	return s.show(t.(symbolicTrace), index[t.Target()], finite.Names{}), nil
}

// finiteTrace is a trace of a translation, as one of the program.
type finiteTrace struct {
	s      finiteSolution
	inner  symbolicTrace
	target int
	names  finite.Names
	shown  []finite.Shown
}

// show returns a trace of the translation as one of the program.
func (s finiteSolution) show(t symbolicTrace, target int, names finite.Names) finiteTrace {
	var moments []finite.Moment
	points := t.Points()
	for i, step := range t.Steps() {
		moments = append(moments, finite.Moment{Point: finite.Point(points[i]), Step: step})
	}
	return finiteTrace{s, t, target, names, s.t.Back(moments, names)}
}

func (t finiteTrace) Target() int { return t.target }

func (t finiteTrace) Steps() []verdict.Step {
	steps := make([]verdict.Step, len(t.shown))
	for i, s := range t.shown {
		steps[i] = s.Step
	}
	return steps
}

// Expand returns the trace inside a call. Objects have the names that they have outside.
func (t finiteTrace) Expand(ctx context.Context, i int) (Trace, error) {
	if i < 0 || i >= len(t.shown) || !t.shown[i].Step.Collapsed {
		return nil, fmt.Errorf("step %d is not a collapsed call", i)
	}
	inner, err := t.inner.Expand(ctx, t.shown[i].From)
	if err != nil {
		return nil, err
	}
	return t.s.show(inner.(symbolicTrace), 0, t.names), nil
}

// referenceEngine is the choice between the two ways for a program with references. Most programs have few
// states, and are decided by the time that a translation takes: so an explicit search begins. If it meets more
// than a few states, and the program can be translated, that one is given up. Diagrams may get large where
// states are not that many: then the explicit search has the last word.
type referenceEngine struct {
	few   int // states
	nodes int // of diagrams
}

// The numbers were measured: an explicit search takes half a second for so many states, and diagrams of so
// many nodes some seconds.
const (
	explicitFirst = 150_000
	diagramsThen  = 1_000_000
)

func (referenceEngine) Name() string { return explicitEngine{}.Name() }

func (e referenceEngine) Solve(ctx context.Context, g *boolprog.Graph, settings Settings) (Solution, error) {
	// 1. Without a translation there is no choice.
	t, err := finite.Translate(g)
	if err != nil {
		var refused *finite.RefusedError
		if !errors.As(err, &refused) {
			return nil, err
		}
		return explicitEngine{}.Solve(ctx, g, settings)
	}
	// 2. A few states.
	few := settings
	few.States, few.Visible = e.few, e.few
	s, err := explicitEngine{}.Solve(ctx, g, few)
	if !tooManyStates(err) {
		return s, err
	}
	// 3. Diagrams, and if they are large, all states.
	with := settings
	if with.Nodes == 0 || with.Nodes > e.nodes {
		with.Nodes = e.nodes
	}
	s, err = finiteEngine{t, e.few}.Solve(ctx, g, with)
	further := with.Nodes != settings.Nodes
	var limit *LimitError
	switch out, is := s.(finiteSolution); {
	case errors.As(err, &limit) && further:
		return explicitEngine{}.Solve(ctx, g, settings)
	case is && further:
		out.settings, out.limited = settings, true
		return out, err
	}
	return s, err
}

// tooManyStates reports whether an explicit search was given up because of its number of states.
func tooManyStates(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit) && limit.states
}

package checker

import (
	"context"
	"errors"
	"io"

	"c2bp/boolprog"
	"c2bp/checker/explicit"
)

// This file adapts package explicit to Engine.

// explicitEngine is the search with patterns and effects.
type explicitEngine struct{}

func (explicitEngine) Name() string { return "explicit" }

func (explicitEngine) Solve(ctx context.Context, g *boolprog.Graph, settings Settings) (Solution, error) {
	opts := explicit.Options{HeapPath: settings.HeapPath, WholeStates: settings.WholeStates, Visible: settings.Visible}
	if settings.NoSummaries || explicit.Chooses(g) {
		opts.States = settings.States
		if len(settings.Keep) > 0 {
			w, err := explicit.SearchTraces(ctx, g, opts, explicitTargets(settings.Keep))
			return wholeSolution{w}, limited(err)
		}
		w, err := explicit.SearchWhole(ctx, g, opts)
		return wholeSolution{w}, limited(err)
	}
	s, err := explicit.Solve(ctx, g, opts)
	return explicitSolution{s}, limited(err)
}

// limited turns the limits of a search into a LimitError.
func limited(err error) error {
	var path *explicit.PathError
	var calls *explicit.CallsError
	var states *explicit.StatesError
	switch {
	case errors.As(err, &path), errors.As(err, &calls):
		return &LimitError{What: err.Error(), Traces: true}
	// A trace would be sought among as many states again.
	case errors.As(err, &states):
		return &LimitError{What: err.Error(), states: true}
	}
	return err
}

// explicitSolution adapts its result.
type explicitSolution struct{ *explicit.Solution }

func (s explicitSolution) Reached(p Point) bool  { return s.Solution.Reached(explicit.Point(p)) }
func (s explicitSolution) CanFail(p Point) bool  { return s.Solution.CanFail(explicit.Point(p)) }
func (s explicitSolution) UsesNull(p Point) bool { return s.Solution.UsesNull(explicit.Point(p)) }

// Summarised is a Solution that can print its summaries.
type Summarised interface {
	Summaries(w io.Writer) error
}

var errNoFormulas = errors.New("the explicit engine has no formulas of what is reachable: ask the symbolic one")

func (s explicitSolution) Valuations(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s explicitSolution) PathEdges(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

// wholeSolution is the result of a search without summaries.
type wholeSolution struct{ *explicit.Whole }

func (s wholeSolution) Reached(p Point) bool  { return s.Whole.Reached(explicit.Point(p)) }
func (s wholeSolution) CanFail(p Point) bool  { return s.Whole.CanFail(explicit.Point(p)) }
func (s wholeSolution) UsesNull(p Point) bool { return s.Whole.UsesNull(explicit.Point(p)) }

func (s wholeSolution) Valuations(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s wholeSolution) PathEdges(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s wholeSolution) Trace(ctx context.Context, targets []Target) (Trace, error) {
	t, err := s.Whole.Trace(ctx, explicitTargets(targets))
	if t == nil {
		return nil, err
	}
	return wholeTrace{t}, err
}

// wholeTrace adapts its traces.
type wholeTrace struct{ *explicit.WholeTrace }

func (t wholeTrace) Expand(ctx context.Context, i int) (Trace, error) {
	_, err := t.WholeTrace.Expand(ctx, i)
	return nil, err
}

func (s explicitSolution) Trace(ctx context.Context, targets []Target) (Trace, error) {
	return wrapExplicit(s.Solution.Trace(ctx, explicitTargets(targets)))
}

// explicitTargets adapts targets.
func explicitTargets(targets []Target) []explicit.Target {
	list := make([]explicit.Target, len(targets))
	for i, t := range targets {
		list[i].Point = explicit.Point(t.Point)
		switch {
		case t.Fails:
			list[i].Goal = explicit.Fail
		case t.Null:
			list[i].Goal = explicit.Null
		}
	}
	return list
}

// wrapExplicit keeps a nil trace a nil interface.
func wrapExplicit(t *explicit.Trace, err error) (Trace, error) {
	if t == nil {
		return nil, err
	}
	return explicitTrace{t}, err
}

// explicitTrace adapts its traces.
type explicitTrace struct{ *explicit.Trace }

func (t explicitTrace) Expand(ctx context.Context, i int) (Trace, error) {
	return wrapExplicit(t.Trace.Expand(ctx, i))
}

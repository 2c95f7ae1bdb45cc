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
	if settings.NoSummaries {
		w, err := explicit.SearchWhole(ctx, g)
		return wholeSolution{Whole: w, graph: g}, err
	}
	s, err := explicit.Solve(ctx, g, explicit.Options{HeapPath: settings.HeapPath, WholeStates: settings.WholeStates})
	var path *explicit.PathError
	if errors.As(err, &path) {
		err = &LimitError{What: path.Error(), Traces: true}
	}
	return explicitSolution{s}, err
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

// wholeSolution is the result of a search without summaries. Its traces come from a search with
// summaries.
type wholeSolution struct {
	*explicit.Whole
	graph *boolprog.Graph
}

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
	other, err := explicitEngine{}.Solve(ctx, s.graph, Settings{})
	if err != nil {
		return nil, err
	}
	return other.Trace(ctx, targets)
}

func (s explicitSolution) Trace(ctx context.Context, targets []Target) (Trace, error) {
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
	return wrapExplicit(s.Solution.Trace(ctx, list))
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

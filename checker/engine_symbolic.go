package checker

import (
	"context"
	"errors"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/trace"
)

// This file adapts packages symbolic and trace to Engine.

// symbolicEngine is Bebop.
type symbolicEngine struct{}

func (symbolicEngine) Name() string { return "symbolic" }

func (symbolicEngine) Solve(ctx context.Context, g *boolprog.Graph, settings Settings) (Solution, error) {
	opts := symbolic.Options{NodeLimit: settings.Nodes}
	if like, ok := settings.Like.(symbolicSolution); ok {
		opts.Start = like.Order()
	}
	// The old solution must not be kept alive by the new one.
	settings.Like = nil
	s, err := symbolic.Solve(ctx, g, opts)
	sol := symbolicSolution{s, nil, settings}
	if s != nil {
		sol.traces = trace.NewFinder(s, trace.Options{FewRounds: settings.FewRounds, Avoid: settings.Avoid, WayOnly: settings.WayOnly})
	}
	return sol, sol.limited(err)
}

// symbolicSolution adapts its result. The Solution is nil if the engine refused the program.
type symbolicSolution struct {
	*symbolic.Solution
	traces   *trace.Finder // nil if there is no Solution
	settings Settings
}

func (s symbolicSolution) Reached(p Point) bool { return s.Solution.Reached(symbolic.Point(p)) }

func (s symbolicSolution) CanFail(p Point) bool { return s.Solution.CanFail(symbolic.Point(p)) }

func (s symbolicSolution) UsesNull(Point) bool { return false } // there are no references

func (s symbolicSolution) Valuations(ctx context.Context, p Point) (boolprog.Expr, error) {
	e, err := s.Solution.Valuations(ctx, symbolic.Point(p))
	return e, s.limited(err)
}

func (s symbolicSolution) PathEdges(ctx context.Context, p Point) (boolprog.Expr, error) {
	e, err := s.Solution.PathEdges(ctx, symbolic.Point(p))
	return e, s.limited(err)
}

func (s symbolicSolution) Trace(ctx context.Context, targets []Target) (Trace, error) {
	list := make([]trace.Target, len(targets))
	for i, t := range targets {
		list[i] = trace.Target{Point: symbolic.Point(t.Point), Fails: t.Fails}
	}
	return s.wrap(s.traces.Trace(ctx, list))
}

// wrap keeps a nil trace a nil interface.
func (s symbolicSolution) wrap(t *trace.Trace, err error) (Trace, error) {
	if t == nil {
		return nil, s.limited(err)
	}
	return symbolicTrace{t, s}, s.limited(err)
}

// limited turns the node limit into a LimitError.
func (s symbolicSolution) limited(err error) error {
	if errors.Is(err, bdd.ErrNodeLimit) {
		return &LimitError{What: fmt.Sprintf("limit of %d BDD nodes reached", s.settings.Nodes)}
	}
	return err
}

// symbolicTrace adapts its traces.
type symbolicTrace struct {
	*trace.Trace
	s symbolicSolution
}

func (t symbolicTrace) Expand(ctx context.Context, i int) (Trace, error) {
	return t.s.wrap(t.Trace.Expand(ctx, i))
}

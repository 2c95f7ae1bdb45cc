package checker

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/explicit"
	"c2bp/checker/threads"
	"c2bp/verdict"
)

// This file adapts package threads to Engine.

// threadsEngine explores the states of programs with threads.
type threadsEngine struct{}

func (threadsEngine) Name() string { return "threads" }

// pickForThreads returns the engine for a program with threads. The others refuse it.
func pickForThreads(g *boolprog.Graph, name string) (Engine, error) {
	switch name {
	case "", threadsEngine{}.Name():
		return threadsEngine{}, nil
	}
	return nil, g.WithoutThreads(fmt.Sprintf("the %s engine", name))
}

func (threadsEngine) Solve(ctx context.Context, g *boolprog.Graph, settings Settings) (Solution, error) {
	r, err := threads.Search(ctx, g, threads.Options{Contexts: settings.Contexts, States: settings.ThreadStates, HeapPath: settings.HeapPath})
	if err == nil && r.Open != "" {
		err = &LimitError{What: r.Open, Traces: true}
	}
	return threadsSolution{r}, err
}

// threadsSolution adapts its result.
type threadsSolution struct{ *threads.Result }

func (s threadsSolution) Reached(p Point) bool  { return s.Result.Reached(explicit.Point(p)) }
func (s threadsSolution) CanFail(p Point) bool  { return s.Result.CanFail(explicit.Point(p)) }
func (s threadsSolution) UsesNull(p Point) bool { return s.Result.UsesNull(explicit.Point(p)) }

func (s threadsSolution) Valuations(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s threadsSolution) PathEdges(context.Context, Point) (boolprog.Expr, error) {
	return nil, errNoFormulas
}

func (s threadsSolution) Trace(_ context.Context, targets []Target) (Trace, error) {
	t := s.Result.Trace(explicitTargets(targets))
	if t == nil {
		return nil, nil
	}
	return threadsTrace{t}, nil
}

// threadsTrace adapts its traces.
type threadsTrace struct{ *threads.Trace }

func (t threadsTrace) Expand(_ context.Context, i int) (Trace, error) {
	return nil, fmt.Errorf("step %d is not a collapsed call", i)
}

// shownTrace returns the trace of a result.
func shownTrace(t Trace) *verdict.Trace {
	out := &verdict.Trace{Steps: t.Steps()}
	if at, is := t.(siteTrace); is {
		t = at.Trace
	}
	if run, is := t.(threadsTrace); is {
		out.Processes = run.Processes
	}
	return out
}

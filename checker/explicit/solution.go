package explicit

import (
	"context"

	"c2bp/boolprog"
	"c2bp/verdict"
)

// This file defines the result of a search, and its statistics.

// Solution is the result of a search. It is not safe for concurrent use.
type Solution struct {
	engine *engine
}

// Solve searches everything that a program can do. It fails with ctx.Err(), a *PathError or a *StatesError; then
// the Solution holds everything found so far: all of it can happen, but there may be more.
func Solve(ctx context.Context, g *boolprog.Graph, opts Options) (*Solution, error) {
	e := newEngine(g, opts)
	e.stop = e.run(ctx)
	return &Solution{e}, e.stop
}

// Reached reports whether control can reach p.
func (s *Solution) Reached(p Point) bool { return s.engine.found.reached[p.Proc][p.Node] != nowhere }

// CanFail reports whether p is an assertion that can fail.
func (s *Solution) CanFail(p Point) bool { return s.engine.found.failed[p.Proc][p.Node] != nowhere }

// UsesNull reports whether null can be dereferenced at p.
func (s *Solution) UsesNull(p Point) bool { return s.engine.found.nullUsed[p.Proc][p.Node] != nowhere }

// Stats returns the work counters. They depend on the program and the options alone.
func (s *Solution) Stats() []verdict.Stat {
	// The start of the program is no summary.
	e := s.engine
	summaries, effects, reads := int64(0), int64(0), int64(0)
	for _, r := range e.roots[1:] {
		if len(r.effects) > 0 {
			summaries++
		}
		effects += int64(len(r.effects))
		reads += int64(len(r.pattern))
	}
	return []verdict.Stat{
		{Name: "visible states", Value: int64(e.table.size())},
		{Name: "bytes of states", Value: int64(e.table.bytes)},
		{Name: "steps", Value: e.count.steps},
		{Name: "invocations told apart", Value: int64(len(e.roots) - 1)},
		{Name: "summaries", Value: summaries},
		{Name: "effects", Value: effects},
		{Name: "reads in patterns", Value: reads},
		{Name: "summaries looked up", Value: e.count.lookups},
		{Name: "effects applied", Value: e.count.applied},
		{Name: "longest heap path", Value: int64(e.count.deepest)},
	}
}

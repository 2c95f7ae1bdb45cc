package checker

import (
	"context"

	"c2bp/boolprog"
	"c2bp/verdict"
)

// This file defines the interface between the checker and its engines.

// Engine decides reachability in a class of programs.
type Engine interface {
	// Name is the engine's name for --engine and --stats.
	Name() string
	// Solve computes the reachable nodes. The Solution returned with an error holds everything
	// found so far: all of it is reachable, but there may be more. The error is that of ctx, or a
	// *LimitError.
	Solve(ctx context.Context, g *boolprog.Graph, settings Settings) (Solution, error)
}

// Settings are the options of an engine.
type Settings struct {
	HeapPath    int  // see Options
	WholeStates bool // see Options
	NoSummaries bool // see Options
	States      int  // see Options.StateLimit
	Contexts    *int // see Options

	ThreadStates int      // see Options
	Visible      int      // explicit: most states of a search with summaries; 0 is no limit
	Keep         []Target // explicit, with whole states: keep traces to them

	Nodes     int               // most BDD nodes in use at a time; 0 is no limit
	FewRounds bool              // see Options
	Avoid     func(string) bool // see Options
	WayOnly   bool              // see Options
	Like      Solution          // the Solution of Options.Like, or nil
}

// LimitError reports that a resource was used up.
type LimitError struct {
	What   string
	Traces bool // traces to the failures found are still possible
	states bool // it is the number of states of an explicit search
}

func (e *LimitError) Error() string { return e.What }

// Point is a node of the control-flow graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// Target is the end of a trace: a node, the failure of the assertion there, or a null dereference
// there.
type Target struct {
	Point
	Fails bool
	Null  bool
}

// Solution is the result of an engine for a program. It is not safe for concurrent use.
type Solution interface {
	// Reached reports whether control can reach p.
	Reached(p Point) bool
	// CanFail reports whether p is an assertion that can fail.
	CanFail(p Point) bool
	// UsesNull reports whether null can be dereferenced at p.
	UsesNull(p Point) bool
	// Valuations returns a formula over the variables in scope at p that holds for exactly the
	// valuations with which control reaches p.
	Valuations(ctx context.Context, p Point) (boolprog.Expr, error)
	// PathEdges returns a formula over the variables in scope at p and the values of globals and
	// parameters at the entry of the procedure (a Ref with Next, 'v). It holds at least for the
	// pairs of valuations such that the procedure, entered with the first, can reach p with the
	// second, and relates them as precisely as the engine did.
	PathEdges(ctx context.Context, p Point) (boolprog.Expr, error)
	// Trace returns a shortest hierarchical trace to the nearest of the targets, the first of them
	// if several are; nil if none is reachable.
	Trace(ctx context.Context, targets []Target) (Trace, error)
	// Stats returns the work counters in a fixed order; there are no times among them.
	Stats() []verdict.Stat
}

// Trace is a hierarchical trace whose collapsed calls can be expanded.
type Trace interface {
	// Target returns the index of the target that the trace leads to.
	Target() int
	// Steps returns the executed statements. They are rendered anew at each call.
	Steps() []verdict.Step
	// Expand returns the trace inside the collapsed call of step i, down to the return: a shortest
	// path, in which further calls are collapsed. The depth of its steps continues that of step i.
	Expand(ctx context.Context, i int) (Trace, error)
}

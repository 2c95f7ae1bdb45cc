package checker

import (
	"context"

	"c2bp/boolprog"
	"c2bp/verdict"
)

// This file defines what the checker asks of an engine.

// Engine decides reachability in a class of programs.
type Engine interface {
	// Name is what --engine and --stats call it.
	Name() string
	// Solve computes what is reachable. The Solution beside an error holds what was
	// found before: all of it is reachable, but there may be more. The error is
	// that of ctx, or a *LimitError.
	Solve(ctx context.Context, g *boolprog.Graph, settings Settings) (Solution, error)
}

// Settings are what an engine is told beside the program.
type Settings struct {
	HeapPath    int  // see Options
	WholeStates bool // see Options
	NoSummaries bool // see Options

	Nodes     int               // BDD nodes in use at a time; 0 is no limit
	FewRounds bool              // see Options
	Avoid     func(string) bool // see Options
	WayOnly   bool              // see Options
	Like      Solution          // that of Options.Like, or nil
}

// LimitError says that a resource was used up.
type LimitError struct {
	What   string
	Traces bool // there is enough left for traces to what was found
}

func (e *LimitError) Error() string { return e.What }

// Point is a node of the control-flow graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// Target is what a trace leads to: a node, the failure of the assertion there, or that
// null is dereferenced there.
type Target struct {
	Point
	Fails bool
	Null  bool
}

// Solution is what an engine found out about a program. It is not safe for
// concurrent use.
type Solution interface {
	// Reached reports whether control can reach p.
	Reached(p Point) bool
	// CanFail reports whether p is an assertion that can fail.
	CanFail(p Point) bool
	// UsesNull reports whether p can look into an object where there is none.
	UsesNull(p Point) bool
	// Valuations is a formula over the variables in scope at p that holds for
	// exactly the valuations with which control reaches p.
	Valuations(ctx context.Context, p Point) (boolprog.Expr, error)
	// PathEdges is a formula over the variables in scope at p and what globals and
	// parameters held when the procedure was entered (a Ref with Next, 'v). It holds at
	// least for the pairs of valuations such that the procedure, entered with the one,
	// can reach p with the other, and relates them as far as the engine did.
	PathEdges(ctx context.Context, p Point) (boolprog.Expr, error)
	// Trace is a shortest hierarchical trace to the nearest of the targets, the
	// first of them if several are; nil if none is reachable.
	Trace(ctx context.Context, targets []Target) (Trace, error)
	// Stats are the work counters in a fixed order; no times are among them.
	Stats() []verdict.Stat
}

// Trace is a hierarchical trace whose collapsed calls can be looked into.
type Trace interface {
	// Target is the index of the target that the trace leads to.
	Target() int
	// Steps are the executed statements. They are rendered anew at each call.
	Steps() []verdict.Step
	// Expand is what happens inside the collapsed call of step i, down to the
	// return: a shortest way, in which further calls are collapsed. The depth of
	// its steps goes on from that of step i.
	Expand(ctx context.Context, i int) (Trace, error)
}

package symbolic

import (
	"context"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
	"c2bp/verdict"
)

// This file defines the solver: the worklist algorithm of Ball–Rajamani 2000, Fig. 4.

// Options configures Solve. The zero value is ready for use.
type Options struct {
	NodeLimit int             // most BDD nodes in use at a time, garbage included; 0 is no limit
	Start     *varorder.Order // the initial order of the variables, from a similar program; nil is to choose one
	Tuning

	diagrams bool // for the tests: write path edges as decision diagrams even when they are small
}

// Tuning changes how the engine works, for tests and measurements. Only the cost and the choice
// among the shortest traces depend on it.
type Tuning struct {
	CollectEach  bool              // collect garbage at every safe point
	Ordering     varorder.Ordering // of the variables, instead of varorder.Force
	ReorderAt    int               // nodes in use at which the variables are reordered, instead of reorderFirst; it does not double
	ReorderNever bool              // leave the order as it is
	ForgetNever  bool              // keep track of variables that are not live, too
	Postorder    bool              // serve nodes in reverse postorder
}

// Point is a node of a graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// Solution is the result of the solver: the path edges and summaries of a program, and the
// relations that they are made with. It is not safe for concurrent use, even by methods that only
// read, since they make decision diagrams.
type Solution struct {
	*space
	transfer
	Graph    *boolprog.Graph
	opts     Options
	Layout   varorder.Layout
	flows    *flow.Flows
	calls    *flow.CallGraph
	live     *liveness
	Schedule *flow.Schedule // the numbers of the nodes and their order
	Procs    []*Proc
	step     *bdd.Shift            // renames next → current copies of all groups, after an image
	lifts    map[string]*bdd.Shift // the renamings of liftOf, by their effect

	path  []bdd.Ref // path edges, by node number
	fails []bool    // assertions that can fail, by node number

	// Work counters; see Stats.
	steps, updates, increments, lifted int64
}

// solver is the state of the fixpoint computation: a worklist of nodes, and their path edges that
// were not propagated yet.
type solver struct {
	*Solution
	work     flow.Worklist
	frontier []bdd.Ref // path edges that are not propagated yet, by node number
}

// Increment is a set of summary edges of a procedure that were found at one time. Increments are
// numbered in the order in which they were found: the path edges from which one follows use only
// increments with smaller numbers. Therefore the expansion of a summary edge ends.
type Increment struct {
	Number int64
	Rel    bdd.Ref // like the summary of a procedure
}

// Solve computes the path edges and summaries of all reachable nodes. It fails with ctx.Err() or
// bdd.ErrNodeLimit; then the Solution holds everything found so far: all of it is reachable, but
// there may be more. For a program with references it returns no Solution and an input error.
func Solve(ctx context.Context, g *boolprog.Graph, opts Options) (*Solution, error) {
	if err := g.Prog.WithoutReferences("the symbolic engine"); err != nil {
		return nil, err
	}
	if err := g.WithoutThreads("the symbolic engine"); err != nil {
		return nil, err
	}
	s := newSolution(g, opts)
	// The frontier needs GC roots while the solver runs.
	w := &solver{s, flow.Worklist{Schedule: s.Schedule}, make([]bdd.Ref, len(s.path))}
	s.lasting = append(s.lasting, w)
	err := s.Within(ctx, func() {
		s.prepare()
		w.start()
		w.run()
	})
	if err == nil {
		s.lasting = s.lasting[:1] // the frontier is empty: it needs no GC roots any more
	}
	return s, err
}

// newSolution numbers the nodes and variables of g and computes its static facts; it builds no
// relations.
func newSolution(g *boolprog.Graph, opts Options) *Solution {
	s := &Solution{Graph: g, opts: opts}
	s.Layout, s.flows = varorder.NewLayout(g, opts.Ordering, opts.Start)
	s.space = newSpace(s.Layout.Levels(), &s.opts)
	s.lasting = []GCRoots{s}
	s.step = varorder.NewStep(s.m, &s.Layout)
	s.lifts = map[string]*bdd.Shift{}
	s.declare()
	for i := range s.sets {
		s.sets[i] = s.live.newSet()
	}
	return s
}

// start makes the entry of main reachable in every state: its parameters and the globals are
// arbitrary. Each state is paired with itself.
func (s *solver) start() {
	main := s.Procs[s.Graph.Main.Index]
	s.propagate(main, main.Graph.Entry, s.m.And(main.Identity, main.Enforce))
}

// run propagates path edges until no node waits.
func (s *solver) run() {
	for !s.work.Empty() {
		s.SafePoint()
		// 1. Take the first node that waits, and its path edges that were not propagated.
		s.steps++
		id := s.work.Pop()
		p := s.ProcOf(id)
		v := id - p.First
		d := s.frontier[id]
		s.frontier[id] = bdd.False
		// 2. Propagate them to the successors: from an exit to the callers, from a call into the
		// callee and over it, else along the edges.
		switch {
		case v == p.Graph.Exit:
			s.leave(p, d)
		case p.Calls[v] != nil:
			s.call(p.Calls[v], d)
		default:
			// Some of the states that reach an assertion may violate it.
			s.fails[id] = s.fails[id] || s.m.And(d, s.Failing(p, v)) != bdd.False
			out := s.Outgoing(p, v)
			for i := range out {
				e := &out[i]
				s.propagate(p, int(e.To), s.Image(d, e))
			}
		}
	}
}

// propagate adds path edges to node v of p. Those that are new wait in the frontier.
func (s *solver) propagate(p *Proc, v int, set bdd.Ref) {
	id := p.First + v
	d := s.m.Diff(set, s.path[id])
	if d == bdd.False {
		return
	}
	s.updates++
	s.path[id] = s.m.Or(s.path[id], d)
	if s.frontier[id] == bdd.False {
		s.work.Push(id)
	}
	s.frontier[id] = s.m.Or(s.frontier[id], d)
}

// call propagates new path edges of a call into the callee, and over the call with the summaries
// known so far.
func (s *solver) call(c *CallSite, d bdd.Ref) {
	s.propagate(c.Callee, c.Callee.Graph.Entry, s.Entered(c, d))
	// A call that is reached for the first time takes over the whole summary.
	if !c.reached {
		c.reached = true
		s.lifted++
		c.Summary.Rel = s.Lift(c, c.Callee.summary)
	}
	s.propagate(c.Caller, int(c.Summary.To), s.Image(d, &c.Summary))
}

// leave turns new path edges at the exit of p into an increment of its summaries, and propagates it
// over the calls that were reached. Other calls take over the whole summary when they are reached.
func (s *solver) leave(p *Proc, d bdd.Ref) {
	// 1. Find the summary edges that are new.
	fresh := s.m.Diff(s.summarise(p, d), p.summary)
	if fresh == bdd.False {
		return
	}
	s.increments++
	p.Increments = append(p.Increments, Increment{s.increments, fresh})
	p.summary = s.m.Or(p.summary, fresh)
	// 2. Lift them to each call that was reached, and propagate all its path edges over what is new
	// there.
	for _, c := range p.Callers {
		if !c.reached {
			continue
		}
		s.lifted++
		lifted := s.m.Diff(s.Lift(c, fresh), c.Summary.Rel)
		if lifted == bdd.False {
			continue
		}
		c.Summary.Rel = s.m.Or(c.Summary.Rel, lifted)
		part := c.Summary
		part.Rel = lifted
		s.propagate(c.Caller, int(part.To), s.Image(s.path[c.Caller.First+c.Node], &part))
	}
}

// At returns the path edges of the node with this number.
func (s *Solution) At(id int) bdd.Ref { return s.path[id] }

// Reached reports whether control can reach p.
func (s *Solution) Reached(p Point) bool { return s.path[s.Number(p)] != bdd.False }

// CanFail reports whether the assertion at p can fail; false if p is not an assertion.
func (s *Solution) CanFail(p Point) bool { return s.fails[s.Number(p)] }

// Order returns the order of the variables after the last reordering, of s or of the program that s
// took its order from. It is nil if there was none: then another program does best to choose its
// own.
func (s *Solution) Order() *varorder.Order {
	if s.arranged == 0 {
		return nil
	}
	return varorder.NewOrder(s.Graph, &s.Layout, s.m.Place, s.arranged)
}

// Failing returns the set of states in which the assertion at node v of p can fail.
func (s *Solution) Failing(p *Proc, v int) bdd.Ref {
	n := p.Graph.Nodes[v]
	if n.Kind != boolprog.NodeAssert {
		return bdd.False
	}
	return p.enc.may(n.Cond).zero
}

// Stats returns the work counters. They depend on the program and the options alone.
func (s *Solution) Stats() []verdict.Stat {
	return []verdict.Stat{
		{Name: "worklist steps", Value: s.steps},
		{Name: "path edge updates", Value: s.updates},
		{Name: "summary increments", Value: s.increments},
		{Name: "summary lifts", Value: s.lifted},
		{Name: "BDD levels", Value: int64(s.m.Levels())},
		{Name: "BDD nodes, peak", Value: int64(s.m.Peak())},
	}
}

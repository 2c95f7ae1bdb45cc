package symbolic

import (
	"context"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/verdict"
)

// This file defines the solver: the worklist algorithm of Ball–Rajamani 2000, Fig. 4.

// Options configures Solve. The zero value is ready for use.
type Options struct {
	NodeLimit int                    // most BDD nodes in use at a time, garbage included; 0 is no limit
	FewRounds bool                   // traces go round loops as rarely as can be, instead of being shortest: for large programs
	Avoid     func(node string) bool // with FewRounds: to come to such a node counts as a round, too; nil is none
	WayOnly   bool                   // traces show no values, which take long to find out in a large program
	Start     *Order                 // where the order of the variables begins; nil is to choose one

	diagrams     bool     // for the tests: path edges are written as decision diagrams, however small
	mutation     mutation // for the tests: a rule to break
	collectEach  bool     // for the tests: collect garbage at every safe point
	order        ordering // for the tests: instead of force
	reorderAt    int      // for the tests: instead of reorderFirst, and it does not double
	reorderNever bool     // for the tests: leave the order as it is
	forgetNever  bool     // for the tests: keep track of all variables
	postorder    bool     // for the tests: serve nodes in reverse postorder
}

// Point is a node of a graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// Solution holds the path edges and summaries of a program. It is not safe for
// concurrent use, even by methods that only read.
type Solution struct {
	graph *boolprog.Graph
	opts  Options
	ctx   context.Context // of the exported call that is running; see within
	m     *bdd.Manager
	lay   layout
	flows *flows
	calls *callGraph
	live  *liveness
	first []int                 // by procedure: number of its first node
	step  *bdd.Shift            // next → current, all groups: after an image
	lifts map[string]*bdd.Shift // those of the procedures, by what they do
	procs []*proc

	path  []bdd.Ref // path edges, by node number
	fresh []bdd.Ref // those of them that are not propagated yet, by node number
	fails []bool    // assertions that can fail, by node number
	edges []edge    // within the procedures, node by node; see edgesOf
	out   []int32   // by node number: where its edges begin; there is one more for the end
	work  worklist
	avoid []bool    // by node number: see Options; nil is none
	roots []rootSet // of computations under way

	whole    *rings          // of the program, once a trace was asked for
	replayed map[string]bool // summary edges that the interpreter has executed
	modified []bitset        // by procedure: globals that it may modify
	changed  []group         // memory for changes
	keyRoom  []byte          // memory for key
	before   *relation       // for traces: predecessors of nodes

	sets    [3]bitset     // for edge
	built   []edge        // for buildEdges
	levels  []int         // for cube
	scratch []bdd.Literal // for cubes
	spare   *rings        // memory for the next

	reorderAt int // nodes in use at the next reordering
	arranged  int // nodes in use after the last one, also in what opts.Start comes from; 0 is never

	steps, updates, increments, lifted int64
}

// summaries is an increment of the summaries of a procedure. Increments are
// numbered in the order in which they were found: the path edges behind an
// increment use only increments with smaller numbers, so that expanding a
// summary edge ends.
type summaries struct {
	number int64
	rel    bdd.Ref
}

// Solve computes the path edges and summaries of all that is reachable. It fails
// with ctx.Err() or bdd.ErrNodeLimit; the Solution returned beside an error holds
// what had been found: all of it is reachable, but there may be more. For a program
// with references there is none, and the error is one of the input.
func Solve(ctx context.Context, g *boolprog.Graph, opts Options) (*Solution, error) {
	if err := g.Prog.WithoutReferences("the symbolic engine"); err != nil {
		return nil, err
	}
	s := newSolution(g, opts)
	err := s.within(ctx, func() {
		s.prepare()
		s.start()
		s.run()
	})
	return s, err
}

func newSolution(g *boolprog.Graph, opts Options) *Solution {
	s := &Solution{graph: g, opts: opts, ctx: context.Background(), replayed: map[string]bool{}}
	s.lay, s.flows = newLayout(g, opts.order, opts.Start)
	s.m = bdd.New(s.lay.levels(), bdd.Options{
		NodeLimit: opts.NodeLimit,
		Poll:      func() error { return s.ctx.Err() },
	})
	if s.reorderAt = reorderFirst; opts.reorderAt > 0 {
		s.reorderAt = opts.reorderAt
	}
	if o := opts.Start; o != nil {
		s.arranged = o.nodes
		s.reorderAt = max(s.reorderAt, 2*o.nodes)
	}
	s.step = newStep(s.m, &s.lay)
	s.lifts = map[string]*bdd.Shift{}
	s.declare()
	s.avoid = s.avoided()
	for i := range s.sets {
		s.sets[i] = s.live.newSet()
	}
	return s
}

// start makes the entry of main reachable in every state: its parameters and the
// globals are arbitrary.
func (s *Solution) start() {
	main := s.procs[s.graph.Main.Index]
	s.propagate(main, main.graph.Entry, s.m.And(main.identity, main.enforce))
}

func (s *Solution) run() {
	for !s.work.empty() {
		s.safePoint()
		s.steps++
		id := s.work.pop()
		p := s.procOf(id)
		v := id - p.first
		d := s.fresh[id]
		s.fresh[id] = bdd.False
		switch {
		case v == p.graph.Exit:
			s.leave(p, d)
		case p.calls[v] != nil:
			s.call(p.calls[v], d)
		default:
			s.fails[id] = s.fails[id] || s.m.And(d, s.failing(p, v)) != bdd.False
			out := s.outgoing(p, v)
			for i := range out {
				e := &out[i]
				s.propagate(p, int(e.to), s.image(d, e))
			}
		}
	}
}

// propagate adds path edges to a node.
func (s *Solution) propagate(p *proc, v int, set bdd.Ref) {
	id := p.first + v
	d := s.m.Diff(set, s.path[id])
	if d == bdd.False {
		return
	}
	s.updates++
	s.path[id] = s.m.Or(s.path[id], d)
	if s.fresh[id] == bdd.False {
		s.work.push(id)
	} else if s.opts.mutation == lostFrontier {
		s.fresh[id] = bdd.False
	}
	s.fresh[id] = s.m.Or(s.fresh[id], d)
}

// call enters the callee with the new path edges of a call, and passes over it
// with the summaries known so far.
func (s *Solution) call(c *callSite, d bdd.Ref) {
	s.propagate(c.callee, c.callee.graph.Entry, s.entered(c, d))
	if !c.reached {
		c.reached = true
		s.lifted++
		c.summary.rel = s.lift(c, c.callee.summary)
	}
	s.propagate(c.caller, int(c.summary.to), s.image(d, &c.summary))
}

// leave makes an increment of the summaries of p of new path edges at its exit,
// and passes it on to the calls that have been reached; the others lift the whole
// summary when they are.
func (s *Solution) leave(p *proc, d bdd.Ref) {
	fresh := s.m.Diff(s.summarise(p, d), p.summary)
	if fresh == bdd.False {
		return
	}
	s.increments++
	p.increments = append(p.increments, summaries{s.increments, fresh})
	p.summary = s.m.Or(p.summary, fresh)
	for _, c := range p.callers {
		if !c.reached {
			continue
		}
		s.lifted++
		lifted := s.m.Diff(s.lift(c, fresh), c.summary.rel)
		if lifted == bdd.False {
			continue
		}
		c.summary.rel = s.m.Or(c.summary.rel, lifted)
		if s.opts.mutation == staleSummary {
			continue
		}
		part := c.summary
		part.rel = lifted
		s.propagate(c.caller, int(part.to), s.image(s.path[c.caller.first+c.node], &part))
	}
}

// Reached reports whether control can reach p.
func (s *Solution) Reached(p Point) bool { return s.path[s.id(p)] != bdd.False }

// CanFail reports whether the assertion at p can fail. Points that are no
// assertions cannot.
func (s *Solution) CanFail(p Point) bool { return s.fails[s.id(p)] }

// failing is the set of states in which the assertion at a node fails.
func (s *Solution) failing(p *proc, v int) bdd.Ref {
	n := p.graph.Nodes[v]
	if n.Kind != boolprog.NodeAssert {
		return bdd.False
	}
	return p.enc.may(n.Cond).zero
}

// Stats returns the work counters; they depend on the program alone.
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

package bpexec

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"c2bp/boolprog"
)

// This file computes reachability by explicit summaries: the algorithm of Ball–Rajamani 2000, §3,
// with one summary for each (globals, parameters) instead of a BDD.

// Options limits Reach.
type Options struct {
	MaxEdges int // most path edges; 0 is 4,000,000
	MaxVars  int // most variables in scope in one procedure; 0 is 20
}

// entry is the part of a procedure's first state that its caller determines.
type entry struct{ globals, params uint64 }

// Site names a node of a program.
type Site struct{ Proc, Node int }

// LabelSite names a label. Labels are local to procedures.
type LabelSite struct{ Proc, Label string }

// Reachable is the result of Reach.
type Reachable struct {
	graph   *boolprog.Graph
	states  [][]map[State]bool // by procedure and node
	failing map[Site]bool
	runs    []map[entry]*run // by procedure
}

// Edge relates the entry of a procedure to one of its nodes: entered with these globals and
// parameters (the first locals), control can reach the node in this state.
type Edge struct{ Entry, State State }

// Edges returns the path edges of a node, sorted by entry, then state.
func (r *Reachable) Edges(proc, node int) []Edge {
	seen := map[Edge]bool{}
	for e, x := range r.runs[proc] {
		for at := range x.seen {
			// Results do not count as a part of the state.
			if at.Node == node { // at the exit perhaps with several results
				seen[Edge{State{e.globals, e.params}, at.State}] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b Edge) int {
		return cmp.Or(compareStates(a.Entry, b.Entry), compareStates(a.State, b.State))
	})
}

// States returns the valuations with which control can reach a node, before the
// node is executed, sorted by globals, then locals.
func (r *Reachable) States(proc, node int) []State {
	var list []State
	for s := range r.states[proc][node] {
		list = append(list, s)
	}
	slices.SortFunc(list, compareStates)
	return list
}

// compareStates orders states by globals, then locals.
func compareStates(a, b State) int {
	return cmp.Or(cmp.Compare(a.Globals, b.Globals), cmp.Compare(a.Locals, b.Locals))
}

// Labels returns the reachable labels in program order.
func (r *Reachable) Labels() (list []LabelSite) {
	for i, p := range r.graph.Procs {
		for j, n := range p.Nodes {
			if len(r.states[i][j]) == 0 {
				continue
			}
			for _, l := range n.Labels {
				list = append(list, LabelSite{p.Proc.Name, l})
			}
		}
	}
	return list
}

// Failures returns the assertions that can fail, in program order.
func (r *Reachable) Failures() (list []Site) {
	for i, p := range r.graph.Procs {
		for j := range p.Nodes {
			if r.failing[Site{i, j}] {
				list = append(list, Site{i, j})
			}
		}
	}
	return list
}

// Reach computes the reachable states of a program. It fails if the program has references or
// exceeds the limits, and with ctx.Err().
func Reach(ctx context.Context, g *boolprog.Graph, opts Options) (*Reachable, error) {
	if err := g.Prog.WithoutReferences("package bpexec"); err != nil {
		return nil, err
	}
	if err := g.WithoutThreads("package bpexec"); err != nil {
		return nil, err
	}
	opts.MaxEdges = cmp.Or(opts.MaxEdges, 4_000_000)
	opts.MaxVars = cmp.Or(opts.MaxVars, 20)
	r := &reacher{opts: opts, result: &Reachable{graph: g, failing: map[Site]bool{}}}
	// 1. Refuse programs that are too large to enumerate.
	for _, p := range g.Procs {
		if n := len(g.Globals) + len(p.Vars); n > min(opts.MaxVars, 60) {
			return nil, fmt.Errorf("procedure %s has %d variables in scope, more than can be enumerated", p.Proc.Name, n)
		}
		if p.Proc.Results > 64 {
			return nil, fmt.Errorf("procedure %s has more than 64 results", p.Proc.Name)
		}
		nodes := make([]map[State]bool, len(p.Nodes))
		for i := range nodes {
			nodes[i] = map[State]bool{}
		}
		r.result.states = append(r.result.states, nodes)
		r.runs = append(r.runs, map[entry]*run{})
	}
	r.result.runs = r.runs
	// 2. Explore.
	if err := r.loop(ctx, g); err != nil {
		return nil, err
	}
	return r.result, nil
}

// run is the execution of a procedure from one entry, all its paths together.
type run struct {
	proc    *boolprog.ProcGraph
	seen    map[Step]bool // path edges: nodes with states that the entry reaches
	callers []caller      // the calls that wait for its returns
	exits   []Step        // its summary: the states and results with which it returns
}

// caller is a call that waits: a run, at a call node, in a state.
type caller struct {
	run   *run
	node  int
	state State
}

// edge is a path edge that was not propagated yet.
type edge struct {
	run  *run
	step Step
}

// reacher is the state of the exploration.
type reacher struct {
	opts   Options
	result *Reachable
	runs   []map[entry]*run // by procedure
	edges  int
	work   []edge
}

// loop starts main with all globals and parameters, and propagates until nothing is new.
func (r *reacher) loop(ctx context.Context, g *boolprog.Graph) error {
	for globals := uint64(0); globals < 1<<len(g.Globals); globals++ {
		for params := uint64(0); params < 1<<len(g.Main.Proc.Params); params++ {
			r.enterRun(g.Main, entry{globals, params})
		}
	}
	for steps := 0; len(r.work) > 0; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if r.edges > r.opts.MaxEdges {
			return fmt.Errorf("more than %d path edges", r.opts.MaxEdges)
		}
		// Take the latest path edge: depth first.
		e := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		r.step(e.run, e.step)
	}
	return nil
}

// enterRun returns the run of p from e. A new run is started.
func (r *reacher) enterRun(p *boolprog.ProcGraph, e entry) *run {
	// A run from the same entry is there already.
	if old, ok := r.runs[p.Index][e]; ok {
		return old
	}
	x := &run{proc: p, seen: map[Step]bool{}}
	r.runs[p.Index][e] = x
	for _, s := range start(p, e) {
		if Enforced(p, s) {
			r.reach(x, Step{Node: p.Entry, State: s})
		}
	}
	return x
}

// reach adds a path edge to a run.
func (r *reacher) reach(x *run, at Step) {
	if x.seen[at] {
		return
	}
	x.seen[at] = true
	r.edges++
	r.result.states[x.proc.Index][at.Node][at.State] = true
	r.work = append(r.work, edge{x, at})
}

// step propagates a path edge of a run.
func (r *reacher) step(x *run, at Step) {
	n := x.proc.Nodes[at.Node]
	switch n.Kind {
	case boolprog.NodeCall:
		// A call: enter the callee, wait for its returns, and take those that are there.
		for _, params := range combinations(x.proc, n.Call.Args, at.State) {
			callee := r.enterRun(n.Callee, entry{at.State.Globals, params})
			c := caller{x, at.Node, at.State}
			callee.callers = append(callee.callers, c)
			for _, exit := range callee.exits {
				r.resume(c, exit)
			}
		}
	case boolprog.NodeExit:
		// A return: resume all calls that wait. The list may grow meanwhile.
		x.exits = append(x.exits, at)
		for _, c := range slices.Clone(x.callers) {
			r.resume(c, at)
		}
	default:
		// Any other node.
		if Failing(x.proc, at.Node, at.State) {
			r.result.failing[Site{x.proc.Index, at.Node}] = true
		}
		for _, next := range Successors(x.proc, at.Node, at.State) {
			r.reach(x, next)
		}
	}
}

// resume propagates a return of the callee to a call, unless the caller's enforce clause forbids
// the state.
func (r *reacher) resume(c caller, exit Step) {
	s := Return(c.run.proc, c.node, c.state, exit.State.Globals, exit.Results)
	if Enforced(c.run.proc, s) {
		r.reach(c.run, Step{Node: c.run.proc.Nodes[c.node].Succ[0], State: s})
	}
}

package refexec

import (
	"cmp"
	"context"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file explores all states of a program, breadth first.

// Options limits Explore.
type Options struct {
	MaxStates int // most states; 0 is 1,000,000
	MaxDepth  int // most frames on the stack; 0 is 8
	MaxHeap   int // most reachable objects of a state; 0 is 12
}

// Result is the result of Explore.
type Result struct {
	Failures []bpexec.Site      // the assertions that can fail, in program order
	Nulls    []bpexec.Site      // the nodes where a null can be dereferenced, in program order
	Labels   []bpexec.LabelSite // the reachable labels, in program order
	Nodes    [][]bool           // by procedure and node: can control reach it
	States   int                // the number of states visited

	// Complete reports that these are all. Otherwise everything in the result is reachable, there
	// may be more, and Cut names the limits that cut something off.
	Complete bool
	Cut      Cut
}

// Cut names limits of Options that cut something off.
type Cut struct{ States, Depth, Heap bool }

// Explore runs a program in every possible way. It fails only with ctx.Err().
func Explore(ctx context.Context, g *boolprog.Graph, opts Options) (*Result, error) {
	opts.MaxStates = cmp.Or(opts.MaxStates, 1_000_000)
	opts.MaxDepth = cmp.Or(opts.MaxDepth, 8)
	opts.MaxHeap = cmp.Or(opts.MaxHeap, 12)
	x := &explorer{
		ctx: ctx, graph: g, opts: opts,
		seen: map[string]bool{}, reached: map[bpexec.Site]bool{}, failing: map[bpexec.Site]bool{}, nulls: map[bpexec.Site]bool{},
	}
	x.tapes(x.start)
	// Continue each state along all tapes.
	for len(x.queue) > 0 && !x.stopped() {
		s := x.queue[0]
		x.queue = x.queue[1:]
		x.tapes(func(t *tape) { x.step(s.clone(), t) })
	}
	return x.result(), ctx.Err()
}

// explorer is the state of an exploration.
type explorer struct {
	ctx   context.Context
	graph *boolprog.Graph
	opts  Options
	seen  map[string]bool
	queue []*state // states that were visited and not continued yet
	cut   Cut

	reached, failing, nulls map[bpexec.Site]bool
}

// tapes calls do with one tape after the other, until all sequences of choices were made.
func (x *explorer) tapes(do func(*tape)) {
	// The first tape has only choices of 0.
	t := &tape{}
	for more := true; more && !x.stopped(); more = t.next() {
		do(t)
	}
}

// stopped reports whether the exploration must end.
func (x *explorer) stopped() bool { return x.cut.States || x.ctx.Err() != nil }

// run returns a step from s with the choices of t.
func (x *explorer) run(s *state, t *tape) *run {
	return &run{prog: x.graph.Prog, tape: t, state: s}
}

// start visits the initial state of the program along one tape.
func (x *explorer) start(t *tape) {
	// Globals and parameters of main are arbitrary; references are null.
	s := &state{}
	r := x.run(s, t)
	for _, v := range x.graph.Globals {
		s.globals = append(s.globals, r.arbitrary(v.Type()))
	}
	var params []value
	for _, v := range x.graph.Main.Proc.Params {
		params = append(params, r.arbitrary(v.Type()))
	}
	r.enter(x.graph.Main, params)
	x.visit(s)
}

// step continues s, which it may change, along one tape.
func (x *explorer) step(s *state, t *tape) {
	r := x.run(s, t)
	switch r.step() {
	case goesOn:
		x.visit(s)
	// A failure or null dereference ends the run.
	case fails:
		x.failing[siteOf(s)] = true
	case isNull:
		x.nulls[siteOf(s)] = true
	}
}

// siteOf returns the node of the top frame.
func siteOf(s *state) bpexec.Site { return bpexec.Site{Proc: s.top().proc.Index, Node: s.top().node} }

// visit queues a state unless it was visited, exceeds a limit, or is forbidden by an enforce
// clause.
func (x *explorer) visit(s *state) {
	clause := s.top().proc.Proc.Enforce
	if clause == nil {
		x.add(s)
		return
	}
	if text, _ := s.text(); x.seen[text] {
		return
	}
	// The clause holds if some choices make it true. What it decides remains decided.
	x.tapes(func(t *tape) {
		now := s.clone()
		switch x.run(now, t).condition(clause) {
		case goesOn:
			x.add(now)
		case isNull:
			x.nulls[siteOf(now)] = true
		}
	})
}

// add queues a state that the enforce clause allows.
func (x *explorer) add(s *state) {
	text, objects := s.text()
	switch {
	case x.seen[text]:
	// Note the limit that cuts the state off.
	case len(s.frames) > x.opts.MaxDepth:
		x.cut.Depth = true
	case objects > x.opts.MaxHeap:
		x.cut.Heap = true
	case len(x.seen) == x.opts.MaxStates:
		x.cut.States = true
	default:
		x.seen[text] = true
		x.reached[siteOf(s)] = true
		x.queue = append(x.queue, s)
	}
}

// result lists the findings in program order.
func (x *explorer) result() *Result {
	r := &Result{States: len(x.seen), Cut: x.cut, Complete: x.cut == Cut{}}
	// Program order.
	for i, p := range x.graph.Procs {
		nodes := make([]bool, len(p.Nodes))
		for j, n := range p.Nodes {
			site := bpexec.Site{Proc: i, Node: j}
			if x.failing[site] {
				r.Failures = append(r.Failures, site)
			}
			if x.nulls[site] {
				r.Nulls = append(r.Nulls, site)
			}
			if nodes[j] = x.reached[site]; !nodes[j] {
				continue
			}
			for _, l := range n.Labels {
				r.Labels = append(r.Labels, bpexec.LabelSite{Proc: p.Proc.Name, Label: l})
			}
		}
		r.Nodes = append(r.Nodes, nodes)
	}
	return r
}

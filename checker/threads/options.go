package threads

import (
	"cmp"
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/explicit"
	"c2bp/checker/lower"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file defines what is searched, and the result.

// Options bounds a search.
type Options struct {
	Contexts *int // most context switches of a run; nil is no bound
	States   int  // most states; 0 is no limit
	HeapPath int  // longest path of references from a variable to an object; 0 is explicit.DefaultHeapPath
}

// Limits that no option changes. Only recursion and threads that start threads meet them.
const (
	mostCalls   = 1000 // frames of a thread
	mostThreads = 200  // threads that have not ended
)

// Result is the result of a search. All that it says to be reachable is; there may be more if Open says so.
type Result struct {
	Open     string // why not all runs were explored; "" if all were
	Switches int    // with a bound: the greatest number of context switches that led to a state not seen before

	*search
}

// Search explores the runs of a program. It fails with ctx.Err() and the result so far.
func Search(ctx context.Context, g *boolprog.Graph, opts Options) (*Result, error) {
	opts.HeapPath = cmp.Or(opts.HeapPath, explicit.DefaultHeapPath)
	p := lower.Program(g)
	x := &search{graph: g, prog: p, opts: opts, m: zom.NewMachine(p), s: zom.NewState(p), ids: map[string]int32{}}
	x.m.Visited = func(proc, node int32) {
		x.visited = append(x.visited, explicit.Point{Proc: int(proc), Node: int(node)})
	}
	x.place()
	for _, f := range []*[][]arrival{&x.reached, &x.failed, &x.nulls} {
		for _, p := range g.Procs {
			list := make([]arrival, len(p.Nodes))
			for i := range list {
				list[i].from = nowhere
			}
			*f = append(*f, list)
		}
	}
	r := &Result{search: x}
	return r, r.run(ctx)
}

// Reached reports whether a thread can execute the statement at p.
func (x *search) Reached(p explicit.Point) bool { return x.reached[p.Proc][p.Node].from != nowhere }

// CanFail reports whether p is an assertion that can fail.
func (x *search) CanFail(p explicit.Point) bool { return x.failed[p.Proc][p.Node].from != nowhere }

// UsesNull reports whether a field of null can be asked for at p.
func (x *search) UsesNull(p explicit.Point) bool { return x.nulls[p.Proc][p.Node].from != nowhere }

// Stats returns the work counters.
func (r *Result) Stats() []verdict.Stat {
	list := []verdict.Stat{
		{Name: "states", Value: int64(len(r.keys))},
		{Name: "bytes of states", Value: int64(r.bytes)},
		{Name: "steps", Value: r.steps},
		{Name: "most threads", Value: int64(r.most)},
	}
	if r.opts.Contexts != nil {
		list = append(list, verdict.Stat{Name: "context switches", Value: int64(r.Switches)})
	}
	return list
}

// limit returns the reason to stop at the present state, whose form is written, after a step of a process;
// "" if the search goes on.
func (x *search) limit(process int) string {
	switch {
	case x.opts.States > 0 && len(x.keys) > x.opts.States:
		return fmt.Sprintf("limit of %d states reached", x.opts.States)
	case len(x.s.Procs[process].Frames) > mostCalls:
		return fmt.Sprintf("calls nested more than %d deep", mostCalls)
	case len(x.s.Procs) > mostThreads:
		return fmt.Sprintf("more than %d threads at a time", mostThreads)
	case x.canon.Depth > x.opts.HeapPath:
		return fmt.Sprintf("heap path longer than %d", x.opts.HeapPath)
	}
	return ""
}

package symbolic

import (
	"context"

	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/varorder"
)

// This file defines the memory of the engine: the context under which decision diagrams are made,
// when garbage is collected, and the GC roots that survive.

// space is the decision diagrams of a solution, with the GC roots of the computations on them.
type space struct {
	m         *bdd.Manager
	opts      *Options
	ctx       context.Context // of the exported method that is running; see Within
	lasting   []GCRoots       // GC roots for good
	roots     []GCRoots       // GC roots of the computations under way
	reorderAt int             // nodes in use at the next reordering
	arranged  int             // nodes in use after the last reordering, or after that of opts.Start; 0 if there was none
}

// GCRoots keeps the diagrams that a computation still needs through a collection.
type GCRoots interface{ Keep(func(bdd.Ref)) }

// reorderFirst is the number of nodes in use after a collection at which the variables are
// reordered for the first time; it doubles each time.
const reorderFirst = 50_000

// newSpace returns a manager with so many levels.
func newSpace(levels int, opts *Options) *space {
	x := &space{opts: opts, ctx: context.Background()}
	x.m = bdd.New(levels, bdd.Options{
		NodeLimit: opts.NodeLimit,
		Poll:      func() error { return x.ctx.Err() },
	})
	if x.reorderAt = reorderFirst; opts.ReorderAt > 0 {
		x.reorderAt = opts.ReorderAt
	}
	// A reused order has paid for a reordering already, up to twice its size.
	if o := opts.Start; o != nil {
		x.arranged = o.Nodes
		x.reorderAt = max(x.reorderAt, 2*o.Nodes)
	}
	return x
}

// SafePoint notices cancellation, collects garbage and, if the diagrams have become large, reorders
// the variables. A Ref that is to survive must be among the GC roots.
func (x *space) SafePoint() {
	x.m.Check()
	if x.m.NeedsCollection() || x.opts.CollectEach {
		// 1. Collect garbage.
		x.m.Collect(x.keepAll)
		// 2. Reorder if many nodes are left.
		if x.m.Size() >= x.reorderAt && !x.opts.ReorderNever {
			if x.opts.ReorderAt == 0 {
				x.reorderAt *= 2
			}
			x.m.Reorder(int(varorder.Versions), x.keepAll)
			x.arranged = x.m.Size()
		}
	}
}

// Manager returns the manager of the decision diagrams.
func (x *space) Manager() *bdd.Manager { return x.m }

// AddRoots keeps the roots of r for good.
func (x *space) AddRoots(r GCRoots) { x.lasting = append(x.lasting, r) }

// PushRoots keeps the roots of r until PopRoots or the end of Within.
func (x *space) PushRoots(r GCRoots) { x.roots = append(x.roots, r) }

// PopRoots takes back the last PushRoots.
func (x *space) PopRoots() { x.roots = x.roots[:len(x.roots)-1] }

// keepAll names every Ref that outlives a step.
func (x *space) keepAll(keep func(bdd.Ref)) {
	for _, r := range x.lasting {
		r.Keep(keep)
	}
	for _, r := range x.roots {
		r.Keep(keep)
	}
}

// Keep names the diagrams of the solution.
func (s *Solution) Keep(keep func(bdd.Ref)) {
	for _, r := range s.path {
		keep(r)
	}
	for _, p := range s.Procs {
		p.keep(keep)
	}
	for i := range s.edges {
		s.edges[i].keep(keep)
	}
}

// Keep names the path edges that wait.
func (s *solver) Keep(keep func(bdd.Ref)) {
	for _, r := range s.frontier {
		keep(r)
	}
}

func (e *Edge) keep(keep func(bdd.Ref)) {
	keep(e.Rel)
	keep(e.old)
	keep(e.check)
}

func (p *Proc) keep(keep func(bdd.Ref)) {
	for _, r := range []bdd.Ref{p.Identity, p.Enforce, p.summary} {
		keep(r)
	}
	for _, c := range p.Clauses {
		keep(c.Set)
	}
	for _, c := range p.Callers { // every call site is in one such list
		for _, r := range []bdd.Ref{c.Args, c.Binding, c.Clobber, c.inside, c.leave} {
			keep(r)
		}
		c.Summary.keep(keep)
	}
	for _, inc := range p.Increments {
		keep(inc.Rel)
	}
}

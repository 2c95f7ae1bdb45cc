package interleave

import (
	"context"
	"slices"

	"c2bp/checker/movers"
	"c2bp/checker/zom"
)

// This file explores with transactions (Lipton 1975; Qadeer–Rajamani–Rehof 2004; Andrews et al. 2004, §3.1).
//
// # Transactions
//
// A transaction is a sequence of steps of one process that others need not come between: right movers, at most one
// step that moves to neither side, left movers. Until the first step that is no right mover it is in phase pre,
// then in phase post: it has committed. From a boundary, each process that can run makes a transaction; where it
// ends is a boundary again. A transaction ends
//
//	in phase post, before a step that is no left mover, and before one that fails or is cut by an assumption
//	where the process waits, or has ended
//	in phase pre, before a step that can wait, if a lock was taken; only deadlocks need it
//	in phase post, at a head (movers.Facts.Heads) that was met since the commit
//
// The type of a step is known when it was made, so it is made for its type first, with all its alternatives, and undone if
// the transaction ends before it.
//
// # States
//
// A boundary is a state, who holds which locks, and which objects no second process could reach so far. Inside a transaction only states at heads and after choices
// are remembered, with the process, the phase, whether a lock was taken, and the heads that were met.
//
// # The table
//
// Which locations are protected by locks is found out on the way; see protect.go.

// Reduction is what a reduced search tells beside the result.
type Reduction struct {
	Boundaries int // states between transactions
	Inside     int // remembered states inside of them
	Restarts   int
	Table      []Protection

	Summaries bool // the rest is about these

	Computed int // roots of summaries, in the last exploration
	LookedUp int // calls for which one was looked up
	Found    int // those for which one was there
}

// reducer is the state of a reduced search.
type reducer struct {
	*engine
	facts    *movers.Facts
	table    *table
	o        observer
	inside   *store
	moves    map[ID][]byte // by boundary: the moves from the one before it; see encode
	restarts int
	two      *level2 // nil without summaries

	// Of the present transaction.

	from ID     // the boundary at which it begins
	path []Move // its moves so far

	held  []hold     // in the present state
	fresh []zom.Word // in the present state: the objects that no second process could reach so far, sorted
	sites []zom.Word
	extra []byte // memory
	queue []ID   // boundaries to go on from
}

// reduced explores with transactions.
func (e *engine) reduced() {
	r := &reducer{engine: e, facts: movers.Analyse(e.model.Prog, e.opts.Cooperative)}
	r.table = newTable(r.facts)
	r.o.r = r
	for r.pass(); r.table.shrunk && !r.over() && r.r.Open == ""; r.pass() {
		r.restarts++
	}
	r.r.Distinct = r.store.count
	r.r.Reduction = &Reduction{Boundaries: r.store.count, Inside: r.inside.count, Restarts: r.restarts, Table: r.table.lines(r.model.Roots, r.model.Prog)}
	if two := r.two; two != nil {
		r.r.Reduction.Inside += two.states
		r.r.Reduction.Summaries = true
		r.r.Reduction.Computed, r.r.Reduction.LookedUp, r.r.Reduction.Found = two.computed, two.lookups, two.found
	}
	r.r.Stored = r.store.count + r.r.Reduction.Inside
	r.r.Bytes = r.store.size() + r.inside.size()
	for _, m := range r.moves {
		r.r.Bytes += int64(len(m)) + 64
	}
}

// pass explores from the initial state, until the table shrinks.
func (r *reducer) pass() {
	r.table.shrunk = false
	r.store, r.inside, r.moves = newStore(newParts()), newStore(newParts()), map[ID][]byte{}
	r.r.Pruned, r.r.Ends, r.held, r.fresh, r.queue = 0, 0, nil, nil, nil
	if r.opts.Summaries {
		r.two = r.newLevel2() // all roots of the former table are dropped
	}
	r.m.Initial(r.s, r.model.Roots)
	for w := 1; w <= r.s.News() && len(r.s.Procs) < 2; w++ {
		r.fresh = append(r.fresh, zom.Word(w))
	}
	r.path, r.from = nil, none
	r.boundary()
	for len(r.queue) > 0 && !r.halted() {
		r.transactions(r.dequeue())
	}
}

// dequeue returns the boundary to go on from: depth first, the one that was met last.
func (r *reducer) dequeue() (id ID) {
	if last := len(r.queue) - 1; r.opts.Search == Depth {
		id, r.queue = r.queue[last], r.queue[:last]
	} else {
		id, r.queue = r.queue[0], r.queue[1:]
	}
	return id
}

// halted reports whether the pass ends.
func (r *reducer) halted() bool {
	inside := r.inside.count
	if r.two != nil {
		inside += r.two.states
	}
	if r.opts.MaxStates > 0 && r.store.count+inside > r.opts.MaxStates {
		r.r.Open = "limit of " + plural(r.opts.MaxStates, "state") + " reached"
	}
	if err := r.ctx.Err(); err != nil {
		r.r.Open = context.Cause(r.ctx).Error()
	}
	return r.table.shrunk || r.over() || r.r.Open != ""
}

// transactions makes the transactions of all processes from a boundary.
func (r *reducer) transactions(id ID) {
	r.read(id)
	r.from, r.path = id, r.path[:0]
	// 1. Who can run? What a process looks at that waits counts as used.
	r.status = r.status[:0]
	runs, waits := false, false
	for p := range r.s.Procs {
		st := zom.Completed
		if r.s.Top(p) != nil {
			r.o.begin(p, true, r.held)
			r.m.Observed = r.o.see
			st = r.m.Status(r.s, p)
			r.m.Observed = nil
		}
		r.status = append(r.status, st)
		runs, waits = runs || st == zom.Runnable, waits || st == zom.Waiting
	}
	if !runs {
		r.r.Ends++
		if waits && !r.opts.NoDeadlocks {
			r.fail(Failure{Kind: Deadlock, Process: -1, Node: r.waitsAt()}, func() []Move { return r.way(id) })
		}
	}
	// 2. A transaction of each.
	at := r.now()
	status := slices.Clone(r.status)
	for p, st := range status {
		if st == zom.Runnable && !r.halted() {
			r.walk(transaction{process: p})
			r.back(at)
		}
	}
}

// othersMay reports whether a process other than one may still use a location in one of some ways.
func (r *reducer) othersMay(process int, location int32, list []movers.Use) bool {
	for q := range r.s.Procs {
		if q == process {
			continue
		}
		for i := range r.s.Procs[q].Frames {
			for _, u := range list {
				if r.facts.May(&r.s.Procs[q].Frames[i], location, u) {
					return true
				}
			}
		}
	}
	return false
}

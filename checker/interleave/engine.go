package interleave

import (
	"context"
	"fmt"

	"c2bp/checker/zom"
)

// This file defines the frame of all searches.

// engine is the state of a search.
type engine struct {
	ctx   context.Context
	model Model
	opts  Options
	m     *zom.Machine
	s     *zom.State
	canon zom.Canon
	ranks bool
	told  bool // forms tell all of a state; see zom.Canon.Rest
	lost  bool // see stuck.go
	store *store
	r     Result

	place   place
	present present
	memo    *memo
	names   *renumbering
	fixed   bool // the parts of the store must not change
	piece   int  // see team

	// edge is told each transition of a search breadth first; may be nil.
	edge func(from, to ID, mv Move, o zom.Outcome)

	node   int32        // where the step that was taken last begins
	newest ID           // the state that was stored last
	status []zom.Status // of the processes of the present state
	buffer []byte       // memory for keep
}

// Explore explores a model. An interrupt by ctx is a reason of Open.
func Explore(ctx context.Context, model Model, opts Options) *Result {
	return newEngine(ctx, model, opts).explore()
}

// newEngine returns an engine that has explored nothing.
func newEngine(ctx context.Context, model Model, opts Options) *engine {
	e := &engine{ctx: ctx, model: model, opts: opts, m: zom.NewMachine(model.Prog), s: zom.NewState(model.Prog), ranks: model.Prog.Ranks(), store: newStore(newParts()), memo: newMemo(), names: newRenumbering(model.Prog), piece: pieceStates}
	e.m.Cooperative = opts.Cooperative
	e.told = !e.ranks && !model.Prog.Handles() && !opts.Stuck
	return e
}

// explore makes the search.
func (e *engine) explore() *Result {
	if e.initial() {
		if e.opts.Reduce {
			e.reduced()
			return &e.r
		}
		switch e.opts.Search {
		case Depth:
			e.depth()
		case Random:
			e.random()
		case Delay, Preemption:
			e.scheduled()
		default:
			e.breadth()
		}
	}
	e.r.Stored, e.r.Bytes = e.store.count, e.store.size()
	return &e.r
}

// initial makes e.s the initial state, and reports whether there is more to explore.
func (e *engine) initial() bool {
	e.r.Distinct = 1
	if o := e.m.Initial(e.s, e.model.Roots); o != zom.Stepped {
		e.fail(Failure{Kind: Step, Outcome: o, Node: e.m.Record.Node, Process: -1}, nil)
		return false
	}
	if !e.opts.NoDeadlocks && e.deadlocked() {
		e.fail(stopped(e.waitsAt(), -1), nil)
	}
	return !e.over()
}

// stopped records why the search ends if a limit is reached.
func (e *engine) stopped() bool {
	switch {
	case e.opts.MaxStates > 0 && e.store.count > e.opts.MaxStates:
		e.r.Open = fmt.Sprintf("limit of %d states reached", e.opts.MaxStates)
	case e.r.Transitions&1023 == 0 && e.ctx.Err() != nil:
		e.r.Open = context.Cause(e.ctx).Error()
	}
	return e.r.Open != ""
}

// keep stores the present state, and reports whether it is new.
func (e *engine) keep(parent ID) (ID, bool) {
	e.writeForm()
	return e.keepForm(parent)
}

// keepForm is keep for a state whose form is written.
func (e *engine) keepForm(parent ID) (ID, bool) {
	id, isNew := e.store.add(e.canon.Out, e.canon.Cuts, parent)
	if isNew {
		e.newest = id
		if e.told {
			return id, true
		}
		if rest := e.restOf(); rest != nil {
			e.store.rest[id] = append([]byte(nil), rest...)
		}
	}
	return id, isNew
}

// restOf returns the part of the present state, whose form is written, that the form does not tell; nil if there is
// nothing to tell. It is valid until the next call.
func (e *engine) restOf() []byte {
	e.buffer = e.canon.Rest(e.buffer[:0], e.ranks)
	for _, b := range e.buffer {
		if b != 0 {
			return e.buffer
		}
	}
	return nil
}

// load makes a stored state the present one.
func (e *engine) load(id ID) {
	e.present.s = nil
	r := zom.Reader{In: e.withoutMark(e.store.get(id))}
	r.Multi(e.s, e.store.rest[id], e.ranks)
}

// moves returns the number of moves from the present state. Move i is then move(i).
func (e *engine) moves() (n int) {
	if e.s.Pending != 0 {
		return int(e.m.Alternatives(e.s))
	}
	// A step of each process that can run.
	e.status = e.status[:0]
	for p := range e.s.Procs {
		st := e.m.Status(e.s, p)
		if st == zom.Runnable {
			n++
		}
		e.status = append(e.status, st)
	}
	return n
}

// count counts the present state, a stored one that has n moves.
func (e *engine) count(id ID, n int) { e.countAs(id, n, len(e.s.Procs), e.s.Pending != 0) }

// countAs counts a stored state that has n moves. The initial state is counted from the start.
func (e *engine) countAs(id ID, n, procs int, pending bool) {
	switch {
	case n == 0:
		e.r.Ends++
	case id == first:
	case n >= 2 && pending, !pending && procs >= 2:
		e.r.Distinct++
	}
}

// move returns move i of those that moves has counted, for the state without a change.
func (e *engine) move(i int) Move {
	if e.s.Pending != 0 {
		return Move{int(e.s.Pending) - 1, int32(i)}
	}
	for p, st := range e.status {
		if st == zom.Runnable {
			if i == 0 {
				return Move{p, -1}
			}
			i--
		}
	}
	panic("interleave: no such move")
}

// take makes a move from the present state, and returns its outcome. A failure is recorded; run returns the
// moves that lead to the present state.
func (e *engine) take(mv Move, run func() []Move) zom.Outcome {
	e.r.Transitions++
	top := e.s.Top(mv.Process)
	e.node = e.model.Prog.Procs[top.Proc].Blocks[top.PC].Node
	o := e.m.Step(e.s, mv.Process, mv.Pick)
	f := Failure{Kind: Step, Outcome: o, Node: e.m.Record.Node, Process: mv.Process}
	e.outcome(o, f, func() []Move { return append(run(), mv) })
	return o
}

// outcome counts the outcome of a move, and records the failure if it is one.
func (e *engine) outcome(o zom.Outcome, f Failure, run func() []Move) {
	switch o {
	case zom.Stepped:
	case zom.Ended:
		if e.r.Pruned++; e.r.Pruned == 1 {
			e.r.PrunedAt = e.r.Levels + 1
		}
	default:
		e.fail(f, run)
	}
}

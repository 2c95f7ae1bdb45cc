package interleave

import (
	"context"
	"fmt"
	"slices"

	"c2bp/checker/zom"
)

// This file defines the frame of all searches.

// Model is what is explored: a program, and the procedures of the processes with which it begins, in order.
type Model struct {
	Prog  *zom.Program
	Roots []int
}

// Search is a way to explore.
type Search int

// The searches.
const (
	Breadth Search = iota
	Depth
	Bounded    // Options.Bound is the number of states of a run
	Random     // Options.Bound is the number of runs, Options.Length that of steps of a run
	Delay      // Options.Bound is the number of delays
	Preemption // Options.Bound is the number of preemptions
)

// Options choose a search and its limits.
type Options struct {
	Search      Search
	Bound       int
	Length      int
	Seed        uint64
	NoDeadlocks bool // a deadlock is the end of a run, and no failure
	// MissDeadlocks leaves out the deadlocks to which only steps lead that go on after a choice, as the first
	// checker of the language did.
	MissDeadlocks bool
	Cooperative   bool // only yield lets another process run
	All           bool // the search goes on after a failure
	MaxStates     int  // the number of states that may be stored; 0 is no limit
}

// Kind is the kind of a failure.
type Kind int

// The kinds of failures.
const (
	Deadlock Kind = iota
	Step          // a step fails: Failure.Outcome says how
)

// Failure is a failure that was found.
type Failure struct {
	Kind    Kind
	Outcome zom.Outcome
	Node    int32 // the node that fails
	Process int   // the process that fails
	Moves   []Move
}

// States returns the number of states on the run to the failure.
func (f *Failure) States() int { return len(f.Moves) + 1 }

// Move is a transition: a step of a process or, if a choice is pending, an alternative.
type Move struct {
	Process int
	Pick    int32 // the number of the alternative, or -1
}

// Result is the result of a search.
type Result struct {
	// Failures are those that were found, the first one of each node. In a search breadth first each
	// has a shortest run.
	Failures []*Failure
	Open     string // why not all was explored; "" if all was

	Distinct    int // states; see the package documentation
	Stored      int // all states that were met
	Transitions int
	Pruned      int // runs that end at an assumption
	PrunedAt    int // the number of states on the shortest of them, if the search is breadth first
	Ends        int // states in which nothing can run, without deadlock
	Levels      int // the greatest number of states on a run that was looked at; 0 if it is not known
	Bytes       int64
}

// engine is the state of a search.
type engine struct {
	ctx   context.Context
	model Model
	opts  Options
	m     *zom.Machine
	s     *zom.State
	canon zom.Canon
	ranks bool
	store *store
	r     Result

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
	e := &engine{ctx: ctx, model: model, opts: opts, m: zom.NewMachine(model.Prog), s: zom.NewState(model.Prog), ranks: model.Prog.Ranks(), store: newStore(newParts())}
	e.m.Cooperative = opts.Cooperative
	return e
}

// explore makes the search.
func (e *engine) explore() *Result {
	if e.initial() {
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
		e.fail(Failure{Kind: Deadlock, Node: e.waitsAt(), Process: -1}, nil)
	}
	return !e.over()
}

// fail records a failure, unless one of its kind and node is known. The moves that lead to the failing
// state, which is the present one, are those of run, if there are any.
func (e *engine) fail(f Failure, run func() []Move) {
	for _, g := range e.r.Failures {
		if g.Kind == f.Kind && g.Outcome == f.Outcome && g.Node == f.Node {
			return
		}
	}
	if run != nil {
		f.Moves = run()
	}
	e.r.Failures = append(e.r.Failures, &f)
}

// over reports whether a failure ends the search.
func (e *engine) over() bool { return len(e.r.Failures) > 0 && !e.opts.All }

// expand makes all moves from a stored state, and reports whether the search goes on.
func (e *engine) expand(id ID) bool {
	e.load(id)
	n := e.moves()
	e.count(id, n)
	run := func() []Move { return e.run(id) }
	mark := e.s.Mark()
	for i := range n {
		mv := e.move(i)
		o := e.take(mv, run)
		to := none
		if o == zom.Stepped {
			isNew := false
			if to, isNew = e.keep(id); isNew || e.opts.MissDeadlocks {
				e.stuck(mv, run)
			}
		}
		if e.edge != nil {
			e.edge(id, to, mv, o)
		}
		if e.over() || e.stopped() {
			return false
		}
		e.s.Undo(mark)
	}
	return true
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
	e.canon.Multi(e.s)
	id, isNew := e.store.add(e.canon.Out, e.canon.Cuts, parent)
	if isNew {
		e.newest = id
		e.buffer = e.canon.Rest(e.buffer[:0], e.ranks)
		for _, b := range e.buffer {
			if b != 0 {
				e.store.rest[id] = append([]byte(nil), e.buffer...)
				break
			}
		}
	}
	return id, isNew
}

// load makes a stored state the present one.
func (e *engine) load(id ID) {
	r := zom.Reader{In: e.store.get(id)}
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

// count counts a state that has n moves. The initial state is counted from the start.
func (e *engine) count(id ID, n int) {
	switch {
	case n == 0:
		e.r.Ends++
	case id == first:
	case n >= 2 && e.s.Pending != 0, e.s.Pending == 0 && len(e.s.Procs) >= 2:
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
	f := e.s.Top(mv.Process)
	e.node = e.model.Prog.Procs[f.Proc].Blocks[f.PC].Node
	o := e.m.Step(e.s, mv.Process, mv.Pick)
	switch o {
	case zom.Stepped:
	case zom.Ended:
		if e.r.Pruned++; e.r.Pruned == 1 {
			e.r.PrunedAt = e.r.Levels + 1
		}
	default:
		e.fail(Failure{Kind: Step, Outcome: o, Node: e.m.Record.Node, Process: mv.Process}, func() []Move { return append(run(), mv) })
	}
	return o
}

// stuck ends the search if the present state, which a move of a process has reached, is a deadlock.
func (e *engine) stuck(mv Move, run func() []Move) {
	// Nobody is stuck while the process that has moved can run.
	if e.opts.NoDeadlocks || e.opts.MissDeadlocks && mv.Pick >= 0 || e.s.Pending != 0 || e.m.Status(e.s, mv.Process) == zom.Runnable || !e.deadlocked() {
		return
	}
	e.fail(Failure{Kind: Deadlock, Process: mv.Process, Node: e.waitsAt()}, func() []Move { return append(run(), mv) })
}

// waitsAt returns the node of the first process that waits where it should not.
func (e *engine) waitsAt() int32 {
	for p := range e.s.Procs {
		if e.m.Status(e.s, p) == zom.Waiting {
			f := e.s.Top(p)
			code := e.model.Prog.Procs[f.Proc]
			return code.Blocks[code.Blocks[f.PC].Wait].Node
		}
	}
	panic("interleave: no process waits")
}

// deadlocked reports whether no process can run, and one waits where it should not.
func (e *engine) deadlocked() bool {
	waits := false
	for p := range e.s.Procs {
		switch e.m.Status(e.s, p) {
		case zom.Runnable:
			return false
		case zom.Waiting:
			waits = true
		}
	}
	return waits
}

// run returns the moves from the initial state to a stored one.
func (e *engine) run(id ID) []Move {
	var way []ID
	for ; id != none; id = e.store.parent(id) {
		way = append(way, id)
	}
	slices.Reverse(way)
	return e.follow(way)
}

// follow returns the moves from each state to the next.
func (e *engine) follow(way []ID) (list []Move) {
	s, status := e.s, e.status
	e.s, e.status = zom.NewState(e.model.Prog), nil
	for i := 1; i < len(way); i++ {
		list = append(list, e.between(way[i-1], way[i]))
	}
	e.s, e.status = s, status
	return list
}

// between returns the first move from one stored state to another.
func (e *engine) between(from, to ID) Move {
	e.load(from)
	n := e.moves()
	want := slices.Clone(e.store.get(to))
	for i := range n {
		e.load(from)
		mv := e.move(i)
		if e.m.Step(e.s, mv.Process, mv.Pick) != zom.Stepped {
			continue
		}
		if e.canon.Multi(e.s); string(e.canon.Out) == string(want) {
			return mv
		}
	}
	panic("interleave: a stored state is not reached from its parent")
}

package interleave

import (
	"context"
	"slices"

	"c2bp/checker/zom"
)

// This file gives out the states of a model one after the other, with the transitions from each and the events that an
// observer sees: for engines that decide themselves where to go on.

// System is a model whose states are found on the fly.
type System struct {
	e    *engine
	list []Transition
	ok   bool
}

// Transition is a move from a state, with its outcome.
type Transition struct {
	To      ID          // of Stepped
	Events  []zom.Event // likewise
	Outcome zom.Outcome // not Stepped if the step fails or an assumption does not hold
}

// NewSystem returns a system of which only the initial state is known. Of opts, those about the search play no part: a
// system has all steps, and no deadlocks.
func NewSystem(ctx context.Context, model Model, opts Options) *System {
	opts = Options{Cooperative: opts.Cooperative, MaxStates: opts.MaxStates, NoDeadlocks: true, All: true}
	y := &System{e: newEngine(ctx, model, opts)}
	y.e.edge = func(_, to ID, _ Move, o zom.Outcome) {
		tr := Transition{To: to, Outcome: o}
		if o == zom.Stepped {
			tr.Events = slices.Clone(y.e.m.Record.Events)
		}
		y.list = append(y.list, tr)
	}
	if y.ok = y.e.initial(); y.ok {
		y.e.keep(none)
	}
	return y
}

// Initial returns the initial state, and false if an initialiser has failed.
func (y *System) Initial() (ID, bool) { return first, y.ok }

// Expand returns the transitions from a state, processes and alternatives in their order. They are valid until the next
// call. It is to be called once for a state, as Result counts; it returns false if a limit is reached, see Result.Open.
func (y *System) Expand(id ID) ([]Transition, bool) {
	y.list = y.list[:0]
	if y.e.r.Open != "" || !y.e.expand(id) || y.e.stopped() {
		return nil, false
	}
	return y.list, true
}

// Result returns the counters so far, and the failing steps: the first one of each node. A run to it is not a shortest
// one unless states are expanded breadth first.
func (y *System) Result() *Result {
	y.e.r.Stored, y.e.r.Bytes = y.e.store.count, y.e.store.size()
	return &y.e.r
}

// Move returns the first move from one state to another that has these events.
func (y *System) Move(from, to ID, events []zom.Event) Move {
	e := y.e
	e.load(from)
	n := e.moves()
	want := slices.Clone(e.store.get(to))
	for i := range n {
		e.load(from)
		e.moves()
		mv := e.move(i)
		if e.m.Step(e.s, mv.Process, mv.Pick) != zom.Stepped || !slices.Equal(e.m.Record.Events, events) {
			continue
		}
		if e.canon.Multi(e.s); string(e.canon.Out) == string(want) {
			return mv
		}
	}
	panic("interleave: no such move")
}

// State returns a state that is known, and a machine that tells the status of its processes. Both are valid until the
// next call of a method.
func (y *System) State(id ID) (*zom.State, *zom.Machine) {
	y.e.load(id)
	return y.e.s, y.e.m
}

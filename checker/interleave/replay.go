package interleave

import (
	"fmt"

	"c2bp/checker/zom"
)

// This file makes the run to a failure again, move by move, so that it can be checked and shown.

// Replay is a run that is made again. Objects keep their addresses during it.
type Replay struct {
	State   *zom.State
	Machine *zom.Machine // its callbacks may be set before a move

	model Model
}

// NewReplay returns a replay that is at the initial state, and the outcome of reaching it.
func NewReplay(model Model, opts Options) (*Replay, zom.Outcome) {
	r := &Replay{zom.NewState(model.Prog), zom.NewMachine(model.Prog), model}
	r.Machine.Cooperative = opts.Cooperative
	return r, r.Machine.Initial(r.State, model.Roots)
}

// Move makes a move of a failing run. It panics if the process cannot make it.
func (r *Replay) Move(mv Move) zom.Outcome {
	visited, printed := r.Machine.Visited, r.Machine.Printed
	r.Machine.Visited, r.Machine.Printed = nil, nil
	switch {
	case (mv.Pick >= 0) != (int(r.State.Pending) == mv.Process+1):
		panic(fmt.Sprintf("interleave: process %d takes alternative %d, pending is %d", mv.Process, mv.Pick, r.State.Pending))
	case mv.Pick < 0 && r.Machine.Status(r.State, mv.Process) != zom.Runnable:
		panic(fmt.Sprintf("interleave: process %d cannot run", mv.Process))
	}
	r.Machine.Visited, r.Machine.Printed = visited, printed
	return r.Machine.Step(r.State, mv.Process, mv.Pick)
}

// Confirm makes the whole run to a failure again, in a state of its own, and panics unless it fails in the
// same way. A run that is shown is one that was confirmed.
func Confirm(model Model, opts Options, f *Failure) {
	r, o := NewReplay(model, opts)
	for i, mv := range f.Moves {
		if o != zom.Stepped {
			panic(fmt.Sprintf("interleave: move %d of a failing run: %v", i, o))
		}
		o = r.Move(mv)
	}
	switch {
	case f.Kind == Step && o == f.Outcome:
		return
	case f.Kind != Step && o == zom.Stepped && r.endsAs(f, opts):
		return
	}
	panic(fmt.Sprintf("interleave: a failing run ends in %v", o))
}

// endsAs reports whether the present state is a deadlock, or one in which a message was not received, as a failure says.
func (r *Replay) endsAs(f *Failure, opts Options) bool {
	e := engine{model: r.model, opts: opts, m: r.Machine, s: r.State}
	return r.State.Pending == 0 && e.deadlocked() && e.waitsAt() == f.Node
}

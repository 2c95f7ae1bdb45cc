package zingcheck

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"c2bp/checker/conform"
	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file makes transition systems of models, for their comparison.
//
// The states are those of the plain exploration, and the steps its transitions: those with an event have its action, all
// others are hidden. A transition with several events, which an atomic region may have, is as many steps: between two of
// them is a state that is ready for the next event alone. A transition that fails, or that ends at an assumption, is a
// hidden step that leads nowhere.

// actions numbers the events of both models.
type actions struct {
	numbers map[zom.Event]conform.Action
	events  []zom.Event // by action-1
}

// number returns the action of an event.
func (a *actions) number(e zom.Event) conform.Action {
	n, known := a.numbers[e]
	if !known {
		a.events = append(a.events, e)
		n = conform.Action(len(a.events))
		a.numbers[e] = n
	}
	return n
}

// name returns an action as the text of a model would have it.
func (a *actions) name(n conform.Action) string { return eventName(a.events[n-1]) }

// eventName returns an event as the text of a model would have it.
func eventName(e zom.Event) string {
	return fmt.Sprintf("event(%d, %d, %s)", e.Chan, e.Msg, strconv.FormatBool(e.Dir == 1))
}

// between is a state in the middle of a transition: the state to which that leads, and the events that are left.
type between struct {
	to   interleave.ID
	left []zom.Event
}

// system is a model as a transition system.
type system struct {
	*interleave.System
	name    string // "implementation" or "specification"
	file    string // of the model, the first one
	low     *lowerzing.Lowered
	model   interleave.Model
	opts    interleave.Options
	actions *actions

	ids     []interleave.ID // by number: the stored state, or the one to which the transition leads
	middle  map[int]between // the states in the middle of a transition, by number
	numbers map[interleave.ID]int
	keyed   map[string]int // the numbers of the states in the middle
	steps   []conform.Step
}

// newSystem returns a system that knows the initial state of a model.
func newSystem(ctx context.Context, name string, src *zing.Program, opts Options, a *actions) *system {
	low := Lower(src, opts).Lowered
	model := interleave.Model{Prog: low.Prog, Roots: low.Activate}
	y := &system{System: interleave.NewSystem(ctx, model, opts.Options), name: name, file: src.Files[0].Name, low: low, model: model, opts: opts.Options, actions: a,
		middle: map[int]between{}, numbers: map[interleave.ID]int{}, keyed: map[string]int{}}
	if first, ok := y.System.Initial(); ok {
		y.number(first)
	}
	return y
}

// number returns the number of a stored state.
func (y *system) number(id interleave.ID) int {
	n, known := y.numbers[id]
	if !known {
		n = len(y.ids)
		y.ids = append(y.ids, id)
		y.numbers[id] = n
	}
	return n
}

// numberOf returns the number of a state with events left of a transition to a stored state.
func (y *system) numberOf(to interleave.ID, left []zom.Event) int {
	if len(left) == 0 {
		return y.number(to)
	}
	key := binary.AppendUvarint(nil, uint64(to))
	for _, e := range left {
		key = binary.AppendUvarint(key, uint64(y.actions.number(e)))
	}
	n, known := y.keyed[string(key)]
	if !known {
		n = len(y.ids)
		y.ids = append(y.ids, to)
		y.middle[n] = between{to, left}
		y.keyed[string(key)] = n
	}
	return n
}

// Initial returns the initial state.
func (y *system) Initial() int { return 0 }

// Steps returns the steps of a state; an error says which limit was reached.
func (y *system) Steps(n int) ([]conform.Step, error) {
	y.steps = y.steps[:0]
	if m, is := y.middle[n]; is {
		y.event(m.to, m.left)
		return y.steps, nil
	}
	list, ok := y.Expand(y.ids[n])
	if !ok {
		return nil, errors.New(y.Result().Open)
	}
	for _, t := range list {
		switch {
		case t.Outcome != zom.Stepped:
			y.steps = append(y.steps, conform.Step{Action: conform.Hidden, To: conform.Nowhere})
		case len(t.Events) == 0:
			y.steps = append(y.steps, conform.Step{Action: conform.Hidden, To: y.number(t.To)})
		default:
			y.event(t.To, t.Events)
		}
	}
	return y.steps, nil
}

// event adds a step with the first of the events that are left.
func (y *system) event(to interleave.ID, left []zom.Event) {
	y.steps = append(y.steps, conform.Step{Action: y.actions.number(left[0]), To: y.numberOf(to, left[1:])})
}

// moves returns the moves that are a run of steps from the initial state. A run that ends in the middle of a transition
// has all of it.
func (y *system) moves(run []conform.Step) (list []interleave.Move) {
	at := y.ids[0]
	var events []zom.Event
	for i, st := range run {
		if st.Action != conform.Hidden {
			events = append(events, y.actions.events[st.Action-1])
		}
		if m, is := y.middle[st.To]; is {
			if i < len(run)-1 {
				continue
			}
			events = append(events, m.left...)
		}
		to := y.ids[st.To]
		list = append(list, y.Move(at, to, events))
		at, events = to, nil
	}
	return list
}

// hasEvents reports whether the program has an event that may be seen.
func (y *system) hasEvents() bool {
	for _, p := range y.low.Prog.Procs {
		for i := range p.Code {
			if p.Code[i].Op == zom.Observe {
				return true
			}
		}
	}
	return false
}

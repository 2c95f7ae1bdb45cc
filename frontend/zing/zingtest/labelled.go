package zingtest

import "c2bp/frontend/zing"

// This file lists the transitions between states with the events that an observer sees, and finds messages that are
// lost.

// Event is an event that an observer sees: channel, message and direction.
type Event struct {
	Chan, Msg int64
	Dir       bool
}

// Transition is a transition of a labelled system: it leads to state To, or fails.
type Transition struct {
	Events []Event
	To     int
	Kind   Kind // "" if it does not fail
}

// Labelled returns the transitions from each state of a checked program. States are numbered in breadth-first order.
// It reports false if a bound cut the search, or if the initial state fails.
func Labelled(p *zing.Program, options Options) ([][]Transition, bool) {
	if options.Blocks == 0 {
		options.Blocks = 1_000_000
	}
	m := &machine{graph: buildGraph(p), options: options}
	x := &search{machine: m, seen: map[string]*node{}, result: &Result{Lengths: map[Kind]int{}, Sites: map[Site]int{}, Complete: true}}
	s, failure := m.start()
	if failure != nil {
		return nil, false
	}
	x.reach(s, nil, 0)
	numbers := map[string]int{s.canonical(): 0}
	var all [][]Transition
	for ; len(x.queue) > 0 && x.result.Complete; x.queue = x.queue[1:] {
		n := x.queue[0]
		var list []Transition
		try := func(by, process int, chosen value) {
			after, failure := m.step(n.state, process, chosen)
			if failure != nil {
				list = append(list, Transition{Kind: failure.Kind})
				return
			}
			// The test whether processes can run is a step, too.
			events := m.events
			key := after.canonical()
			if _, known := numbers[key]; !known {
				numbers[key] = len(numbers)
			}
			list = append(list, Transition{events, numbers[key], ""})
			x.reach(after, n, by)
		}
		for k, v := range n.state.pending {
			try(k, n.state.chooser, v)
		}
		for _, i := range n.canRun {
			try(i, i, nil)
		}
		all = append(all, list)
	}
	return all, x.result.Complete
}

// observe notes an event.
func (r *run) observe(e *zing.Event) {
	c, m := r.eval(e.Chan).(int64), r.eval(e.Msg).(int64)
	r.events = append(r.events, Event{c, m, r.eval(e.Dir).(bool)})
}

// holdsMessage reports whether one of some objects is a channel with a message.
func (s *state) holdsMessage(some func(ref) bool) bool {
	for at, o := range s.heap {
		if o.of.Kind == zing.KindChan && len(o.elems) > 0 && some(at) {
			return true
		}
	}
	return false
}

// lost reports whether nothing leads to a channel with a message.
func (s *state) lost() bool {
	met := s.reached()
	return s.holdsMessage(func(at ref) bool { _, known := met[at]; return !known })
}

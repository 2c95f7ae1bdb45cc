package refexec

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file follows a run of another program that a Boolean program is meant to simulate: at some nodes,
// the stops, that run tells part of its state, and the Boolean program must have a state like it.

// Simulation is the states of a program that agree with the moments of a run so far.
type Simulation struct {
	x      *explorer
	stops  map[bpexec.Site]bool
	states []*state
	begun  bool
}

// mostSimulated is the number of states that are followed side by side.
const mostSimulated = 1000

// NewSimulation returns the simulation of a run that has not begun.
func NewSimulation(g *boolprog.Graph, stops map[bpexec.Site]bool) *Simulation {
	return &Simulation{x: &explorer{graph: g, opts: Options{MaxStates: mostSimulated, MaxDepth: 1 << 30, MaxHeap: 1 << 30}}, stops: stops}
}

// Advance goes on to the next stop, where the run is at m. It fails if no state of the program is like m, or
// with a *TooManyError. A value of m that is "*" is not told, and an object whose name no value leads to is
// not looked at.
func (s *Simulation) Advance(ctx context.Context, m Moment) error {
	at := s.toStops(ctx)
	if s.x.cut.States {
		return &TooManyError{mostSimulated}
	}
	s.states = s.states[:0]
	for _, t := range at {
		if siteOf(t) == m.Site && len(t.frames) == m.Depth+1 && t.agrees(m) {
			s.states = append(s.states, t)
		}
	}
	if len(s.states) == 0 {
		return fmt.Errorf("no state is like %+v", m)
	}
	return nil
}

// Fails reports whether an assertion can fail before the next stop.
func (s *Simulation) Fails(ctx context.Context) (bool, error) {
	s.toStops(ctx)
	if s.x.cut.States {
		return false, &TooManyError{mostSimulated}
	}
	return len(s.x.failing) > 0, nil
}

// toStops returns the states at the next stops, from those that agreed.
func (s *Simulation) toStops(ctx context.Context) (at []*state) {
	x := s.x
	x.ctx, x.queue, x.cut = ctx, nil, Cut{}
	x.seen, x.reached, x.failing, x.nulls = map[string]bool{}, map[bpexec.Site]bool{}, map[bpexec.Site]bool{}, map[bpexec.Site]bool{}
	// 1. One step from the states where the run was.
	if !s.begun {
		s.begun = true
		x.tapes(x.start)
	}
	for _, t := range s.states {
		x.tapes(func(tape *tape) { x.step(t.clone(), tape) })
	}
	// 2. Further steps up to the stops.
	for len(x.queue) > 0 && !x.stopped() {
		t := x.queue[0]
		x.queue = x.queue[1:]
		if s.stops[siteOf(t)] {
			at = append(at, t)
			continue
		}
		x.tapes(func(tape *tape) { x.step(t.clone(), tape) })
	}
	return at
}

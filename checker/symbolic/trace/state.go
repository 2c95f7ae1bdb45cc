package trace

import (
	"c2bp/checker/symbolic"
)

// This file defines concrete paths: lists of trace states.

// valuation gives a value to every group; groups that a node does not track are false.
type valuation []bool

// move is the way in which a path continues from a state.
type move int

const (
	stop  move = iota // the path ends
	along             // along an edge of the procedure
	over              // over a call, by its summary
	into              // into a call
)

// traceState is a state on a path: a node with the values of its variables.
type traceState struct {
	proc  *symbolic.Proc
	node  int
	depth int       // number of calls entered before
	entry valuation // values of the inputs of proc when it was entered
	state valuation // values of the variables that the node tracks
	move  move
	edge  *symbolic.Edge     // along and over: the edge taken
	site  *symbolic.CallSite // over and into
	use   *summaryUse        // over: the summary edge taken
}

// room is memory for the trace states of one path at a time.
type room struct {
	states []traceState
	values []bool
	groups int
	taken  int
}

// prepare makes room for a path of n states over so many groups.
func (r *room) prepare(n, groups int) {
	if cap(r.states) < n || cap(r.values) < n*groups {
		r.states, r.values = make([]traceState, n), make([]bool, n*groups)
	}
	r.states, r.values, r.groups, r.taken = r.states[:n], r.values[:n*groups], groups, 0
	clear(r.states)
	clear(r.values)
}

// take returns a new trace state in which everything is false.
func (r *room) take() *traceState {
	if r.taken == len(r.states) { // states that were taken stay where they are
		n := 2 * r.taken
		r.states, r.values, r.taken = make([]traceState, n), make([]bool, n*r.groups), 0
	}
	// The valuation is a piece of the common memory.
	m := &r.states[r.taken]
	at := r.taken * r.groups
	m.state = r.values[at : at+r.groups : at+r.groups]
	r.taken++
	return m
}

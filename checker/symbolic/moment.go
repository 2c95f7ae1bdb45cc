package symbolic

// This file defines concrete paths: lists of moments.

// valuation gives a value to every group; those that a node does not track are false.
type valuation []bool

// move says how a path goes on from a state.
type move int

const (
	stop  move = iota // it does not: the last state
	along             // an edge within the procedure
	over              // a call, by its summary
	into              // a call, entered
)

// moment is a state on a path: a node, and what the variables hold there.
type moment struct {
	proc  *proc
	node  int
	depth int
	entry valuation // of the frame: what the inputs of proc held when it was entered
	state valuation
	move  move
	edge  *edge       // along and over: what is taken
	site  *callSite   // over and into
	use   *summaryUse // over: what the call does inside
}

// room is memory for the moments of one path at a time.
type room struct {
	moments []moment
	values  []bool
	groups  int
	taken   int
}

// prepare makes room for a path of n moments with states of that many groups.
func (r *room) prepare(n, groups int) {
	if cap(r.moments) < n || cap(r.values) < n*groups {
		r.moments, r.values = make([]moment, n), make([]bool, n*groups)
	}
	r.moments, r.values, r.groups, r.taken = r.moments[:n], r.values[:n*groups], groups, 0
	clear(r.moments)
	clear(r.values)
}

// moment takes one, with a state in which everything is false.
func (r *room) moment() *moment {
	if r.taken == len(r.moments) { // what was taken stays where it is
		n := 2 * r.taken
		r.moments, r.values, r.taken = make([]moment, n), make([]bool, n*r.groups), 0
	}
	m := &r.moments[r.taken]
	at := r.taken * r.groups
	m.state = r.values[at : at+r.groups : at+r.groups]
	r.taken++
	return m
}

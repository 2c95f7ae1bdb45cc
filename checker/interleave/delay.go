package interleave

import (
	"encoding/binary"
	"slices"

	"c2bp/checker/zom"
)

// This file searches with a scheduler that runs a process until it waits or ends, unless it is disturbed: by
// a delay, after which it is the turn of the next process, or by a preemption, after which it is that of any
// other one.
//
// A node is a state and the process whose turn it is. Nodes are explored in the order of the disturbances that
// they need, so that each is reached with the fewest. Two sets are kept: of nodes, and of states, which are
// counted.

// turnBytes is the length of the number of a process at the end of a node.
const turnBytes = 4

// scheduler is the state of such a search.
type scheduler struct {
	*engine
	nodes *store
	now   []ID   // the nodes that need as many disturbances as are used
	later []node // those that need one more
}

// node is a node that is not stored yet.
type node struct {
	form   []byte
	cuts   []int
	parent ID
}

// scheduled explores the runs with at most so many delays or preemptions.
func (e *engine) scheduled() {
	d := &scheduler{engine: e, nodes: newStore(e.store.parts)}
	e.keep(none)
	e.arrive(first)
	d.add(d.node(0, none))
	// With preemptions, any process may be the first one.
	for p := 1; e.opts.Search == Preemption && p < len(e.s.Procs); p++ {
		d.add(d.node(p, none))
	}
	for used := 0; len(d.now) > 0; used++ {
		// 1. Nodes that need as many disturbances: the list grows meanwhile.
		for i := 0; i < len(d.now); i++ {
			if e.stopped() || !d.explore(d.now[i]) {
				return
			}
		}
		// 2. Those that need another one.
		if used == e.opts.Bound {
			d.bounded()
			return
		}
		d.now = d.now[:0]
		for _, n := range d.later {
			d.add(n)
		}
		d.later = d.later[:0]
	}
}

// bounded says that the bound has left out nodes, if it has.
func (d *scheduler) bounded() {
	for _, n := range d.later {
		if _, isNew := d.nodes.add(n.form, n.cuts, n.parent); isNew {
			what := "delay"
			if d.opts.Search == Preemption {
				what = "preemption"
			}
			d.r.Open = "bound of " + plural(d.opts.Bound, what)
			return
		}
	}
}

// add stores a node, and explores it if it is new.
func (d *scheduler) add(n node) {
	if id, isNew := d.nodes.add(n.form, n.cuts, n.parent); isNew {
		d.now = append(d.now, id)
	}
}

// node returns the node of the present state, whose form is written, and of a process; its last part is the
// number of the process. With delays, it is the first process from turn on that can run.
func (d *scheduler) node(turn int, parent ID) node {
	if n := len(d.s.Procs); d.s.Pending == 0 && d.opts.Search == Delay {
		for i := range n {
			if p := (turn + i) % n; d.m.Status(d.s, p) == zom.Runnable {
				turn = p
				break
			}
		}
	}
	form := binary.LittleEndian.AppendUint32(slices.Clone(d.canon.Out), uint32(turn))
	return node{form, append(slices.Clone(d.canon.Cuts), len(form)), parent}
}

// state returns the stored state of a node, and the process whose turn it is.
func (d *scheduler) state(id ID) (ID, int) {
	form := d.nodes.get(id)
	turn := binary.LittleEndian.Uint32(form[len(form)-turnBytes:])
	// The parts of the state are those of the node without the last.
	key, _ := d.nodes.record(id)
	last := 0
	for i := 0; i < len(key); {
		last = i
		_, k := binary.Uvarint(key[i:])
		i += k
	}
	state, _ := d.store.insert(key[:last], none)
	return state, int(turn)
}

// explore makes the moves of a node, and reports whether the search goes on.
func (d *scheduler) explore(id ID) bool {
	state, turn := d.state(id)
	d.load(state)
	n := d.moves()
	run := func() []Move { return d.follow(d.way(id)) }
	mark := d.s.Mark()
	// With preemptions, any process goes on where the one whose turn it is cannot.
	free := d.s.Pending == 0 && d.status[turn] != zom.Runnable
	for i := range n {
		mv := d.move(i)
		if mv.Process != turn && !free {
			continue
		}
		if d.take(mv, run) == zom.Stepped {
			status := d.status
			next, isNew := d.keep(state)
			d.add(d.node(mv.Process, id))
			if isNew {
				d.status = nil
				d.arrive(next)
			}
			if isNew || d.opts.MissDeadlocks {
				d.stuck(mv, run)
			}
			d.status = status
		}
		if d.over() {
			return false
		}
		d.s.Undo(mark)
	}
	if d.s.Pending == 0 && !free {
		d.disturb(id, turn, n)
	}
	return true
}

// disturb notes the nodes of the present state, with n processes that can run, that need another disturbance.
func (d *scheduler) disturb(id ID, turn, n int) {
	if n < 2 {
		return
	}
	d.writeForm()
	if d.opts.Search == Delay {
		d.later = append(d.later, d.node(turn+1, id))
		return
	}
	for p, st := range d.status {
		if st == zom.Runnable && p != turn {
			d.later = append(d.later, d.node(p, id))
		}
	}
}

// way returns the states on the way to a node. A delay does not change the state.
func (d *scheduler) way(id ID) (list []ID) {
	for ; id != none; id = d.nodes.parent(id) {
		state, _ := d.state(id)
		if len(list) == 0 || list[len(list)-1] != state {
			list = append(list, state)
		}
	}
	slices.Reverse(list)
	return list
}

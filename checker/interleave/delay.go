package interleave

import (
	"encoding/binary"

	"c2bp/checker/zom"
)

// This file searches with a scheduler that may be delayed.
//
// A node is a state and the process whose turn it is. Nodes are explored in the order of the delays that they
// need, so that each is reached with the fewest. Two sets are kept: of nodes, and of states, which are counted.

// delay explores the runs with at most so many delays.
func (e *engine) delay() {
	states := e.store
	nodes := newStore()
	var now, later []ID
	// add notes the node of the present state and a process.
	add := func(turn int, parent ID, list *[]ID) {
		if e.s.Pending == 0 {
			turn = e.nextTurn(turn)
		}
		form := binary.LittleEndian.AppendUint32(append(e.buffer[:0], e.canon.Out...), uint32(turn))
		e.buffer = form
		if id, isNew := nodes.add(form, parent); isNew {
			*list = append(*list, id)
		}
	}
	e.keep(none)
	e.arrive(first)
	add(0, none, &now)
	for used := 0; len(now) > 0; used++ {
		for i := 0; i < len(now); i++ {
			if e.stopped() {
				return
			}
			id := now[i]
			form, _ := nodes.get(id)
			turn := int(binary.LittleEndian.Uint32(form[len(form)-4:]))
			e.delayed(states, nodes, id, turn, add, &now, &later)
			if e.r.Failure != nil {
				return
			}
		}
		now, later = later, now[:0]
		if used == e.opts.Bound && len(now) > 0 {
			e.r.Open = "bound of " + plural(e.opts.Bound, "delay")
			return
		}
	}
}

// nextTurn returns the first process from turn on, in turn, that can run; or turn if none can.
func (e *engine) nextTurn(turn int) int {
	n := len(e.s.Procs)
	for i := range n {
		if p := (turn + i) % n; e.m.Status(e.s, p) == zom.Runnable {
			return p
		}
	}
	return turn
}

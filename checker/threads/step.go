package threads

import (
	"c2bp/boolprog"
	"c2bp/checker/explicit"
	"c2bp/checker/zom"
)

// This file defines the steps from a state.

// where says of a place of control which other threads may run before the next step there.
type where uint8

const (
	shared  where = iota
	inside        // in an atomic section, also while a call is under way
	exiting       // at the end of a procedure: leaving it is a part of the step before
)

// place finds out where each instruction stands.
func (x *search) place() {
	for i, p := range x.graph.Procs {
		list := make([]where, len(x.prog.Procs[i].Code))
		for pc, in := range x.prog.Procs[i].Code {
			switch n := p.Nodes[in.Node]; {
			case n.Kind == boolprog.NodeExit:
				list[pc] = exiting
			case n.Inside:
				list[pc] = inside
			}
		}
		x.places = append(x.places, list)
	}
}

// holder returns the thread that alone may make the next step from s; nowhere if any may.
func (x *search) holder(s *zom.State) int {
	for p := range s.Procs {
		for i, f := range s.Procs[p].Frames {
			switch x.places[f.Proc][f.PC] {
			case inside:
				return p
			case exiting:
				if i == len(s.Procs[p].Frames)-1 {
					return p
				}
			}
		}
	}
	return nowhere
}

// arrival is a step: outcome number outcome of a step of a thread from a state.
type arrival struct {
	from            int32 // the state, or nowhere
	thread, outcome int32
}

// expand makes all steps from state id of those threads that may run, and of these only those that wanted
// accepts, and calls each after each of them.
func (x *search) expand(id int32, wanted func(thread, last int) bool, each func(by arrival, o zom.Outcome)) {
	last := x.load(id)
	mark := x.s.Mark()
	holder := x.holder(x.s)
	for p := range x.s.Procs {
		if holder != nowhere && p != holder || !wanted(p, last) {
			continue
		}
		x.m.Rewind()
		for n, more := int32(0), true; more && x.open == ""; n, more = n+1, x.m.Next() {
			x.visited = x.visited[:0]
			x.steps++
			o := x.m.Run(x.s, p)
			each(arrival{id, int32(p), n}, o)
			x.s.Undo(mark)
		}
	}
}

// found returns the places in the findings to which a step with outcome o belongs: those of the nodes that it
// has visited, and that of its failure.
func (x *search) found(by arrival, o zom.Outcome) (list []*arrival) {
	for _, v := range x.visited {
		list = append(list, &x.reached[v.Proc][v.Node])
	}
	if o == zom.Failed || o == zom.NullUsed {
		at := explicit.Point{Proc: int(x.s.Top(int(by.thread)).Proc), Node: int(x.m.Record.Node)}
		if o == zom.Failed {
			list = append(list, &x.failed[at.Proc][at.Node])
		} else {
			list = append(list, &x.nulls[at.Proc][at.Node])
		}
	}
	return list
}

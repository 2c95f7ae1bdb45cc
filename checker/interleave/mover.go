package interleave

import (
	"slices"

	"c2bp/checker/movers"
	"c2bp/checker/zom"
)

// This file finds the type of a step (Lipton 1975): how it commutes with steps of other processes. The type of a
// step is composed of those of all its uses of places that others can see, in all its alternatives; conditions
// that are only looked at count as well.
//
//	use                              type
//	of a place in no other's reach   both
//	under a lock that protects it    both
//	read                             both if no other process can write the place any more
//	write                            both if no other one can read or write it any more
//	test and write of a lock         right: it is taken
//	write of a lock by the holder    left: it is released
//	receive                          right if no other one can receive, or see the size or that it is empty
//	channel found empty              right likewise, if the select goes on with another alternative in any order
//	size, and channel found empty    both if no other one can send or receive
//	send                             left if no other one can send, or see the size or that it is empty
//	anything else                    neither

// hold is a lock that a process holds: a global, or a field of an object.
type hold struct {
	process  int
	location int32
	obj      zom.Word
}

// observer types the step of a process, or notes the test of one that waits.
type observer struct {
	r       *reducer
	process int
	testing bool // nothing but a condition is executed

	kind    zom.Mover
	took    bool    // a lock was taken
	held    []hold  // changed by copying
	tested  []hold  // locks that the step has found free, and not yet taken; changed by copying
	heads   []int32 // heads that the step has met; changed by copying
	acquire int32   // pc at which the step may find a lock free, or -1; see begin
	proc    int32   // the procedure of acquire
	news    int     // objects that were there at the start of the step
	shared  []bool  // by address-1: others could reach the object when the step began
	alone   bool    // there was no second process then

	locks []int32 // memory
	after []bool
}

// begin prepares the observer for a step, or a test, of a process in the present state.
func (o *observer) begin(process int, testing bool, held []hold) {
	s := o.r.s
	o.process, o.testing, o.held, o.tested, o.heads = process, testing, held, nil, nil
	o.kind, o.took, o.acquire, o.news = zom.BothMover, false, -1, s.News()
	o.alone = len(s.Procs) < 2
	if o.r.inv() == nil {
		o.shared = s.Reach(o.shared, process)
	}
	// A lock is taken by the block at which the process may wait.
	f := s.Top(process)
	at := zom.Place{Proc: f.Proc, PC: o.r.model.Prog.Procs[f.Proc].Blocks[f.PC].Wait}
	if a, ok := o.r.facts.Acquire[at]; ok && at.PC >= 0 {
		o.acquire, o.proc = a.PC, at.Proc
	}
}

// see notes a use.
func (o *observer) see(a zom.Access) {
	if o.r.inv() != nil {
		o.r.notes(a)
	}
	switch a.Use {
	case zom.EnterAt:
		if o.r.facts.Heads.Has(int(a.Index)) && !slices.Contains(o.heads, a.Index) {
			o.heads = append(o.heads[:len(o.heads):len(o.heads)], a.Index)
		}
		return
	case zom.CreateAt:
		o.kind = zom.NonMover
		return
	case zom.AllocAt:
		// The order of allocation is that of the elements of a set.
		if o.r.ranks {
			o.kind = zom.NonMover
		}
		return
	}
	location := o.location(a)
	if o.r.table.places[location].isLock {
		o.kind &= o.lock(a, location)
		return
	}
	protected := o.protected(a, location)
	if !protected && (a.Obj == zom.Null || o.others(a.Obj)) {
		o.kind &= o.open(a, location)
	}
}

// location returns the location of a use.
func (o *observer) location(a zom.Access) int32 {
	if a.Obj == zom.Null {
		return o.r.facts.Global(a.Index)
	}
	return o.r.facts.Field(o.r.s.Class(a.Obj), a.Index)
}

// others reports whether other processes could reach an object when the step began.
func (o *observer) others(obj zom.Word) bool {
	switch {
	case int(obj) > o.news:
		return false
	case o.r.inv() != nil:
		return o.r.sharedIn(o.r.inv(), obj, true)
	}
	return o.shared[obj-1]
}

// early reports whether a use is too early for the table: there is no second process, or no second one could reach
// the object so far.
func (o *observer) early(a zom.Access) bool {
	return len(o.r.s.Procs) < 2 || int(a.Obj) > o.news || a.Obj != zom.Null && o.r.freshIn(o.r.inv(), a.Obj, true)
}

// fresh returns the objects that no second process could reach so far, at an end of the step.
func (o *observer) fresh() (list []zom.Word) {
	s := o.r.s
	if len(o.r.fresh) == 0 && s.News() == o.news {
		return nil
	}
	o.after = s.Reach(o.after, o.process)
	keeps := func(w zom.Word) bool { return len(s.Procs) < 2 || !o.after[w-1] }
	for _, w := range o.r.fresh {
		// One that others could reach is in the hands of one of them, and the step has no way to it.
		if keeps(w) || !o.alone && o.shared[w-1] {
			list = append(list, w)
		}
	}
	for w := zom.Word(o.news + 1); w <= zom.Word(s.News()); w++ {
		if keeps(w) {
			list = append(list, w)
		}
	}
	return list
}

// protected notes a use in the table, and reports whether a lock that is held protects it.
func (o *observer) protected(a zom.Access, location int32) bool {
	if o.early(a) {
		return false
	}
	o.locks = o.locks[:0]
	for _, h := range o.held {
		if h.process == o.process && (h.obj == zom.Null || h.obj == a.Obj) {
			o.locks = append(o.locks, h.location)
		}
	}
	protected := o.r.table.use(location, o.locks, o.r.m.Record.Node)
	o.r.notesLocks(o.process, location, a.Obj)
	return protected
}

// open returns the type of a use of a place that no lock protects, and that others can reach.
func (o *observer) open(a zom.Access, location int32) zom.Mover {
	no := func(list ...movers.Use) bool { return !o.r.othersUse(o.process, location, list) }
	switch a.Use {
	case zom.ReadAt:
		if no(movers.Writes) {
			return zom.BothMover
		}
	case zom.WriteAt:
		if no(movers.Reads, movers.Writes) {
			return zom.BothMover
		}
	case zom.SizeAt:
		if no(movers.Sends, movers.Receives) {
			return zom.BothMover
		}
	case zom.SendAt:
		if no(movers.Sends, movers.Asks, movers.Tests) {
			return zom.LeftMover
		}
	case zom.ReceiveAt:
		if no(movers.Receives, movers.Asks, movers.Tests) {
			return zom.RightMover
		}
	case zom.EmptyAt:
		return o.look(a, no)
	}
	return zom.NonMover
}

// look returns the type of looking whether a channel has a message.
func (o *observer) look(a zom.Access, no func(...movers.Use) bool) zom.Mover {
	at := zom.Place{Proc: o.r.s.Top(o.process).Proc, PC: a.PC}
	switch {
	case no(movers.Sends, movers.Receives):
		return zom.BothMover
	case !no(movers.Receives, movers.Asks, movers.Tests):
	case a.Value == 1, o.r.facts.LooksOn(at):
		return zom.RightMover
	}
	return zom.NonMover
}

// lock returns the type of a use of a lock. One that is neither a part of taking nor of releasing it ends its
// being a lock.
func (o *observer) lock(a zom.Access, location int32) zom.Mover {
	free := o.r.table.places[location].free
	mine := hold{o.process, location, a.Obj}
	o.r.notesHeld(o.process, location, a.Obj)
	switch {
	// 1. The select finds it free, or waits.
	case a.Use == zom.ReadAt && a.PC == o.acquire && o.r.s.Top(o.process).Proc == o.proc:
		o.acquire = -1
		if !o.testing {
			o.tested = append(o.tested[:len(o.tested):len(o.tested)], mine)
		}
		return zom.RightMover
	// 2. The same step writes another value.
	case a.Use == zom.WriteAt && a.Value != free && slices.Contains(o.tested, mine):
		o.tested = without(o.tested, mine)
		o.held = append(o.held[:len(o.held):len(o.held)], mine)
		o.took, o.r.table.places[location].taken = true, true
		return zom.RightMover
	// 3. The holder writes the free value.
	case a.Use == zom.WriteAt && a.Value == free && slices.Contains(o.held, mine):
		o.held = without(o.held, mine)
		return zom.LeftMover
	// 4. Nobody else was there, or knew the object.
	case o.early(a):
		return zom.BothMover
	}
	o.r.table.lose(location, o.r.m.Record.Node)
	return zom.NonMover
}

// end notes that the step ends here: a lock that was found free and not taken is none.
func (o *observer) end() {
	for _, h := range o.tested {
		o.r.table.lose(h.location, o.r.m.Record.Node)
	}
}

// without returns a copy of list without one of its elements.
func without(list []hold, h hold) []hold {
	return slices.DeleteFunc(slices.Clone(list), func(x hold) bool { return x == h })
}

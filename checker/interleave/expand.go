package interleave

import (
	"slices"

	"c2bp/checker/zom"
)

// This file makes all moves from a state. A state is the list of the numbers of its parts. Steps that were made
// before from the same parts are not made again (memo.go). For the others, the state must be the present one: if
// another stored state is, only the parts in which they differ are read; and of the state after the step, only
// the parts that have changed are written.

// place is a stored state from which moves are made.
type place struct {
	numbers []uint64 // of its parts
	procs   int
	pending int    // 1 + the process that chooses, or 0
	shared  uint64 // see memo
	next    []uint64
}

// present is the stored state that is the present one.
type present struct {
	s       *zom.State // nil if the present state was changed since
	numbers []uint64
	based   bool  // canon has its form
	cuts    []int // memory for base
}

// expand makes all moves from a stored state, and reports whether the search goes on.
func (e *engine) expand(id ID) bool {
	at := &e.place
	e.goTo(id)
	if at.pending != 0 {
		return e.chooseAll(id)
	}
	// 1. Who can run?
	n := 0
	e.status = e.status[:0]
	for p := range at.procs {
		st := e.statusAt(id, p)
		if e.status = append(e.status, st); st == zom.Runnable {
			n++
		}
	}
	e.countAs(id, n, at.procs, false)
	// 2. A step of each of them.
	for p := 0; n > 0; p++ {
		if e.status[p] != zom.Runnable {
			continue
		}
		n--
		if !e.again(id, p) && !e.make(id, Move{p, -1}) {
			return false
		}
		if e.over() || e.stopped() {
			return false
		}
	}
	return true
}

// chooseAll is expand for a state with a pending choice.
func (e *engine) chooseAll(id ID) bool {
	e.show(id, e.place.numbers)
	n := e.moves()
	e.count(id, n)
	for i := range n {
		if !e.make(id, Move{e.place.pending - 1, int32(i)}) || e.stopped() {
			return false
		}
	}
	return true
}

// goTo makes a stored state the place.
func (e *engine) goTo(id ID) {
	at := &e.place
	// The tables of parts forget, and the steps that name parts of them with them.
	if len(e.names.texts.texts) > mostTexts {
		e.names, e.memo = newRenumbering(e.model.Prog), newMemo()
	}
	at.numbers = e.store.numbers(at.numbers[:0], id)
	at.pending, at.procs = zom.Tail(e.store.parts.get(at.numbers[0]))
	if e.remembers() {
		at.shared = e.memo.sharedNumber(at.numbers, at.procs)
	}
}

// remembers reports whether steps are remembered. If edges are listed, each step is made.
func (e *engine) remembers() bool { return e.told && e.edge == nil }

// statusAt returns the status of a process at the place.
func (e *engine) statusAt(id ID, p int) zom.Status {
	if !e.remembers() {
		e.show(id, e.place.numbers)
		return e.m.Status(e.s, p)
	}
	own := e.place.numbers[1+p]
	entry, known := e.memo.at(e.place.shared, own, p)
	if !known {
		e.show(id, e.place.numbers)
		entry = e.memo.add(e.place.shared, own, p, e.m.Status(e.s, p))
	}
	return entry.status
}

// again makes a step of a process that is remembered, and reports whether there is one.
func (e *engine) again(id ID, p int) bool {
	entry := e.remembered(p)
	if entry == nil {
		return false
	}
	at := &e.place
	e.r.Transitions++
	to, isNew := e.store.addNumbers(at.next, id)
	if isNew {
		e.newest = to
	}
	// Only where the process cannot go on, the state may be a deadlock.
	if (isNew || e.opts.MissDeadlocks) && entry.after != zom.Runnable && !e.opts.NoDeadlocks {
		e.show(to, at.next)
		e.stuck(Move{p, -1}, func() []Move { return e.run(id) })
	}
	return true
}

// remembered returns the step of a process at the place, if it is remembered, else nil. The parts after it are next.
func (e *engine) remembered(p int) *step {
	if !e.remembers() {
		return nil
	}
	at := &e.place
	entry, known := e.memo.at(at.shared, at.numbers[1+p], p)
	if !known || !entry.made {
		return nil
	}
	if entry.renames {
		e.listParts()
		for _, c := range entry.changed[:entry.n] {
			e.names.list[c.part] = c.number
		}
		if !e.renumber() {
			return nil
		}
		return entry
	}
	at.next = append(at.next[:0], at.numbers...)
	entry.apply(at.next)
	return entry
}

// make makes a move from the place, and reports whether the search goes on.
func (e *engine) make(id ID, mv Move) bool {
	e.show(id, e.place.numbers)
	mark := e.s.Mark()
	run := func() []Move { return e.run(id) }
	o := e.take(mv, run)
	to := none
	if o == zom.Stepped {
		isNew := false
		if to, isNew = e.keepStep(id, mark, mv); isNew || e.opts.MissDeadlocks {
			e.stuck(mv, run)
		}
	}
	if e.edge != nil {
		e.edge(id, to, mv, o)
	}
	if e.over() {
		return false
	}
	e.s.Undo(mark)
	return true
}

// show makes the state with an ID, whose parts have these numbers, the present one. If forms tell all, it need not be
// stored.
func (e *engine) show(id ID, numbers []uint64) {
	p := &e.present
	known := p.s == e.s && len(p.numbers) == len(numbers)
	if known && slices.Equal(p.numbers, numbers) {
		return
	}
	// Where a form does not tell all of a state, each is read as a whole.
	known = known && e.told
	for k := 0; known && k < len(numbers); k++ {
		if n := numbers[k]; n != p.numbers[k] {
			known = e.s.ReadPart(k, e.store.parts.get(n))
		}
	}
	switch {
	case known:
	case e.told:
		r := zom.Reader{In: e.store.formOf(numbers)}
		r.Multi(e.s, nil, false)
	default:
		e.load(id)
	}
	p.s, p.numbers, p.based = e.s, append(p.numbers[:0], numbers...), false
	if e.told {
		e.canon.BaseParts(e.s)
	}
}

// keepStep stores the state that a move has reached from the place, whose state had a mark, and reports whether it
// is new.
func (e *engine) keepStep(from ID, mark zom.Mark, mv Move) (ID, bool) {
	at := &e.place
	// 1. Most steps change few parts.
	if e.told && e.canon.StepParts(e.s, mark, mv.Process) {
		if e.canon.Renames {
			e.nextRenamed(mv)
		} else {
			at.next = append(at.next[:0], at.numbers...)
			begin := 0
			for i, k := range e.canon.Changed {
				at.next[k] = e.store.parts.number(e.canon.Out[begin:e.canon.Cuts[i]])
				begin = e.canon.Cuts[i]
			}
			if mv.Pick < 0 && e.remembers() {
				e.remember(mv.Process)
			}
		}
		id, isNew := e.store.addNumbers(at.next, from)
		if isNew {
			e.newest = id
		}
		return id, isNew
	}
	// 2. Others may change all.
	e.form(mv.Process)
	return e.keepForm(from)
}

// form writes the form of the present state, which a step of a process has reached from the place.
func (e *engine) form(process int) {
	if !e.told {
		e.writeForm()
		return
	}
	if !e.present.based {
		e.base()
	}
	e.canon.MultiAfter(e.s, process)
}

// remember puts a step that the process has made from the place into the memo.
func (e *engine) remember(p int) {
	at := &e.place
	entry, known := e.memo.at(at.shared, at.numbers[1+p], p)
	if !known {
		return // its place was taken by that of another process
	}
	// The status matters only for deadlocks.
	after := zom.Runnable
	if e.s.Pending == 0 && !e.opts.NoDeadlocks {
		after = e.m.Status(e.s, p)
	}
	number := func(k int) uint32 { return uint32(at.next[k]) }
	if e.canon.Renames {
		number = func(k int) uint32 { return e.names.list[k] }
	}
	entry.note(e.canon.Changed, number, e.canon.Renames, after)
}

// base tells canon the form of the present stored state.
func (e *engine) base() {
	p := &e.present
	p.based, p.cuts = true, p.cuts[:0]
	end := 0
	for _, n := range p.numbers {
		end += len(e.store.parts.get(n))
		p.cuts = append(p.cuts, end)
	}
	e.canon.BaseForm(e.store.formOf(p.numbers), p.cuts)
}

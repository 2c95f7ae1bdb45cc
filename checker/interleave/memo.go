package interleave

import (
	"slices"

	"c2bp/checker/zom"
)

// This file remembers the steps of processes.
//
// A step depends on the process alone, on the globals and on the objects: on its own part of the state and the
// parts that all share. There are far fewer pairs of these than states, so most steps were made before, from a
// state that differed in other processes only; then the parts that the step changes are known (transition
// caching: Blom–van de Pol–Weber 2010). If it changes a reference, these are the parts before objects get their new
// numbers, which depend on all processes (renumber.go). The table forgets: it has a bounded size, and an entry takes the place of another
// one. Entries are found by all of what they depend on, so the search stays exact.

// memo is a table of steps.
type memo struct {
	shared []shared
	steps  []step
	last   uint64 // the number of the shared parts that were met last
	added  int    // entries since the table has grown
}

// shared gives a number to the parts that all processes share: globals and objects.
type shared struct {
	number uint64 // 0 if there is none here
	parts  []uint64
}

// step is what is known of a process in front of its next step.
type step struct {
	shared  uint64 // with own and process: the state as far as the step depends on it; 0 if there is nothing here
	own     uint64
	process int32
	status  zom.Status
	made    bool       // the step was made, from there
	after   zom.Status // of the process after it
	renames bool       // changed parts have local numbers, and objects get other ones; see renumbering
	n       uint8      // the number of changed parts
	changed [mostChanged]changed
}

// changed is a part of the state after a step that differs from the one before.
type changed struct{ part, number uint32 }

// Larger steps are not remembered. Tables have between firstSteps and mostSteps entries.
const (
	mostChanged = 4
	firstSteps  = 1 << 8
	mostSteps   = 1 << 17
)

// newMemo returns an empty table.
func newMemo() *memo {
	return &memo{shared: make([]shared, firstSteps), steps: make([]step, firstSteps)}
}

// mix returns a hash of h and another number.
func mix(h, n uint64) uint64 {
	h = (h ^ n) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// sharedNumber returns the number of the shared parts of a state with so many processes.
func (t *memo) sharedNumber(numbers []uint64, procs int) uint64 {
	objects := numbers[1+procs:]
	h := mix(0, numbers[0])
	for _, n := range objects {
		h = mix(h, n)
	}
	e := &t.shared[mix(h, 0)&uint64(len(t.shared)-1)]
	if e.number != 0 && e.parts[0] == numbers[0] && slices.Equal(e.parts[1:], objects) {
		return e.number
	}
	// Numbers are never given twice, so entries of steps with the former one are found no more.
	t.last++
	e.number, e.parts = t.last, append(append(e.parts[:0], numbers[0]), objects...)
	return e.number
}

// at returns the place of a step in the table, and whether the step is there.
func (t *memo) at(all, own uint64, process int) (*step, bool) {
	e := &t.steps[mix(mix(mix(0, all), own), uint64(process))&uint64(len(t.steps)-1)]
	return e, e.shared == all && e.own == own && e.process == int32(process)
}

// add puts the status of a process into the table.
func (t *memo) add(all, own uint64, process int, status zom.Status) *step {
	// A table that has been filled grows; it is empty then.
	if t.added++; t.added > len(t.steps) && len(t.steps) < mostSteps {
		t.steps, t.shared, t.added = make([]step, 4*len(t.steps)), make([]shared, 4*len(t.shared)), 0
	}
	e, _ := t.at(all, own, process)
	*e = step{shared: all, own: own, process: int32(process), status: status}
	return e
}

// note completes the entry of a step that changes parts, part k to that of a number, and after which the process has a
// status. With renames, these are local numbers.
func (e *step) note(parts []int, number func(k int) uint32, renames bool, after zom.Status) {
	if len(parts) > mostChanged {
		return
	}
	e.made, e.after, e.n, e.renames = true, after, uint8(len(parts)), renames
	for i, k := range parts {
		e.changed[i] = changed{uint32(k), number(k)}
	}
}

// apply changes the numbers of the parts of a state to those after the step.
func (e *step) apply(numbers []uint64) {
	for _, c := range e.changed[:e.n] {
		numbers[c.part] = uint64(c.number)
	}
}

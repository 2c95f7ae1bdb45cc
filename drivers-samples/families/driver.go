package families

import (
	"fmt"
	"math/rand/v2"
)

// This file builds drivers as a whole. The bodies of procedures are in driver_steps.go, the exits
// of procedures in driver_exit.go, and the run that shows the defect in driver_path.go.

// Driver returns a driver with the given number of procedures in addition to its main loop and
// those for locks, references and completion. Its data are integers only. The main loop takes
// requests and dispatches them; procedures call others, which return status codes, take locks and
// references and release them on every exit, on early returns or by a ladder of gotos.
//
// The property: locks are taken and released alternately, references are balanced, and each request
// is completed exactly once, with no lock held. It is checked in one place, the procedure check. In
// the unsafe program one exit is wrong: a lock or a reference is kept or released twice, or a
// request is completed twice or not at all.
//
// A procedure has about 80 lines. Driver panics if procs is less than 4.
func Driver(procs int, seed uint64, unsafe bool) Program {
	if procs < 4 {
		panic("families: Driver needs four procedures")
	}
	// The unsafe driver is made from the same random choices.
	d := newDriver(procs, seed, nil)
	var witness []int64
	if unsafe {
		d, witness = d.broken(procs, seed)
	}
	name := fmt.Sprintf("driver-%d-%d", procs, seed)
	return finish(name, d.text(name), unsafe, witness)
}

// broken returns d with a defect at one of its exits, which the seed chooses, and a witness.
func (d *driver) broken(procs int, seed uint64) (*driver, []int64) {
	// Try the exits in random order until one has a possible defect.
	r := newRand(seed)
	for _, i := range r.Perm(len(d.exits)) {
		x := d.exits[i]
		// Make the driver again, with the same choices but for the defect.
		if defects := x.defects(); len(defects) > 0 {
			b := newDriver(procs, seed, &defect{i, defects[r.IntN(len(defects))]})
			return b, d.witness(x)
		}
	}
	panic("families: nothing to break in this driver")
}

// holdings are the locks and references that are held at a place: the same in all runs.
type holdings struct {
	device, queue bool
	refs          int
}

// within reports whether a can be extended to b: more can be taken at any time, but the device's
// lock not after the queue's.
func (a holdings) within(b holdings) bool {
	return (!a.device || b.device) && (!a.queue || b.queue) && a.refs <= b.refs && !(a.queue && !a.device && b.device)
}

// worker is a procedure that is called with certain holdings, keeps them, and returns 0 or a
// negative status. A handler is called with one reference, and completes its request or queues it.
type worker struct {
	name    string
	handler bool
	before  holdings
	text    text
	good    []event // of the run in which all goes well
	calls   []callSite
	called  bool
}

// callSite is a call, with the path to it.
type callSite struct {
	to  *worker
	way []event
}

// An event is an input or a call on a path through a procedure.
type event struct {
	input int64
	call  *worker
}

// driver is a driver under construction.
type driver struct {
	rand    *rand.Rand
	workers []*worker // callees first; handlers last
	exits   []*exit
	defect  *defect
}

var (
	verbs = []string{"start", "stop", "reset", "probe", "map", "drain", "arm", "load", "sync", "setup"}
	parts = []string{"dma", "phy", "fifo", "timer", "port", "link", "cache", "unit", "bus", "irq"}
	major = []string{"open", "close", "read", "write", "control", "power", "flush", "query"}
)

// newDriver returns the driver of a seed. A defect changes only one exit.
func newDriver(procs int, seed uint64, bad *defect) *driver {
	d := &driver{rand: newRand(seed), defect: bad}
	// A quarter of the procedures are handlers, two at least.
	handlers := min(max(procs/4, 2), len(major))
	// 1. Workers; each may call those before it.
	names := d.rand.Perm(len(verbs) * len(parts))
	for i := range procs - handlers {
		w := &worker{before: d.holdings()}
		w.name = "dev_" + verbs[names[i%len(names)]/10] + "_" + parts[names[i%len(names)]%10]
		if i >= len(names) {
			w.name += fmt.Sprint(i / len(names))
		}
		d.body(w, 11, 1)
		d.workers = append(d.workers, w)
	}
	// 2. Handlers, which call all workers that are not called yet.
	for i := range handlers {
		w := &worker{name: "dispatch_" + major[i], handler: true, before: holdings{refs: 1}}
		d.body(w, 7, (d.uncalled()+handlers-i-1)/(handlers-i))
		d.workers = append(d.workers, w)
	}
	return d
}

// holdings chooses the holdings with which a worker is called.
func (d *driver) holdings() holdings {
	// A worker has one or two references, and sometimes locks.
	h := holdings{device: d.rand.IntN(3) == 0, refs: 1 + d.rand.IntN(2)}
	h.queue = d.rand.IntN(4) == 0
	return h
}

// uncalled returns the number of workers that are not called yet.
func (d *driver) uncalled() (n int) {
	for _, w := range d.workers {
		if !w.handler && !w.called {
			n++
		}
	}
	return n
}

// handlers returns the procedures that the main loop calls.
func (d *driver) handlers() (out []*worker) {
	for _, w := range d.workers {
		if w.handler {
			out = append(out, w)
		}
	}
	return out
}

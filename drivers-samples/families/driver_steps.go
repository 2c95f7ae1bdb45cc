package families

import (
	"fmt"
	"slices"
)

// This file makes the bodies of procedures, step by step. Each step knows the holdings before it,
// the same in every run, and the inputs that lead past it.

// rung is a lock or a reference that was taken, on top of those taken before.
type rung struct {
	below  *rung // nil: nothing had been taken here
	number int
	give   string // the procedure that gives it back
	used   bool   // by a goto
}

// bodyMaker makes the body of one procedure.
type bodyMaker struct {
	*driver
	w     *worker
	top   *rung // nil: nothing has been taken here
	rungs []*rung
	held  holdings
	way   []event // from the entry to here, if all goes well
	out   bool    // the lowest rung is jumped to
}

// body writes the body of w: some steps, then calls of up to that number of procedures that are not
// called yet.
func (d *driver) body(w *worker, steps, calls int) {
	m := &bodyMaker{driver: d, w: w, held: w.before}
	t := &w.text
	t.line("static int %s(int argument)", w.name)
	t.line("{")
	t.line("int status = STATUS_OK;")
	t.line("int value;")
	t.line("int tries;")
	t.line("")
	for range steps {
		m.step()
	}
	m.callUncalled(calls)
	if w.handler {
		m.mayQueue()
	}
	m.end()
	t.line("}")
	w.good = m.way
}

func (m *bodyMaker) line(format string, args ...any) { m.w.text.line(format, args...) }

func (m *bodyMaker) input(v int64) { m.way = append(m.way, event{input: v}) }

// step writes a random step.
func (m *bodyMaker) step() {
	switch m.rand.IntN(12) {
	case 0, 1:
		m.take()
	case 2:
		m.giveBack()
	case 3, 4, 5:
		m.test()
	case 6:
		m.poll()
	case 7:
		m.choose()
	case 8:
		m.section()
	case 9:
		m.know()
	default:
		if !m.callSome() {
			m.test()
		}
	}
}

// take takes a lock or a reference, if the order of locks allows it.
func (m *bodyMaker) take() {
	switch k := m.rand.IntN(3); {
	case k == 0 && !m.held.device && !m.held.queue:
		m.takeDevice()
	case k == 1 && !m.held.queue:
		m.takeQueue()
	case m.held.refs < 4:
		m.takeReference()
	}
}

func (m *bodyMaker) takeDevice()    { m.held.device = true; m.push("lock_device", "unlock_device") }
func (m *bodyMaker) takeQueue()     { m.held.queue = true; m.push("lock_queue", "unlock_queue") }
func (m *bodyMaker) takeReference() { m.held.refs++; m.push("get_device", "put_device") }

// push writes a call of take, and adds its rung.
func (m *bodyMaker) push(take, give string) {
	m.line("%s();", take)
	m.top = &rung{below: m.top, number: len(m.rungs) + 1, give: give}
	m.rungs = append(m.rungs, m.top)
}

// giveBack releases the lock or reference that was taken last.
func (m *bodyMaker) giveBack() {
	if m.top == nil {
		return
	}
	m.line("%s();", m.top.give)
	m.held.drop(m.top.give)
	m.top = m.top.below
}

// drop removes from h the lock or reference that the procedure give releases.
func (h *holdings) drop(give string) {
	switch give {
	case "unlock_device":
		h.device = false
	case "unlock_queue":
		h.queue = false
	default:
		h.refs--
	}
}

// test reads a value and exits if it is bad.
//
//	value = __VERIFIER_nondet_int();
//	if (value > 16) {
//	    status = STATUS_BUSY;
//	    goto out_2;
//	}
func (m *bodyMaker) test() {
	// The condition, and an input for which it holds; 1 never is one.
	n := int64(2 + m.rand.IntN(60))
	m.line("value = __VERIFIER_nondet_int();")
	condition, bad := "value < 0", int64(-1)
	switch m.rand.IntN(3) {
	case 0:
		condition, bad = fmt.Sprintf("value == %d", n), n
	case 1:
		condition, bad = fmt.Sprintf("value > %d", n), n+1
	}
	m.line("if (%s) {", condition)
	m.exit([]int64{bad}, m.failure())
	m.line("}")
	m.input(1)
}

// poll reads until the device is ready, but only a few times.
//
//	tries = 0;
//	do {
//	    value = __VERIFIER_nondet_int();
//	    tries = tries + 1;
//	} while (value != 70 && tries < 3);
//	if (value != 70) {
//	    put_device();
//	    return STATUS_TIMEOUT;
//	}
func (m *bodyMaker) poll() {
	// Enough inputs of 0 exhaust the tries.
	ready, limit := int64(64+m.rand.IntN(64)), 2+m.rand.IntN(3)
	m.line("tries = 0;")
	m.line("do {")
	m.line("value = __VERIFIER_nondet_int();")
	m.line("tries = tries + 1;")
	m.line("} while (value != %d && tries < %d);", ready, limit)
	m.line("if (value != %d) {", ready)
	m.exit(slices.Repeat([]int64{0}, limit), "STATUS_TIMEOUT")
	m.line("}")
	m.input(ready)
}

// choose branches on an input.
//
//	value = __VERIFIER_nondet_int();
//	if (value == 3) {
//	    …
//	} else if (value == 13) {
//	    …
//	} else {
//	    stat_mode = argument;
//	}
func (m *bodyMaker) choose() {
	before, n := slices.Clone(m.way), 2+m.rand.IntN(2)
	m.line("value = __VERIFIER_nondet_int();")
	start := ""
	for i := range n {
		m.line("%sif (value == %d) {", start, 10*i+3)
		start = "} else "
		// Each branch continues from the same path; the run without errors takes none of them.
		m.way = slices.Clone(before)
		m.input(int64(10*i + 3))
		m.line("stat_mode = %d;", m.rand.IntN(100))
		if m.rand.IntN(2) == 0 || !m.callSome() {
			m.test()
		}
	}
	m.line("} else {")
	m.line("stat_mode = argument;")
	m.line("}")
	m.way = before
	m.input(0)
}

// section is a loop that takes the queue's lock in each iteration.
//
//	for (tries = 0; tries < 4; tries++) {
//	    lock_queue();
//	    value = __VERIFIER_nondet_int();
//	    if (value == 9) {
//	        unlock_queue();
//	        break;
//	    }
//	    stat_mode = value;
//	    unlock_queue();
//	}
func (m *bodyMaker) section() {
	if m.held.queue {
		m.test()
		return
	}
	// One input ends the loop at once; the lock is released on both exits.
	done := int64(3 + m.rand.IntN(30))
	m.line("for (tries = 0; tries < %d; tries++) {", 2+m.rand.IntN(6))
	m.line("lock_queue();")
	m.line("value = __VERIFIER_nondet_int();")
	m.line("if (value == %d) {", done)
	m.line("unlock_queue();")
	m.line("break;")
	m.line("}")
	m.line("stat_mode = value;")
	m.line("unlock_queue();")
	m.line("}")
	m.input(done)
}

// know checks the holdings at this place.
//
//	check(device_lock == 0);
//	check(refs == 2);
func (m *bodyMaker) know() {
	m.line("check(device_lock == %d);", bit(m.held.device))
	if m.rand.IntN(2) == 0 {
		m.line("check(queue_lock == %d);", bit(m.held.queue))
	}
	m.line("check(refs == %d);", m.held.refs)
}

// bit returns b as an integer.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mayQueue leaves the request to the interrupt, for one input.
//
//	value = __VERIFIER_nondet_int();
//	if (value == 77) {
//	    queue_request();
//	    return STATUS_PENDING;
//	}
func (m *bodyMaker) mayQueue() {
	m.line("value = __VERIFIER_nondet_int();")
	// The interrupt completes a request that is queued.
	m.line("if (value == 77) {")
	m.line("queue_request();")
	for r := m.top; r != nil; r = r.below {
		m.line("%s();", r.give)
	}
	m.line("return STATUS_PENDING;")
	m.line("}")
	m.input(0)
}

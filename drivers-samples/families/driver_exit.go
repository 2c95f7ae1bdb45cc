package families

import (
	"fmt"
	"slices"
)

// This file makes the exits of procedures, correct ones and the defective one.

// exit is an exit of a procedure because of an error there.
type exit struct {
	worker *worker
	way    []event // the inputs and calls up to it, the bad ones included
	inputs bool    // it is an input that is bad, not the status of a call
	held   bool    // something has been taken
}

// A defect changes the exit with a number.
type defect struct {
	exit int
	kind defectKind
}

// defectKind is the way in which an exit is wrong.
type defectKind int

const (
	sound     defectKind = iota
	keep                 // what was taken last is kept
	giveTwice            // it is given back twice
	never                // the request is not completed
	twice                // the request is completed twice
)

// defects returns the kinds of defects that x can have.
func (x *exit) defects() (kinds []defectKind) {
	if !x.inputs {
		return nil
	}
	if x.held {
		kinds = append(kinds, keep, giveTwice)
	}
	if x.worker.handler {
		kinds = append(kinds, never, twice)
	}
	return kinds
}

var failures = []string{"STATUS_IO", "STATUS_BUSY", "STATUS_INVALID"}

// failure chooses a status.
func (m *bodyMaker) failure() string { return failures[m.rand.IntN(len(failures))] }

// exit leaves the procedure with a status: by an early return, or by a jump to the rung of the
// ladder that releases the present holdings. It is taken for the bad inputs.
func (m *bodyMaker) exit(bad []int64, status string) {
	// 1. Record the exit, with the inputs that lead to it.
	way := slices.Clone(m.way)
	for _, v := range bad {
		way = append(way, event{input: v})
	}
	kind := sound
	if m.defect != nil && m.defect.exit == len(m.exits) {
		kind = m.defect.kind
	}
	m.exits = append(m.exits, &exit{m.w, way, len(bad) > 0, m.top != nil})
	// 2. Write it, with the defect if this is the exit that has one.
	if m.rand.IntN(3) == 0 {
		m.line("stat_error = %d;", m.rand.IntN(1000))
	}
	if m.rand.IntN(3) == 0 {
		m.returnEarly(status, kind)
	} else {
		m.jump(status, kind)
	}
}

// returnEarly releases everything, completes the request if there is one, and returns.
func (m *bodyMaker) returnEarly(status string, kind defectKind) {
	for r := m.top; r != nil; r = r.below {
		if r != m.top || kind != keep {
			m.line("%s();", r.give)
		}
		if r == m.top && kind == giveTwice {
			m.line("%s();", r.give)
		}
	}
	if m.w.handler && kind != never {
		m.line("complete(%s);", status)
	}
	if kind == twice {
		m.line("complete(%s);", status)
	}
	m.line("return %s;", status)
}

// jump sets the status and jumps to the ladder.
func (m *bodyMaker) jump(status string, kind defectKind) {
	if status != "status" {
		m.line("status = %s;", status)
	}
	rung := m.top
	switch kind {
	case keep:
		rung = rung.below
	case giveTwice:
		m.line("%s();", rung.give)
	case never:
		m.returnEarly("status", never)
		return
	case twice:
		m.line("complete(status);")
	}
	m.line("goto %s;", m.label(rung))
}

// label returns the label of rung r, after which r and the rungs below it are released.
func (m *bodyMaker) label(r *rung) string {
	if r == nil {
		m.out = true
		return "out"
	}
	r.used = true
	return fmt.Sprintf("out_%d", r.number)
}

// end releases the remaining holdings. Rungs that are jumped to are written here if they are still
// held, and after the end if not.
//
//	out_1:
//	    unlock_queue();
//	out:
//	    return status;
//	out_2:
//	    put_device();
//	    goto out;
func (m *bodyMaker) end() {
	// 1. The ladder, highest rung first.
	ladder := map[*rung]bool{}
	for r := m.top; r != nil; r = r.below {
		ladder[r] = true
	}
	aside := m.aside(ladder)
	for r := m.top; r != nil; r = r.below {
		if r.used {
			m.line("%s:", m.label(r))
		}
		m.line("%s();", r.give)
	}
	// 2. The common end.
	if m.out {
		m.line("out:")
	}
	if m.w.handler {
		m.line("complete(status);")
	}
	m.line("return status;")
	// 3. The rungs that are not on the ladder.
	for _, r := range aside {
		m.line("%s:", m.label(r))
		m.line("%s();", r.give)
		m.line("goto %s;", m.label(r.below))
	}
}

// aside returns the rungs that are jumped to and not on the ladder, the highest first. They jump to
// those below.
func (m *bodyMaker) aside(ladder map[*rung]bool) (out []*rung) {
	for _, r := range slices.Backward(m.rungs) {
		if r.used && !ladder[r] {
			out = append(out, r)
			m.label(r.below)
		}
	}
	return out
}

package families

import (
	"fmt"
	"slices"
	"strings"
)

// This file makes procedures call each other: each calls only procedures that were made before it,
// at places with the holdings of the callee.

// callSome calls a procedure that may be called here, if there is one; it reports whether.
func (m *bodyMaker) callSome() bool {
	var can []*worker
	for _, w := range m.workers {
		// The callee must find exactly its holdings.
		if !w.handler && w.before == m.held {
			can = append(can, w)
		}
	}
	if len(can) == 0 {
		return false
	}
	m.call(can[m.rand.IntN(len(can))])
	return true
}

// callUncalled calls up to n procedures that are not called yet.
func (m *bodyMaker) callUncalled(n int) {
	for _, w := range m.workers {
		if n == 0 || w.handler || w.called || !m.w.before.within(w.before) {
			continue
		}
		// Release until the holdings can be extended to those of the callee, then take the rest.
		for !m.held.within(w.before) {
			m.giveBack()
		}
		m.reach(w.before)
		m.call(w)
		n--
	}
}

// reach takes the locks and references that are missing to want.
func (m *bodyMaker) reach(want holdings) {
	for m.held.refs < want.refs {
		m.takeReference()
	}
	if want.device && !m.held.device {
		m.takeDevice()
	}
	if want.queue && !m.held.queue {
		m.takeQueue()
	}
}

// call writes a call of w, and an exit for a bad status.
//
//	status = dev_map_fifo(argument);
//	if (status != STATUS_OK) {
//	    put_device();
//	    return status;
//	}
func (m *bodyMaker) call(w *worker) {
	m.w.calls = append(m.w.calls, callSite{w, slices.Clone(m.way)})
	w.called = true
	// An argument that does not matter for the property.
	argument := []string{"argument", "value", "stat_mode", fmt.Sprint(m.rand.IntN(50))}[m.rand.IntN(4)]
	if argument == "value" && !strings.Contains(m.w.text.String(), "value =") {
		argument = "0"
	}
	m.line("status = %s(%s);", w.name, argument)
	m.line("if (status != STATUS_OK) {")
	m.exit(nil, "status")
	m.line("}")
	// In a run without errors the call succeeds.
	m.way = append(m.way, event{call: w})
}

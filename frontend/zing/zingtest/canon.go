package zingtest

import (
	"fmt"
	"strings"
)

// This file writes canonical strings: two states are the same if their strings are.

// canonical returns the canonical string of a state: globals, processes with the innermost frame
// first, then the objects in the order in which references to them were met, breadth first. References
// are written as numbers in that order. Objects that are not met are garbage.
func (s *state) canonical() string { return s.written().out.String() }

// reached returns the objects that are no garbage.
func (s *state) reached() map[ref]int { return s.written().numbers }

// written returns the writer that has written a state.
func (s *state) written() *writer {
	w := &writer{state: s, numbers: map[ref]int{}}
	w.values("globals", s.globals)
	for i, p := range s.processes {
		fmt.Fprintf(&w.out, "process %d\n", i)
		for j := len(p.stack) - 1; j >= 0; j-- {
			w.frame(p.stack[j])
		}
	}
	if s.pending != nil {
		fmt.Fprintf(&w.out, "choice of %d\n", s.chooser)
	}
	for i := 0; i < len(w.met); i++ {
		o := s.heap[w.met[i]]
		w.values(fmt.Sprintf("object %d %s %d", i, o.of.Name, len(o.elems)), o.elems)
	}
	return w
}

// writer writes a canonical string.
type writer struct {
	state   *state
	out     strings.Builder
	numbers map[ref]int // of the objects met
	met     []ref       // in order
}

// frame writes a frame. Installed handlers are no part of it.
func (w *writer) frame(f *frame) {
	fmt.Fprintf(&w.out, "%s.%s at %d %s", f.method.Owner.Name, f.method.Name.Name, f.at.id, f.at.name)
	w.values("", append([]value{f.this}, f.params...))
	w.values(" locals", append([]value{f.result}, f.locals...))
}

// values writes a line of values.
func (w *writer) values(title string, list []value) {
	w.out.WriteString(title)
	for _, v := range list {
		w.out.WriteByte(' ')
		w.value(v)
	}
	w.out.WriteByte('\n')
}

// value writes a value.
func (w *writer) value(v value) {
	switch v := v.(type) {
	case nil:
		w.out.WriteString("null")
	case ref:
		if _, seen := w.numbers[v]; !seen {
			w.numbers[v] = len(w.met)
			w.met = append(w.met, v)
		}
		fmt.Fprintf(&w.out, "#%d", w.numbers[v])
	case string:
		fmt.Fprintf(&w.out, "%q", v)
	case structure:
		w.out.WriteByte('{')
		for _, f := range v {
			w.out.WriteByte(' ')
			w.value(f)
		}
		w.out.WriteString(" }")
	default:
		fmt.Fprint(&w.out, v)
	}
}

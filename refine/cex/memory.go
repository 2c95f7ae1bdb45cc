package cex

import (
	"slices"
	"sort"
	"strconv"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/wp"
)

// This file carries reads of memory back to the start of a path. A read is carried back
// over the steps that leave it alone until one does not, and where it has been before it
// is not carried again: most conditions of a path read the same few places.

// history is what the steps of a path did to memory.
type history struct {
	base  *wp.Translator
	steps []func(*logic.Term) *logic.Term // each makes of a term about memory behind it one about memory before it
	Known map[*logic.Term][]span          // by read, its address being about the start; ascending
}

// span is a stretch in which nobody writes to a read: behind each of the steps from … to,
// counted from 1, it is what start says about the start.
type span struct {
	from, to int
	start    *logic.Term
}

func newHistory(base *wp.Translator) *history {
	h := &history{base: base, Known: map[*logic.Term][]span{}}
	// What memory holds at the start is open; reads of it are not to be confused with
	// reads of a later state.
	h.add(base.On("", "start").Forget(func(core.Loc) bool { return true }))
	return h
}

// add adds a step.
func (h *history) add(before func(*logic.Term) *logic.Term) { h.steps = append(h.steps, before) }

// AtStart carries a term about memory as it is now back to the start.
func (h *history) AtStart(f *logic.Term) *logic.Term { return h.before(f, len(h.steps)) }

// before carries a term about memory behind the first n steps back to the start. Addresses
// come first: those about the start mean the same at all times.
func (h *history) before(f *logic.Term, n int) *logic.Term {
	return h.base.T.Rewrite(f, nil, func(read *logic.Term, args []*logic.Term) *logic.Term {
		return h.read(h.base.Reread(read, args[0]), n)
	})
}

// read is before for a read at an address about the start.
func (h *history) read(f *logic.Term, n int) *logic.Term {
	if h.base.Open(f) {
		return f
	}
	spans := h.Known[f]
	at := sort.Search(len(spans), func(i int) bool { return spans[i].from > n }) // the next span
	last := 0
	if at > 0 {
		last = spans[at-1].to
	}
	for i := n; i > last; i-- {
		if g := h.steps[i-1](f); g != f {
			s := span{i, n, h.before(g, i-1)}
			// The term may have led back to the same read.
			spans = h.Known[f]
			at = sort.Search(len(spans), func(i int) bool { return spans[i].from > n })
			h.Known[f] = slices.Insert(spans, at, s)
			return s.start
		}
	}
	if at == 0 {
		return f
	}
	s := &spans[at-1]
	s.to = max(s.to, n)
	return s.start
}

// StepOpened is the step that made arbitrary what f reads, 0 for the start.
func StepOpened(f *logic.Term) int {
	_, number, ok := cutLast(f.Name, wp.SuffixNew+"#")
	if !ok {
		return 0
	}
	step, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return step
}

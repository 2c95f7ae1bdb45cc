package cex

import (
	"slices"
	"sort"
	"strconv"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/wp"
)

// This file carries reads of memory back to the start of a path. A read is carried back over steps
// that leave it unchanged until one does not. Where it has been before it is not carried again: most
// conditions of a path read the same few places.

// history is the effects of the steps of a path on memory. Each step is a function from a term about
// memory after it to an equal term about memory before it.
type history struct {
	base  *wp.Translator
	steps []func(*logic.Term) *logic.Term // each turns a term about memory after it into one about memory before it
	Known map[*logic.Term][]span          // by read, its address being about the start; ascending
}

// span is a stretch of a history in which nobody writes to a read: after each of the steps from … to,
// counted from 1, the read equals start, a term about the start.
type span struct {
	from, to int
	start    *logic.Term
}

// newHistory returns the history whose only step makes all memory arbitrary.
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

// before carries a term about memory after the first n steps back to the start. Addresses are carried
// first: a term about the start means the same at all times.
func (h *history) before(f *logic.Term, n int) *logic.Term {
	return h.base.T.Rewrite(f, nil, h.base.Settled, func(read *logic.Term, args []*logic.Term) *logic.Term {
		return h.read(h.base.Reread(read, args[0]), n)
	})
}

// read carries f, a read of memory after the first n steps, back to the start. Its address is about
// the start already.
func (h *history) read(f *logic.Term, n int) *logic.Term {
	// A read of open memory is about the start.
	if h.base.Open(f) {
		return f
	}
	// 1. How far back has this read been carried before? Spans are disjoint and ascending.
	spans := h.Known[f]
	at := sort.Search(len(spans), func(i int) bool { return spans[i].from > n }) // the next span
	last := 0
	if at > 0 {
		last = spans[at-1].to
	}
	// 2. Carry it back to the end of the nearest span before n, or to the start, step by step. The first
	// step that changes it begins a new span; the term that it becomes is carried on by recursion.
	for i := n; i > last; i-- {
		if g := h.steps[i-1](f); g != f {
			s := span{i, n, h.before(g, i-1)}
			// The recursion may have added spans of the same read.
			spans = h.Known[f]
			at = sort.Search(len(spans), func(i int) bool { return spans[i].from > n })
			h.Known[f] = slices.Insert(spans, at, s)
			return s.start
		}
	}
	// 3. No step has changed it.
	if at == 0 {
		return f
	}
	// 4. It has reached a known span, which now extends to step n.
	s := &spans[at-1]
	s.to = max(s.to, n)
	return s.start
}

// StepOpened returns the step that made arbitrary the memory that f reads, 0 for the start.
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

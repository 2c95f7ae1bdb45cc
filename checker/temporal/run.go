package temporal

import "slices"

// This file makes runs of the reasons that the saturation has noted.

// action is a move of a run at a head. With exit it is a whole call, from the move that pushes to where it
// returns.
type action struct {
	head int32
	arc  int32
	exit int32 // -1 if it is a move
}

// way is a run: an initial configuration, the actions to a head, and those that lead from there to the same head,
// with the symbols below the first one untouched.
type way struct {
	start int32
	stem  []action
	loop  []action // nil for a finite run
	end   head     // where the stem ends
}

// lengths returns, for each transition, the number of moves from the head of its middle state to it.
func (s *saturation) lengths() []int {
	const most = 1 << 40
	out := make([]int, len(s.list))
	for i, t := range s.list {
		// The transitions that a reason refers to come before.
		switch t.why.kind {
		case madeMove:
			out[i] = out[t.why.prev] + 1
		case exited:
			before := 0
			if c := &s.calls[t.why.call]; c.prev >= 0 {
				before = out[c.prev] + 1
			}
			out[i] = min(before+out[t.why.prev], most)
		}
	}
	return out
}

// writer writes runs out, with at most steps actions apart from calls that are one.
type writer struct {
	*saturation
	lengths []int
	steps   int
}

// to returns the initial configuration and the actions of a run to a transition.
func (w *writer) to(i int32) (start int32, out []action) {
	// Go back from the transition; the insides of calls are put in between, backwards as well.
	for {
		t := &w.list[i]
		switch t.why.kind {
		case initial:
			slices.Reverse(out)
			return t.why.arc, out
		case madeMove:
			out = w.backTo(t.why.prev, t.why.arc, out)
			i = t.why.prev
			continue
		case exited:
			out = w.call(t.why.call, t.why.prev, out)
		}
		c := &w.calls[t.why.call]
		if c.prev < 0 {
			slices.Reverse(out)
			return c.arc, out
		}
		if t.why.kind == entered {
			out = w.backTo(c.prev, c.arc, out)
		}
		i = c.prev
	}
}

// backTo appends the move that the head of a transition makes.
func (w *writer) backTo(prev, arc int32, out []action) []action {
	t := &w.list[prev]
	w.steps--
	return append(out, action{w.index[head{t.p, t.symbol}], arc, -1})
}

// call appends the actions of a call until an exit, backwards: its inside and the move that pushes, or one
// action if the inside is too long.
func (w *writer) call(n, exit int32, out []action) []action {
	c := &w.calls[n]
	if c.prev >= 0 && w.lengths[exit]+1 > w.steps {
		t := &w.list[c.prev]
		w.steps--
		return append(out, action{w.index[head{t.p, t.symbol}], c.arc, exit})
	}
	out = w.inside(exit, out)
	if c.prev >= 0 {
		out = w.backTo(c.prev, c.arc, out)
	}
	return out
}

// inside appends the actions from the head of a middle state to an exit of it, backwards.
func (w *writer) inside(exit int32, out []action) []action {
	for i := exit; ; {
		t := &w.list[i]
		switch t.why.kind {
		case entered:
			return out
		case madeMove:
			out = w.backTo(t.why.prev, t.why.arc, out)
			i = t.why.prev
		case exited:
			out = w.call(t.why.call, t.why.prev, out)
			i = w.calls[t.why.call].prev
		case initial:
			return out
		}
	}
}

// along returns the actions along edges of the head-reachability graph.
func (w *writer) along(path []taken) (out []action) {
	for _, e := range path {
		switch {
		case e.exit < 0:
			out = append(out, action{e.from, e.arc, -1})
			w.steps--
		case w.lengths[e.exit]+1 > w.steps:
			out = append(out, action{e.from, e.arc, e.exit})
			w.steps--
		default:
			out = append(out, action{e.from, e.arc, -1})
			w.steps--
			inside := w.inside(e.exit, nil)
			slices.Reverse(inside)
			out = append(out, inside...)
		}
	}
	return out
}

// writer returns a writer of runs.
func (s *saturation) writer(steps int) *writer {
	if steps == 0 {
		steps = DefaultSteps
	}
	return &writer{s, s.lengths(), steps}
}

// lasso returns a run that repeats an accepting edge from a head for ever.
func (s *saturation) lasso(h int32, e edge, of []int32, steps int) *way {
	w := s.writer(steps)
	start, stem := w.to(s.heads[h].first)
	path := append([]taken{{h, e}}, s.pathWithin(of, e.to, h)...)
	return &way{start: start, stem: stem, loop: w.along(path), end: s.heads[h].head}
}

// finite returns a run to a transition.
func (s *saturation) finite(i int32, steps int) *way {
	start, stem := s.writer(steps).to(i)
	return &way{start: start, stem: stem, end: head{s.list[i].p, s.list[i].symbol}}
}

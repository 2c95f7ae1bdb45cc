package shylockcheck

import (
	"container/heap"
	"context"
)

// This file looks for failures, by summaries: an invocation is a heap with which a procedure begins, and facts
// are configurations inside of it, each with the length of a shortest run from the beginning of the program. Calls
// that begin with the same heap share an invocation, and whatever heaps it ends with are glued to the heaps of
// all callers.
//
// Facts are taken in the order of these lengths. Those of facts that follow from a fact are greater, also across
// a return, so the first fact of a configuration is a nearest one, and the first failure has a shortest run.

// invocation is a heap and the first point of a procedure.
type invocation struct {
	loc     int     // the heap
	start   int     // the length of a shortest run to it
	first   *caller // the call by which it was found; nil for that of the program
	callers []*caller
	exits   []*fact // configurations after its last step
}

// caller is a fact that makes a call, by a move that pushes a frame.
type caller struct {
	*fact
	by, frame int
}

// fact is a configuration inside of an invocation.
type fact struct {
	in     *invocation
	loc    int
	symbol int // ended after the last step of the invocation
	length int // of a shortest run from the beginning of the program
	age    int

	// The fact from which it follows, nil for the first: by a move or, if exit is not nil, by a call and the run of
	// the callee up to that configuration, with the return.
	from *fact
	move int
	exit *fact
}

// ended is the symbol of a configuration after the last step of an invocation.
const ended = -1

// longest is the greatest length that is counted. Lengths can double with each procedure.
const longest = 1 << 40

// head identifies the facts of an invocation.
type head struct {
	in          *invocation
	loc, symbol int
}

// queue has facts by length, and by age.
type queue []*fact

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*fact)) }
func (q queue) Less(i, j int) bool {
	if q[i].length != q[j].length {
		return q[i].length < q[j].length
	}
	return q[i].age < q[j].age
}

func (q *queue) Pop() any {
	old := *q
	f := old[len(old)-1]
	*q = old[:len(old)-1]
	return f
}

// search is the state of the search.
type search struct {
	*space
	queue       queue
	known       map[head]bool
	invocations map[[2]int]*invocation

	failures []*fact         // heads whose symbol is a failure, one for each place
	failed   map[[2]int]bool // places: point and move
	full     bool            // the search has met its limit
	beyond   *fact           // the first one found that has a move to ⊤
	top      transition      // that move

	added, facts, returns int
	blocked               int // facts at which no branch is enabled
}

// explore looks for failures until it has found one, or all if that is asked for. It returns early when ctx ends.
func (s *space) explore(ctx context.Context) *search {
	r := &search{space: s, known: map[head]bool{}, invocations: map[[2]int]*invocation{}, failed: map[[2]int]bool{}}
	loc, word := s.start()
	r.enter(loc, word[0], 0)
	for len(r.queue) > 0 && ctx.Err() == nil {
		f := heap.Pop(&r.queue).(*fact)
		k := head{f.in, f.loc, f.symbol}
		if r.known[k] {
			continue
		}
		if r.full = s.opts.MaxStates > 0 && r.facts == s.opts.MaxStates; r.full {
			return r
		}
		r.known[k] = true
		r.facts++
		x, fails := s.meaning(f.symbol).(failure)
		switch {
		case fails:
			r.failures = append(r.failures, f)
			r.failed[[2]int{x.point, x.move}] = true
			if !s.opts.All {
				return r
			}
		case f.symbol == ended:
			f.in.exits = append(f.in.exits, f)
			for _, c := range f.in.callers {
				r.back(c, f)
			}
		default:
			r.visit(f)
		}
	}
	return r
}

// enter returns the invocation of a procedure with a heap, the first time with its first fact.
func (r *search) enter(loc, entry, length int) (in *invocation, isNew bool) {
	k := [2]int{loc, entry}
	if in = r.invocations[k]; in != nil {
		return in, false
	}
	in = &invocation{loc: loc, start: length}
	r.invocations[k] = in
	r.add(&fact{in: in, loc: loc, symbol: entry, length: length})
	return in, true
}

// add puts a fact into the queue.
func (r *search) add(f *fact) {
	r.added++
	f.age = r.added
	f.length = min(f.length, longest)
	heap.Push(&r.queue, f)
}

// visit makes the moves of a fact.
func (r *search) visit(f *fact) {
	list := r.transitions(f.loc, f.symbol)
	if len(list) == 0 {
		r.blocked++
	}
	for _, t := range list {
		next := &fact{in: f.in, loc: t.loc, symbol: ended, length: f.length + 1, from: f, move: t.move}
		if len(t.word) > 0 {
			next.symbol = t.word[0]
		}
		switch x, fails := r.meaning(next.symbol).(failure); {
		case t.top != nil:
			r.exceeds(f, t)
		case len(t.word) == 2:
			r.call(f, t)
		case fails && r.failed[[2]int{x.point, x.move}]:
			// One run to each place that fails is enough.
		default:
			r.add(next)
		}
	}
}

// exceeds notes a move to ⊤.
func (r *search) exceeds(f *fact, t transition) {
	if r.beyond == nil {
		r.beyond, r.top = f, t
	}
}

// call follows a call. Whatever is known of the invocation that it leads to is used at once.
func (r *search) call(f *fact, t transition) {
	in, isNew := r.enter(t.loc, t.word[0], f.length+1)
	c := &caller{f, t.move, t.word[1]}
	if isNew {
		in.first = c
	}
	in.callers = append(in.callers, c)
	for _, e := range in.exits {
		r.back(c, e)
	}
}

// back follows a return after the configuration e. The length is that of the run to the call, the call, the run
// from the beginning of the callee to e, and the return.
func (r *search) back(c *caller, e *fact) {
	r.returns++
	t := r.transitions(e.loc, c.frame)[0]
	length := c.length + 1 + (e.length - e.in.start) + 1
	next := &fact{in: c.in, loc: t.loc, symbol: ended, length: length, from: c.fact, move: c.by, exit: e}
	switch {
	case t.top != nil:
		// The run to ⊤ ends with the return itself.
		next.loc, next.symbol = e.loc, c.frame
		r.exceeds(next, t)
		return
	case len(t.word) > 0:
		next.symbol = t.word[0]
	}
	r.add(next)
}

package interleave

import (
	"fmt"
	"math/rand/v2"

	"c2bp/checker/zom"
)

// This file searches depth first, and randomly.

// visit is a state on the run that is explored: its moves from next on are still to be made.
type visit struct {
	id      ID
	next, n int
}

// depth explores depth first.
func (e *engine) depth() {
	id, _ := e.keep(none)
	stack := []visit{e.arrive(id)}
	for len(stack) > 0 && !e.stopped() {
		v := &stack[len(stack)-1]
		if v.next == v.n {
			stack = stack[:len(stack)-1]
			continue
		}
		// Make the next move. The state is read again, as moves from later ones have changed it.
		e.load(v.id)
		e.moves()
		mv := e.move(v.next)
		v.next++
		run := func() []Move { return e.run(v.id) }
		if e.take(mv, run) == zom.Stepped {
			if id, isNew := e.keep(v.id); isNew {
				e.stuck(mv, run)
				stack = append(stack, e.arrive(id))
				e.r.Levels = max(e.r.Levels, len(stack))
			} else if e.opts.MissDeadlocks {
				e.stuck(mv, run)
			}
		}
		if e.over() {
			return
		}
	}
}

// arrive returns the visit of a new state, which is the present one, and counts it.
func (e *engine) arrive(id ID) visit {
	n := e.moves()
	e.count(id, n)
	return visit{id: id, n: n}
}

// random makes runs that take a random move each time.
func (e *engine) random() {
	rng := rand.New(rand.NewPCG(e.opts.Seed, 0))
	e.keep(none)
	for range e.opts.Bound {
		e.load(first)
		var run []Move
		for id := first; len(run) < e.opts.Length && !e.stopped(); {
			n := e.moves()
			if n == 0 {
				break
			}
			mv := e.move(rng.IntN(n))
			soFar := func() []Move { return run }
			if e.take(mv, soFar) != zom.Stepped {
				break
			}
			next, isNew := e.keep(id)
			if isNew {
				e.count(next, e.moves())
				e.stuck(mv, soFar)
			}
			run = append(run, mv)
			e.r.Levels = max(e.r.Levels, len(run)+1)
			// Read the state again, without garbage.
			id = next
			e.load(id)
		}
		if e.over() || e.r.Open != "" {
			return
		}
	}
	e.r.Open = "random runs prove nothing: " + plural(e.opts.Bound, "run") + " without a failure"
}

// plural returns n and a noun.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

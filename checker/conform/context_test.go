package conform

import (
	"math/rand/v2"
	"testing"

	"c2bp/internal/testkit"
)

// This file tests substitutability: a context that never gets stuck with the specification never gets stuck with the
// implementation.

// getsStuck reports whether a context and a process, all of whose actions are between the two, can get stuck. They
// move by hidden steps of either, or by an action of the process together with the co-action of the context, which has
// the same number. They are stuck if there is no move, and one of them has an action.
func getsStuck(context, p process) bool {
	type state struct{ c, p int }
	seen := map[state]bool{{}: true}
	for list := []state{{}}; len(list) > 0; {
		at := list[0]
		list = list[1:]
		var next []state
		moves := false
		hidden := func(of process, s int, to func(int) state) {
			for _, st := range of[s] {
				if st.Action == Hidden {
					moves = true
					if st.To != Nowhere {
						next = append(next, to(st.To))
					}
				}
			}
		}
		hidden(context, at.c, func(s int) state { return state{s, at.p} })
		hidden(p, at.p, func(s int) state { return state{at.c, s} })
		for _, x := range context[at.c] {
			for _, y := range p[at.p] {
				if x.Action != Hidden && x.Action == y.Action {
					moves = true
					next = append(next, state{x.To, y.To})
				}
			}
		}
		if !moves && (context.readyOf(at.c) != 0 || p.readyOf(at.p) != 0) {
			return true
		}
		for _, s := range next {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return false
}

// mirror returns a context that does what a process expects, or differs from that in few steps.
func mirror(r *rand.Rand, p process) process {
	if r.IntN(2) == 0 {
		return similar(r, p)
	}
	return similar(r, random(r))
}

// TestSubstitutable: no context that is never stuck with the specification is stuck with an implementation that
// conforms, also if it does so with sets of states only.
func TestSubstitutable(t *testing.T) {
	n := testkit.Count(10000, 1000000)
	contexts, free, coarser := 0, 0, 0
	for i := 0; contexts < n; i++ {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		impl, spec := pairOf(r)
		if !conforms(impl, spec, true) {
			continue
		}
		plain := conforms(impl, spec, false)
		for range 5 {
			contexts++
			c := mirror(r, spec)
			if getsStuck(c, spec) {
				continue
			}
			free++
			if !plain {
				coarser++
			}
			if getsStuck(c, impl) {
				t.Fatalf("%d: %v conforms to %v (without sets: %v), and %v is stuck with the former alone", i, impl, spec, plain, c)
			}
		}
	}
	t.Logf("%d contexts, %d of them never stuck with the specification, %d with an implementation that conforms with sets only", contexts, free, coarser)
	if free < n/10 || coarser < n/1000 {
		t.Errorf("too few contexts are never stuck: %d, %d", free, coarser)
	}
}

// TestDistinguished: a process that does not conform is stuck in some context in which the other is not, if the latter
// does not diverge: C1 and C2 ask for no more than is needed, mostly.
func TestDistinguished(t *testing.T) {
	found, all := 0, 0
	for i := range 400 {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		impl, spec := pairOf(r)
		if conforms(impl, spec, true) || Check(t.Context(), impl, spec, Options{}).Diverging[1] != nil {
			continue
		}
		all++
		for range 200 {
			if c := mirror(r, spec); !getsStuck(c, spec) && getsStuck(c, impl) {
				found++
				break
			}
		}
	}
	t.Logf("%d of %d processes that do not conform were told apart by a random context", found, all)
	if found < all/5 {
		t.Errorf("only %d of %d", found, all)
	}
}

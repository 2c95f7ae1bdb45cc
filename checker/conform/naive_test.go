package conform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"c2bp/internal/testkit"
)

// This file decides conformance by its definition, slowly.

// bits is a set of states.
type bits uint8

func (b bits) has(s int) bool { return b>>s&1 == 1 }

// hiddenly returns the states that hidden steps reach from a set, the set included.
func (p process) hiddenly(from bits) bits {
	for {
		before := from
		for s := range p {
			for _, st := range p[s] {
				if from.has(s) && st.Action == Hidden && st.To != Nowhere {
					from |= 1 << st.To
				}
			}
		}
		if from == before {
			return from
		}
	}
}

// weakly returns the states that hidden steps and then an action reach from a set.
func (p process) weakly(from bits, a Action) (to bits) {
	reached := p.hiddenly(from)
	for s := range p {
		for _, st := range p[s] {
			if reached.has(s) && st.Action == a {
				to |= 1 << st.To
			}
		}
	}
	return to
}

// isStable reports whether no hidden step begins in a state.
func (p process) isStable(s int) bool {
	return !slices.ContainsFunc(p[s], func(st Step) bool { return st.Action == Hidden })
}

// readyOf returns the set of the actions of a state.
func (p process) readyOf(s int) (set bits) {
	for _, st := range p[s] {
		if st.Action != Hidden {
			set |= 1 << st.Action
		}
	}
	return set
}

// refusals reports whether C2 holds for a state of impl and a set of states of spec.
func refusals(impl, spec process, i int, s bits) bool {
	mine, its := impl.hiddenly(1<<i), spec.hiddenly(s)
	for x := range impl {
		if !mine.has(x) || !impl.isStable(x) {
			continue
		}
		ready := impl.readyOf(x)
		for _, y := range []bits{0, 1 << 1, 1 << 2, 1 << 3} {
			if y&^ready != 0 {
				continue
			}
			found := false
			for z := range spec {
				if its.has(z) && spec.isStable(z) {
					r := spec.readyOf(z)
					found = found || y&^r == 0 && r&^ready == 0
				}
			}
			if !found {
				return false
			}
		}
	}
	return true
}

// naive decides conformance by taking pairs out of the full relation until nothing changes.
func naive(impl, spec process) bool {
	in := func(i, s int) int { return i*len(spec) + s }
	related := make([]bool, len(impl)*len(spec))
	for i := range impl {
		for s := range spec {
			related[in(i, s)] = refusals(impl, spec, i, 1<<s)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range impl {
			for s := range spec {
				if !related[in(i, s)] {
					continue
				}
				for a := Action(1); a <= 3; a++ {
					after, answers := impl.weakly(1<<i, a), spec.weakly(1<<s, a)
					for x := range impl {
						answered := false
						for y := range spec {
							answered = answered || answers.has(y) && related[in(x, y)]
						}
						if after.has(x) && !answered {
							related[in(i, s)], changed = false, true
						}
					}
				}
			}
		}
	}
	return related[in(0, 0)]
}

// naiveSubset decides conformance with sets of states of spec, by looking at all that impl can do.
func naiveSubset(impl, spec process) bool {
	type place struct {
		i int
		s bits
	}
	seen := map[place]bool{{0, 1}: true}
	for list := []place{{0, 1}}; len(list) > 0; {
		at := list[0]
		list = list[1:]
		if !refusals(impl, spec, at.i, at.s) {
			return false
		}
		for a := Action(1); a <= 3; a++ {
			after, answers := impl.weakly(1<<at.i, a), spec.weakly(at.s, a)
			for x := range impl {
				if !after.has(x) {
					continue
				}
				if answers == 0 {
					return false
				}
				if next := (place{x, answers}); !seen[next] {
					seen[next] = true
					list = append(list, next)
				}
			}
		}
	}
	return true
}

// TestNaive: on random pairs the answers are those of the definition, without and with sets of states.
func TestNaive(t *testing.T) {
	n := testkit.Count(10000, 1000000)
	both := map[[2]bool]int{}
	for i := range n {
		impl, spec := pairOf(rand.New(rand.NewPCG(1, uint64(i))))
		plain, coarse := naive(impl, spec), naiveSubset(impl, spec)
		both[[2]bool{plain, coarse}]++
		r := Check(t.Context(), impl, spec, Options{})
		if r.Conforms != plain {
			t.Fatalf("%d: %v to %v: %v, want %v", i, impl, spec, r.Conforms, plain)
		}
		if r.Conforms == (r.Refutation != nil) || r.Open != nil {
			t.Fatalf("%d: %v to %v: %v, %v", i, impl, spec, r.Refutation, r.Open)
		}
		d := Check(t.Context(), impl, spec, Options{Determinize: true})
		if d.Conforms != coarse || d.Coarser != (coarse && !plain) {
			t.Fatalf("%d: %v to %v with sets: %v, coarser %v, want %v", i, impl, spec, d.Conforms, d.Coarser, coarse)
		}
	}
	t.Logf("of %d pairs, by (plain, with sets): %v", n, both)
	// The answers are of all kinds that there are.
	if both[[2]bool{true, true}] < n/10 || both[[2]bool{false, true}] < n/1000 || both[[2]bool{false, false}] < n/10 || both[[2]bool{true, false}] > 0 {
		t.Errorf("%v", both)
	}
}

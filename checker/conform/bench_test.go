package conform

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// This file measures how the cost grows with the implementation.

// large is an implementation with n states: it goes through the phases of a specification round and round, and takes
// hidden steps in between, on data that nobody sees.
type large struct {
	n      int
	phases int
	list   []Step
}

func (l *large) Initial() int { return 0 }

// Steps returns an action to the next phase and, except where data are 0 modulo 3, two hidden steps within the phase.
func (l *large) Steps(s int) ([]Step, error) {
	data := l.n / l.phases
	phase, d := s/data, s%data
	l.list = l.list[:0]
	if d%3 == 0 {
		next := (phase + 1) % l.phases
		l.list = append(l.list, Step{1 + Action(phase%7), next*data + (d+1)%data})
		return l.list, nil
	}
	l.list = append(l.list, Step{Hidden, phase*data + (d+1)%data}, Step{Hidden, phase*data + (d+2)%data})
	return l.list, nil
}

// heap returns the bytes of live objects.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkGrowth prints time and memory for larger and larger implementations of a specification with 100 states.
func BenchmarkGrowth(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-15s | %9s | %9s | %9s | %8s | %12s | %11s |\n", "implementation", "steps", "spec.", "pairs", "seconds", "us per state", "bytes/state")
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		impl, spec := &large{n: n, phases: 100}, &large{n: 100, phases: 100}
		before, start := heap(), time.Now()
		sets := newSets()
		c := newCheck(newGraph(impl, sets), newGraph(spec, sets), false)
		r := c.run(b.Context())
		took := time.Since(start).Seconds()
		bytes := float64(heap()-before) / float64(r.States[0])
		if !r.Conforms {
			b.Fatalf("%v", show(r.Refutation))
		}
		fmt.Printf("| %-15d | %9d | %9d | %9d | %8.2f | %12.2f | %11.0f |\n", r.States[0], r.Steps, r.States[1], r.Pairs, took, took*1e6/float64(r.States[0]), bytes)
		runtime.KeepAlive(c)
	}
}

package interp

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"c2bp/internal/testkit"
)

// TestWordsAfterWrites: the words that were found in an object are those that it has after each step, in copies of the
// machine, too.
func TestWordsAfterWrites(t *testing.T) {
	t.Parallel()
	kept := 0
	for seed := range uint64(testkit.Count(60, 3000)) {
		p := randomProgram(seed)
		c := newCounted(p, seed)
		m := New(p, c, Options{tiny: seed%2 == 0})
		for range 60 {
			for _, o := range m.Objects() {
				m.addresses(o, func(uint64) {}, func() {})
			}
			if c.made%3 == 0 {
				c = c.copyOf()
				m = m.Copy(c)
			}
			e, err := m.Step()
			for _, o := range m.Objects() {
				parts := []*contents{&m.body(o).contents}
				if s := m.body(o).sparse; s != nil {
					parts = nil
					for _, p := range s.pages {
						parts = append(parts, &p.contents)
					}
				}
				for _, part := range parts {
					if part.words == nil {
						continue
					}
					kept++
					fresh := *part
					fresh.words = nil
					if want := m.wordsOf(&fresh); !reflect.DeepEqual(part.words, want) {
						t.Fatalf("seed %d: %v has the words %v, want %v", seed, o, part.words, want)
					}
				}
			}
			if err != nil || e.Kind.Final() {
				break
			}
		}
	}
	if kept == 0 {
		t.Error("no words were kept")
	}
}

// TestDecisions: what is decided is found, in the copies that were made afterwards, and in no other.
func TestDecisions(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	type copied struct {
		decisions
		now  *epoch
		want map[uint64]byte
	}
	all := []*copied{{now: &epoch{}, want: map[uint64]byte{}}}
	mark := func() uint64 { return uint64(1+r.IntN(400))<<1 | uint64(r.IntN(2)) }
	for range 3000 {
		c := all[r.IntN(len(all))]
		switch r.IntN(40) {
		// 1. A copy: from now on both have new epochs.
		case 0:
			c.now = &epoch{}
			all = append(all, &copied{maps.Clone(c.decisions), &epoch{}, maps.Clone(c.want)})
		// 2. A decision.
		default:
			at, b := mark(), byte(r.IntN(256))
			c.add(at, b, c.now)
			c.want[at] = b
		}
		// 3. All that was decided, and a range of it.
		c = all[r.IntN(len(all))]
		for at := uint64(2); at < 1000; at++ {
			b, ok := c.find(at)
			if want, known := c.want[at]; ok != known || b != want {
				t.Fatalf("%d is %d, %v, want %d, %v", at, b, ok, want, known)
			}
		}
		first := mark()
		last := first + 2*uint64(r.IntN(200))
		var want []uint64
		for at := first; at <= last; at += markStep {
			if _, ok := c.want[at]; ok {
				want = append(want, at)
			}
		}
		if got := slices.Collect(c.between(first, last)); !slices.Equal(got, want) {
			t.Fatalf("from %d to %d: %v, want %v", first, last, got, want)
		}
	}
}

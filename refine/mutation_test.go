package refine

import (
	"testing"

	"c2bp/internal/testkit"
)

// mutants are rules broken on purpose; runs of what programs can show it; and programs of
// which it was seen, to be tried first.
var mutants = []struct {
	name     string
	mutation mutation
	all      bool
	flavour  flavour
	of       func(truth) bool
	first    []uint64
}{
	{"runs are not replayed", mutation{believe: true}, false, risky, cannotFail, []uint64{91, 143}},
	{"what is behind the nearest failure holds", mutation{nearest: true}, true, wrapping, canFail, []uint64{0}},
	{"runs of further failures are not replayed", mutation{believe: true}, true, risky, anything, []uint64{19}},
}

// The comparison with runs notices what makes verdicts wrong.
func TestMutants(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t)
	for _, m := range mutants {
		seeds := m.first
		for i := range uint64(testkit.Count(30, 300)) {
			seeds = append(seeds, uint64(flavours)*i+uint64(m.flavour))
		}
		noticed := false
		for i, seed := range seeds {
			x := try(t, seed, manner{mutation: m.mutation, all: m.all, queries: 1500}, m.of)
			if noticed = len(x.wrong) > 0; noticed {
				t.Logf("%s: noticed after %d programs: seed %d: %s: %s", m.name, i+1, seed, x.verdict, x.wrong[0])
				break
			}
		}
		if !noticed {
			t.Errorf("not noticed: %s", m.name)
		}
	}
}

package refine

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds verdicts about drivers whose pointers come from outside against an environment
// that is linked with them (cgen.GeneratePair).

// pairsTally counts what became of drivers.
type pairsTally struct {
	failing, holding, proved, refuted, wrong int
	first                                    uint64 // of the wrong ones
}

// auditPairs audits the drivers of the seeds from first on; until something is wrong if the
// audit is broken.
func auditPairs(t *testing.T, first, n uint64, m mutation) (tally pairsTally) {
	t.Helper()
	for seed := first; seed < first+n && (tally.wrong == 0 || m == mutation{}); seed++ {
		p := cgen.GeneratePair(seed)
		fails, err := p.Fails(t.Context(), t.TempDir())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if m != (mutation{}) && !fails {
			continue
		}
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("driver.c", []byte(p.Driver))}, frontend.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Driver)
		}
		o, err := Audit(t.Context(), u.Program, Options{Iterations: 6, Queries: 600, mutation: m})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Driver)
		}
		tally.add(t, seed, fails, o.Result.Verdict, m)
	}
	return tally
}

func (y *pairsTally) add(t *testing.T, seed uint64, fails bool, v verdict.Verdict, m mutation) {
	if fails {
		y.failing++
	} else {
		y.holding++
	}
	switch {
	case v == verdict.True && fails:
		if y.wrong++; y.wrong == 1 {
			y.first = seed
		}
		if m == (mutation{}) {
			t.Errorf("seed %d: TRUE, and it fails in gcc", seed)
		}
	case v == verdict.True:
		y.proved++
	case v == verdict.False:
		y.refuted++
	}
}

// TestPairs: no driver fails together with an environment that keeps to its types where the audit
// of the driver alone says TRUE.
func TestPairs(t *testing.T) {
	t.Parallel()
	needGCC(t)
	y := auditPairs(t, 1, uint64(count(40, 1000)), mutation{})
	t.Logf("%+v", y)
	if y.failing*5 < y.holding || y.proved*4 < y.holding || y.refuted*2 < y.failing {
		t.Errorf("too little is decided: %+v", y)
	}
}

// TestPairsMutants: that a rule about memory from outside is broken shows in a driver that fails
// in gcc and is TRUE; the seeds are those of which it was seen.
func TestPairsMutants(t *testing.T) {
	t.Parallel()
	needGCC(t)
	for _, m := range []struct {
		name  string
		rule  alias.Rule
		first uint64
	}{
		{"a pointer from outside is one value wherever it goes", alias.Travelling, 1},
		{"what a pointer is followed as is one object", alias.Following, 1},
		{"objects outside lie in others", alias.Nesting, 1},
		{"members of unions overlap", alias.Uniting, 1},
		{"arrays have more than one element", alias.Repeating, 1},
		{"what was given away may be met again", alias.Giving, 1},
		{"two pointers from outside may be one", alias.Meeting, 1},
	} {
		y := auditPairs(t, m.first, uint64(count(1, 400)), mutation{alias: m.rule})
		if y.wrong == 0 {
			t.Errorf("not noticed: %s", m.name)
		}
		t.Logf("%s: noticed by seed %d", m.name, y.first)
	}
}

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
	y := auditPairs(t, 1, uint64(count(10, 1000)), mutation{})
	t.Logf("%+v", y)
	if count(0, 1) == 1 && (y.failing*5 < y.holding || y.proved*4 < y.holding || y.refuted*2 < y.failing) {
		t.Errorf("too little is decided: %+v", y)
	}
}

// environmentHead declares what the programs of TestEnvironmentMutants get their pointers from.
const environmentHead = `
void __VERIFIER_assert(int);
struct a { int x, x2; };
struct b { int y, y2; };
struct hold { void *priv; int n; };
struct o { long k; struct a l[4]; };
union u { struct a a; struct b b; long n; };
struct a *ga(void); struct b *gb(void); struct hold *gh(void); struct o *go(void); union u *gu(void); void *get(void); int *gi(void);
void give(void *);
static struct a g;
`

// TestEnvironmentMutants: that a rule about memory from outside is broken makes a program that
// fails TRUE.
func TestEnvironmentMutants(t *testing.T) {
	t.Parallel()
	for _, m := range []struct {
		name string
		rule alias.Rule
		body string
	}{
		{"a pointer from outside is one value wherever it goes", alias.Travelling,
			"struct hold *f = gh(); struct a *p = ga(); if (!f) return 0; f->priv = p; struct b *q = f->priv; if (!p || !q) return 0; p->x = 1; q->y = 2; __VERIFIER_assert(p->x == 1);"},
		{"what a pointer is followed as is one object", alias.Following,
			"void *v = get(); struct a *p = v; struct b *q = v; if (!v) return 0; p->x = 1; q->y = 2; __VERIFIER_assert(p->x == 1);"},
		{"objects outside lie in others", alias.Nesting,
			"struct o *o = go(); struct a *p = ga(); if (!o || !p) return 0; o->l[0].x = 1; p->x = 2; __VERIFIER_assert(o->l[0].x == 1);"},
		{"members of unions overlap", alias.Uniting,
			"struct a *p = ga(); struct b *q = gb(); union u *u = gu(); if (!p || !q || !u) return 0; u->n = 0; p->x = 1; q->y = 2; __VERIFIER_assert(p->x == 1);"},
		{"what was given away may be met again", alias.Giving,
			"give(&g); struct a *p = ga(); if (!p) return 0; g.x = 1; p->x = 2; __VERIFIER_assert(g.x == 1);"},
		{"two pointers from outside may be one", alias.Meeting,
			"struct a *p = ga(), *q = ga(); if (!p || !q) return 0; p->x = 1; q->x = 2; __VERIFIER_assert(p->x == 1);"},
	} {
		text := environmentHead + "int main(void) { " + m.body + " return 0; }"
		for _, broken := range []bool{false, true} {
			u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{Queries: 2000, Devices: Devices{NoTrials: true}} // a trial would find the failure
			if broken {
				opts.mutation.alias = m.rule
			}
			o, err := Audit(t.Context(), u.Program, opts)
			if err != nil {
				t.Fatal(err)
			}
			if v := o.Result.Verdict; (v == verdict.True) != broken {
				t.Errorf("%s, broken: %v: %s", m.name, broken, o.Result.Summary())
			}
		}
	}
}

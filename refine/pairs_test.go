package refine

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/cgen"
	"c2bp/internal/testkit"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds verdicts about drivers whose pointers come from outside against an environment
// that is linked with them (cgen.GeneratePair).

// pairsTally counts what became of drivers.
type pairsTally struct {
	failing, holding, proved, refuted int
	wrong                             []string // proved, and yet failing
}

// auditPairs audits n drivers that make generates, those of the seeds from first on.
func auditPairs(t *testing.T, make func(uint64) cgen.Pair, first, n uint64, without ...technique.Name) (y pairsTally) {
	t.Helper()
	opts := Options{Iterations: 6, Queries: 600, Without: technique.Of(without...)}
	for seed := first; seed < first+n; seed++ {
		p := make(seed)
		fails, err := p.Fails(t.Context(), t.TempDir())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("driver.c", []byte(p.Driver))}, frontend.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Driver)
		}
		o, err := Audit(t.Context(), u.Program, opts)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Driver)
		}
		if fails {
			y.failing++
		} else {
			y.holding++
		}
		switch v := o.Result.Verdict; {
		case v == verdict.True && fails:
			y.wrong = append(y.wrong, fmt.Sprintf("seed %d: TRUE, and it fails in gcc\n%s", seed, p.Driver))
		case v == verdict.True:
			y.proved++
		case v == verdict.False:
			y.refuted++
		}
	}
	return y
}

// TestPairs: no driver fails together with an environment that keeps to its types where the audit
// of the driver alone says TRUE.
func TestPairs(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t)
	for name, make := range map[string]func(uint64) cgen.Pair{"initialised": cgen.GeneratePair, "not": cgen.GenerateUnsetPair} {
		y := auditPairs(t, make, 1, uint64(testkit.Count(3, 500)))
		t.Logf("%s: %+v", name, y)
		for _, w := range y.wrong {
			t.Error(w)
		}
		if testkit.Count(0, 1) == 1 && (y.failing*5 < y.holding || y.proved*4 < y.holding || y.refuted*2 < y.failing) {
			t.Errorf("%s: too little is decided: %+v", name, y)
		}
	}
}

// TestPairsShown: drivers that fail with their environments, and that the audit proves if it forgets
// a rule about memory outside (testdata/mutants of package alias), are not proved. Random runs would find
// the failures in spite of that.
func TestPairsShown(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t)
	for _, x := range []struct {
		make func(uint64) cgen.Pair
		seed uint64
	}{
		{cgen.GeneratePair, 138}, {cgen.GeneratePair, 1}, {cgen.GenerateUnsetPair, 27},
	} {
		y := auditPairs(t, x.make, x.seed, 1, technique.Fuzzing)
		for _, w := range y.wrong {
			t.Error(w)
		}
		if y.failing != 1 {
			t.Errorf("driver %d does not fail: it shows nothing", x.seed)
		}
	}
}

// environmentHead declares what the programs of TestEnvironmentShown get their pointers from.
const environmentHead = `
void __VERIFIER_assert(int);
struct a { int x, x2; };
struct b { int y, y2; };
struct hold { void *priv; int n; };
struct o { long k; struct a l[4]; };
union u { struct a a; struct b b; long n; };
struct f { long n; long data[]; };
struct f *gf(void), *gf2(void); struct a *ga(void); struct b *gb(void); struct hold *gh(void); struct o *go(void); union u *gu(void); void *get(void); int *gi(void);
void give(void *);
static struct a g;
`

// TestEnvironmentShown: for each rule about memory from outside there is a program that fails, and that
// would be proved without the rule (testdata/mutants of package alias).
func TestEnvironmentShown(t *testing.T) {
	t.Parallel()
	for _, m := range []struct {
		name string
		body string
	}{
		{"a pointer from outside is one value wherever it goes",
			"struct hold *f = gh(); struct a *p = ga(); if (!f) return 0; f->priv = p; struct b *q = f->priv; if (!p || !q) return 0; p->x = 1; q->y = 2; __VERIFIER_assert(p->x == 1);"},
		{"what a pointer is followed as is one object",
			"void *v = get(); struct a *p = v; struct b *q = v; if (!v) return 0; p->x = 1; q->y = 2; __VERIFIER_assert(p->x == 1);"},
		{"at the distance that is computed",
			"struct a *p = ga(); struct b *q = gb(); if (!p || !q) return 0; ((struct b *)((char *)p + 4))->y2 = 0; p->x2 = 1; q->y = 2; __VERIFIER_assert(p->x2 == 1);"},
		{"so are the objects around it",
			"struct a *p = ga(); struct b *q = gb(); struct o *o = go(); if (!p || !q || !o) return 0; ((struct b *)p)->y = 0; o->l[2].x2 = 1; q->y2 = 2; __VERIFIER_assert(o->l[2].x2 == 1);"},
		{"an array without end may hold other objects",
			"struct f *p = gf(), *f = gf2(); if (!p || !f) return 0; struct b *q = (struct b *)f->data; p->data[0] = 1; q->y = 2; __VERIFIER_assert(p->data[0] == 1);"},
		{"objects outside lie in others",
			"struct o *o = go(); struct a *p = ga(); if (!o || !p) return 0; o->l[0].x = 1; p->x = 2; __VERIFIER_assert(o->l[0].x == 1);"},
		{"members of unions overlap",
			"struct a *p = ga(); struct b *q = gb(); union u *u = gu(); if (!p || !q || !u) return 0; u->n = 0; p->x = 1; q->y = 2; __VERIFIER_assert(p->x == 1);"},
		{"what was given away may be met again",
			"give(&g); struct a *p = ga(); if (!p) return 0; g.x = 1; p->x = 2; __VERIFIER_assert(g.x == 1);"},
		{"two pointers from outside may be one",
			"struct a *p = ga(), *q = ga(); if (!p || !q) return 0; p->x = 1; q->x = 2; __VERIFIER_assert(p->x == 1);"},
	} {
		text := environmentHead + "int main(void) { " + m.body + " return 0; }"
		t.Run(m.name, func(t *testing.T) {
			u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			// A random run would find the failure.
			o, err := Audit(t.Context(), u.Program, Options{Queries: 2000, Without: technique.Of(technique.Fuzzing)})
			if err != nil {
				t.Fatal(err)
			}
			if o.Result.Verdict == verdict.True {
				t.Error("TRUE")
			}
		})
	}
}

// TestEnvironmentByProof: no program of the corner cases about memory from outside that is claimed
// to fail is proved. Without trials it is the abstraction that has to know.
func TestEnvironmentByProof(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../cmd/c2bp/testdata/corners/environment*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	tried := 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := map[string]string{}
		for _, f := range archive.Files {
			text[f.Name] = string(f.Data)
		}
		for name, claim := range text {
			name, isClaim := strings.CutSuffix(name, "/claim")
			if !isClaim || !strings.HasPrefix(claim, "fails") {
				continue
			}
			u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text[name+"/in.c"]))}, frontend.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if text[name+"/flags"] != "" { // it depends on them
				continue
			}
			o, err := Audit(t.Context(), u.Program, Options{Queries: 1000, Without: technique.Of(technique.Fuzzing)})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if o.Result.Verdict == verdict.True {
				t.Errorf("%s: TRUE", name)
			}
			tried++
		}
	}
	if tried < 60 {
		t.Errorf("only %d programs were tried", tried)
	}
}

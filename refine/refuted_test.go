package refine

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine/event"
	"c2bp/refine/technique"
	"c2bp/source"
)

// returns runs an audit and lists the refuted paths that came back.
func returns(t *testing.T, text string) (out []event.Returned) {
	t.Helper()
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Audit(t.Context(), unit.Program, Options{Refs: RefsNever,
		Iterations: 60, Queries: int64(testkit.Count(700, 10_000)), Without: technique.Of(technique.Fuzzing), Log: func(e event.Event) {
			if r, ok := e.(event.Returned); ok {
				out = append(out, r)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// programsOf are small programs: those of the golden tests and random ones.
func programsOf(t *testing.T, random int) (texts []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(a.Files[0].Data))
	}
	for seed := range uint64(random) {
		g := generate(seed)
		r := compile(t, g)
		text, _ := render(g, choose(g, r.all(t, seed, 1000, make([]comparison, len(g.probes)))))
		os.RemoveAll(filepath.Dir(r.path))
		texts = append(texts, text)
	}
	return texts
}

// A refuted path comes back at most once, and is ruled out at once by constraints; unless
// predicates are missing for it. What the abstraction with constraints excludes is never a
// trace. An ordinary test has every other archive.
func TestProgress(t *testing.T) {
	testkit.NeedGCC(t)
	back, missing := 0, 0
	for i, text := range programsOf(t, testkit.Count(3, 500)) {
		if i%2 == 1 && !testkit.Long() {
			continue
		}
		for _, r := range returns(t, text) {
			switch {
			case r.Standing == event.Gone && !r.Again && !r.Absent:
				back++
			case r.Standing == event.Missing:
				missing++
			default:
				t.Errorf("program %d: %s\n%s", i, r, text)
			}
		}
	}
	t.Logf("%d paths came back, of them %d for want of predicates", back+missing, missing)
}

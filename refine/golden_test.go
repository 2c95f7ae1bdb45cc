package refine

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine/event"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

var update = testkit.Update

// auditText decides a program; the log says what refinement found, without counters. It has
// to find it by reasoning, if no random runs are asked for.
func auditText(t testing.TB, text string, opts Options) (o *Outcome, log string) {
	t.Helper()
	unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	opts.Iterations, opts.Log = cmp.Or(opts.Iterations, 60), func(e event.Event) {
		if c, ok := e.(event.Checked); ok { // without counters
			fmt.Fprintf(&b, "iteration %d: %s\n", c.Iteration, c.Result)
			return
		}
		fmt.Fprintln(&b, e)
	}
	o, err = Audit(context.Background(), unit.Program, opts)
	if err != nil {
		t.Fatal(err)
	}
	return o, b.String()
}

// properties says what is known of each.
func properties(r *verdict.Result) string {
	var b strings.Builder
	for _, s := range r.Sites {
		fmt.Fprintf(&b, "%s %s: %s\n", s.What(), s.Where(), strings.TrimSpace(s.Status()+" "+s.Reason))
	}
	return b.String()
}

// predicates lists those of the last abstraction and of the proof, in order.
func predicates(r *verdict.Result) string {
	var lines []string
	for _, p := range r.Predicates {
		scope := "global"
		switch {
		case p.Proc != "":
			scope = p.Proc
		case p.Of != "":
			scope = p.Of
		}
		lines = append(lines, fmt.Sprintf("%s: %s\n", scope, p.Text))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// Each archive is a program, its verdict with the predicates, and the log of the work. For those called trial-…,
// random runs take part; for those called all-…, every property is decided; for those called refs-…, pointers
// may be kept as references.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{All: strings.HasPrefix(filepath.Base(name), "all-")}
			if !strings.HasPrefix(filepath.Base(name), "refs-") {
				opts.Refs = RefsNever
			}
			if !strings.HasPrefix(filepath.Base(name), "trial-") {
				opts.Without = technique.Of(technique.Fuzzing)
			}
			o, log := auditText(t, string(a.Files[0].Data), opts)
			want := *a
			want.Files = append([]txtar.File{}, a.Files[0],
				txtar.File{Name: "out/log", Data: []byte(log)},
				txtar.File{Name: "out/predicates", Data: []byte(predicates(o.Result))},
				txtar.File{Name: "out/verdict", Data: []byte(o.Result.Summary() + "\n")})
			if len(o.Result.Sites) > 1 {
				want.Files = append(want.Files, txtar.File{Name: "out/properties", Data: []byte(properties(o.Result))})
			}
			got := txtar.Format(&want)
			if *update {
				if err := os.WriteFile(name, got, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if string(got) != string(txtar.Format(a)) {
				t.Errorf("%s differs (run with -update to accept):\n%s", name, got)
			}
		})
	}
}

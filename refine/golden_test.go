package refine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/source"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata")

// auditText decides a program; the log says what refinement found, without counters. It has
// to find it by reasoning, if no random runs are asked for.
func auditText(t testing.TB, text string, trials bool) (o *Outcome, log string) {
	t.Helper()
	unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	o, err = Audit(context.Background(), unit.Program, Options{Iterations: 60, Devices: Devices{NoTrials: !trials}, Log: func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if head, rest, ok := strings.Cut(line, " predicates, "); ok {
			_, verdict, _ := strings.Cut(rest, ": ")
			head, _, _ = strings.Cut(head, ":")
			line = head + ": " + verdict
		}
		b.WriteString(line + "\n")
	}})
	if err != nil {
		t.Fatal(err)
	}
	return o, b.String()
}

// Each archive is a program, its verdict, and how it was found.
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
			o, log := auditText(t, string(a.Files[0].Data), strings.HasPrefix(filepath.Base(name), "trial-"))
			want := *a
			want.Files = append([]txtar.File{}, a.Files[0],
				txtar.File{Name: "out/refinement", Data: []byte(log)},
				txtar.File{Name: "out/verdict", Data: []byte(o.Result.Summary() + "\n")})
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

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/report"
	"c2bp/source"
)

// TestGolden runs the archives of testdata/golden through all stages. Sections:
//
//	*.c, preds        the input; "entry: f" in the archive's comment names the entry
//	out/core          the core program
//	out/bp            the Boolean program
//	out/verdict       the last line of check
//	out/trace         the output of check before it, for FALSE
//	out/stats         work counters, one worker
//
// Only the sections that an archive has are compared; out/verdict is always there.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			golden(t, path)
		})
	}
}

func golden(t *testing.T, path string) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := stages(t, ar)
	seen := map[string]bool{}
	changed := false
	for i, f := range ar.Files {
		want, ok := got[f.Name]
		if !ok {
			continue
		}
		seen[f.Name] = true
		if string(f.Data) == want {
			continue
		}
		if *update {
			ar.Files[i].Data = []byte(want)
			changed = true
			continue
		}
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", f.Name, want, f.Data)
	}
	if !seen["out/verdict"] {
		t.Error("no section out/verdict")
	}
	if changed {
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// stages computes the output sections of an archive.
func stages(t *testing.T, ar *txtar.Archive) map[string]string {
	t.Helper()
	ctx := context.Background()
	var files []*source.File
	var opts frontend.Options
	preds := source.NewFile("preds", nil)
	for _, f := range ar.Files {
		switch {
		case strings.HasSuffix(f.Name, ".c"):
			files = append(files, source.NewFile(f.Name, f.Data))
		case f.Name == "preds":
			preds = source.NewFile("preds", f.Data)
		}
	}
	for _, line := range strings.Split(string(ar.Comment), "\n") {
		if e, ok := strings.CutPrefix(line, "entry: "); ok {
			opts.Entry = e
		}
	}
	unit, err := frontend.Load(ctx, files, opts)
	must(t, err)
	must(t, core.Validate(unit.Program))
	texts, err := abstract.ParsePredicates(preds)
	must(t, err)
	r, err := abstract.Abstract(ctx, unit.Program, texts, unit, abstract.Options{Jobs: 1})
	must(t, err)
	_, err = boolprog.Check(r.Program)
	must(t, err)
	must(t, boolprog.BuildGraph(r.Program).Validate())
	v, err := checker.Check(ctx, r.Program, checker.Options{})
	must(t, err)
	var text bytes.Buffer
	must(t, report.Text(&text, v))
	trace, last, _ := strings.Cut(text.String(), report.ResultPrefix)
	return map[string]string{
		"out/core":    unit.Program.String(),
		"out/bp":      r.Program.String(),
		"out/verdict": report.ResultPrefix + last,
		"out/trace":   trace,
		"out/stats":   workCounters(r),
	}
}

func workCounters(r *abstract.Result) string {
	return fmt.Sprintf("predicates %d\nnodes %d\nprover queries %d\nmemo hits %d\n",
		r.Stats.Predicates, r.Stats.Nodes, r.Stats.Prover.Queries, r.Stats.Prover.MemoHits)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package harness

import (
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
	"c2bp/source"
)

var update = testkit.Update

// A golden test is C files, a line of flags in the comment, and what is made of the first
// run that fails: out/harness.c, and out/outcome, what gcc says of it.
func TestGolden(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var files []*source.File
	opts := frontend.Options{}
	for _, f := range ar.Files {
		if strings.HasSuffix(f.Name, ".c") && !strings.HasPrefix(f.Name, "out/") {
			files = append(files, source.NewFile(f.Name, f.Data))
		}
	}
	words := strings.Fields(string(ar.Comment))
	if i := slices.Index(words, "--entry"); i >= 0 {
		opts.Entry = words[i+1]
	}
	f := failing(t, load(t, files, opts), 3000)
	if f == nil {
		t.Fatal("no run fails")
	}
	h := Write(f.recording, f.property, LeftToRight)
	check(t, path, ar, "out/harness.c", h.Text)
	t.Run("gcc", func(t *testing.T) {
		testkit.NeedGCC(t, "addr2line")
		_, o, err := Reproduce(context.Background(), files, f.recording, f.property, Options{Frontend: opts})
		if err != nil {
			t.Fatal(err)
		}
		check(t, path, ar, "out/outcome", fmt.Sprintf("%s\n%s\n", o.Result, o))
	})
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// check compares a section with got, or replaces it.
func check(t *testing.T, path string, ar *txtar.Archive, name, got string) {
	t.Helper()
	i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case *update && i < 0:
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got)})
	case *update:
		ar.Files[i].Data = []byte(got)
	case i < 0 || string(ar.Files[i].Data) != got:
		t.Errorf("%s: section %s differs (-update rewrites it). Got:\n%s", path, name, got)
	}
}

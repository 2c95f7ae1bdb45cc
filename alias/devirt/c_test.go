package devirt

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// TestC analyses the C programs of testdata/c. The section "alias" is the dump; "core",
// where there is one, the entry after Resolve.
func TestC(t *testing.T) {
	files, err := filepath.Glob("testdata/c/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testC(t, file) })
	}
}

func testC(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	source := source.NewFile("f.c", archive.Files[0].Data)
	unit, err := frontend.Load(context.Background(), files(source), frontend.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	p := unit.Program
	Resolve(p)
	if err := core.Validate(p); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"alias": alias.Analyze(p).String(), "core": p.Entry.String()}
	if *update {
		archive.Files = append(archive.Files[:1:1], txtar.File{Name: "alias", Data: []byte(got["alias"])})
		if strings.Contains(string(source.Text), "// core") {
			archive.Files = append(archive.Files, txtar.File{Name: "core", Data: []byte(got["core"])})
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(archive.Files) < 2 {
		t.Fatal("nothing is expected")
	}
	for _, f := range archive.Files[1:] {
		if want := string(f.Data); want != got[f.Name] {
			t.Errorf("%s differs; got:\n%s", f.Name, got[f.Name])
		}
	}
}

func files(list ...*source.File) []*source.File { return list }

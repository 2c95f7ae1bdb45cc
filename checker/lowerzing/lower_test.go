package lowerzing

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/checker/zom"
	"c2bp/frontend/zing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// Each archive in testdata has a model in.zing and what it is translated to, out/zom.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := zing.Load([]*source.File{source.NewFile("in.zing", ar.Files[0].Data)})
	if err != nil {
		t.Fatal(err)
	}
	out := Program(p, Options{}).Prog
	if err := out.Validate(); err != nil {
		t.Error(err)
	}
	var text bytes.Buffer
	if err := zom.Fprint(&text, out); err != nil {
		t.Fatal(err)
	}
	got := txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: append(ar.Files[:1:1], txtar.File{Name: "out/zom", Data: text.Bytes()})})
	if *testkit.Update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(got, txtar.Format(ar)) {
		t.Errorf("%s: translated to\n%s", file, got)
	}
}

// TestValidate translates random models, and those that use every construct: the programs are sound.
func TestValidate(t *testing.T) {
	texts := []string{}
	for _, m := range zingtest.Models() {
		texts = append(texts, m.Text)
	}
	for seed := range uint64(testkit.Count(200, 10000)) {
		texts = append(texts, zingtest.Random(seed))
	}
	for _, text := range texts {
		p, err := zingtest.Load("m.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		low := Program(p, Options{})
		if err := low.Prog.Validate(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, proc := range low.Prog.Procs {
			for _, in := range proc.Code {
				if int(in.Node) >= len(low.Nodes) || low.Nodes[in.Node].Pos.Line == 0 && len(proc.Code) > 1 {
					t.Fatalf("procedure %s: an instruction has no place\n%s", proc.Name, text)
				}
			}
		}
	}
}

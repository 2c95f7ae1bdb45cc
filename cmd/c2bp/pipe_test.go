package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/report"
	"c2bp/source"
)

// Names, node ids and positions travel in the text: a Boolean program that went
// through a pipe gives the same report, byte for byte, as the one in memory.
func TestPipeEqualsInProcess(t *testing.T) {
	for _, sample := range []string{"serial-irp", "nic-lock"} {
		for _, variant := range []string{"safe.c", "buggy.c"} {
			dir := filepath.Join("..", "..", "drivers-samples", sample)
			prog := abstractFile(t, filepath.Join(dir, variant), filepath.Join(dir, "preds.txt"))
			piped, _, err := boolprog.Parse(source.NewFile("-", []byte(prog.String())), boolprog.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			inProcess, throughPipe := reportOn(t, prog), reportOn(t, piped)
			if inProcess != throughPipe {
				t.Errorf("%s/%s: in process\n%s\nthrough a pipe\n%s", sample, variant, inProcess, throughPipe)
			}
		}
	}
}

func abstractFile(t *testing.T, c, preds string) *boolprog.Program {
	t.Helper()
	read := func(name string) *source.File {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return source.NewFile(name, text)
	}
	ctx := context.Background()
	unit, err := frontend.Load(ctx, []*source.File{read(c)}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := abstract.ParsePredicates(read(preds))
	if err != nil {
		t.Fatal(err)
	}
	r, err := abstract.Abstract(ctx, unit.Program, texts, unit, abstract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Program
}

// reportOn checks p and renders everything that a user can see.
func reportOn(t *testing.T, p *boolprog.Program) string {
	t.Helper()
	if _, err := boolprog.Check(p); err != nil {
		t.Fatal(err)
	}
	r, err := checker.Check(context.Background(), p, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Text(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

package finite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/boolprog"
	"c2bp/internal/testkit"
	"c2bp/source"
)

var rewrite = testkit.Update

// Each archive in testdata has a program in.bp and what it is translated to, out/bp, or why it is not, out/refused.
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
	p := parse(t, ar.Files[0].Data)
	out := txtar.File{Name: "out/bp"}
	tr, err := Translate(boolprog.BuildGraph(p))
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		out = txtar.File{Name: "out/refused", Data: []byte(p.File.Errorf(refused.Pos, "%s", refused.Why).Error() + "\n")}
	case err != nil:
		t.Fatal(err)
	default:
		if err := tr.Graph.Validate(); err != nil {
			t.Error(err)
		}
		out.Data = []byte(tr.Text().String())
		parse(t, out.Data) // it is a program
	}
	got := txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: append(ar.Files[:1:1], out)})
	if *rewrite {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(got, txtar.Format(ar)) {
		t.Errorf("%s differs (run with -update to accept):\n%s", file, got)
	}
}

func parse(t *testing.T, text []byte) *boolprog.Program {
	t.Helper()
	p, _, err := boolprog.Parse(source.NewFile("in.bp", text), boolprog.ParseOptions{})
	if err == nil {
		_, err = boolprog.Check(p)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

package frontend

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/source"
)

var update = testkit.Update

// load reads one C text as in.c.
func load(t *testing.T, text string, opts Options) (*Unit, error) {
	t.Helper()
	return Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, opts)
}

// mustLoad is load for texts without errors.
func mustLoad(t *testing.T, text string, opts Options) *Unit {
	t.Helper()
	u, err := load(t, text, opts)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// archive is a golden test: C files and headers, a line of flags in the comment,
// and sections out/… with the expected outputs.
type archive struct {
	path string
	ar   *txtar.Archive
	opts Options
	c    []*source.File
}

func readArchive(t *testing.T, path string) *archive {
	t.Helper()
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{path: path, ar: ar}
	headers := map[string][]byte{}
	for _, f := range ar.Files {
		switch filepath.Ext(f.Name) {
		case ".c":
			a.c = append(a.c, source.NewFile(f.Name, f.Data))
			headers[f.Name] = f.Data
		case ".h":
			headers[f.Name] = f.Data
		}
	}
	a.opts.ReadFile = func(name string) ([]byte, error) {
		if text, ok := headers[name]; ok {
			return text, nil
		}
		return nil, os.ErrNotExist
	}
	for _, line := range strings.Split(string(ar.Comment), "\n") {
		if flags, ok := strings.CutPrefix(line, "flags: "); ok {
			a.flags(t, strings.Fields(flags))
		}
	}
	return a
}

func (a *archive) flags(t *testing.T, args []string) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--32":
			a.opts.Bits32 = true
		case "--open":
			a.opts.Open = true
		case "--entry":
			i++
			a.opts.Entry = args[i]
		case "-D":
			i++
			a.opts.Defines = append(a.opts.Defines, args[i])
		case "-I":
			i++
			a.opts.IncludePaths = append(a.opts.IncludePaths, args[i])
		default:
			t.Fatalf("%s: unknown flag %s", a.path, args[i])
		}
	}
}

// section returns the content of a file of the archive.
func (a *archive) section(name string) string {
	for _, f := range a.ar.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// check compares a section with what the test got, or rewrites it.
func (a *archive) check(t *testing.T, name, got string) {
	t.Helper()
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	if *update {
		a.set(name, got)
		return
	}
	if want := a.section(name); want != got {
		t.Errorf("%s: section %s differs (-update rewrites it). Got:\n%s\nwant:\n%s", a.path, name, got, want)
	}
}

func (a *archive) set(name, text string) {
	for i, f := range a.ar.Files {
		if f.Name == name {
			if text == "" {
				a.ar.Files = append(a.ar.Files[:i], a.ar.Files[i+1:]...)
			} else {
				a.ar.Files[i].Data = []byte(text)
			}
			return
		}
	}
	if text != "" {
		a.ar.Files = append(a.ar.Files, txtar.File{Name: name, Data: []byte(text)})
	}
}

func (a *archive) save(t *testing.T) {
	if *update {
		if err := os.WriteFile(a.path, txtar.Format(a.ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func archives(t testing.TB, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	return paths
}

func TestLowering(t *testing.T) {
	for _, path := range archives(t, "testdata/lower/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := readArchive(t, path)
			a.opts.Whole = true
			u, err := Load(context.Background(), a.c, a.opts)
			if err != nil {
				t.Fatal(err)
			}
			a.check(t, "out/core", u.Program.String())
			a.check(t, "out/diags", short(u.Diags))
			a.check(t, "out/texts", texts(u.Program, a.section("out/texts") != ""))
			a.save(t)
		})
	}
}

// short is one line for each diagnostic.
func short(list source.List) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.Pos.String() + ": " + d.Severity.String() + ": " + d.Msg + "\n")
	}
	return b.String()
}

// texts lists the first nodes of the C statements with their places and texts.
func texts(p *core.Program, wanted bool) string {
	if !wanted {
		return ""
	}
	var b strings.Builder
	for _, q := range p.Procs {
		for i, n := range q.Nodes {
			if n.First {
				b.WriteString(q.NodeID(i) + " " + n.Pos.String() + " " + n.Text + "\n")
			}
		}
	}
	return b.String()
}

var wanted = regexp.MustCompile(`// want "(.*)"`)

// TestErrors loads each file of testdata/errors.txtar alone. A comment
// // want "regexp" stands on each line that must have an error.
func TestErrors(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		t.Run(strings.TrimSuffix(f.Name, ".c"), func(t *testing.T) {
			file := source.NewFile(f.Name, f.Data)
			_, err := Load(context.Background(), []*source.File{file}, Options{ReadFile: noFiles})
			checkErrors(t, file, err)
		})
	}
}

func noFiles(string) ([]byte, error) { return nil, os.ErrNotExist }

// checkErrors compares err with the want comments of file.
func checkErrors(t *testing.T, file *source.File, err error) {
	t.Helper()
	list, ok := err.(source.List)
	if !ok {
		t.Fatalf("want a source.List, got %T: %v", err, err)
	}
	want := map[int]string{}
	for i, line := range strings.Split(string(file.Text), "\n") {
		if m := wanted.FindStringSubmatch(line); m != nil {
			want[i+1] = m[1]
		}
	}
	for _, d := range list {
		re, ok := want[d.Pos.Line]
		switch {
		case !ok:
			t.Errorf("unexpected: %v", d)
		case !regexp.MustCompile(re).MatchString(d.Msg):
			t.Errorf("%v\ndoes not match %q", d, re)
		case d.Pos.Line > 0 && d.Quote != file.Line(d.Pos.Line):
			t.Errorf("%v\nquotes another line", d)
		}
		delete(want, d.Pos.Line)
	}
	for line, re := range want {
		t.Errorf("%s:%d: no error matches %q", file.Name, line, re)
	}
}

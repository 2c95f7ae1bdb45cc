package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file keeps comments readable: plain English, and no reference to a page that a reader of the
// repository does not have.

// wording is what is counted in the comments of a package.
type wording struct {
	what   int // share of documented functions whose doc has the word "what", in per cent, rounded up
	behind int // lines of comments with the word "behind": "after" is meant, mostly
	heads  int // files without a comment "This file …"
}

// mostWording has the present values. They may only go down: who improves a package lowers its line,
// nobody raises one. A package that is not here has to be {0, 0, 0}.
var mostWording = map[string]wording{
	"alias":                {2, 0, 0},
	"boolprog":             {1, 0, 0},
	"checker/explicit":     {4, 0, 0},
	"frontend":             {1, 1, 0},
	"frontend/cgen":        {0, 1, 1},
	"frontend/cgen/wide":   {0, 0, 1},
	"frontend/core":        {2, 0, 0},
	"frontend/core/interp": {1, 0, 0},
	"refine/certificate":   {1, 0, 0},
	"refine/harness":       {1, 0, 0},
	"sandbox":              {3, 0, 0},
}

// wordingOf counts the wording of the Go files in dir that are no tests, and reports whether there
// are any.
func wordingOf(t *testing.T, dir string) (w wording, any bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	docs, what := 0, 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		any = true
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Doc != nil {
				docs++
				if wordWhat.MatchString(d.Doc.Text()) {
					what++
				}
			}
		}
		head := f.Doc != nil // the comment of the package is a head, too
		for _, c := range f.Comments {
			head = head || strings.HasPrefix(c.Text(), "This file ")
			for line := range strings.Lines(c.Text()) {
				if strings.Contains(line, "behind") {
					w.behind++
				}
			}
		}
		if !head {
			w.heads++
		}
	}
	if docs > 0 {
		w.what = (100*what + docs - 1) / docs
	}
	return w, any
}

var wordWhat = regexp.MustCompile(`\bwhat\b`)

// TestWording: no package gets harder to read.
func TestWording(t *testing.T) {
	const root = "../.."
	var table strings.Builder
	worse := false
	for _, dir := range directories(t, root) {
		w, any := wordingOf(t, filepath.Join(root, dir))
		if !any {
			continue
		}
		most := mostWording[dir]
		if w.what > most.what || w.behind > most.behind || w.heads > most.heads {
			worse = true
			t.Errorf("%s has %+v, and may have %+v at most", dir, w, most)
		}
		if low := (wording{min(w.what, most.what), min(w.behind, most.behind), min(w.heads, most.heads)}); low != (wording{}) {
			fmt.Fprintf(&table, "\t%q: {%d, %d, %d},\n", dir, low.what, low.behind, low.heads)
		}
	}
	if worse {
		t.Log("In a doc comment, say what the function returns or does with a verb: \"returns …\", \"reports whether …\".")
	}
	t.Logf("the table, as low as it can be:\n%s", &table)
}

// directories lists the directories below root that may have Go packages or documents, relative to
// root, with slashes.
func directories(t *testing.T, root string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); base == "testdata" || len(base) > 2 && base[0] == '.' {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		list = append(list, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var (
	// privatePage matches names by which texts outside of the repository were cited once.
	privatePage = regexp.MustCompile(`\bseed 0\d\d\b`)
	// page matches names of documents and Go files.
	page = regexp.MustCompile(`[\w./-]*\w\.(?:md|go)\b`)
)

// TestPages: documents and Go files that comments and documents name are in the repository.
func TestPages(t *testing.T) {
	const root = "../.."
	present := map[string]bool{} // by name without directory
	dirs := directories(t, root)
	var files []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if ext := path.Ext(e.Name()); ext == ".go" || ext == ".md" {
				files = append(files, path.Join(dir, e.Name()))
				present[e.Name()] = true
			}
		}
	}
	if len(files) < 500 {
		t.Fatalf("there are only %d files", len(files))
	}
	for _, name := range files {
		for _, line := range prose(t, root, name) {
			if m := privatePage.FindString(line); m != "" {
				t.Errorf("%s cites %q, which a reader does not have: %s", name, m, line)
			}
			for _, m := range page.FindAllString(line, -1) {
				if strings.Contains(line, "http") || strings.HasPrefix(path.Base(m), "_") {
					continue // elsewhere, or the end of many names
				}
				if !exists(root, path.Dir(name), m, present) {
					t.Errorf("%s names %s, which is not there: %s", name, m, strings.TrimSpace(line))
				}
			}
		}
	}
}

// exists reports whether a document or Go file is there: seen from dir or the root of the
// repository or, if it is named without directory, anywhere.
func exists(root, dir, name string, present map[string]bool) bool {
	if !strings.Contains(name, "/") {
		return present[name]
	}
	return slices.ContainsFunc([]string{dir, "."}, func(from string) bool {
		_, err := os.Stat(filepath.Join(root, from, name))
		return err == nil
	})
}

// prose returns the lines of a document, or of the comments of a Go file that is no test.
func prose(t *testing.T, root, name string) (lines []string) {
	t.Helper()
	file := filepath.Join(root, name)
	if strings.HasSuffix(name, ".md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "\n")
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Comments {
		lines = append(lines, strings.Split(c.Text(), "\n")...)
	}
	return lines
}

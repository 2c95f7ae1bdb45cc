package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/refine/technique"
)

// This file holds what the documents say of the source tree against the tree: the table of packages
// in docs/architecture.md, the files and folders that are named anywhere, and what is said to be
// declared in them.

// roomRow is a row of the table of packages: `alias`, with its job.
var roomRow = regexp.MustCompile("(?m)^\\| `([a-z0-9/-]+)` \\| (.+) \\|$")

// TestRooms holds the table of packages in docs/architecture.md against the order of packages.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n## The rooms\n")
	if !found {
		t.Fatal("there is no table of rooms")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	var rooms []string
	for _, row := range roomRow.FindAllStringSubmatch(table, -1) {
		rooms = append(rooms, row[1])
		if marked := strings.HasPrefix(row[2], "*(tests)*"); marked != slices.Contains(testOnly, row[1]) {
			t.Errorf("%s: marked as for tests: %v, it is the other way round", row[1], marked)
		}
	}
	for _, f := range floors {
		if !slices.Contains(rooms, f) {
			t.Errorf("docs/architecture.md has no row for package %s", f)
		}
	}
	for _, r := range rooms {
		if !slices.Contains(floors, r) {
			t.Errorf("docs/architecture.md has a row for %s, which has no place in the order of packages", r)
		}
	}
	if !t.Failed() && !slices.Equal(rooms, floors) {
		t.Errorf("the order of rooms is %v,\nthe order of packages %v", rooms, floors)
	}
}

// techniqueRow is a row of the tables of strategies and techniques.
var techniqueRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|")

// TestTechniques holds the tables of strategies and techniques in docs/architecture.md against their
// names in the code, in the same order.
func TestTechniques(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, found := strings.Cut(string(text), "\n## The ladder, and what can be left out\n")
	if !found {
		t.Fatal("there are no tables of strategies and techniques")
	}
	tables, _, _ = strings.Cut(tables, "\n## ")
	var listed []technique.Name
	for _, row := range techniqueRow.FindAllStringSubmatch(tables, -1) {
		listed = append(listed, technique.Name(row[1]))
	}
	if all := technique.All(); !slices.Equal(listed, all) {
		t.Errorf("docs/architecture.md lists %v,\npackage technique %v", listed, all)
	}
}

// quoted is what a document puts between backquotes.
var quoted = regexp.MustCompile("`[^`\n]+`")

// declared is a file or folder, and after a colon names that are declared there: `wp`: `Pre`, `Cond`.
var declared = regexp.MustCompile("`([a-z0-9/._-]+)`: ((?:`[A-Za-z_][A-Za-z0-9_.]*`(?:, | and )?)+)")

// ourFile is a path of a file in the repository.
var ourFile = regexp.MustCompile(`^[a-z0-9_-]+(?:/[A-Za-z0-9._-]+)*\.(?:go|md|c|h|txt|txtar|patch)$`)

// ourFolder is a path of a folder.
var ourFolder = regexp.MustCompile(`^[a-z0-9_-]+(?:/[a-z0-9_-]+)*/?$`)

// TestPathsInDocs: each file and folder of the repository that a document names exists, and what is said to be
// declared in a file or package is.
func TestPathsInDocs(t *testing.T) {
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no docs: %v", err)
	}
	paths, names := 0, 0
	for _, doc := range append(docs, "../../README.md", "../../drivers-samples/README.md") {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		prose := withoutBlocks(string(text))
		for _, q := range quoted.FindAllString(prose, -1) {
			path := strings.Trim(q, "`")
			switch {
			case !strings.Contains(path, "/"), !startsInTree(path), slices.Contains(floors, path):
				continue
			case !ourFile.MatchString(path) && !ourFolder.MatchString(path):
				continue
			}
			paths++
			if _, err := os.Stat("../../" + path); err != nil {
				t.Errorf("%s names %s, which does not exist", doc, path)
			}
		}
		for _, m := range declared.FindAllStringSubmatch(prose, -1) {
			if !startsInTree(m[1]) {
				continue
			}
			has, err := declarations("../../" + m[1])
			if err != nil {
				t.Errorf("%s: %v", doc, err)
				continue
			}
			for _, q := range quoted.FindAllString(m[2], -1) {
				names++
				if name := strings.Trim(q, "`"); !has[name] {
					t.Errorf("%s: %s does not declare %s", doc, m[1], name)
				}
			}
		}
	}
	if paths < 20 || names < 20 {
		t.Errorf("only %d paths and %d names were found", paths, names)
	}
}

// withoutBlocks is a document without its fenced blocks.
func withoutBlocks(text string) string {
	var out []string
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, fence) {
			inside = !inside
		} else if !inside {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// startsInTree reports whether the first part of a path is in the root of the repository.
func startsInTree(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	_, err := os.Stat("../../" + first)
	return err == nil
}

// declarations lists the functions, methods, types, constants, variables and fields that are declared
// in a Go file, or in those of a folder, tests included.
func declarations(path string) (map[string]bool, error) {
	has := map[string]bool{}
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && at != path:
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(at, ".go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), at, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				has[n.Name.Name] = true
				return false
			case *ast.TypeSpec:
				has[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					has[name.Name] = true
				}
			case *ast.Field:
				for _, name := range n.Names {
					has[name.Name] = true
				}
			}
			return true
		})
		return nil
	})
	return has, err
}

// The tests of names must notice a file, a declaration and a package that are not there.
func TestPathsInDocsNotice(t *testing.T) {
	has, err := declarations("../../source")
	if err != nil || !has["File"] || has["Nowhere"] {
		t.Errorf("source declares %v, %v", has, err)
	}
	if _, err := declarations("../../source/nowhere.go"); err == nil {
		t.Error("a file that does not exist was read")
	}
	if m := declared.FindStringSubmatch("see `wp`: `Around`, `Orig`, and others"); m == nil || m[1] != "wp" || !strings.Contains(m[2], "Orig") {
		t.Errorf("names were not found: %q", m)
	}
	if got := withoutBlocks("a\n```c\nb\n```\nc\n"); got != "a\nc\n" {
		t.Errorf("withoutBlocks: %q", got)
	}
}

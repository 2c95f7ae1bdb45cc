package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file reads mutants and applies them.

// mutant is a defect: the edits of source files that put it in, and the test that must notice it.
type mutant struct {
	name  string // directory of its package and name of its file: alias/no-strides
	title string // the rule that it breaks, a sentence
	pkg   string // of the test, relative to the module: ./alias
	test  string // a regular expression for go test -run
	times int    // how many times its ordinary count a randomised test runs; 1 is as usual
	long  bool   // the test runs with its long counts
	edits []edit // in the order of the patch
}

// edit replaces lines of a file.
type edit struct {
	file     string   // relative to the root of the module, with slashes
	old, new []string // lines before and after; those that stay are in both
}

// find returns the mutants below the directory root, in the order of their names.
func find(root string) (list []*mutant, err error) {
	files, err := patches(root)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		dir, _, _ := strings.Cut(filepath.ToSlash(file), "/testdata/")
		m, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s:%w", file, err)
		}
		m.name = dir + "/" + strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".patch")
		if m.pkg == "" {
			m.pkg = "./" + dir
		}
		list = append(list, m)
	}
	return list, err
}

// patches lists the files testdata/mutants/*.patch of all packages below root, sorted.
func patches(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		// Hidden directories have no packages: .git, and the like.
		if name := d.Name(); d.IsDir() && len(name) > 1 && name[0] == '.' {
			return filepath.SkipDir
		}
		if ok, _ := filepath.Match("*/testdata/mutants/*.patch", tail(file, 4)); ok {
			rel, err := filepath.Rel(root, file)
			files = append(files, rel)
			return err
		}
		return nil
	})
	return files, err
}

// tail returns the last n elements of a path.
func tail(file string, n int) string {
	parts := strings.Split(filepath.ToSlash(file), "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// parse reads a patch. An error begins with the number of its line. The name is not set, and pkg
// only if the patch names one.
func parse(text string) (*mutant, error) {
	m := &mutant{times: 1}
	file := ""
	var now *edit // the edit that lines belong to
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fail := func(format string, args ...any) (*mutant, error) {
			return nil, fmt.Errorf("%d: %s", i+1, fmt.Sprintf(format, args...))
		}
		switch {
		// The head ends at the first file.
		case file == "" && strings.HasPrefix(line, "# "):
			if err := m.header(line[2:]); err != nil {
				return fail("%v", err)
			}
		// Right after @@ such a line is one of the edit.
		case strings.HasPrefix(line, "--- ") && (now == nil || len(now.old)+len(now.new) > 0):
			file, now = line[4:], nil
		case line == "@@" && file != "":
			m.edits = append(m.edits, edit{file: file})
			now = &m.edits[len(m.edits)-1]
		// An editor may have cut the space of an empty line that stays.
		case now != nil && line == "":
			now.old, now.new = append(now.old, ""), append(now.new, "")
		case now != nil && line[0] == ' ':
			now.old, now.new = append(now.old, line[1:]), append(now.new, line[1:])
		case now != nil && line[0] == '-':
			now.old = append(now.old, line[1:])
		case now != nil && line[0] == '+':
			now.new = append(now.new, line[1:])
		default:
			return fail("neither a header (# …), a file (--- …), the begin of an edit (@@) nor a line of one (space, - or +)")
		}
	}
	// The parts that every patch must have.
	switch {
	case m.title == "":
		return nil, fmt.Errorf("1: the first line says which rule is broken (# …)")
	case m.test == "":
		return nil, fmt.Errorf("1: no line names the test that must fail (# test: TestX)")
	case len(m.edits) == 0:
		return nil, fmt.Errorf("1: it changes nothing")
	}
	for _, e := range m.edits {
		if slices.Equal(e.old, e.new) {
			return nil, fmt.Errorf("1: an edit of %s changes nothing", e.file)
		}
	}
	return m, nil
}

// header reads a line of the head of a patch: the title, or a key and its value.
func (m *mutant) header(line string) (err error) {
	key, value, found := strings.Cut(line, ": ")
	switch {
	case m.title == "":
		m.title = line
	case found && key == "test":
		m.test = value
		if pkg, test, two := strings.Cut(value, " "); two {
			m.pkg, m.test = pkg, test
		}
	case found && key == "counts":
		if value == "long" {
			m.long = true
			return nil
		}
		if m.times, err = strconv.Atoi(strings.TrimSuffix(value, "x")); err != nil || m.times < 1 {
			return fmt.Errorf("counts are 10x, or some other number, or long")
		}
	default:
		// The title goes on.
		m.title += " " + line
	}
	return nil
}

// apply returns the changed files of m, by their names, from those below root.
func (m *mutant) apply(root string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, e := range m.edits {
		// Edits of one file build on each other.
		text, changed := out[e.file]
		if !changed {
			var err error
			if text, err = os.ReadFile(filepath.Join(root, filepath.FromSlash(e.file))); err != nil {
				return nil, err
			}
		}
		text, err := e.apply(text)
		if err != nil {
			return nil, err
		}
		out[e.file] = text
	}
	// Lines that fit may still make no program: say so before go test does.
	for file, text := range out {
		if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("the changed file is no Go: %w", err)
		}
	}
	return out, nil
}

// apply replaces the only place of text where the lines of e stand.
func (e edit) apply(text []byte) ([]byte, error) {
	// Compare lines at every place: two places are an error, because the patch must say which.
	lines := strings.Split(string(text), "\n")
	at := -1
	for i := 0; i+len(e.old) <= len(lines); i++ {
		if !slices.Equal(lines[i:i+len(e.old)], e.old) {
			continue
		}
		if at >= 0 {
			return nil, fmt.Errorf("%s: lines %d and %d both begin what is to be changed: %q", e.file, at+1, i+1, first(e.old))
		}
		at = i
	}
	if at < 0 {
		return nil, fmt.Errorf("%s: what is to be changed does not stand there any more: %q", e.file, first(e.old))
	}
	return []byte(strings.Join(slices.Concat(lines[:at], e.new, lines[at+len(e.old):]), "\n")), nil
}

// first returns the first line, without space around it.
func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.TrimSpace(lines[0])
}

package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// citation is how comments and documents cite a paper: authors and year.
var citation = regexp.MustCompile(`\p{Lu}\p{Ll}+(?:–(?:van de )?\p{Lu}\p{Ll}+)*(?: et al\.)? (?:19|20)\d\d\b`)

// entry is a paper in the list of references.
var entry = regexp.MustCompile(`(?m)^- \*\*(.*? (?:19|20)\d\d)\*\*:`)

// TestReferences: papers are cited by keys of docs/references.md, and each paper there is cited.
func TestReferences(t *testing.T) {
	text, err := os.ReadFile("../../docs/references.md")
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{}
	for _, m := range entry.FindAllStringSubmatch(string(text), -1) {
		cited[m[1]] = false
	}
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		switch ext := filepath.Ext(path); {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..":
			return fs.SkipDir
		case d.IsDir(), !slices.Contains([]string{".go", ".md", ".txtar", ".zing"}, ext), strings.HasSuffix(name, "docs/references.md"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, key := range citation.FindAllString(strings.ReplaceAll(string(text), "\n// ", " "), -1) {
			if _, known := cited[key]; !known {
				t.Errorf("%s: %q is not in docs/references.md", name, key)
			}
			cited[key] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(cited)) {
		if !cited[key] {
			t.Errorf("docs/references.md: nothing cites %s", key)
		}
	}
}

// glossaryRow is a term of docs/glossary.md.
var glossaryRow = regexp.MustCompile(`(?m)^\| \*\*(.+?)\*\* \| (.+) \| (.*) \|$`)

// TestGlossary: the terms of docs/glossary.md are in the order of the alphabet, each once and with a
// meaning.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, strings.ToLower(s))
	}
	rows := glossaryRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 50 || len(rows) != strings.Count(string(text), "\n| **") {
		t.Errorf("%d rows of %d were read", len(rows), strings.Count(string(text), "\n| **"))
	}
	for i := 1; i < len(rows); i++ {
		if letters(rows[i-1][1]) >= letters(rows[i][1]) {
			t.Errorf("%q comes after %q", rows[i][1], rows[i-1][1])
		}
	}
}

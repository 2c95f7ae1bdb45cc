package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link is a link of a document: its target, without and with a heading.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: each link between documents leads to a file that exists, and to a heading in it; and the
// README names every document.
func TestLinks(t *testing.T) {
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no docs: %v", err)
	}
	links := 0
	for _, doc := range append(docs, "../../README.md", "../../drivers-samples/README.md") {
		for _, m := range link.FindAllStringSubmatch(withoutBlocks(read(t, doc)), -1) {
			target, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, ":") {
				continue // elsewhere
			}
			links++
			path := filepath.Join(filepath.Dir(doc), target)
			if target == "" {
				path = doc
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: the link %s leads nowhere", doc, m[1])
				continue
			}
			if heading != "" && !anchors(read(t, path))[heading] {
				t.Errorf("%s: the link %s leads to no heading", doc, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links were found", links)
	}
	readme := read(t, "../../README.md")
	for _, doc := range docs {
		if name := "docs/" + filepath.Base(doc); !strings.Contains(readme, "("+name+")") {
			t.Errorf("README.md does not name %s", name)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unwelcome are the characters that are left out of the name of a heading.
var unwelcome = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)

// anchors are the names of the headings of a document, as web pages make them.
func anchors(text string) map[string]bool {
	has := map[string]bool{}
	for line := range strings.Lines(withoutBlocks(text)) {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}
		name := unwelcome.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		has[strings.ReplaceAll(name, " ", "-")] = true
	}
	return has
}

// Anchors are what links to headings say.
func TestAnchors(t *testing.T) {
	has := anchors("# A `b`: C, d?\n```\n# no heading\n```\n## Ball–Rajamani 2000 (Bebop)\n")
	if len(has) != 2 || !has["a-b-c-d"] || !has["ballrajamani-2000-bebop"] {
		t.Errorf("anchors: %v", has)
	}
}

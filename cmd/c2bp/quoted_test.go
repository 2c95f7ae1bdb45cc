package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quotedCode = regexp.MustCompile("(?s)<!-- from ([^ ]+) -->\\n```go\\n(.*?)\\n```")

// TestQuotedCode: Go code that a document quotes stands in the file that it names.
func TestQuotedCode(t *testing.T) {
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, doc := range docs {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quotedCode.FindAllStringSubmatch(string(text), -1) {
			found++
			file, err := os.ReadFile(filepath.Join("../..", m[1]))
			if err != nil {
				t.Errorf("%s: %v", doc, err)
			} else if !strings.Contains(string(file), m[2]) {
				t.Errorf("%s: what is quotedCode does not stand in %s", doc, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no document quotes Go code")
	}
}

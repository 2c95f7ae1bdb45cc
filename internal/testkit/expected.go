package testkit

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"c2bp/source"
)

// This file compares errors in a text with those that the text itself says are there.

// ExpectErrors holds the errors in a text against the expectations on its lines, which say the column and begin as
// the message does. A line may have several. Each error must quote its line.
//
//	x := yy;      //! 6: "yy" is not declared
func ExpectErrors(t *testing.T, text string, list source.List) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	// 1. Each error is expected.
	met := map[string]bool{}
	for _, d := range list {
		if d.Pos.Line == 0 {
			t.Fatalf("an error without a line: %v", d)
		}
		got := fmt.Sprintf("%d: %s", d.Pos.Col, d.Msg)
		found := false
		for _, want := range expectations(lines[d.Pos.Line-1]) {
			if regexp.MustCompile("^" + want).MatchString(got) {
				met[fmt.Sprint(d.Pos.Line, want)] = true
				found = true
			}
		}
		if !found {
			t.Errorf("unexpected: %v", d)
		}
		if d.Quote != lines[d.Pos.Line-1] {
			t.Errorf("%v quotes %q", d.Pos, d.Quote)
		}
	}
	// 2. Each expected one is there.
	for i, line := range lines {
		for _, want := range expectations(line) {
			if !met[fmt.Sprint(i+1, want)] {
				t.Errorf("line %d: no error %s", i+1, want)
			}
		}
	}
}

// expectations lists the errors that a line says it has.
func expectations(line string) (list []string) {
	for _, s := range strings.Split(line, "//! ")[1:] {
		list = append(list, strings.TrimSpace(s))
	}
	return list
}

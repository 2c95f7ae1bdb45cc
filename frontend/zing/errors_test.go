package zing

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"c2bp/source"
)

// TestErrors holds the errors of every program of testdata/errors.txtar against the expectations
// written on their lines.
func TestErrors(t *testing.T) {
	cases := 0
	for _, m := range archive(t, "errors.txtar") {
		t.Run(m.file.Name, func(t *testing.T) {
			text := strings.TrimSuffix(string(m.file.Text), "\n")
			_, _, err := Load([]*source.File{source.NewFile(m.file.Name, []byte(text))})
			list, ok := err.(source.List)
			if !ok {
				t.Fatalf("error is %T, want a source.List", err)
			}
			cases += len(list)
			expectErrors(t, strings.Split(text, "\n"), list)
		})
	}
	if cases < 200 {
		t.Errorf("only %d errors", cases)
	}
}

// expectErrors compares errors with the expectations on their lines.
func expectErrors(t *testing.T, lines []string, list source.List) {
	t.Helper()
	met := map[string]bool{}
	for _, d := range list {
		if d.Pos.Line == 0 {
			t.Fatal(d)
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
	for i, line := range lines {
		for _, want := range expectations(line) {
			if !met[fmt.Sprint(i+1, want)] {
				t.Errorf("line %d: no error %s", i+1, want)
			}
		}
	}
}

func expectations(line string) (list []string) {
	for _, s := range strings.Split(line, "//! ")[1:] {
		list = append(list, strings.TrimSpace(s))
	}
	return list
}

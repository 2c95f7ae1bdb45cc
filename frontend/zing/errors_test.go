package zing

import (
	"strings"
	"testing"

	"c2bp/internal/testkit"
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
			testkit.ExpectErrors(t, text, list)
		})
	}
	if cases < 200 {
		t.Errorf("only %d errors", cases)
	}
}

package harness

import (
	"testing"

	"c2bp/frontend/checks"
	"c2bp/source"
)

// TestReports: a message of the sanitizer is about a check if it names the same operation and a line of it.
func TestReports(t *testing.T) {
	f := source.NewFile("dir/in.c", []byte("int f(int a, int b)\n{\n\treturn a +\n\t\tb;\n}\n"))
	sum := Property{Pos: source.Pos{File: "dir/in.c", Line: 3, Col: 9}, Text: "a + b", Check: checks.SignedOverflow}
	for _, c := range []struct {
		line string
		want bool
	}{
		{"dir/in.c:3:11: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'", true},
		{"/tmp/x/dir/in.c:4:3: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'", true},
		{"dir/in.c:3: runtime error: signed integer overflow: 1", true},
		{"dir/in.c:2:11: runtime error: signed integer overflow: 1", false},
		{"dir/in.c:5:11: runtime error: signed integer overflow: 1", false},
		{"dir/other.c:3:11: runtime error: signed integer overflow: 1", false},
		{"dir/in.c:3:11: runtime error: division by zero", false},
		{"dir/in.c:3:11: signed integer overflow: 1", false},
		{"", false},
	} {
		if got := sum.reports(c.line, f); got != c.want {
			t.Errorf("%q: %v", c.line, got)
		}
	}
	// An assertion is nothing that the sanitizer reports.
	sum.Check = ""
	if sum.reports("dir/in.c:3:11: runtime error: signed integer overflow: 1", f) {
		t.Error("an assertion is confirmed by a report of undefined behaviour")
	}
	for _, k := range (checks.All &^ checks.OfProgram).Kinds() { // the harness notices the others, or nothing does
		for _, p := range k.Properties() {
			if len(messages[p]) == 0 {
				t.Errorf("no messages for %s", p)
			}
		}
	}
}

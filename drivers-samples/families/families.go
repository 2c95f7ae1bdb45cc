// Package families generates C programs of any size whose verdicts are known, for tests and
// benchmarks that measure how effort grows. It is test equipment. Each function returns the same
// program for the same arguments; the safe and the unsafe program of the same arguments differ in
// one place.
//
//	Locks(n)            one loop with 2^n paths through it; n locks
//	Handshake(s, b)     a protocol: s states, b branches, one loop
//	Driver(p)           p procedures of an integer-only driver, and their main loop
//	Outside(t)          a driver over objects of t struct types, all of which come from outside
//	Heap(d, o)          a driver over objects of six struct types that point to each other: d devices, o operations
//
// Verdicts are right by construction. An unsafe program comes with a witness: inputs for which its
// property fails, the results of __VERIFIER_nondet_int(), in order. No other property can fail.
//
// BenchmarkFamilies, BenchmarkOutside and BenchmarkHeap of package samples (make bench) print how the audit and the
// abstraction grow with these programs; tests of that package audit small members.
package families

import (
	"fmt"
	"regexp"
	"strings"
)

// A Program is a C program with its verdict.
type Program struct {
	Name    string
	Text    string
	Want    string  // TRUE or FALSE
	Line    int     // for FALSE: of the property that fails
	Witness []int64 // for FALSE: inputs with which it fails, no more than are used

	Environment string // C that defines what the program leaves outside; "" if that is nothing
	Predicates  string // a predicate file, if the family has one
}

var property = regexp.MustCompile(`\breach_error\(\)|\bERROR:`)

// finish returns the program of a text in which there is one property.
func finish(name, text string, unsafe bool, witness []int64) Program {
	p := Program{Name: name + "-safe", Text: text, Want: "TRUE"}
	if !unsafe {
		return p
	}
	// The line of the property is found in the text.
	p.Name, p.Want, p.Witness = name+"-unsafe", "FALSE", witness
	for i, line := range strings.Split(text, "\n") {
		if property.MatchString(line) {
			p.Line = i + 1
			return p
		}
	}
	panic("families: no property in " + name)
}

// text is a C text under construction.
type text struct {
	strings.Builder
	indent int
}

// line writes a line, indented. A line that ends in a brace increases the indentation, one that
// starts with a closing brace decreases it.
func (t *text) line(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if strings.HasPrefix(s, "}") {
		t.indent--
	}
	// Labels are at the margin.
	depth := t.indent
	if strings.HasSuffix(s, ":") && !strings.HasPrefix(s, "case ") && s != "default:" {
		depth = 0 // a label
	}
	if s != "" {
		t.WriteString(strings.Repeat("    ", depth))
	}
	t.WriteString(s + "\n")
	if strings.HasSuffix(s, "{") {
		t.indent++
	}
}

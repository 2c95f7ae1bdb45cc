// Package bptest makes graphs for the tests of packages that work on graphs.
package bptest

import (
	"testing"

	"c2bp/boolprog"
	"c2bp/source"
)

// Parsed returns the graph of a program text, which must be correct.
func Parsed(t testing.TB, text string) *boolprog.Graph {
	t.Helper()
	p, _, err := boolprog.Parse(source.NewFile("test.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Graph(t, p)
}

// Graph returns the graph of a program. It fails the test if Check or Validate finds an error.
func Graph(t testing.TB, p *boolprog.Program) *boolprog.Graph {
	t.Helper()
	if _, err := boolprog.Check(p); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	g := boolprog.BuildGraph(p)
	if err := g.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return g
}

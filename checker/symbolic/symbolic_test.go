package symbolic

import (
	"context"
	"testing"

	"c2bp/boolprog"
	"c2bp/source"
)

// parse builds the graph of a program text.
func parse(t testing.TB, text string) *boolprog.Graph {
	t.Helper()
	p, _, err := boolprog.Parse(source.NewFile("test.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return graphOf(t, p)
}

func graphOf(t testing.TB, p *boolprog.Program) *boolprog.Graph {
	t.Helper()
	if _, err := boolprog.Check(p); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return boolprog.BuildGraph(p)
}

func solve(t testing.TB, g *boolprog.Graph, opts Options) *Solution {
	t.Helper()
	s, err := Solve(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// labelled finds the node of a label.
func labelled(t testing.TB, g *boolprog.Graph, label string) Point {
	t.Helper()
	for _, p := range g.Procs {
		for v, n := range p.Nodes {
			for _, l := range n.Labels {
				if l == label {
					return Point{p.Index, v}
				}
			}
		}
	}
	t.Fatalf("no label %s", label)
	return Point{}
}

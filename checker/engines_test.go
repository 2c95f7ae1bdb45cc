package checker

import (
	"context"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/internal/testkit"
)

// Both engines say the same of a program that both accept: of every node, and of every
// assertion.
func TestEnginesAgree(t *testing.T) {
	seeds := uint64(500)
	if testkit.Long() {
		seeds = 20_000
	}
	fails, nodes := 0, 0
	for seed := range seeds {
		g := boolprog.BuildGraph(bpgen.Generate(seed, bpgen.Config{NoRecursion: seed%3 == 0}))
		a := solved(t, symbolicEngine{}, g)
		b := solved(t, explicitEngine{}, g)
		for _, p := range g.Procs {
			for v := range p.Nodes {
				at := Point{p.Index, v}
				if a.Reached(at) != b.Reached(at) || a.CanFail(at) != b.CanFail(at) {
					t.Fatalf("seed %d, %s, node %d: symbolic %v %v, explicit %v %v\n%s", seed, p.Proc.Name, v,
						a.Reached(at), a.CanFail(at), b.Reached(at), b.CanFail(at), g.Prog)
				}
				nodes++
				if a.CanFail(at) {
					fails++
				}
			}
		}
	}
	if fails < int(seeds)/2 || nodes < 10*int(seeds) {
		t.Errorf("%d assertions that can fail, %d nodes: the programs exercise too little", fails, nodes)
	}
}

func solved(t *testing.T, e Engine, g *boolprog.Graph) Solution {
	t.Helper()
	s, err := e.Solve(context.Background(), g, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

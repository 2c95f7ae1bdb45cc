package threadexec

import (
	"context"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/internal/testkit"
)

// TestSequential compares programs with one thread with the semantics of programs without threads.
func TestSequential(t *testing.T) {
	explored, failing := 0, 0
	for seed := range testkit.Count[uint64](400, 10_000) {
		c := bpgen.Shape(seed)
		c.NoRecursion = true // stacks would grow
		p := bpgen.Generate(seed, c)
		g := bptest.Graph(t, p)
		found, err := Explore(g, 5000)
		if err != nil {
			continue
		}
		explored++
		want, err := bpexec.Reach(context.Background(), g, bpexec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, proc := range g.Procs {
			for j, n := range proc.Nodes {
				_, got := found.Reached[Site{i, j}]
				if n.Kind != boolprog.NodeExit && got != (len(want.States(i, j)) > 0) {
					t.Errorf("seed %d: node %d of %s reached: %v", seed, j, proc.Proc.Name, got)
				}
			}
		}
		fails := map[Site]bool{}
		for _, s := range want.Failures() {
			fails[Site(s)] = true
			if _, got := found.Failing[Site(s)]; !got {
				t.Errorf("seed %d: node %d of %s does not fail", seed, s.Node, g.Procs[s.Proc].Proc.Name)
			}
		}
		if len(found.Failing) != len(fails) || found.Most != 0 {
			t.Errorf("seed %d: %d failures, not %d; %d switches", seed, len(found.Failing), len(fails), found.Most)
		}
		if len(fails) > 0 {
			failing++
		}
		if t.Failed() {
			t.Fatalf("\n%s", p)
		}
	}
	t.Logf("%d programs explored, %d with a failure", explored, failing)
	if n := testkit.Count(400, 10_000); explored < n/2 || failing < n/10 {
		t.Errorf("the programs are too large, or too simple")
	}
}

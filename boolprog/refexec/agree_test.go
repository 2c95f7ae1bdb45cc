package refexec

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/internal/testkit"
)

func explore(t testing.TB, g *boolprog.Graph, opts Options) *Result {
	t.Helper()
	r, err := Explore(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compare runs a program without references here and in bpexec, and describes the first
// difference, or returns "". If a limit cut this one off, it must find no more.
func compare(t testing.TB, g *boolprog.Graph, opts Options) (diff string, complete bool) {
	r := explore(t, g, opts)
	want, err := bpexec.Reach(context.Background(), g, bpexec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	failing := map[bpexec.Site]bool{}
	for _, s := range want.Failures() {
		failing[s] = true
	}
	for _, s := range r.Failures {
		if !failing[s] {
			return fmt.Sprintf("invented failure at %v", s), r.Complete
		}
		delete(failing, s)
	}
	if r.Complete && len(failing) > 0 {
		return fmt.Sprintf("missed failures: %v", failing), true
	}
	for i, p := range g.Procs {
		for j := range p.Nodes {
			reachable := len(want.States(i, j)) > 0
			if r.Nodes[i][j] && !reachable || r.Complete && !r.Nodes[i][j] && reachable {
				return fmt.Sprintf("node %d of %s: reached %t, want %t", j, p.Proc.Name, r.Nodes[i][j], reachable), r.Complete
			}
		}
	}
	if r.Complete && !reflect.DeepEqual(r.Labels, want.Labels()) {
		return fmt.Sprintf("labels %v, want %v", r.Labels, want.Labels()), true
	}
	return "", r.Complete
}

func TestAgainstSummaries(t *testing.T) {
	n := testkit.Count(1000, 20_000)
	complete := 0
	for seed := range uint64(n) {
		p := bpgen.Generate(seed, bpgen.Config{Globals: 2, NoRecursion: seed%2 == 0})
		diff, all := compare(t, graphOf(t, p), Options{MaxStates: 4000, MaxDepth: 5})
		if all {
			complete++
		}
		if diff != "" {
			t.Errorf("seed %d: %s\n%s", seed, diff, p)
		}
	}
	t.Logf("%d programs, %d explored completely", n, complete)
	if complete < n/2 {
		t.Errorf("explored only %d of %d programs completely", complete, n)
	}
}

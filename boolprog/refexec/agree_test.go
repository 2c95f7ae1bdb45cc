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

// differential compares on random programs without references and returns how many differ;
// with a mutation, only until one does.
func differential(t *testing.T, programs int, broken mutation) (differ, complete int) {
	for seed := range uint64(programs) {
		c := bpgen.Config{Globals: 2, NoRecursion: seed%2 == 0}
		p := bpgen.Generate(seed, c)
		diff, all := compare(t, graphOf(t, p), Options{MaxStates: 4000, MaxDepth: 5, broken: broken})
		if all {
			complete++
		}
		if diff != "" {
			differ++
			if broken != correct {
				return differ, complete
			}
			t.Errorf("seed %d: %s\n%s", seed, diff, p)
		}
	}
	return differ, complete
}

func TestAgainstSummaries(t *testing.T) {
	n := 1000
	if testkit.Long() {
		n = 20_000
	}
	_, complete := differential(t, n, correct)
	t.Logf("%d programs, %d explored completely", n, complete)
	if complete < n/2 {
		t.Errorf("explored only %d of %d programs completely", complete, n)
	}
}

// TestSummariesNotice breaks one rule at a time, of those that concern Booleans.
func TestSummariesNotice(t *testing.T) {
	for _, broken := range []mutation{
		oneTape, chooseZero, sequentialAssign, constrainOld, constrainLate, globalsZero, localsZero, resultsZero,
		noEnforceAfterCall, assertStops, topOnly,
	} {
		if differ, _ := differential(t, 1000, broken); differ == 0 {
			t.Errorf("mutation %d was not noticed", broken)
		}
	}
}

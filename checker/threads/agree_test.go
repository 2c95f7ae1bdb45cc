package threads

import (
	"context"
	"slices"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/boolprog/threadexec"
	"c2bp/checker/explicit"
	"c2bp/internal/testkit"
)

// mostStates is the number of states up to which brute force explores a program, mostSearched that of a search.
const mostStates, mostSearched = 20_000, 100_000

// searched explores a program; k is the bound of switches, or negative for none.
func searched(t *testing.T, g *boolprog.Graph, k int) *Result {
	t.Helper()
	opts := Options{States: mostSearched}
	if k >= 0 {
		opts.Contexts = &k
	}
	r, err := Search(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRandom compares the search of random programs with brute force: the sites that are found without a bound
// and with each bound, whether a bound leaves anything out, and the runs.
func TestRandom(t *testing.T) {
	explored, failing, threads, switched := 0, 0, 0, 0
	for seed := range testkit.Count[uint64](300, 2000) {
		p := bpgen.Threads(seed)
		g := bptest.Graph(t, p)
		want, err := threadexec.Explore(g, mostStates)
		if err != nil {
			continue
		}
		explored++
		r := searched(t, g, -1)
		if r.Open != "" {
			t.Fatalf("seed %d: %s, but brute force has only %d states\n%s", seed, r.Open, want.States, p)
		}
		compare(t, seed, g, r, want, want.Most)
		for _, k := range bounds(want.Most) {
			compare(t, seed, g, bounded(t, seed, g, k, want), want, k)
		}
		if t.Failed() {
			t.Fatalf("\n%s", p)
		}
		if len(want.Failing) > 0 {
			failing++
		}
		if r.most > 1 {
			threads++
		}
		if want.Most > 1 {
			switched++
		}
	}
	t.Logf("%d programs explored, %d with several threads, %d with several switches, %d with a failure", explored, threads, switched, failing)
	if n := testkit.Count(300, 2000); explored < n*9/10 || threads < n*9/10 || switched < n*3/4 || failing < n/4 {
		t.Errorf("the programs are too large, or too simple")
	}
}

// TestSequential compares programs with one thread, recursive ones among them, with the semantics of programs
// without threads.
func TestSequential(t *testing.T) {
	decided, failing := 0, 0
	for seed := range testkit.Count[uint64](300, 5000) {
		p := bpgen.Generate(seed, bpgen.Shape(seed))
		g := bptest.Graph(t, p)
		want, err := bpexec.Reach(context.Background(), g, bpexec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		zero := 0
		r, err := Search(context.Background(), g, Options{Contexts: &zero, States: 2000})
		if err != nil {
			t.Fatal(err)
		}
		fails := want.Failures()
		for i, proc := range g.Procs {
			for j, n := range proc.Nodes {
				at := explicit.Point{Proc: i, Node: j}
				canFail := slices.Contains(fails, bpexec.Site{Proc: i, Node: j})
				// What a limit leaves open may be there.
				wrong := func(got, there bool) bool { return got != there && (got || r.Open == "") }
				if n.Kind != boolprog.NodeExit && wrong(r.Reached(at), len(want.States(i, j)) > 0) || wrong(r.CanFail(at), canFail) {
					t.Errorf("seed %d: node %d of %s: reached: %v, fails: %v", seed, j, proc.Proc.Name, r.Reached(at), r.CanFail(at))
				}
			}
		}
		if r.Open == "" {
			decided++
		}
		if len(fails) > 0 {
			failing++
		}
		if t.Failed() {
			t.Fatalf("\n%s", p)
		}
	}
	t.Logf("%d programs decided, %d with a failure", decided, failing)
	if n := testkit.Count(300, 5000); decided < n/2 || failing < n/10 {
		t.Errorf("the programs are too large, or too simple")
	}
}

// bounds returns all bounds up to the one that suffices, and a large one.
func bounds(most int) (list []int) {
	for k := range most + 1 {
		list = append(list, k)
	}
	return append(list, enough)
}

// enough is a bound that leaves nothing out of any of the programs.
const enough = 1000

// bounded explores a program with a bound, and tests that it says so if it leaves something out; with a large one
// it must not. (In between it may: states in which a variable is unknown count beside those in which it
// has a value.)
func bounded(t *testing.T, seed uint64, g *boolprog.Graph, k int, want *threadexec.Found) *Result {
	r := searched(t, g, k)
	if r.Open != "" && k == enough {
		t.Errorf("seed %d: with %d switches: %s, but %d suffice", seed, k, r.Open, want.Most)
	}
	missing := false
	for _, sites := range []map[threadexec.Site]int{want.Reached, want.Failing} {
		for _, least := range sites {
			missing = missing || least > k
		}
	}
	if missing && r.Open == "" {
		t.Errorf("seed %d: with %d switches nothing is said to be left out", seed, k)
	}
	return r
}

// compare compares the sites that were found with those that need at most k switches, and follows a run to each
// of them.
func compare(t *testing.T, seed uint64, g *boolprog.Graph, r *Result, want *threadexec.Found, k int) {
	t.Helper()
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			if n.Kind == boolprog.NodeExit {
				continue
			}
			at, site := explicit.Point{Proc: i, Node: j}, threadexec.Site{Proc: i, Node: j}
			for _, fails := range []bool{false, true} {
				got, to, sites := r.Reached(at), explicit.Target{Point: at}, want.Reached
				if fails {
					got, to.Goal, sites = r.CanFail(at), explicit.Fail, want.Failing
				}
				least, there := sites[site]
				if got != (there && least <= k) {
					t.Errorf("seed %d: with %d switches: node %d of %s (fails: %v) found: %v; by brute force: %v, with %d", seed, k, j, p.Proc.Name, fails, got, there, least)
					continue
				}
				// A run with more switches than needed was followed with fewer.
				if bounded := r.opts.Contexts != nil; got && (!bounded || least == k) {
					follow(t, seed, g, r.Trace([]explicit.Target{to}), fails, least, bounded)
				}
			}
		}
	}
}

// follow tests a run: brute force can make it and, if it is one of a bounded search, it has as few switches as
// possible.
func follow(t *testing.T, seed uint64, g *boolprog.Graph, run *Trace, fails bool, least int, fewest bool) {
	t.Helper()
	moves := make([]threadexec.Move, len(run.Moves))
	for i, m := range run.Moves {
		moves[i] = threadexec.Move{Thread: m.Thread, Site: threadexec.Site{Proc: m.Proc, Node: m.Node}, Back: m.Back}
	}
	if err := threadexec.Follow(g, moves, fails); err != nil {
		t.Errorf("seed %d: %v\n%+v", seed, err, moves)
	}
	if fewest && run.Switches != least {
		t.Errorf("seed %d: a run with %d switches, but %d are enough", seed, run.Switches, least)
	}
}

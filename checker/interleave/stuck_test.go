package interleave_test

import (
	"context"
	"regexp"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// TestStuck: states without a step in which a message was not received are found on shortest runs.
func TestStuck(t *testing.T) {
	const head = "chan C int; class A { static C c = new C; static C d = new C; static bool k; "
	for _, c := range []struct{ name, text, want string }{
		{"received", head + "activate static void a() { send(c, 1); } activate static void b() { int v; select { receive(c, v) -> ; } } };", "none"},
		{"not received", head + "activate static void a() { send(c, 1); } };", "orphan 3"},
		{"waiting for another one", head + "activate static void a() { int v; send(c, 1); select { receive(d, v) -> ; } } };", "deadlock 2"},
		{"waiting at an end state", head + "activate static void a() { int v; send(c, 1); select end { receive(d, v) -> ; } } };", "orphan 2"},
		{"nothing sent at an end state", head + "activate static void a() { int v; select end { receive(d, v) -> ; } } };", "none"},
		{"lost with the process", head + "activate static void a() { C e; e = new C; send(e, 1); } };", "orphan 4"},
		{"lost long before the end", head + "activate static void a() { C e; e = new C; send(e, 1); e = null; k = true; } };", "orphan 6"},
		{"lost by another process", head + "static void f(C e) { send(e, 1); } activate static void a() { C e; e = new C; async f(e); e = null; } };", "orphan 7"},
		{"lost without a message", head + "activate static void a() { int v; C e; e = new C; send(e, 1); select { receive(e, v) -> ; } e = null; } };", "none"},
		{"a run that goes on", head + "activate static void a() { send(c, 1); while (true) ; } };", "none"},
		{"a run that is dropped", head + "activate static void a() { send(c, 1); assume(k); } };", "assume 3"},
		{"a choice", head + "activate static void a() { k = choose(bool); if (k) { send(c, 1); } } };", "orphan 6"},
	} {
		p, err := zingtest.Load("model.zing", c.text)
		if err != nil {
			t.Fatal(err)
		}
		want := "states 0; " + c.want
		oracle := zingtest.Explore(p, zingtest.Options{Stuck: true})
		if got := states.ReplaceAllString(oracle.Summary(), "states 0"); got != want {
			t.Errorf("%s: the interpreter: %s, want %s", c.name, got, want)
		}
		r := explore(t, c.text, lowerzing.Options{}, interleave.Options{Stuck: true, All: true})
		if got := states.ReplaceAllString(summary(r), "states 0"); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

// states matches the number of states in a summary.
var states = regexp.MustCompile(`states \d+`)

// TestStuckRandom compares with the interpreter on random models, with all searches and with workers.
func TestStuckRandom(t *testing.T) {
	n := uint64(testkit.Count(60, 5000))
	found := 0
	for seed := range n {
		text := zingtest.Random(seed + 5000000)
		p, err := zingtest.Load("model.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		want := zingtest.Explore(p, zingtest.Options{Stuck: true, States: 5000, Blocks: 2000})
		if !want.Complete {
			continue
		}
		low := lowerzing.Program(p, lowerzing.Options{})
		model := interleave.Model{Prog: low.Prog, Roots: low.Activate}
		run := func(opts interleave.Options) *interleave.Result {
			opts.Stuck, opts.All = true, true
			r := interleave.Explore(context.Background(), model, opts)
			for _, f := range r.Failures {
				interleave.Confirm(model, opts, f)
			}
			return r
		}
		first := run(interleave.Options{})
		if got := summary(first); got != want.Summary() {
			t.Fatalf("seed %d: %s, want %s\n%s", seed, got, want.Summary(), text)
		}
		if want.Lengths[zingtest.Orphan] > 0 {
			found++
		}
		if team := run(interleave.Options{Jobs: 3}); summary(team) != summary(first) || team.Stored != first.Stored {
			t.Fatalf("seed %d: with workers %s, want %s\n%s", seed, summary(team), summary(first), text)
		}
		for _, opts := range []interleave.Options{{Search: interleave.Depth}, {Search: interleave.Delay, Bound: 1000}, {Search: interleave.Preemption, Bound: 1000}} {
			if r := run(opts); r.Stored != first.Stored || kindsOf(r) != kindsOf(first) {
				t.Fatalf("seed %d, search %d: %d states, %s; want %d, %s\n%s", seed, opts.Search, r.Stored, kindsOf(r), first.Stored, kindsOf(first), text)
			}
		}
	}
	t.Logf("%d of %d models leave a message", found, n)
	if found < int(n/20) {
		t.Errorf("only %d of %d models leave a message", found, n)
	}
}

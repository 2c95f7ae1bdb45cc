package interleave_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// This file compares the engine with the interpreter of package zingtest, which shares neither the lowering nor
// the object model with it.

// explore explores a model that is given as text.
func explore(t testing.TB, text string, low lowerzing.Options, opts interleave.Options) *interleave.Result {
	t.Helper()
	p, err := zingtest.Load("model.zing", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	l := lowerzing.Program(p, low)
	if err := l.Prog.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if opts.MaxStates == 0 {
		opts.MaxStates = 1000000 // a defect may make a model infinite
	}
	return interleave.Explore(context.Background(), interleave.Model{Prog: l.Prog, Roots: l.Activate}, opts)
}

var kinds = map[zom.Outcome]zingtest.Kind{
	zom.Failed: zingtest.Assertion, zom.NullUsed: zingtest.NullPointer, zom.BadIndex: zingtest.BadIndex,
	zom.DivByZero: zingtest.DivideByZero, zom.Overflow: zingtest.Overflow, zom.EmptyChoice: zingtest.BadChoose,
	zom.BlockedInside: zingtest.BlockingSelect, zom.Unhandled: zingtest.Unhandled, zom.Endless: zingtest.InfiniteLoop,
	zom.WrongClass: zingtest.Internal, zom.ChoiceInside: zingtest.Internal, zom.NoMessage: zingtest.Internal, zom.TooLarge: zingtest.Internal,
}

// kindOf returns the kind of a failure in the words of the interpreter.
func kindOf(f *interleave.Failure) zingtest.Kind {
	switch f.Kind {
	case interleave.Deadlock:
		return zingtest.Deadlock
	case interleave.Orphan:
		return zingtest.Orphan
	}
	return kinds[f.Outcome]
}

// summary returns the counts and lengths of r as zingtest.Result.Summary has them.
func summary(r *interleave.Result) string {
	lengths := map[zingtest.Kind]int{}
	note := func(k zingtest.Kind, n int) {
		if old, known := lengths[k]; !known || n < old {
			lengths[k] = n
		}
	}
	for _, f := range r.Failures {
		note(kindOf(f), f.States())
	}
	if r.Pruned > 0 {
		note(zingtest.Assume, r.PrunedAt)
	}
	var failures []string
	for _, k := range slices.Sorted(maps.Keys(lengths)) {
		failures = append(failures, fmt.Sprintf("%s %d", k, lengths[k]))
	}
	if failures == nil {
		failures = []string{"none"}
	}
	return fmt.Sprintf("states %d; %s", r.Distinct, strings.Join(failures, ", "))
}

// TestModels explores the models whose results the interpreter has found.
func TestModels(t *testing.T) {
	for _, m := range zingtest.Models() {
		t.Run(m.Name, func(t *testing.T) {
			r := explore(t, m.Text, lowerzing.Options{Unchecked: m.Options.Unchecked}, interleave.Options{Cooperative: m.Options.Cooperative, All: true})
			if got := summary(r); got != m.Want {
				t.Errorf("got  %s\nwant %s", got, m.Want)
			}
		})
	}
}

// agree compares the results of both on a model, by the rules that a seed chooses. It reports whether the
// interpreter has finished.
func agree(t *testing.T, seed uint64, text string) bool {
	t.Helper()
	cooperative, unchecked, miss := seed%4 == 1, seed%4 == 2, seed%4 == 3
	p, err := zingtest.Load("model.zing", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := zingtest.Explore(p, zingtest.Options{States: 20000, Blocks: 2000, Cooperative: cooperative, Unchecked: unchecked, MissDeadlocks: miss})
	if !want.Complete {
		return false
	}
	r := explore(t, text, lowerzing.Options{Unchecked: unchecked}, interleave.Options{All: true, Cooperative: cooperative, MissDeadlocks: miss})
	if got := summary(r); got != want.Summary() {
		t.Errorf("got  %s\nwant %s\n%s", got, want.Summary(), text)
	}
	// The first failure is the same, on a run of the same length.
	kind, length := zingtest.Kind(""), 0
	if len(r.Failures) > 0 {
		kind, length = kindOf(r.Failures[0]), r.Failures[0].States()
	}
	if kind != want.Verdict || length != want.TraceLength {
		t.Errorf("first %s on a run of %d states, want %s on %d\n%s", kind, length, want.Verdict, want.TraceLength, text)
	}
	if r.Transitions != want.Transitions {
		t.Errorf("%d transitions, want %d\n%s", r.Transitions, want.Transitions, text)
	}
	return true
}

// TestRandom compares the results on random models and on mutants of directed ones.
func TestRandom(t *testing.T) {
	models, mutants := uint64(testkit.Count(100, 5000)), uint64(testkit.Count(100, 20000))
	finished := 0
	for seed := range max(models, mutants) {
		if seed < models && agree(t, seed, zingtest.Random(seed)) {
			finished++
		}
		if seed < mutants && agree(t, seed, zingtest.Mutant(seed)) {
			finished++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d of %d random models and %d mutants finished", finished, models, mutants)
}

// workers is a model of objects that are passed through channels, with sets and choices.
const workers = `
class Msg { int id; Msg next; };
chan Q Msg; set Seen int; array Workers[3] Worker;
class Worker {
    Q inbox = new Q; int done; Seen seen = new Seen; Msg last;
    void run() {
        Msg m;
        while (done < 1) {
            select { receive(inbox, m) -> { if (!(m.id in seen)) { seen = seen + m.id; m.next = last; last = m; } } }
            done = done + 1;
        }
    }
};
class Main {
    static Workers ws = new Workers;
    static void produce(int k) {
        int i; Msg m; bool which;
        while (i < 1) {
            m = new Msg; m.id = i;
            which = choose(bool);
            atomic { if (which) send(ws[k].inbox, m); else send(ws[1 - k].inbox, m); }
            i = i + 1;
        }
    }
    activate static void main() {
        int i;
        atomic { while (i < 2) { ws[i] = new Worker; i = i + 1; } }
        async ws[0].run(); async ws[1].run(); async produce(0); async produce(1);
    }
};`

// TestLarger compares the results on models of some thousand states.
func TestLarger(t *testing.T) {
	for _, text := range []string{philosophers(2), philosophers(3), workers} {
		if !agree(t, 0, text) {
			t.Errorf("the interpreter has not finished:\n%s", text)
		}
	}
}

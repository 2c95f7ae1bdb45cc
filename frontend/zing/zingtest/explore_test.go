package zingtest

import (
	"strings"
	"testing"
)

// TestMissDeadlocks checks the switch for deadlocks first reached by the step after a choice.
func TestMissDeadlocks(t *testing.T) {
	for _, m := range Models() {
		switch {
		case m.Name == "deadlock-after-choice":
			if r := explore(t, m.Text, Options{MissDeadlocks: true}); r.Verdict != "" {
				t.Errorf("%s: got %s, want nothing", m.Name, r.Verdict)
			}
		case strings.HasPrefix(m.Name, "deadlock-"):
			if r := explore(t, m.Text, Options{MissDeadlocks: true}); r.Verdict != Deadlock {
				t.Errorf("%s: got %q, want a deadlock", m.Name, r.Verdict)
			}
		}
	}
}

// TestBounds checks that a search that was cut says so.
func TestBounds(t *testing.T) {
	text := `class A { static int x; activate static void a() { while (true) x = x + 1; } };`
	if r := explore(t, text, Options{States: 100}); r.Complete || r.Verdict != "" {
		t.Errorf("complete %t with verdict %q", r.Complete, r.Verdict)
	}
	if r := explore(t, `class A { activate static void a() { ; } };`, Options{States: 100}); !r.Complete {
		t.Error("a small search is not complete")
	}
}

// TestPath replays the path to the first error of models and mutants.
func TestPath(t *testing.T) {
	texts := map[string]Model{}
	for _, m := range Models() {
		texts[m.Name] = m
	}
	for _, seed := range []uint64{1, 2, 3, 4, 5, 6, 7, 8} {
		texts[strings.Repeat("r", int(seed))] = Model{Text: Random(seed)}
		texts[strings.Repeat("m", int(seed))] = Model{Text: Mutant(seed)}
	}
	for name, m := range texts {
		if r := explore(t, m.Text, m.Options); r.Verdict != "" {
			replay(t, name, m, r)
		}
	}
}

// replay makes the steps of a path and checks how it ends.
func replay(t *testing.T, name string, m Model, r *Result) {
	p, err := Load("model.zing", m.Text)
	if err != nil {
		t.Fatal(err)
	}
	options := m.Options
	options.Blocks = 1_000_000
	x := &machine{graph: buildGraph(p), options: options}
	s, failure := x.start()
	if len(r.Path)+1 != r.TraceLength {
		t.Errorf("%s: %d steps to a state %d", name, len(r.Path), r.TraceLength)
	}
	for i, by := range r.Path {
		if failure != nil {
			t.Fatalf("%s: %s after %d of %d steps", name, failure.Kind, i, len(r.Path))
		}
		if s.pending != nil {
			s, failure = x.step(s, s.chooser, s.pending[by])
		} else {
			s, failure = x.step(s, by, nil)
		}
	}
	switch {
	case failure == nil && r.Verdict == Deadlock:
		for i := range s.processes {
			if x.status(s, i) == runnable {
				t.Errorf("%s: process %d can run in a deadlock", name, i)
			}
		}
	case failure == nil || failure.Kind != r.Verdict || failure.Pos != r.Position:
		t.Errorf("%s: the path ends with %v, want %s at %s", name, failure, r.Verdict, r.Position)
	}
}

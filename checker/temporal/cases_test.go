package temporal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// build makes a system of lines such as "p a -> q b c", with words of letters; "p a: 5" gives a head the atoms of 5,
// "p a !" says that a run may end there silently, "p a ~" that it is silent, and "p a -> ?" is a move beyond the
// system's knowledge. A run begins at p with the symbol a.
func build(t *testing.T, text string) *table {
	t.Helper()
	s := &table{moves: map[[2]int]Moves{}, labels: map[[2]int]Label{}, starts: []Move{{Word: []int{0}}}}
	loc := func(w string) int { return int(w[0] - 'p') }
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		at := [2]int{loc(words[0]), int(words[1][0] - 'a')}
		label, moves := s.labels[at], s.moves[at]
		switch {
		case strings.HasSuffix(words[1], ":"):
			fmt.Sscan(words[2], &label.Atoms)
		case words[2] == "!":
			moves.Pruned = true
		case words[2] == "~":
			label.Silent = true
		case words[3] == "?":
			moves.List = append(moves.List, Move{Top: true})
		default:
			m := Move{Loc: loc(words[3])}
			for _, w := range words[4:] {
				m.Word = append(m.Word, int(w[0]-'a'))
			}
			moves.List = append(moves.List, m)
		}
		s.labels[at], s.moves[at] = label, moves
	}
	return s
}

// show writes a run as the heads of its stem and its loop, with their depths; a collapsed call has "*".
func (r *Run) show() string {
	part := func(steps []Step) string {
		var words []string
		for _, s := range steps {
			w := fmt.Sprintf("%c%c%d", 'p'+s.Loc, 'a'+s.Symbol, s.Depth)
			if s.Collapsed {
				w += "*"
			}
			words = append(words, w)
		}
		return strings.Join(words, " ")
	}
	if r == nil {
		return ""
	}
	text := part(r.Stem) + " (" + part(r.Loop) + ")"
	if r.Prefix > 0 {
		text += fmt.Sprint(" bad after ", r.Prefix)
	}
	return text
}

// The answers for small systems, with the runs that are shown.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name, system, formula string
		fair                  []int
		want                  string
	}{
		{"the system of the package doc", "p a -> p b a\np b -> q\nq a -> p a\nq a: 1", "G F a", nil, "TRUE"},
		{"the same, never", "p a -> p b a\np b -> q\nq a -> p a\nq a: 1", "G !a", nil, "FALSE  (pa0 pb1 qa0) bad after 3"},
		{"a run that ends stays", "p a -> p b\np a: 1", "F G a", nil, "FALSE pa0 (pb0)"},
		{"a run that ends with the atom", "p a -> p b\np b: 1", "F G a", nil, "TRUE"},
		{"a stack that grows", "p a -> p b a\np b -> p b c\np b: 1", "F G !a", nil, "FALSE pa0 (pb1)"},
		{"an accepting move inside a call", "p a -> p b a\np b -> q c\nq c -> q\nq c: 1\nq a -> p a", "F G !a", nil, "FALSE  (pa0 pb1 qc1 qa0)"},
		{"a pruned run is none", "p a -> p b\np b !", "F a", nil, "TRUE"},
		{"but may have failed before", "p a -> p b\np b !\np b: 1", "G !a", nil, "FALSE pa0 pb0 () bad after 2"},
		{"unfair runs do not count", "p a -> p a\np a -> p b\np b: 3\np b -> p a", "G F a", []int{1}, "TRUE"},
		{"fair ones do", "p a -> p a\np a -> p b\np b: 2\np b -> p a", "G F a", []int{1}, "FALSE  (pa0 pb0)"},
		{"silent heads are no states", "p a -> p b\np b ~\np b -> p c\np c: 1", "X a", nil, "TRUE"},
		{"silent heads have no atoms", "p a -> p b\np b: 1\np b ~\np b -> p c", "F a", nil, "FALSE pa0 pb0 (pc0)"},
		{"nothing is known", "p a -> ?", "F a", nil, "UNKNOWN (a run leads beyond what is known) pa0 ()"},
		{"nothing more is needed", "p a: 1\np a -> ?", "F a", nil, "TRUE"},
		{"a violation is known", "p a -> ?\np a -> p b", "F a", nil, "FALSE pa0 (pb0)"},
		{"all runs", "p a -> p a", "true", nil, "TRUE"},
		{"no run", "p a !", "false", nil, "FALSE pa0 () bad after 1"},
		{"a choice of two loops", "p a -> p a\np a -> q a\nq a -> q a\nq a: 1", "G F a | F G !a", nil, "TRUE"},
	} {
		sys := build(t, c.system)
		r, err := Check(context.Background(), sys, mustParse(c.formula), Options{Fair: c.fair})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := r.Verdict.String()
		if r.Verdict == verdict.Unknown {
			got += " (" + r.Reason + ")"
		}
		if r.Run != nil {
			got += " " + r.Run.show()
		}
		if got != c.want {
			t.Errorf("%s: %s of\n%s\n%s, want %s", c.name, c.formula, c.system, got, c.want)
		}
	}
}

// doubling returns a system of n procedures, each of which calls the next one twice, so that a run has 2^n steps;
// then it repeats. The procedures have the symbols 3i, 3i+1 and 3i+2, the last of which returns.
func doubling(n int) *table {
	s := &table{moves: map[[2]int]Moves{}, labels: map[[2]int]Label{}, starts: []Move{{Word: []int{0}}}}
	for i := range n {
		s.moves[[2]int{0, 3 * i}] = Moves{List: []Move{{Word: []int{3 * (i + 1), 3*i + 1}}}}
		s.moves[[2]int{0, 3*i + 1}] = Moves{List: []Move{{Word: []int{3 * (i + 1), 3*i + 2}}}}
		s.moves[[2]int{0, 3*i + 2}] = Moves{List: []Move{{}}}
	}
	s.moves[[2]int{0, 3 * n}] = Moves{List: []Move{{}}}
	s.moves[[2]int{0, 2}] = Moves{List: []Move{{Word: []int{0}}}}
	s.labels[[2]int{0, 3 * n}] = Label{Atoms: 1}
	return s
}

// A run of 2^40 steps is written with calls that are one step, and is replayed.
func TestCollapsed(t *testing.T) {
	r, err := Check(context.Background(), doubling(40), mustParse("F G !a"), Options{MaxSteps: 100})
	if err != nil || r.Verdict != verdict.False {
		t.Fatal(r, err)
	}
	collapsed := 0
	for _, s := range append(r.Run.Stem, r.Run.Loop...) {
		if s.Collapsed {
			collapsed++
		}
	}
	if n := len(r.Run.Stem) + len(r.Run.Loop); collapsed == 0 || n > 200 {
		t.Errorf("%d of %d steps are collapsed", collapsed, n)
	}
	r, err = Check(context.Background(), doubling(5), mustParse("F G !a"), Options{})
	if err != nil || len(r.Run.Loop) < 1<<5 {
		t.Fatal(r, err)
	}
	// Without a violation there is nothing to write.
	if r, err := Check(context.Background(), doubling(40), mustParse("G F a"), Options{}); err != nil || r.Verdict != verdict.True {
		t.Fatal(r, err)
	}
}

// Limits and the end of the context.
func TestLimits(t *testing.T) {
	r, err := Check(context.Background(), doubling(100), mustParse("G F a"), Options{MaxHeads: 50})
	if err != nil || r.Verdict != verdict.Unknown || r.Reason != "more than 50 heads" {
		t.Error(r, err)
	}
	// A violation among the heads that were met counts.
	r, err = Check(context.Background(), doubling(100), mustParse("G a"), Options{MaxHeads: 50})
	if err != nil || r.Verdict != verdict.Unknown {
		t.Error(r, err)
	}
	r, err = Check(context.Background(), build(t, "p a -> p a\np a -> p b\np b -> p c\np c -> p d"), mustParse("G a"), Options{MaxHeads: 4})
	if err != nil || r.Verdict != verdict.False {
		t.Error(r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Check(ctx, doubling(3), mustParse("G F a"), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// A formula that is too large.
	r, err = Check(ctx, doubling(3), Unary(Not, mustParse(series(20, " & ", "G F %c"))), Options{})
	if err != nil || r.Verdict != verdict.Unknown || !strings.Contains(r.Reason, "automaton") {
		t.Error(r, err)
	}
}

// Reach finds a head if and only if an exploration does.
func TestReach(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	counts := map[string]int{}
	for i := range testkit.Count(3000, 300000) {
		sys := randomTable(rng, 1+rng.IntN(4), 2+rng.IntN(4), i%3 == 0, i%4 == 0)
		o := &oracle{t: sys, a: &Automaton{Init: []int{0}, States: [][]Transition{{{}}}}, depth: 6}
		seen := map[config]bool{}
		for todo := o.initial(); len(todo) > 0; todo = todo[1:] {
			if c := todo[0]; !seen[c] {
				seen[c] = true
				for _, s := range o.next(c) {
					todo = append(todo, s.config)
				}
			}
		}
		heads := map[[2]int]bool{}
		for c := range seen {
			heads[[2]int{c.loc, int(c.stack[0] - '0')}] = true
		}
		for at := range sys.moves {
			r, err := Reach(context.Background(), sys, func(loc, symbol int) bool { return at == [2]int{loc, symbol} }, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := verdict.True
			if heads[at] {
				want = verdict.False
			}
			if r.Verdict != want && !(o.cut && r.Verdict == verdict.False) {
				t.Fatalf("%v: %v, want %v\n%s", at, r.Verdict, want, sys)
			}
			counts[r.Verdict.String()]++
			if r.Verdict == verdict.False {
				if last := r.Run.Stem[len(r.Run.Stem)-1]; [2]int{last.Loc, last.Symbol} != at || last.Move != Last {
					t.Fatalf("%v: the run ends at %+v", at, last)
				}
			}
		}
	}
	t.Log(counts)
}

// Reach shows a shortest way, calls that are one step counting as they are.
func TestReachRuns(t *testing.T) {
	sys := build(t, "p a -> p b a\np b -> q\nq a -> r d\np b -> r")
	r, err := Reach(context.Background(), sys, func(loc, symbol int) bool { return symbol == 3 }, Options{})
	if err != nil || r.Run.show() != "pa0 pb1 qa0 rd0 ()" {
		t.Error(r.Run.show(), err)
	}
	r, err = Reach(context.Background(), build(t, "p a -> ?\np a -> p c"), func(loc, symbol int) bool { return symbol == 1 }, Options{})
	if err != nil || r.Verdict != verdict.Unknown || r.Reason != TopReason || r.Run.show() != "pa0 ()" {
		t.Error(r, err)
	}
}

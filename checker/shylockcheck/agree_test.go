package shylockcheck

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/shylock/shytest"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// This file compares verdicts with those of an exploration by brute force, which walks the syntax tree and renames
// nothing.

// limits of the exploration.
var limits = shytest.Limits{Nodes: 1500, Depth: 14, Objects: 8}

// failures returns the failures that a graph has, by kind and offset, and the length of a shortest run to one.
func failures(g *shytest.Graph) (list map[string]bool, shortest int) {
	list = map[string]bool{}
	for _, n := range g.Nodes {
		if n.Error == "" {
			continue
		}
		if len(list) == 0 {
			shortest = n.Length
		}
		list[fmt.Sprintf("%s at %v", n.Error, g.Prog.File.Pos(n.Pos))] = true
	}
	return list, shortest
}

// with returns the places of a result with a status, in the same form.
func with(r *verdict.Result, status string) map[string]bool {
	list := map[string]bool{}
	for _, s := range r.Sites {
		if s.Status() == status {
			list[fmt.Sprintf("%s at %v", s.What(), s.Pos)] = true
		}
	}
	return list
}

// TestAgrees compares the places that fail, the length of the shortest run, and the largest heap.
func TestAgrees(t *testing.T) {
	for kind, name := range map[shytest.Kind]string{shytest.Bounded: "bounded", shytest.Recursive: "recursive", shytest.Hanging: "hanging"} {
		t.Run(name, func(t *testing.T) {
			complete, wrong, clean, deep := 0, 0, 0, 0
			count := testkit.Count(uint64(600), 10000)
			for seed := range count {
				text := shytest.Random(rand.New(rand.NewPCG(seed, 77+uint64(kind))), kind)
				p := shytest.Load(text)
				lenient := seed%3 == 0
				g := shytest.Explore(p, lenient, limits)
				want, shortest := failures(g)
				// 1. All failures.
				r := Check(t.Context(), p, Options{Bound: limits.Objects + 1, Lenient: lenient, MaxStates: 20000, All: true})
				got, hold := with(r, "fails"), with(r, "holds")
				for place := range want {
					if hold[place] {
						t.Fatalf("seed %d: %s is missed:\n%s", seed, place, text)
					}
				}
				if g.Complete {
					complete++
					if len(got) != len(want) || r.Verdict == verdict.Unknown && len(r.Sites) > 0 && r.Reason[:7] != "vacuous" {
						t.Fatalf("seed %d: %s with %v, want %v:\n%s", seed, r.Summary(), got, want, text)
					}
					if most := r.Stats[1].Value; most != int64(g.Largest) {
						t.Fatalf("seed %d: %d visible objects, want %d:\n%s", seed, most, g.Largest, text)
					}
				} else if len(got) > 0 || r.Verdict == verdict.True {
					deep++
				}
				// 2. A shortest run.
				if len(want) == 0 {
					clean++
					continue
				}
				wrong++
				r = Check(t.Context(), p, Options{Bound: limits.Objects + 1, Lenient: lenient, MaxStates: 20000})
				if r.Verdict != verdict.False {
					t.Fatalf("seed %d: %s, want a failure:\n%s", seed, r.Summary(), text)
				}
				if n := len(r.Trace.Steps); n > shortest || g.Complete && n != shortest {
					t.Fatalf("seed %d: a run of %d steps, want %d:\n%s", seed, n, shortest, text)
				}
			}
			t.Logf("%d programs: %d explored completely, %d fail; %d decided beyond the limits of the exploration", count, complete, wrong, deep)
			if complete < int(count)/2 || wrong < int(count)/10 || clean < int(count)/10 {
				t.Errorf("too few: %d complete, %d failing, %d clean", complete, wrong, clean)
			}
		})
	}
}

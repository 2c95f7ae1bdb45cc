package trace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/varorder"
)

// This file checks traces of random programs: that they lead to their targets, are shortest, replay
// with any of their don't-care values, and can be expanded.

// agreeOnTraces asks for the trace to each target. That it replays is checked by
// Trace itself; here: where it leads, whether it is the shortest, whether what it
// calls free is free, and whether its calls can be expanded.
func agreeOnTraces(s *Finder, targets []Target, seed uint64, c *coverage) error {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 99))
	best := -1
	brute := newBrute(s.Graph)
	for i, x := range targets {
		t, err := s.Trace(ctx, []Target{x})
		if err != nil {
			return err
		}
		last := t.path[len(t.path)-1]
		if last.proc.Graph.Index != x.Proc || last.node != x.Node {
			return fmt.Errorf("the trace to %v ends elsewhere", x)
		}
		if want := brute.shortest(x); want != len(t.path)-1 && !s.opts.FewRounds {
			return fmt.Errorf("the trace to %v has %d steps, the shortest has %d", x, len(t.path)-1, want)
		}
		if best < 0 || len(t.path) < best {
			best = len(t.path)
		}
		if err := checkFree(s, t, x.Fails, rng, c); err != nil {
			return err
		}
		c.traces++
		if i < 3 {
			budget := 60
			if err := expandAll(ctx, t, &budget, c); err != nil {
				return err
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	t, err := s.Trace(ctx, targets)
	if !s.opts.FewRounds && err == nil && len(t.path) != best {
		err = fmt.Errorf("the trace to the nearest target has %d steps, want %d", len(t.path), best)
	}
	return err
}

// checkFree replays a trace with the free values of random groups turned around.
func checkFree(s *Finder, t *Trace, fails bool, rng *rand.Rand, c *coverage) error {
	for range 4 {
		some := *t
		mask := rng.Uint64()
		some.dontCare = make([][]bool, len(t.dontCare))
		for i, row := range t.dontCare {
			some.dontCare[i] = make([]bool, len(row))
			for g := range row {
				some.dontCare[i][g] = row[g] && mask>>g&1 == 1
				if row[g] {
					c.free++
				}
			}
		}
		if err := s.replay(&some, fails); err != nil {
			return fmt.Errorf("some free values turned around: %w", err)
		}
	}
	return nil
}

// expandAll expands the calls of a trace, and those inside, as far as the budget goes.
func expandAll(ctx context.Context, t *Trace, budget *int, c *coverage) error {
	for i, st := range t.Steps() {
		if st.Depth > 0 && i > 0 {
			c.entered++
		}
		if !st.Collapsed || *budget == 0 {
			continue
		}
		*budget--
		c.collapsed++
		inner, err := t.Expand(ctx, i)
		if err != nil {
			return err
		}
		if steps := inner.Steps(); len(steps) > 0 && steps[0].Depth != st.Depth+1 {
			return fmt.Errorf("expanded at depth %d inside depth %d", steps[0].Depth, st.Depth)
		}
		c.expanded++
		if err := expandAll(ctx, inner, budget, c); err != nil {
			return err
		}
	}
	return nil
}

// coverage counts what the random programs made the replayer do.
type coverage struct {
	programs, targets, traces, collapsed, entered, free, expanded int
}

// agree looks at a trace to every label and failure of the program of a seed.
func agree(t *testing.T, seed uint64, tuning symbolic.Tuning, opts Options, c *coverage) error {
	g := graphOf(t, random(seed))
	s := find(t, g, tuning, opts)
	c.programs++
	var targets []Target
	for i, p := range g.Procs {
		for v, n := range p.Nodes {
			at := symbolic.Point{Proc: i, Node: v}
			if s.CanFail(at) {
				targets = append(targets, Target{at, true})
			}
			if len(n.Labels) > 0 && s.Reached(at) {
				targets = append(targets, Target{at, false})
			}
		}
	}
	c.targets += len(targets)
	return agreeOnTraces(s, targets, seed, c)
}

func TestTracesAreRight(t *testing.T) {
	var c coverage
	for seed := range programs() {
		if err := agree(t, seed, tuning(seed), Options{}, &c); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, random(seed))
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.targets < n || c.collapsed < n/3 || c.entered < n/3 || c.free < n/3 || c.expanded < n/3 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

// Each optimisation switched off leaves traces right.
func TestTracesWithoutOptimisations(t *testing.T) {
	for name, x := range map[string]struct {
		symbolic.Tuning
		Options
	}{
		"nothing is forgotten":  {symbolic.Tuning{ForgetNever: true}, Options{}},
		"reverse postorder":     {symbolic.Tuning{Postorder: true}, Options{}},
		"declared order":        {symbolic.Tuning{Ordering: varorder.Declared}, Options{}},
		"few rounds":            {symbolic.Tuning{}, Options{FewRounds: true}},
		"few rounds, postorder": {symbolic.Tuning{Postorder: true}, Options{FewRounds: true}},
		"all of it":             {symbolic.Tuning{ForgetNever: true, Postorder: true, Ordering: varorder.Declared, ReorderNever: true}, Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			var c coverage
			for seed := range programs() / 2 {
				if err := agree(t, seed, x.Tuning, x.Options, &c); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, random(seed))
				}
			}
			t.Logf("%+v", c)
		})
	}
}

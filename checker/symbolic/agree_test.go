package symbolic

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/internal/testkit"
)

// This file compares the engine with brute force on random programs.

// random is the program of a seed, of one of several shapes.
func random(seed uint64) *boolprog.Program { return bpgen.Generate(seed, bpgen.Shape(seed)) }

func programs() uint64 { return testkit.Count[uint64](2000, 20_000) }

// options is how the program of a seed is solved. Nothing but the cost and the choice
// among traces may depend on it.
func options(seed uint64) Options {
	o := Options{collectEach: seed%5 == 0, order: orders[seed%3]}
	if seed%10 == 0 {
		o.reorderAt = 1
	}
	return o
}

// coverage counts what the random programs made the engine do.
type coverage struct {
	programs, edges, reached, failing, traces, collapsed, entered, free, expanded int
}

func TestAgreesWithBruteForce(t *testing.T) {
	var c coverage
	for seed := range programs() {
		if err := agree(t, seed, options(seed), &c); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, random(seed))
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.edges < n || c.reached < n || c.failing < n/3 || c.collapsed < n/3 || c.entered < n/3 || c.free < n/3 || c.expanded < n/3 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

// Each optimisation switched off changes no answer.
func TestAgreesWithoutOptimisations(t *testing.T) {
	for name, opts := range map[string]Options{
		"nothing is forgotten":  {forgetNever: true},
		"reverse postorder":     {postorder: true},
		"declared order":        {order: asDeclared},
		"few rounds":            {FewRounds: true},
		"few rounds, postorder": {FewRounds: true, postorder: true},
		"all of it":             {forgetNever: true, postorder: true, order: asDeclared, reorderNever: true},
	} {
		t.Run(name, func(t *testing.T) {
			var c coverage
			for seed := range programs() / 2 {
				if err := agree(t, seed, opts, &c); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, random(seed))
				}
			}
			t.Logf("%+v", c)
		})
	}
}

// Each rule broken on purpose must show.
func TestMutationsAreCaught(t *testing.T) {
	for mut := intact + 1; mut < mutations; mut++ {
		caught := 0
		var first error
		for seed := range uint64(500) {
			if err := agreeOrPanic(t, seed, mut); err != nil {
				caught++
				if first == nil {
					first = fmt.Errorf("seed %d: %w", seed, err)
				}
			}
		}
		t.Logf("mutation %d: %d of 500 programs differ; %v", mut, caught, first)
		if caught == 0 {
			t.Errorf("mutation %d is not noticed", mut)
		}
	}
}

// agreeOrPanic is agree; that decision diagrams refuse what a mutation asks of them
// counts as a difference.
func agreeOrPanic(t *testing.T, seed uint64, mut mutation) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return agree(t, seed, Options{mutation: mut}, &coverage{})
}

// agree compares reachable valuations, labels and failures, and looks at a trace
// to every label and failure.
func agree(t *testing.T, seed uint64, opts Options, c *coverage) error {
	g := graphOf(t, random(seed))
	want, err := bpexec.Reach(context.Background(), g, bpexec.Options{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	s := solve(t, g, opts)
	c.programs++
	rng := rand.New(rand.NewPCG(seed, 98))
	failing := map[bpexec.Site]bool{}
	for _, site := range want.Failures() {
		failing[site] = true
	}
	var targets []Target
	for i, p := range g.Procs {
		for v, n := range p.Nodes {
			at := Point{i, v}
			if err := agreeAt(s, at, want.States(i, v)); err != nil {
				return fmt.Errorf("%s, node %d: %w", p.Proc.Name, v, err)
			}
			if seed%3 == 0 { // for the time it takes
				edges := want.Edges(i, v)
				c.edges += len(edges)
				if err := agreeOnEdges(s, at, edges, rng); err != nil {
					return fmt.Errorf("%s, node %d: %w", p.Proc.Name, v, err)
				}
			}
			if got := s.CanFail(at); got != failing[bpexec.Site(at)] {
				return fmt.Errorf("%s, node %d: can fail: %v", p.Proc.Name, v, got)
			}
			if s.CanFail(at) {
				c.failing++
				targets = append(targets, Target{at, true})
			}
			if len(n.Labels) > 0 && s.Reached(at) {
				c.reached++
				targets = append(targets, Target{at, false})
			}
		}
	}
	return agreeOnTraces(s, targets, seed, c)
}

// agreeAt compares the valuations of a node, both as a set and as a formula.
func agreeAt(s *Solution, at Point, states []bpexec.State) error {
	p := s.procs[at.Proc]
	if s.Reached(at) != (len(states) > 0) {
		return fmt.Errorf("reached: %v", s.Reached(at))
	}
	e, err := s.Valuations(context.Background(), at)
	if err != nil {
		return err
	}
	visible := uint64(0)
	for i, v := range s.graph.Globals {
		if slot, _ := p.graph.Slot(v.Name); slot.Global {
			visible |= 1 << i
		}
	}
	live := s.liveBits(at)
	only := func(st, mask bpexec.State) bpexec.State {
		return bpexec.State{Globals: st.Globals & mask.Globals, Locals: st.Locals & mask.Locals}
	}
	want := map[bpexec.State]bool{}      // of live variables
	wantNamed := map[bpexec.State]bool{} // of those that have a name
	named := bpexec.State{Globals: live.Globals & visible, Locals: live.Locals}
	for _, st := range states {
		want[only(st, live)] = true
		wantNamed[only(st, named)] = true
	}
	for gl := range uint64(1) << len(s.graph.Globals) {
		for lo := range uint64(1) << len(p.graph.Vars) {
			st := bpexec.State{Globals: gl, Locals: lo}
			if got := s.has(at, st); got != want[only(st, live)] {
				return fmt.Errorf("valuation %b reached: %v", st, got)
			}
			got := bpexec.Eval(e, func(r *boolprog.Ref) bool { return bpexec.Get(p.graph, st, r.Name) })
			if got.Has(true) != wantNamed[only(st, named)] {
				return fmt.Errorf("valuation %b is wrong in the formula %s", st, boolprog.ExprString(e))
			}
		}
	}
	return nil
}

// liveBits is the variables that the engine keeps track of at a node.
func (s *Solution) liveBits(at Point) (live bpexec.State) {
	for _, g := range s.tracked(s.procs[at.Proc], at.Node) {
		switch {
		case s.lay.isGlobal(g):
			live.Globals |= 1 << s.lay.names[g]
		case !s.isResult(g):
			live.Locals |= 1 << (int(g) - s.lay.globals)
		}
	}
	return live
}

// has reports whether a state is among the path edges of a node.
func (s *Solution) has(at Point, st bpexec.State) bool {
	p := s.procs[at.Proc]
	states := s.m.Exists(s.path[s.id(at)], s.cube(p.changed, entry))
	var results []group
	for i := range p.graph.Proc.Results {
		results = append(results, s.lay.result(i))
	}
	states = s.m.Exists(states, s.cube(results, current))
	return s.m.Eval(states, s.valueOf(st))
}

// valueOf reads the current copies off a state; there are no others.
func (s *Solution) valueOf(st bpexec.State) func(int) bool {
	return func(level int) bool {
		if v := version(level % int(versions)); v != current {
			panic("not a set of current states")
		}
		g := s.lay.order()[level/int(versions)]
		if s.lay.isGlobal(g) {
			return st.Globals>>s.lay.names[g]&1 == 1
		}
		return st.Locals>>(int(g)-s.lay.globals)&1 == 1
	}
}

// agreeOnTraces asks for the trace to each target. That it replays is checked by
// Trace itself; here: where it leads, whether it is the shortest, whether what it
// calls free is free, and whether its calls can be expanded.
func agreeOnTraces(s *Solution, targets []Target, seed uint64, c *coverage) error {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 99))
	best := -1
	brute := newBrute(s.graph)
	for i, x := range targets {
		t, err := s.Trace(ctx, []Target{x})
		if err != nil {
			return err
		}
		last := t.path[len(t.path)-1]
		if last.proc.graph.Index != x.Proc || last.node != x.Node {
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
func checkFree(s *Solution, t *Trace, fails bool, rng *rand.Rand, c *coverage) error {
	for range 4 {
		some := *t
		mask := rng.Uint64()
		some.free = make([][]bool, len(t.free))
		for i, row := range t.free {
			some.free[i] = make([]bool, len(row))
			for g := range row {
				some.free[i][g] = row[g] && mask>>g&1 == 1
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

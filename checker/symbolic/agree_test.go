package symbolic

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
	"c2bp/internal/testkit"
)

// This file compares the engine with brute force on random programs.

// random is the program of a seed, of one of several shapes.
func random(seed uint64) *boolprog.Program { return bpgen.Generate(seed, bpgen.Shape(seed)) }

func programs() uint64 { return testkit.Count[uint64](2000, 20_000) }

// options is how the program of a seed is solved. Nothing but the cost and the choice
// among traces may depend on it.
func options(seed uint64) Options {
	o := Tuning{CollectEach: seed%5 == 0, Ordering: orders[seed%3]}
	if seed%10 == 0 {
		o.ReorderAt = 1
	}
	return Options{Tuning: o}
}

// coverage counts what the random programs made the engine do.
type coverage struct {
	programs, edges, reached, failing int
}

func TestAgreesWithBruteForce(t *testing.T) {
	var c coverage
	for seed := range programs() {
		if err := agree(t, seed, options(seed), &c); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, random(seed))
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.edges < n || c.reached < n || c.failing < n/3 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

// Each optimisation switched off changes no answer.
func TestAgreesWithoutOptimisations(t *testing.T) {
	for name, tuning := range map[string]Tuning{
		"nothing is forgotten": {ForgetNever: true},
		"reverse postorder":    {Postorder: true},
		"declared order":       {Ordering: varorder.Declared},
		"all of it":            {ForgetNever: true, Postorder: true, Ordering: varorder.Declared, ReorderNever: true},
	} {
		t.Run(name, func(t *testing.T) {
			var c coverage
			for seed := range programs() / 2 {
				if err := agree(t, seed, Options{Tuning: tuning}, &c); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, random(seed))
				}
			}
			t.Logf("%+v", c)
		})
	}
}

// agree compares reachable valuations, path edges, labels and failures.
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
			}
			if len(n.Labels) > 0 && s.Reached(at) {
				c.reached++
			}
		}
	}
	return nil
}

// agreeAt compares the valuations of a node, both as a set and as a formula.
func agreeAt(s *Solution, at Point, states []bpexec.State) error {
	p := s.Procs[at.Proc]
	if s.Reached(at) != (len(states) > 0) {
		return fmt.Errorf("reached: %v", s.Reached(at))
	}
	e, err := s.Valuations(context.Background(), at)
	if err != nil {
		return err
	}
	visible := uint64(0)
	for i, v := range s.Graph.Globals {
		if slot, _ := p.Graph.Slot(v.Name); slot.Global {
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
	for gl := range uint64(1) << len(s.Graph.Globals) {
		for lo := range uint64(1) << len(p.Graph.Vars) {
			st := bpexec.State{Globals: gl, Locals: lo}
			if got := s.has(at, st); got != want[only(st, live)] {
				return fmt.Errorf("valuation %b reached: %v", st, got)
			}
			got := bpexec.Eval(e, func(r *boolprog.Ref) bool { return bpexec.Get(p.Graph, st, r.Name) })
			if got.Has(true) != wantNamed[only(st, named)] {
				return fmt.Errorf("valuation %b is wrong in the formula %s", st, boolprog.ExprString(e))
			}
		}
	}
	return nil
}

// liveBits is the variables that the engine keeps track of at a node.
func (s *Solution) liveBits(at Point) (live bpexec.State) {
	for _, g := range s.Tracked(s.Procs[at.Proc], at.Node) {
		switch {
		case s.Layout.IsGlobal(g):
			live.Globals |= 1 << s.Layout.Names[g]
		case !s.Layout.IsResult(g):
			live.Locals |= 1 << (int(g) - s.Layout.Globals)
		}
	}
	return live
}

// has reports whether a state is among the path edges of a node.
func (s *Solution) has(at Point, st bpexec.State) bool {
	p := s.Procs[at.Proc]
	states := s.m.Exists(s.path[s.Number(at)], s.cube(p.Changed, varorder.Entry))
	var results []flow.Group
	for i := range p.Graph.Proc.Results {
		results = append(results, s.Layout.Result(i))
	}
	states = s.m.Exists(states, s.cube(results, varorder.Current))
	return s.m.Eval(states, s.valueOf(st))
}

// valueOf reads the current copies off a state; there are no others.
func (s *Solution) valueOf(st bpexec.State) func(int) bool {
	return func(level int) bool {
		if v := varorder.Version(level % int(varorder.Versions)); v != varorder.Current {
			panic("not a set of current states")
		}
		g := s.Layout.ByPlace[level/int(varorder.Versions)]
		if s.Layout.IsGlobal(g) {
			return st.Globals>>s.Layout.Names[g]&1 == 1
		}
		return st.Locals>>(int(g)-s.Layout.Globals)&1 == 1
	}
}

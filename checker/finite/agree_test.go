package finite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/refexec"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/trace"
	"c2bp/internal/testkit"
)

// This file compares translations with brute force, on random programs that make a bounded number of objects.

// tally counts what the programs made the translation do.
type tally struct {
	programs, refused, complete, failing, null, safe, chosen, traced, open, collapsed, large int
}

func TestAgreesWithBruteForce(t *testing.T) {
	var c tally
	for seed := range testkit.Count[uint64](100, 20_000) {
		p := random(seed)
		if err := c.agree(p, seed%4 == 0); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.complete < n/3 || c.failing < n/8 || c.null < n/20 || c.safe < n/20 || c.chosen < n/10 || c.traced < n/2 || c.open > c.traced/5 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

// random is the program of a seed: with choices of objects, or with calls in place of loops.
func random(seed uint64) *boolprog.Program {
	config := bpgen.ReferenceConfig{Procs: 3, RefGlobals: 2, Endless: -1, Recursive: -1, Stmts: 3}
	switch seed % 3 {
	case 0:
		config.Any, config.Procs, config.Cyclic = 25, 2, 60
	case 1:
		config.Any, config.Cyclic = 15, -1
	}
	return bpgen.References(seed, config)
}

// agree compares the translation of p with brute force: what control reaches, and what fails; and its traces, to
// failures or, with all, to every node.
func (c *tally) agree(p *boolprog.Program, all bool) error {
	ctx := context.Background()
	g := boolprog.BuildGraph(p)
	c.programs++
	t, err := Translate(g)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		c.refused++
		return nil
	case err != nil:
		return err
	}
	if err := t.Graph.Validate(); err != nil {
		return err
	}
	brute, err := refexec.Explore(ctx, g, refexec.Options{MaxStates: 5000, MaxHeap: 10})
	if err != nil || !brute.Complete {
		return err
	}
	c.complete++
	s, err := symbolic.Solve(ctx, t.Graph, symbolic.Options{NodeLimit: 20_000})
	if errors.Is(err, bdd.ErrNodeLimit) {
		c.large++
		return nil
	}
	if err != nil {
		return err
	}
	o := outcome{t, s}
	fails, nulls := map[Point]bool{}, map[Point]bool{}
	for _, x := range brute.Failures {
		fails[Point(x)] = true
	}
	for _, x := range brute.Nulls {
		nulls[Point(x)] = true
	}
	switch {
	case len(fails) > 0:
		c.failing++
	case len(nulls) > 0:
		c.null++
	default:
		c.safe++
	}
	if len(t.lay.chosen) > 0 {
		c.chosen++
	}
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			at := Point{i, j}
			if got, want := [3]bool{o.reached(at), o.fails(at), o.null(at)}, [3]bool{brute.Nodes[i][j], fails[at], nulls[at]}; got != want {
				text := "end"
				if n.Stmt != nil {
					text = boolprog.StmtString(n.Stmt.Op)
				}
				return fmt.Errorf("%s, node %d, %s: reached, fails, null %v, but brute force has %v", p.Proc.Name, j, text, got, want)
			}
		}
	}
	if err := c.traces(g, o, all); !errors.Is(err, bdd.ErrNodeLimit) {
		return err
	}
	c.large++
	return nil
}

// outcome is what decision diagrams say of a translation.
type outcome struct {
	*Program
	s *symbolic.Solution
}

func (o outcome) reached(p Point) bool { return o.s.Reached(symbolic.Point(o.Visit(p))) }

func (o outcome) fails(p Point) bool {
	return o.from.Procs[p.Proc].Nodes[p.Node].Kind == boolprog.NodeAssert && o.s.CanFail(symbolic.Point(o.Statement(p)))
}

func (o outcome) null(p Point) bool {
	for _, at := range o.Nulls(p) {
		if o.s.CanFail(symbolic.Point(at)) {
			return true
		}
	}
	return false
}

// traces checks that brute force can follow the traces, calls expanded.
func (c *tally) traces(g *boolprog.Graph, o outcome, all bool) error {
	f := trace.NewFinder(o.s, trace.Options{})
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			at := Point{i, j}
			var ends []refexec.End
			if o.fails(at) {
				ends = append(ends, refexec.Failure)
			}
			if o.null(at) {
				ends = append(ends, refexec.NullDereference)
			}
			if all && n.Stmt != nil && o.reached(at) {
				ends = append(ends, refexec.Anyhow)
			}
			for _, end := range ends {
				if err := c.trace(g, o, f, at, end); err != nil {
					return fmt.Errorf("trace to node %d of %s, end %d: %w", j, p.Proc.Name, end, err)
				}
			}
		}
	}
	return nil
}

func (c *tally) trace(g *boolprog.Graph, o outcome, f *trace.Finder, at Point, end refexec.End) error {
	var targets []trace.Target
	switch end {
	case refexec.Failure:
		targets = []trace.Target{{Point: symbolic.Point(o.Statement(at)), Fails: true}}
	case refexec.NullDereference:
		for _, v := range o.Nulls(at) {
			targets = append(targets, trace.Target{Point: symbolic.Point(v), Fails: true})
		}
	default:
		targets = []trace.Target{{Point: symbolic.Point(o.Visit(at))}}
	}
	t, err := f.Trace(context.Background(), targets)
	if err != nil {
		return err
	}
	moments, err := c.moments(o, t, Names{})
	if err != nil {
		return err
	}
	err = refexec.FollowEager(context.Background(), g, moments, end, bpexec.Site(at))
	if err != nil && end == refexec.NullDereference && g.Procs[at.Proc].Proc.Enforce != nil { // in the clause: brute force has not come there yet
		err = refexec.FollowEager(context.Background(), g, moments[:len(moments)-1], end, bpexec.Site(at))
	}
	var many *refexec.TooManyError
	switch {
	case errors.As(err, &many):
		c.open++
		return nil
	case err == nil:
		c.traced++
		return nil
	}
	text := ""
	for i, m := range moments {
		text += fmt.Sprintf("\n%3d %s %s  %v %v", i, g.Procs[m.Proc].Proc.Name, g.Procs[m.Proc].Nodes[m.Node].Spell(), m.Values, m.Heap)
	}
	return fmt.Errorf("%w%s", err, text)
}

// moments is the steps of a trace, with those inside its calls.
func (c *tally) moments(o outcome, t *trace.Trace, names Names) (list []refexec.Moment, err error) {
	for _, s := range o.Back(momentsOf(t), names) {
		list = append(list, refexec.Moment{Site: bpexec.Site(s.Point), Depth: s.Step.Depth, Values: s.Step.Values, Heap: s.Step.Heap})
		if !s.Step.Collapsed {
			continue
		}
		c.collapsed++
		inner, err := t.Expand(context.Background(), s.From)
		if err != nil {
			return nil, err
		}
		inside, err := c.moments(o, inner, names)
		if err != nil {
			return nil, err
		}
		list = append(list, inside...)
	}
	return list, nil
}

func momentsOf(t *trace.Trace) []Moment {
	points := t.Points()
	var list []Moment
	for i, s := range t.Steps() {
		list = append(list, Moment{Point(points[i]), s})
	}
	return list
}

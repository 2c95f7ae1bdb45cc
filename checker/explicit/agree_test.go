package explicit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/refexec"
	"c2bp/checker/zom"
	"c2bp/internal/testkit"
)

// This file compares the search with brute force on random programs.

// random is the program of a seed, without references.
func random(seed uint64) *boolprog.Program { return bpgen.Generate(seed, bpgen.Shape(seed)) }

// facts is what a way to decide programs says of a node.
type facts struct{ reached, fails, null bool }

func (s *Solution) facts(p Point) facts { return facts{s.Reached(p), s.CanFail(p), s.UsesNull(p)} }

// compare returns an error at the first node of which two ways say different things.
func compare(g *boolprog.Graph, ours, theirs func(Point) facts) error {
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			at := Point{i, j}
			if a, b := ours(at), theirs(at); a != b {
				text := "end"
				if n.Stmt != nil {
					text = boolprog.StmtString(n.Stmt.Op)
				}
				return fmt.Errorf("%s, node %d, %s: %+v, but brute force has %+v", p.Proc.Name, j, text, a, b)
			}
		}
	}
	return nil
}

func TestAgreesWithBruteForceWithoutReferences(t *testing.T) {
	ctx := context.Background()
	for seed := range testkit.Count[uint64](1500, 20_000) {
		g := boolprog.BuildGraph(random(seed))
		reach, err := bpexec.Reach(ctx, g, bpexec.Options{})
		if err != nil {
			continue
		}
		failing := map[Point]bool{}
		for _, s := range reach.Failures() {
			failing[Point(s)] = true
		}
		theirs := func(p Point) facts { return facts{len(reach.States(p.Proc, p.Node)) > 0, failing[p], false} }
		for _, opts := range []Options{{}, {WholeStates: true}, {depthFirst: true}, {noMerge: true}} {
			s, err := Solve(ctx, g, opts)
			if err == nil {
				err = compare(g, s.facts, theirs)
			}
			if err != nil {
				t.Fatalf("seed %d, %+v: %v\n%s", seed, opts, err, random(seed))
			}
		}
	}
}

// coverage counts what the programs with references made the search do.
type coverage struct {
	programs, complete, cut, failing, null, stopped, pruned, cutPoints, merged, moved, shared, traced, open, collapsed int
}

func TestAgreesWithBruteForceOnReferences(t *testing.T) {
	var c coverage
	for seed := range testkit.Count[uint64](300, 10_000) {
		p := withReferences(seed)
		if err := agreeOnReferences(p, &c, seed%10 == 0); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.complete < n/2 || c.failing < n/4 || c.failing > 3*n/4 || c.null > n/2 || c.pruned < n/2 || c.cutPoints < n/2 || c.merged < n/10 || c.moved < n/5 || c.shared < n/3 || c.traced < n || c.collapsed < n {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

// withReferences is the program of a seed.
func withReferences(seed uint64) *boolprog.Program {
	config := bpgen.ReferenceConfig{CutPoints: 90, Pruned: 30}
	if seed%3 == 0 { // much to merge
		config.RefGlobals, config.BoolGlobals, config.Arbitrary = 1, 4, 90
	}
	return bpgen.References(seed, config)
}

// agreeOnReferences compares the search, its variants and its traces with brute force:
// the traces to failures or, with all, to every node.
func agreeOnReferences(p *boolprog.Program, c *coverage, all bool) error {
	ctx := context.Background()
	g := boolprog.BuildGraph(p)
	brute, err := refexec.Explore(ctx, g, refexec.Options{MaxStates: 20_000})
	if err != nil {
		return err
	}
	c.programs++
	theirs := factsOf(brute)
	for _, opts := range []Options{{}, {WholeStates: true}, {depthFirst: true}, {noMerge: true}} {
		limited := opts
		limited.Visible = 300_000 // what has no end may well take all memory
		s, err := Solve(ctx, g, limited)
		switch {
		case err != nil && brute.Complete:
			return fmt.Errorf("%+v: %v", opts, err)
		case err != nil:
			c.stopped++
			continue
		case brute.Complete:
			err = compare(g, s.facts, theirs)
		default:
			err = includes(g, s.facts, theirs)
		}
		if err != nil {
			return fmt.Errorf("%+v: %w", opts, err)
		}
		if opts == (Options{}) {
			if brute.Complete {
				c.complete++
			} else {
				c.cut++
			}
			c.note(g, s)
			if err := c.traces(g, s, all); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *coverage) note(g *boolprog.Graph, s *Solution) {
	fails, null := false, false
	for i, p := range g.Procs {
		for j := range p.Nodes {
			fails = fails || s.CanFail(Point{i, j})
			null = null || s.UsesNull(Point{i, j})
		}
	}
	if fails {
		c.failing++
	}
	if null {
		c.null++
	}
	if s.engine.count.pruned > 0 {
		c.pruned++
	}
	if s.engine.cutPoint() {
		c.cutPoints++
	}
	if s.engine.count.merged > 0 {
		c.merged++
	}
	if s.engine.count.moved > 0 {
		c.moved++
	}
	for _, r := range s.engine.roots {
		if len(r.edges) > 1 {
			c.shared++
			break
		}
	}
}

// traces checks that brute force can follow the traces of s, calls expanded.
func (c *coverage) traces(g *boolprog.Graph, s *Solution, all bool) error {
	ends := map[Goal]refexec.End{Reach: refexec.Anyhow, Fail: refexec.Failure, Null: refexec.NullDereference}
	for i, p := range g.Procs {
		for j := range p.Nodes {
			for goal, end := range ends {
				if goal == Reach && !all {
					continue
				}
				t, err := s.Trace(context.Background(), []Target{{Point{i, j}, goal}})
				if err != nil {
					return err
				}
				if t == nil || goal == Reach && p.Nodes[j].Stmt == nil {
					continue
				}
				moments, err := c.moments(t)
				if err != nil {
					return err
				}
				at := bpexec.Site{Proc: i, Node: j}
				err = refexec.Follow(context.Background(), g, moments, end, at)
				if err != nil && goal == Null && p.Proc.Enforce != nil { // in the clause: brute force has not come there yet
					err = refexec.Follow(context.Background(), g, moments[:len(moments)-1], end, at)
				}
				var many *refexec.TooManyError
				switch {
				case errors.As(err, &many):
					c.open++
				case err != nil:
					return fmt.Errorf("trace to node %d of %s, goal %d: %w\n%s", j, p.Proc.Name, goal, err, momentsText(t, moments))
				default:
					c.traced++
				}
			}
		}
	}
	return nil
}

// moments is the steps of t, with those inside its calls.
func (c *coverage) moments(t *Trace) (list []refexec.Moment, err error) {
	points := t.Points()
	for i, st := range t.Steps() {
		list = append(list, refexec.Moment{Site: bpexec.Site(points[i]), Depth: st.Depth, Values: st.Values, Heap: st.Heap})
		if !st.Collapsed {
			continue
		}
		c.collapsed++
		inner, err := t.Expand(context.Background(), i)
		if err != nil {
			return nil, err
		}
		inside, err := c.moments(inner)
		if err != nil {
			return nil, err
		}
		list = append(list, inside...)
	}
	return list, nil
}

func momentsText(t *Trace, list []refexec.Moment) string {
	var b strings.Builder
	for i, m := range list {
		n := t.s.engine.graph.Procs[m.Proc].Nodes[m.Node]
		fmt.Fprintf(&b, "%3d %s%s  %v %v\n", i, strings.Repeat("  ", m.Depth), n.Spell(), m.Values, m.Heap)
	}
	return b.String()
}

// cutPoint reports whether some callee meets a cell that its caller holds in a local variable
// which is read behind the call: a cut point.
func (g *engine) cutPoint() bool {
	for _, r := range g.roots {
		for _, e := range r.edges {
			caller := &g.nodes[e.node]
			p := g.prog.Procs[caller.root.proc]
			slots := g.at(&g.caller, e.node).Slots(0, 0)
			for i := range p.Scratch {
				if p.Slots[i].Kind == zom.Ref && p.Live[caller.pc+1].Has(i) && slices.Contains(e.cells, slots[i]) {
					return true
				}
			}
		}
	}
	return false
}

// factsOf is what brute force found.
func factsOf(r *refexec.Result) func(Point) facts {
	fails, null := map[Point]bool{}, map[Point]bool{}
	for _, s := range r.Failures {
		fails[Point(s)] = true
	}
	for _, s := range r.Nulls {
		null[Point(s)] = true
	}
	return func(p Point) facts { return facts{r.Nodes[p.Proc][p.Node], fails[p], null[p]} }
}

// includes returns an error if brute force found something that we did not.
func includes(g *boolprog.Graph, ours, theirs func(Point) facts) error {
	return compare(g, ours, func(p Point) facts {
		a, b := ours(p), theirs(p)
		return facts{a.reached || b.reached, a.fails || b.fails, a.null || b.null}
	})
}

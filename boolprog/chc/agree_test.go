package chc

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/internal/testkit"
)

var graphOf = bptest.Graph

// This file compares the least solution of the clauses with the reference interpreter,
// on random programs: the valuations at every node, and every question.

// random is the program of a seed, of one of several shapes.
func random(t testing.TB, seed uint64) *boolprog.Graph {
	c := bpgen.Shape(seed)
	c.Locals = min(c.Locals, 2)
	return graphOf(t, bpgen.Generate(seed, c))
}

// everything asks for all nodes and all assertions.
func everything(g *boolprog.Graph) (targets []Target) {
	for i, p := range g.Procs {
		for v, n := range p.Nodes {
			targets = append(targets, Target{i, v, false})
			if n.Kind == boolprog.NodeAssert {
				targets = append(targets, Target{i, v, true})
			}
		}
	}
	return targets
}

func clauses(t testing.TB, g *boolprog.Graph, targets []Target) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(context.Background(), &b, g, targets); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type coverage struct{ programs, nodes, reached, unreached, failing, holding, valuations int }

// agree compares one program.
func agree(t *testing.T, g *boolprog.Graph, c *coverage) error {
	want, err := bpexec.Reach(context.Background(), g, bpexec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	failing := map[bpexec.Site]bool{}
	for _, s := range want.Failures() {
		failing[s] = true
	}
	h := solveHorn(t, clauses(t, g, everything(g)))
	queries := h.queries()
	scope := scopes(g)
	c.programs++
	for i, p := range g.Procs {
		for v, n := range p.Nodes {
			states := want.States(i, v)
			name := fmt.Sprintf("%s.%d", p.Proc.Name, v)
			if n.Kind != boolprog.NodeExit {
				c.nodes++
				if got := queries[name+"/0"]; got != (len(states) > 0) {
					return fmt.Errorf("%s reached: %v", name, got)
				} else if got {
					c.reached++
				} else {
					c.unreached++
				}
				if err := agreeAt(h.list[name], scope[i], v, states, c); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			if n.Kind == boolprog.NodeAssert {
				got := queries[name+"/1"]
				if got != failing[bpexec.Site{Proc: i, Node: v}] {
					return fmt.Errorf("%s can fail: %v", name, got)
				} else if got {
					c.failing++
				} else {
					c.holding++
				}
			}
		}
	}
	return nil
}

// agreeAt compares the valuations of the variables that a node's predicate is about.
func agreeAt(tuples []string, p *proc, node int, states []bpexec.State, c *coverage) error {
	if p == nil {
		return nil // and no state, as was seen
	}
	got, want := map[string]bool{}, map[string]bool{}
	for _, t := range tuples {
		got[t[len(p.inputs):]] = true
	}
	for _, s := range states {
		var b []byte
		for i, v := range p.vars {
			word, bit := s.Globals, v
			if !isGlobal(v) {
				word, bit = s.Locals, -1-v
			}
			if p.live[node].has(i) {
				b = append(b, '0'+byte(word>>bit&1))
			}
		}
		want[string(b)] = true
	}
	for s := range want {
		c.valuations++
		if !got[s] {
			return fmt.Errorf("%s is missing", s)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d valuations, want %d", len(got), len(want))
	}
	return nil
}

func TestAgreesWithBruteForce(t *testing.T) {
	n := testkit.Count[uint64](1000, 20_000)
	var c coverage
	for seed := range n {
		g := random(t, seed)
		if err := agree(t, g, &c); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, g.Prog)
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.reached < 5*n || c.unreached < n || c.failing < n/3 || c.holding < n/3 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

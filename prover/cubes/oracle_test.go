package cubes

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/logic"
	"c2bp/logic/logicgen"
	"c2bp/prover"
)

// This file compares Strengthen with its definition, computed from all minterms.

// naive is the answer to every question about cubes over few predicates, from two
// queries per minterm and no savers.
type naive struct {
	n        int
	state    []bool // the minterm is satisfiable
	notGoal  []bool // and together with the negated goal
	literals []*logic.Term
	goal     *logic.Term
}

func newNaive(p *prover.Prover, t *logic.Table, preds []*logic.Term, goal *logic.Term) *naive {
	o := &naive{n: len(preds), goal: goal}
	for _, f := range preds {
		o.literals = append(o.literals, f, t.Not(f))
	}
	for m := range 1 << o.n {
		var fs []*logic.Term
		for i := range preds {
			fs = append(fs, o.literals[2*i+m>>i&1])
		}
		o.state = append(o.state, p.Check(context.Background(), fs, t) != prover.Unsat)
		o.notGoal = append(o.notGoal, p.Check(context.Background(), append(fs, t.Not(goal)), t) != prover.Unsat)
	}
	return o
}

// any reports whether a minterm of c is in the set.
func (o *naive) any(c cube, set []bool) bool {
	for m, in := range set {
		if in && o.inCube(m, c) {
			return true
		}
	}
	return false
}

func (o *naive) inCube(m int, c cube) bool {
	for _, l := range c {
		if m>>(l/2)&1 != l&1 {
			return false
		}
	}
	return true
}

// cubes lists all cubes up to a length, in order.
func (o *naive) cubes(maxLen int) []cube {
	all := []cube{nil}
	for i := 0; i < o.n; i++ {
		for _, c := range all {
			if len(c) < maxLen {
				all = append(all, append(slices.Clone(c), 2*i), append(slices.Clone(c), 2*i+1))
			}
		}
	}
	return inOrder(all)
}

func minimal(cs []cube) []cube {
	var out []cube
	for _, c := range cs {
		if !slices.ContainsFunc(out, func(o cube) bool { return o.partOf(c) }) {
			out = append(out, c)
		}
	}
	return out
}

// infeasible lists the minimal infeasible cubes.
func (o *naive) infeasible(maxLen int) []cube {
	var cs []cube
	for _, c := range o.cubes(maxLen) {
		if !o.any(c, o.state) {
			cs = append(cs, c)
		}
	}
	return minimal(cs)
}

// strengthen is the definition of Space.Strengthen.
func (o *naive) strengthen(maxLen int) []cube {
	var cs []cube
	for _, c := range o.cubes(maxLen) {
		if o.any(c, o.state) && !o.any(c, o.notGoal) {
			cs = append(cs, c)
		}
	}
	keep := minimal(cs)
	if hit := slices.Index(o.literals, o.goal); hit >= 0 && slices.ContainsFunc(keep, cube{hit}.equal) {
		return []cube{{hit}}
	}
	for i := len(keep) - 1; i >= 0; i-- {
		rest := slices.Delete(slices.Clone(keep), i, i+1)
		only := slices.Clone(o.state)
		for m := range only {
			only[m] = only[m] && !slices.ContainsFunc(rest, func(c cube) bool { return o.inCube(m, c) })
		}
		if !o.any(keep[i], only) {
			keep = rest
		}
	}
	return keep
}

func (c cube) equal(o cube) bool { return slices.Equal(c, o) }

func format(cs []cube) string { return fmt.Sprint(publicCubes(cs)) }

// compare runs random scopes against the oracle and returns the first difference.
func compare(t *testing.T, rounds uint64, apps bool) string {
	t.Helper()
	ctx := context.Background()
	p, reference := prover.New(nil, prover.Options{}), prover.New(nil, prover.Options{NoMemo: true})
	for seed := range rounds {
		g := logicgen.New(seed, 2+int(seed%3), apps)
		n := 1 + int(seed%6)
		preds, goal := g.Scope(n)
		_, second := g.Scope(n)
		opts := SpaceOptions{}
		if seed%3 == 0 {
			opts = SpaceOptions{MaxExact: 2, MaxCube: 2}
		}
		s := NewSpace(p, g.T, preds, opts)
		for _, goal := range []*logic.Term{goal, second, g.T.Not(goal)} {
			cover, limited, err := s.Strengthen(ctx, goal)
			if err != nil {
				t.Fatal(err)
			}
			maxLen := n
			if limited {
				maxLen = 2
			}
			if want := format(newNaive(reference, g.T, preds, goal).strengthen(maxLen)); fmt.Sprint(cover) != want {
				return fmt.Sprintf("seed %d, limited %v: preds %v, goal %v:\n got %v\nwant %v", seed, limited, preds, goal, cover, want)
			}
		}
		if s.p.Stats().BadModels > 0 && !apps {
			return fmt.Sprintf("seed %d: models that fit no scope", seed)
		}
	}
	return ""
}

func TestStrengthenIsItsDefinition(t *testing.T) {
	rounds := testkit.Count[uint64](50, 2000)
	for _, apps := range []bool{false, true} {
		if d := compare(t, rounds, apps); d != "" {
			t.Errorf("apps %v: %s", apps, d)
		}
	}
}

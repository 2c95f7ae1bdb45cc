package symbolic

import (
	"context"
	"fmt"
	"math/rand/v2"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/checker/symbolic/flow"
)

// This file compares PathEdges with brute force.

// agreeOnEdges asks the formulas of a node about pairs of valuations: those of path
// edges, these with one bit turned around, and random ones.
func agreeOnEdges(s *Solution, at Point, edges []bpexec.Edge, rng *rand.Rand) error {
	for _, s.opts.diagrams = range []bool{false, true} {
		if err := agreeOnForm(s, at, edges, rng); err != nil {
			return err
		}
	}
	return nil
}

func agreeOnForm(s *Solution, at Point, edges []bpexec.Edge, rng *rand.Rand) error {
	e, err := s.PathEdges(context.Background(), at)
	if err != nil {
		return err
	}
	v := newView(s, at)
	want := map[bpexec.Edge]bool{}
	for _, x := range edges {
		want[v.project(x)] = true
	}
	ask := func(x bpexec.Edge) error {
		got := bpexec.Eval(e, func(r *boolprog.Ref) bool {
			if r.Next {
				return bpexec.Get(v.graph, x.Entry, r.Name)
			}
			return bpexec.Get(v.graph, x.State, r.Name)
		})
		if w := want[v.project(x)] && v.keeps(x); got.Has(true) != w {
			return fmt.Errorf("path edge %b in the formula %s: %v", x, boolprog.ExprString(e), !w)
		}
		return nil
	}
	for i := range min(len(edges), 40) + 20 {
		x := bpexec.Edge{Entry: v.random(rng), State: v.random(rng)}
		if i >= 20 {
			x = v.disturb(edges[rng.IntN(len(edges))], rng)
			if err := ask(x); err != nil {
				return err
			}
			x = v.flip(x, rng)
		}
		if err := ask(x); err != nil {
			return err
		}
	}
	return nil
}

// view is what a node and its formula tell of a path edge.
type view struct {
	graph          *boolprog.ProcGraph
	globals, vars  int
	entry, current bpexec.State // variables that are tracked, and have a name
	kept           bpexec.State // globals and parameters that are not written
}

func newView(s *Solution, at Point) *view {
	p := s.Procs[at.Proc]
	v := &view{graph: p.Graph, globals: len(s.Graph.Globals), vars: len(p.Graph.Vars), current: s.liveBits(at)}
	named := bpexec.State{Locals: 1<<v.vars - 1}
	for i, x := range s.Graph.Globals {
		if slot, _ := p.Graph.Slot(x.Name); slot.Global {
			named.Globals |= 1 << i
		}
	}
	mark := func(st *bpexec.State, g flow.Group) {
		if s.Layout.IsGlobal(g) {
			st.Globals |= 1 << s.Layout.Names[g]
		} else {
			st.Locals |= 1 << (int(g) - s.Layout.Globals)
		}
	}
	for _, g := range p.Changed {
		mark(&v.entry, g)
	}
	for _, g := range s.live.list(s.unwritten(p)) {
		mark(&v.kept, g)
	}
	v.entry, v.current, v.kept = both(v.entry, named), both(v.current, named), both(v.kept, named)
	return v
}

func both(a, b bpexec.State) bpexec.State {
	return bpexec.State{Globals: a.Globals & b.Globals, Locals: a.Locals & b.Locals}
}

func differ(a, b bpexec.State) bpexec.State {
	return bpexec.State{Globals: a.Globals ^ b.Globals, Locals: a.Locals ^ b.Locals}
}

func (v *view) project(x bpexec.Edge) bpexec.Edge {
	return bpexec.Edge{Entry: both(x.Entry, v.entry), State: both(x.State, v.current)}
}

// keeps reports whether x does not change what is not written.
func (v *view) keeps(x bpexec.Edge) bool {
	return both(differ(x.Entry, x.State), v.kept) == bpexec.State{}
}

func (v *view) random(rng *rand.Rand) bpexec.State {
	return bpexec.State{Globals: rng.Uint64N(1 << v.globals), Locals: rng.Uint64N(1 << v.vars)}
}

// disturb changes what the formula is not to speak of.
func (v *view) disturb(x bpexec.Edge, rng *rand.Rand) bpexec.Edge {
	noise := func(st, fixed bpexec.State) bpexec.State {
		r := v.random(rng)
		return bpexec.State{
			Globals: st.Globals&fixed.Globals | r.Globals&^fixed.Globals,
			Locals:  st.Locals&fixed.Locals | r.Locals&^fixed.Locals,
		}
	}
	either := func(a, b bpexec.State) bpexec.State {
		return bpexec.State{Globals: a.Globals | b.Globals, Locals: a.Locals | b.Locals}
	}
	return bpexec.Edge{Entry: noise(x.Entry, either(v.entry, v.kept)), State: noise(x.State, either(v.current, v.kept))}
}

// flip turns one bit around.
func (v *view) flip(x bpexec.Edge, rng *rand.Rand) bpexec.Edge {
	n := v.globals + v.vars
	if n == 0 {
		return x
	}
	st := &x.State
	if rng.IntN(2) == 0 {
		st = &x.Entry
	}
	if i := rng.IntN(n); i < v.globals {
		st.Globals ^= 1 << i
	} else {
		st.Locals ^= 1 << (i - v.globals)
	}
	return x
}

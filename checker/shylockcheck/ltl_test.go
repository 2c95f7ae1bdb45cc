package shylockcheck

import (
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/checker/temporal"
	"c2bp/checker/temporal/rite"
	"c2bp/frontend/shylock/shytest"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file compares verdicts on formulas with those of a nested depth-first search over the configurations of an
// exploration by brute force, whose expressions are evaluated as relations between objects, by the definition.

// relation returns the pairs of objects that an expression relates in a configuration, 0 being nil. by numbers
// the objects.
func relation(e *rite.Expr, n *shytest.Node, g *shytest.Graph, by []int) [][]bool {
	size := len(by)
	out := make([][]bool, size)
	for i := range out {
		out[i] = make([]bool, size)
	}
	number := func(object int) int {
		for i, o := range by {
			if o == object {
				return i
			}
		}
		panic("an object that is not visible")
	}
	switch e.Kind {
	case rite.Empty:
		for i := range out {
			out[i][i] = true
		}
	case rite.Variable, rite.NotVariable:
		at := 0
		for _, v := range append(g.Prog.Globals[:len(g.Prog.Globals):len(g.Prog.Globals)], g.Prog.Locals...) {
			if v.Name == e.Name {
				at = n.Value(v)
			}
		}
		for i := range out {
			out[i][i] = (by[i] == at) == (e.Kind == rite.Variable)
		}
	case rite.Field:
		out[0][0] = true
		for i := 1; i < size; i++ {
			out[i][number(n.Link(by[i], e.ID))] = true
		}
	case rite.Alt:
		x, y := relation(e.X, n, g, by), relation(e.Y, n, g, by)
		for i := range out {
			for j := range out {
				out[i][j] = x[i][j] || y[i][j]
			}
		}
	case rite.Seq:
		return composed(relation(e.X, n, g, by), relation(e.Y, n, g, by))
	case rite.Star:
		// Squared until it has all paths.
		for i := range out {
			out[i][i] = true
		}
		x := relation(e.X, n, g, by)
		for range size {
			step := composed(out, x)
			for i := range out {
				for j := range out {
					out[i][j] = out[i][j] || step[i][j]
				}
			}
		}
	}
	return out
}

// composed returns the composition of two relations.
func composed(x, y [][]bool) [][]bool {
	out := make([][]bool, len(x))
	for i := range x {
		out[i] = make([]bool, len(x))
		for k := range x {
			for j := range x {
				out[i][j] = out[i][j] || x[i][k] && y[k][j]
			}
		}
	}
	return out
}

// letter returns the atoms that hold of a configuration, by the definition.
func letter(f *Formula, g *shytest.Graph, n *shytest.Node) (bits uint64) {
	by := append([]int{0}, n.Visible()...)
	for i, m := range f.atoms {
		holds := true
		for from, row := range relation(m.Expr(), n, g, by) {
			some := from == 0 // nothing is asked of nil
			for _, to := range row {
				some = some || to
			}
			holds = holds && some
		}
		if holds {
			bits |= 1 << i
		}
	}
	return bits
}

// TestAtoms evaluates random expressions on the heaps of random programs, and explains them.
func TestAtoms(t *testing.T) {
	count := testkit.Count(uint64(300), 10000)
	holds, fails := 0, 0
	for seed := range count {
		rng := rand.New(rand.NewPCG(seed, 8))
		p := shytest.Load(shytest.Random(rng, shytest.Kind(seed%3)))
		f, err := ParseFormula(source.NewFile("formula", []byte("{"+shytest.RandomExpr(rng, 2+rng.IntN(7))+"}")), p)
		if err != nil {
			t.Fatal(err)
		}
		l := layoutOf(p)
		g := shytest.Explore(p, true, shytest.Limits{Nodes: 40, Depth: 12, Objects: 6})
		for _, n := range g.Nodes {
			h := heapOf(&l, g, n)
			got, want := f.holding(&l, h), letter(f, g, n)
			if got != want {
				t.Fatalf("seed %d: {%s} is %d, want %d, of %+v\n%s", seed, f.atoms[0].Expr(), got, want, h, p)
			}
			why := f.explain(&l, h, func(n Object) string { return "A" })[0]
			if got == 1 {
				holds++
			} else {
				fails++
			}
			if strings.Contains(why, "no path") != (got == 0) {
				t.Fatalf("seed %d: of an atom that is %d it is said: %s", seed, got, why)
			}
		}
	}
	t.Logf("%d hold, %d do not", holds, fails)
	if holds < int(count) || fails < int(count) {
		t.Error("too few")
	}
}

// heapOf returns the heap of a configuration, without cut-point variables.
func heapOf(l *Layout, g *shytest.Graph, n *shytest.Node) *Heap {
	h := &Heap{Vars: make([]Object, l.shared()+l.Locals)}
	for _, v := range append(g.Prog.Globals[:len(g.Prog.Globals):len(g.Prog.Globals)], g.Prog.Locals...) {
		h.Vars[l.slot(v)] = Object(n.Value(v))
	}
	h.Vars[l.shared()-1] = Object(n.Result())
	for _, o := range n.Visible() {
		for len(h.Links) < o*l.Fields {
			h.Links = append(h.Links, 0)
		}
		for f := range l.Fields {
			h.Links[(o-1)*l.Fields+f] = Object(n.Link(o, f))
		}
	}
	return h
}

// searcher is a nested depth-first search for a run of the graph that the automaton accepts.
type searcher struct {
	g         *shytest.Graph
	letters   []uint64
	automaton *temporal.Automaton
	blue, red map[point]bool
}

// point is a configuration with a state of the automaton, and says whether an accepting transition led there.
type point struct {
	node, state int
	accept      bool
}

// next returns the points after p. A configuration without steps that was not left out stays as it is.
func (s *searcher) next(p point) (list []point) {
	n := s.g.Nodes[p.node]
	to := n.Next
	if len(to) == 0 && !n.Cut {
		to = []int{p.node}
	}
	for _, t := range s.automaton.States[p.state] {
		if t.Has(s.letters[p.node]) {
			for _, m := range to {
				list = append(list, point{m, t.To, t.Accept})
			}
		}
	}
	return list
}

// outer visits the points after p, and then, if p is accepting, looks for a way back to it.
func (s *searcher) outer(p point) bool {
	s.blue[p] = true
	for _, q := range s.next(p) {
		if !s.blue[q] && s.outer(q) {
			return true
		}
	}
	return p.accept && s.inner(p, p)
}

// inner looks for a way from p to seed.
func (s *searcher) inner(p, seed point) bool {
	for _, q := range s.next(p) {
		if q == seed {
			return true
		}
		if !s.red[q] {
			s.red[q] = true
			if s.inner(q, seed) {
				return true
			}
		}
	}
	return false
}

// violated reports whether a run of a graph violates a formula.
func violated(t *testing.T, g *shytest.Graph, f *Formula) bool {
	t.Helper()
	a, err := temporal.Translate(temporal.Unary(temporal.Not, f.Formula))
	if err != nil {
		t.Fatal(err)
	}
	s := &searcher{g: g, automaton: a, blue: map[point]bool{}, red: map[point]bool{}}
	for _, n := range g.Nodes {
		s.letters = append(s.letters, letter(f, g, n))
	}
	for _, q := range a.Init {
		if p := (point{0, q, false}); !s.blue[p] && s.outer(p) {
			return true
		}
	}
	return false
}

// TestFormulasAgree compares verdicts on random formulas about random programs.
func TestFormulasAgree(t *testing.T) {
	kinds := []shytest.Kind{shytest.Looping, shytest.Bounded, shytest.Looping, shytest.Recursive, shytest.Hanging}
	count := testkit.Count(uint64(800), 10000)
	var holds, fails, open, lassos int
	for seed := range count {
		rng := rand.New(rand.NewPCG(seed, 5))
		text := shytest.Random(rng, kinds[seed%uint64(len(kinds))])
		atoms := []string{shytest.RandomExpr(rng, 1+rng.IntN(5)), shytest.RandomExpr(rng, 1+rng.IntN(3)), "g.(e + f)*.x + !g"}
		p := shytest.Load(text)
		f, err := ParseFormula(source.NewFile("formula", []byte(shytest.RandomFormula(rng, 1+rng.IntN(7), atoms))), p)
		if err != nil {
			t.Fatal(err)
		}
		lenient := seed%5 > 0
		g := shytest.Explore(p, lenient, shytest.Limits{Nodes: 400, Depth: 12, Objects: 6})
		r, err := CheckFormula(t.Context(), p, f, Options{Bound: 7, Lenient: lenient, MaxStates: 20000}, seed%8 == 0)
		if err != nil {
			t.Fatalf("seed %d: %v: %s\n%s", seed, err, f, text)
		}
		bad := violated(t, g, f)
		switch {
		case bad && r.Verdict == verdict.True, g.Complete && bad != (r.Verdict == verdict.False), g.Complete && bad == (r.Verdict == verdict.True):
			t.Fatalf("seed %d: %s, but violated: %v (complete: %v): %s\n%s", seed, r.Summary(), bad, g.Complete, f, text)
		case r.Verdict == verdict.True:
			holds++
		case r.Verdict == verdict.Unknown:
			open++
		default:
			fails++
			if len(r.Trace.Steps) > r.Trace.Loop {
				lassos++
			}
		}
	}
	t.Logf("%d hold, %d fail (%d with loops of several steps), %d are open", holds, fails, lassos, open)
	if holds < int(count)/8 || fails < int(count)/5 || lassos < int(count)/20 {
		t.Error("too few")
	}
}

// TestBounds: no verdict under a small bound contradicts that under a large one, and one that is UNKNOWN shows a heap
// beyond the bound.
func TestBounds(t *testing.T) {
	kinds := []shytest.Kind{shytest.Looping, shytest.Bounded, shytest.Recursive, shytest.Hanging}
	count := testkit.Count(uint64(400), 10000)
	decided, open := 0, 0
	for seed := range count {
		rng := rand.New(rand.NewPCG(seed, 6))
		text := shytest.Random(rng, kinds[seed%uint64(len(kinds))])
		p := shytest.Load(text)
		f, err := ParseFormula(source.NewFile("formula", []byte(shytest.RandomFormula(rng, 1+rng.IntN(5), []string{"x", "g.e*.h + !g"}))), p)
		if err != nil {
			t.Fatal(err)
		}
		check := func(bound int) (list [2]*verdict.Result) {
			opts := Options{Bound: bound, Lenient: seed%2 == 0, MaxStates: 20000}
			list[0] = Check(t.Context(), p, opts)
			if list[1], err = CheckFormula(t.Context(), p, f, opts, false); err != nil {
				t.Fatalf("seed %d: %v: %s\n%s", seed, err, f, text)
			}
			return list
		}
		large := check(8)
		bound := 1 + rng.IntN(3)
		for i, r := range check(bound) {
			want := large[i].Verdict
			if r.Verdict == want {
				decided++
				continue
			}
			// The bound shows in the last heap of the trace, unless only callers see its objects.
			if r.Verdict != verdict.Unknown || r.Trace == nil {
				t.Fatalf("seed %d: %s with bound %d, %v without: %s\n%s", seed, r.Summary(), bound, want, f, text)
			}
			open++
			last := r.Trace.Steps[len(r.Trace.Steps)-1]
			if strings.Contains(r.Reason, "visible") && len(last.Heap) <= bound {
				t.Fatalf("seed %d: %s, and the trace ends with %d objects: %s\n%s", seed, r.Summary(), len(last.Heap), f, text)
			}
		}
	}
	t.Logf("%d decided alike, %d open", decided, open)
	if open < int(count)/10 {
		t.Errorf("only %d are open", open)
	}
}

package shylockcheck

import (
	"math/rand/v2"
	"slices"
	"testing"

	"c2bp/frontend/shylock/shytest"
	"c2bp/internal/testkit"
)

// This file tests Theorem 1 of Rot et al. 2012: the concrete and the abstract semantics are bisimilar. Both
// make the same random run, and after each step the heaps are isomorphic, cut-point variables included: those of
// the concrete heap are set here to the objects that correspond to the cut points of the abstract one.

// pair is a concrete configuration beside an abstract one.
type pair struct {
	*concrete
	renumber bool                                // every abstract heap is made canonical
	rule     func(l *Layout, hc, hl *Heap) *Heap // for returns; nil is that of the package
	abstract *Heap
	frames   []*Heap    // of the abstract callers
	cuts     []Object   // cut-point variables of the concrete heap
	saved    [][]Object // those of its callers
}

// numbering returns the objects of a heap in the order of its canonical form.
func (l *Layout) numbering(h *Heap) (order []Object) {
	seen := objects{}
	visit := func(list []Object) {
		for _, n := range list {
			if seen.add(n) {
				order = append(order, n)
			}
		}
	}
	visit(h.Vars)
	visit(h.Cuts)
	for i := 0; i < len(order); i++ {
		for f := range l.Fields {
			visit([]Object{l.link(h, order[i], f)})
		}
	}
	return order
}

// normal returns the heap, renumbered perhaps.
func (p *pair) normal(h *Heap) *Heap {
	if p.renumber {
		return p.canonical(h)
	}
	return h
}

// call makes a call in both.
func (p *pair) call(m *Move) {
	// 1. The concrete heap with the arguments, as the abstract caller keeps it.
	stored := p.normal(p.Program.call(p.abstract, m))
	there := *p.Program.call(p.heap, m)
	there.Cuts = p.cuts
	// 2. The objects that correspond to cut points.
	from, to := p.numbering(stored), p.numbering(&there)
	var cuts []Object
	for _, n := range p.cutPoints(stored) {
		cuts = append(cuts, to[slices.Index(from, n)])
	}
	p.saved = append(p.saved, p.cuts)
	p.cuts = cuts
	p.frames = append(p.frames, stored)
	p.abstract = p.normal(p.begin(stored, m.Callee))
	p.move(p.Source.Main, m)
}

// back makes a return in both.
func (p *pair) back() int {
	n := len(p.frames) - 1
	if p.rule == nil {
		p.abstract = p.end(p.abstract, p.frames[n], p.stack[n].call.X)
	} else {
		p.abstract = p.rule(&p.Layout, p.abstract, p.frames[n])
		if to := p.stack[n].call.X; to >= 0 {
			p.abstract.Vars[to] = p.abstract.Vars[p.result()]
		}
		p.abstract.Vars[p.result()] = 0
	}
	p.abstract = p.normal(p.abstract)
	p.frames = p.frames[:n]
	p.cuts = p.saved[n]
	p.saved = p.saved[:n]
	return p.concrete.back().call.Next
}

// agree reports whether the heaps are isomorphic, cut-point variables included.
func (p *pair) agree() bool {
	there := *p.heap
	there.Cuts = p.cuts
	return p.canonical(&there).key() == p.canonical(p.abstract).key()
}

// run makes a random run of at most some steps, and reports the number of returns, and whether the heaps agreed
// after each step.
func (p *pair) run(rng *rand.Rand, steps int) (returns int, agree bool) {
	at := p.Entry[p.Source.Main.Index]
	for range steps {
		if at == exit {
			if len(p.stack) == 0 {
				break
			}
			at = p.back()
			returns++
		} else {
			m, ok := p.choose(rng, at)
			if !ok {
				return returns, false
			}
			at = m.Next
			if m.Op == Call {
				p.call(m)
				at = p.Entry[m.Callee.Index]
			} else {
				p.abstract, _ = p.step(p.abstract, m, p.lenient)
				p.abstract = p.normal(p.abstract)
				p.move(p.Source.Main, m)
			}
		}
		if !p.agree() {
			return returns, false
		}
	}
	return returns, true
}

// choose returns a random move. A test or assertion that does not hold is passed, too: the heaps are those of
// another program then. ok is false if the two differ in a test.
func (p *pair) choose(rng *rand.Rand, at int) (m *Move, ok bool) {
	for i := range p.Points[at].Moves {
		m := &p.Points[at].Moves[i]
		if m.Op == Call {
			continue
		}
		_, there := p.step(p.heap, m, p.lenient)
		if _, here := p.step(p.abstract, m, p.lenient); there != here {
			return nil, false
		}
	}
	return &p.Points[at].Moves[rng.IntN(len(p.Points[at].Moves))], true
}

// together makes a random run of a program in both semantics.
func together(text string, seed uint64, renumber bool) (returns int, agree bool) {
	return togetherBy(text, seed, renumber, nil)
}

// togetherBy is together with a rule for returns.
func togetherBy(text string, seed uint64, renumber bool, rule func(l *Layout, hc, hl *Heap) *Heap) (returns int, agree bool) {
	p := Translate(shytest.Load(text))
	c := newConcrete(p, true)
	pair := &pair{concrete: c, renumber: renumber, rule: rule, abstract: &Heap{Vars: c.heap.Vars}}
	return pair.run(rand.New(rand.NewPCG(seed, 1)), 150)
}

// TestTheorem makes random runs of random programs.
func TestTheorem(t *testing.T) {
	for kind, name := range map[shytest.Kind]string{shytest.Uniform: "uniform", shytest.Hanging: "hanging", shytest.Recursive: "recursive"} {
		t.Run(name, func(t *testing.T) {
			returned := 0
			count := testkit.Count(uint64(1500), 10000)
			for seed := range count {
				text := shytest.Random(rand.New(rand.NewPCG(seed, uint64(kind))), kind)
				for _, renumber := range []bool{false, true} {
					returns, agree := together(text, seed, renumber)
					if !agree {
						t.Fatalf("seed %d, renumbered %v: the heaps differ:\n%s", seed, renumber, text)
					}
					if returns > 0 {
						returned++
					}
				}
			}
			t.Logf("%d runs, %d with returns", 2*count, returned)
			if returned < int(count)/2 {
				t.Errorf("only %d runs with returns", returned)
			}
		})
	}
}

// TestReturns makes all runs of programs that need the return rule to be as it is.
func TestReturns(t *testing.T) {
	const heads = "globals g, h; locals x, y; fields e, f;\n"
	for name, text := range map[string]string{
		"clashes below cut points":             "main :: h := new; y := new; y.f := h; p  p :: y := new; h.e := y; h := nil",
		"new names avoid the caller":           "main :: x := new; y := new; p  p :: h := new",
		"fields of the renamed heap":           "main :: x := new; p  p :: h := new; h.e := h",
		"new avoids cut-point variables":       "main :: h := new; y := h; p  p :: h := h.f; g := new",
		"one object is not two":                "main :: g := new; x := new; x.f := g; p; p'  p :: g := new  p' :: g := new; g := new",
		"a cut point of a cut point":           "main :: g := new; x := g; p; y := x.e  p :: h := g; x := h; q  q :: y := new; h.e := y; g := nil; h := nil",
		"two cut points that the callee joins": "main :: g := new; h := new; x := g; y := h; p; x := y.e  p :: h.e := g; g := h; h := nil",
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				for _, renumber := range []bool{false, true} {
					if _, agree := together(heads+text, seed, renumber); !agree {
						t.Fatalf("renumbered %v: the heaps differ", renumber)
					}
				}
			}
		})
	}
}

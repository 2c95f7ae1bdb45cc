package shylockcheck

import (
	"math/rand/v2"
	"slices"
	"testing"

	"c2bp/frontend/shylock/shytest"
	"c2bp/internal/testkit"
)

// This file tests the return rule of Rot et al. 2012, §3, as it is printed, and with corrections. It renames the
// objects of the callee that clash with objects of the caller, and then resets the caller's part:
//
//	N = R↓(Hl) ∩ R(Hc)(G)              the clashes
//	ρ(n), n ∈ N, avoids R(Hc[l := ⊥])  the least new names, in ascending order
//	θ ∘ ρ(Hc)                          θ takes locals, cut-point variables and the fields of R↓(Hl) from Hl,
//	                                   other fields from Hc
//
// Heaps are not renumbered: the rule is about identities that both heaps share.

// mends are corrections.
type mends struct {
	clashes bool // N = R↓(Hl) ∩ R(Hc)(G ∪ C)
	names   bool // names avoid R(Hl), too
	fields  bool // θ takes other fields from ρ(Hc)
}

// paperReturn returns the heap after a return.
func (l *Layout) paperReturn(hc, hl *Heap, m mends) *Heap {
	globals := hc.Vars[:l.shared()]
	visible := l.reach(hc, globals, hc.Cuts)
	kept := l.local(hl)
	// 1. The clashes.
	clashing := l.reach(hc, globals)
	if m.clashes {
		clashing = visible
	}
	// 2. Their new names.
	used := slices.Clone(visible)
	if m.names {
		for n, in := range l.reach(hl, hl.Vars, hl.Cuts) {
			if in {
				used.add(Object(n))
			}
		}
	}
	size := max(1, len(visible), len(kept))
	name := make([]Object, size)
	for n := range name {
		name[n] = Object(n)
		if kept.has(Object(n)) && clashing.has(Object(n)) {
			name[n] = used.least()
			used.add(name[n])
			size = max(size, int(name[n])+1)
		}
	}
	// 3. The renamed heap, and the caller's part.
	out := &Heap{Vars: slices.Clone(hl.Vars), Cuts: hl.Cuts, Links: make([]Object, size*l.Fields)}
	for i := range l.shared() {
		out.Vars[i] = name[hc.Vars[i]]
	}
	for f := range l.Fields {
		for n := Object(1); int(n) < len(name); n++ {
			if visible.has(n) {
				out.Links[(int(name[n])-1)*l.Fields+f] = name[l.link(hc, n, f)]
			}
		}
		if !m.fields {
			for n := Object(1); int(n) < size; n++ {
				out.Links[(int(n)-1)*l.Fields+f] = l.link(hc, n, f)
			}
		}
		for n, in := range kept {
			if in {
				out.Links[(n-1)*l.Fields+f] = l.link(hl, Object(n), f)
			}
		}
	}
	return out
}

// TestPaperReturn counts programs on a random run of which the heaps differ: none with all corrections, some
// without each of them.
func TestPaperReturn(t *testing.T) {
	all := mends{true, true, true}
	for _, c := range []struct {
		name   string
		m      mends
		differ bool
	}{
		{"as printed", mends{}, true},
		{"clashes of globals only", mends{false, true, true}, true},
		{"names of the caller", mends{true, false, true}, true},
		{"fields not renamed", mends{true, true, false}, true},
		{"corrected", all, false},
	} {
		for kind, family := range map[shytest.Kind]string{shytest.Uniform: "uniform", shytest.Hanging: "hanging"} {
			count := testkit.Count(uint64(800), 10000)
			differ := 0
			for seed := range count {
				text := shytest.Random(rand.New(rand.NewPCG(seed, uint64(kind))), kind)
				rule := func(l *Layout, hc, hl *Heap) *Heap { return l.paperReturn(hc, hl, c.m) }
				if _, agree := togetherBy(text, seed, false, rule); !agree {
					differ++
				}
			}
			t.Logf("%s, %s: %d of %d programs differ", c.name, family, differ, count)
			if differ > 0 && !c.differ || differ == 0 && c.differ && kind == shytest.Hanging {
				t.Errorf("%s, %s: %d of %d programs differ", c.name, family, differ, count)
			}
		}
	}
}

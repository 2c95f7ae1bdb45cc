package pushdown

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/checker/temporal"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// vocabulary is the names of a program for random atoms.
type vocabulary struct{ refs, bools, fields, flags, labels []string }

// words collects the names of g.
func words(g *boolprog.Graph) (v vocabulary) {
	a := NewAtoms(g)
	add := func(name string) {
		if _, ok := a.variable(name, true); ok && !a.hasField(name, true) {
			v.refs = append(v.refs, name)
		}
		if _, ok := a.variable(name, false); ok && !a.hasField(name, false) {
			v.bools = append(v.bools, name)
		}
	}
	for _, x := range g.Globals {
		add(x.Name)
	}
	for _, p := range g.Procs {
		for _, x := range p.Vars {
			add(x.Name)
		}
	}
	for _, c := range g.Prog.Classes {
		for _, f := range c.Fields {
			if _, is := a.variable(f.Name, f.Type().Ref); is {
				continue
			}
			if f.Type().Ref {
				v.fields = append(v.fields, f.Name)
			} else {
				v.flags = append(v.flags, f.Name)
			}
		}
	}
	v.labels = a.labels()
	return v
}

// atom returns a random atom.
func (v vocabulary) atom(rng *rand.Rand) string {
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	var rite func(size int) string
	rite = func(size int) string {
		if size > 1 {
			switch rng.IntN(4) {
			case 0:
				return "(" + rite(size-1) + ")*"
			case 1:
				return "(" + rite(size/2) + " + " + rite(size-size/2) + ")"
			}
			return rite(size/2) + "." + rite(size-size/2)
		}
		not := []string{"", "!"}[rng.IntN(2)]
		switch k := rng.IntN(5); {
		case k == 0 && len(v.flags) > 0:
			return not + pick(v.flags) + "?"
		case k <= 2 && len(v.fields) > 0:
			return pick(v.fields)
		case k == 3 && len(v.bools) > 0:
			return not + pick(v.bools) + "?"
		case len(v.refs) > 0:
			return not + pick(v.refs)
		}
		return not + "nil"
	}
	switch k := rng.IntN(4); {
	case k == 0 && len(v.labels) > 0:
		return "@" + pick(v.labels)
	case k == 1 && len(v.bools) > 0:
		return "{" + pick(v.bools) + "?}"
	}
	return "{" + rite(1+rng.IntN(4)) + "}"
}

// formula returns the text of a random formula.
func (v vocabulary) formula(rng *rand.Rand, size int) string {
	if size <= 1 {
		return v.atom(rng)
	}
	if rng.IntN(2) == 0 || size == 2 {
		return []string{"!", "X ", "F ", "G ", "G F "}[rng.IntN(5)] + v.formula(rng, size-1)
	}
	return "(" + v.formula(rng, (size-1)/2) + []string{" U ", " R ", " & ", " | ", " -> "}[rng.IntN(5)] + v.formula(rng, size-1-(size-1)/2) + ")"
}

// decide checks a formula, with locations of a kind.
func decide(t *testing.T, g *boolprog.Graph, formula string, whole bool) *temporal.Result {
	t.Helper()
	a := NewAtoms(g)
	f, err := temporal.Parse(source.NewFile("formula", []byte(formula)), a.Resolve)
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	sys, err := New(g, a, Options{HeapPath: 6, Whole: whole, Calls: 6})
	if err != nil {
		t.Fatal(err)
	}
	r, err := temporal.Check(context.Background(), sys, f, temporal.Options{MaxHeads: 1500})
	if err != nil {
		t.Fatalf("%s: %v\n%s", formula, err, g.Prog)
	}
	return r
}

// The system with cut points agrees with that of whole states, on random programs and formulas.
func TestAgree(t *testing.T) {
	counts := map[string]int{}
	n := testkit.Count(250, 40000)
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var p *boolprog.Program
		switch seed % 4 {
		case 0:
			p = bpgen.Generate(seed, bpgen.Shape(seed))
		case 1:
			p = bpgen.References(seed, bpgen.ReferenceConfig{CutPoints: 90, Procs: 3, Stmts: 3, Asserts: -1})
		default:
			p = bpgen.References(seed, bpgen.ReferenceConfig{Any: int(seed%3) * 10})
		}
		g := bptest.Graph(t, p)
		v := words(g)
		for range 3 {
			formula := v.formula(rng, 1+rng.IntN(5))
			r, w := decide(t, g, formula, false), decide(t, g, formula, true)
			counts[fmt.Sprint(strings.ToLower(r.Verdict.String()), " ", strings.ToLower(w.Verdict.String()))]++
			if r.Verdict != w.Verdict && r.Verdict != verdict.Unknown && w.Verdict != verdict.Unknown {
				t.Fatalf("seed %d: %s: %v, of whole states %v\n%s", seed, formula, r.Verdict, w.Verdict, p)
			}
		}
	}
	t.Log(counts)
}

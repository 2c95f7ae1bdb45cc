package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/checker/finite"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// This file tests the finite engine beside the explicit one, and the choice between them.

// devices is a program with some devices from outside, each with Boolean fields; a step changes one of them.
func devices(n, fields int, fails bool) string {
	var b strings.Builder
	var names, refs []string
	for i := range fields {
		names = append(names, fmt.Sprint("f", i))
	}
	for i := range n {
		refs = append(refs, fmt.Sprint("d", i))
	}
	fmt.Fprintf(&b, "class Device { bool %s; }\nref Device %s;\n", strings.Join(names, ", "), strings.Join(refs, ", "))
	b.WriteString("void begins(ref Device d) begin d.f0 := 0; d.f1 := 1; end\n")
	b.WriteString("void step(ref Device d) begin\n  if (*) then d.f0 := !d.f0; d.f1 := !d.f0;\n")
	for i := 2; i < fields; i++ {
		if i%2 == 1 {
			fmt.Fprintf(&b, "  elsif (d.f%d) then d.f%d := d.f%d;\n", i-1, i, i-2)
		} else {
			fmt.Fprintf(&b, "  elsif (d.f%d) then d.f%d := !d.f%d;\n", i, i, i-1)
		}
	}
	b.WriteString("  fi\nend\nvoid main() begin\n")
	for i := range n {
		fmt.Fprintf(&b, "  d%d := any Device new; assume(d%d != null);\n", i, i)
		for k := range i {
			fmt.Fprintf(&b, "  assume(d%d != d%d);\n", i, k)
		}
	}
	for i := range n {
		fmt.Fprintf(&b, "  begins(d%d);\n", i)
	}
	b.WriteString("  while (*) do\n")
	for i := range n {
		fmt.Fprintf(&b, "    if (*) then step(d%d); fi\n    assert(d%d.f0 != d%d.f1);\n", i, i, i)
	}
	if fails {
		fmt.Fprintf(&b, "    assert(d0.f%d | !d0.f0);\n", fields-1)
	}
	b.WriteString("  od\nend\n")
	return b.String()
}

// TestFiniteAgrees: the finite engine decides each property like the explicit one, and each has a trace, or none.
func TestFiniteAgrees(t *testing.T) {
	compared, failing, refusals := 0, 0, 0
	seeds := testkit.Count[uint64](120, 10_000)
	for seed := range seeds {
		config := bpgen.ReferenceConfig{Procs: 3, RefGlobals: 2, Endless: -1, Recursive: -1}
		if seed%3 == 0 {
			config.Any, config.Procs, config.Cyclic = 15, 2, -1
		}
		p := bpgen.References(seed, config)
		a, err := Analyse(context.Background(), p, Options{Engine: "finite", NodeLimit: 20_000})
		var refused *finite.RefusedError
		if _, e := finite.Translate(boolprog.BuildGraph(p)); errors.As(e, &refused) {
			refusals++
			if err == nil || !strings.Contains(err.Error(), refused.Why) {
				t.Fatalf("seed %d: refused, but %v", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		b, err := Analyse(context.Background(), p, Options{Engine: "explicit", StateLimit: 20_000})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if strings.Contains(a.Result.Reason+b.Result.Reason, "limit") || strings.Contains(b.Result.Reason, "more than") || strings.Contains(b.Result.Reason, "longer than") {
			continue
		}
		compared++
		if !slices.Equal(a.Result.Sites, b.Result.Sites) || a.Result.Verdict != b.Result.Verdict {
			t.Fatalf("seed %d: finite %s %+v, explicit %s %+v\n%s", seed, a.Result.Verdict, a.Result.Sites, b.Result.Verdict, b.Result.Sites, p)
		}
		if a.Result.Verdict != verdict.False {
			continue
		}
		failing++
		last := a.Result.Trace.Steps[len(a.Result.Trace.Steps)-1]
		if at := a.Result.Sites[a.Result.Failed]; last.Stmt == "" || at.Pos != last.Pos && at.Kind == verdict.Assertion {
			t.Fatalf("seed %d: the trace ends with %+v, not at %+v\n%s", seed, last, at, p)
		}
	}
	t.Logf("%d programs compared, %d fail, %d refused", compared, failing, refusals)
	if n := int(seeds); compared < n/2 || failing < n/4 || failing > compared-n/30 || refusals == 0 {
		t.Errorf("of %d programs %d are compared, %d fail, %d are refused: too few, or too many", n, compared, failing, refusals)
	}
}

// TestReferenceEngine: diagrams come after some states, if there is a bound on the number of objects, and if
// they do not get large.
func TestReferenceEngine(t *testing.T) {
	for _, c := range []struct {
		name       string
		text       string
		few, nodes int
		want       string
	}{
		{"few states", devices(1, 5, false), 1000, 100_000, "explicit"},
		{"many states", devices(3, 6, false), 1000, 100_000, "finite (3 objects at most; explicit: more than 1000 states)"},
		{"large diagrams", devices(2, 6, false), 100, 200, "explicit"},
		{"no bound", strings.Replace(devices(2, 6, false), "while (*) do", "while (*) do d0 := new Device; begins(d0);", 1), 100, 100_000, "explicit"},
	} {
		g := boolprog.BuildGraph(parse(t, "t.bp", c.text))
		s, err := referenceEngine{c.few, c.nodes}.Solve(context.Background(), g, Settings{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := explicitEngine{}.Name()
		if f, is := s.(finiteSolution); is {
			got = f.engine()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTraceNeedsMoreNodes: the limit on diagrams that makes the choice is none for traces.
func TestTraceNeedsMoreNodes(t *testing.T) {
	g := boolprog.BuildGraph(parse(t, "t.bp", devices(2, 6, true)))
	again := 0
	for nodes := 2000; nodes < 6000; nodes += 100 {
		s, err := referenceEngine{100, nodes}.Solve(context.Background(), g, Settings{})
		f, is := s.(finiteSolution)
		if err != nil || !is {
			continue
		}
		var targets []Target
		for v, n := range g.Main.Nodes {
			if at := (Point{g.Main.Index, v}); n.Kind == boolprog.NodeAssert && s.CanFail(at) {
				targets = append(targets, Target{Point: at, Fails: true})
			}
		}
		tr, err := s.Trace(context.Background(), targets)
		if err != nil || tr == nil {
			t.Fatalf("%d nodes: %v, %v", nodes, tr, err)
		}
		f.limited = false
		if _, err := f.Trace(context.Background(), targets); err != nil {
			again++
		}
	}
	if again == 0 {
		t.Error("no limit is enough for the verdict and not for the trace")
	}
}

// TestDevices: the programs have the verdicts that they are made for, in both engines, and a trace with objects.
func TestDevices(t *testing.T) {
	for _, engine := range []string{"explicit", "finite"} {
		for _, n := range []int{1, 2} {
			for _, fails := range []bool{false, true} {
				_, a := timed(t, devices(n, 5, fails), Options{Engine: engine}, 1)
				if a.Result.Verdict == verdict.Unknown || (a.Result.Verdict == verdict.False) != fails {
					t.Errorf("%s, %d devices, fails: %v: %s", engine, n, fails, a.Result.Summary())
				}
				if fails && len(a.Result.Trace.Steps[len(a.Result.Trace.Steps)-1].Heap) != n {
					t.Errorf("%s: the trace does not show %d objects", engine, n)
				}
			}
		}
	}
}

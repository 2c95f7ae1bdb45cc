package symbolic

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bptest"
	"c2bp/checker/bdd"
	"c2bp/verdict"
)

var parse, graphOf = bptest.Parsed, bptest.Graph

func solve(t testing.TB, g *boolprog.Graph, opts Options) *Solution {
	t.Helper()
	s, err := Solve(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// labelled finds the node of a label.
func labelled(t testing.TB, g *boolprog.Graph, label string) Point {
	t.Helper()
	for _, p := range g.Procs {
		for v, n := range p.Nodes {
			if slices.Contains(n.Labels, label) {
				return Point{p.Index, v}
			}
		}
	}
	t.Fatalf("no label %s", label)
	return Point{}
}

func traceTo(t testing.TB, s *Solution, label string) *Trace {
	t.Helper()
	tr, err := s.Trace(context.Background(), []Target{{Point: labelled(t, s.graph, label)}})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// bound is a program in which every value on the way to L matters.
const bound = `decl g;
void main() begin
    decl a, b;
    assume(!g & a & !b);
    a, b := b, a;
    g := both(a, b);
    if (g) then skip; else skip; fi
    assume(g & !a & b);
    down(g, b);
end
bool both(x, y) begin
    if (x | !g) then skip; fi
    return (x | y) & !g;
end
void down(x, y) begin
    decl l;
    l := x & y;
    L: assert(!l | !x | !y | !g);
end`

func boundTrace(t *testing.T) (*Solution, *Trace) {
	s := solve(t, parse(t, bound), Options{})
	at := labelled(t, s.graph, "L")
	tr, err := s.Trace(context.Background(), []Target{{at, true}})
	if err != nil || tr == nil {
		t.Fatal("no trace", err)
	}
	return s, tr
}

// The replayer must refuse what the program cannot do: here, the trace with one
// bound value turned around, wherever it is.
func TestReplayRefusesWrongValues(t *testing.T) {
	s, tr := boundTrace(t)
	turned := 0
	for i, m := range tr.path {
		for _, g := range s.tracked(m.proc, m.node) {
			if tr.free[i][g] {
				continue
			}
			m.state[g] = !m.state[g]
			if err := s.replayPath(tr.path, true); !isInternal(err) {
				t.Errorf("moment %d, variable %d turned around: %v", i, g, err)
			}
			m.state[g] = !m.state[g]
			turned++
		}
	}
	if err := s.replayPath(tr.path, true); err != nil || turned < 20 {
		t.Errorf("%d values turned around; put back: %v", turned, err)
	}
}

// … the trace with one node replaced by another of the same procedure …
func TestReplayRefusesWrongControl(t *testing.T) {
	s, tr := boundTrace(t)
	for i, m := range tr.path {
		for v := range m.proc.graph.Nodes {
			if v == m.node || sameEffect(m.proc, v, m.node) {
				continue
			}
			old := m.node
			m.node = v
			if err := s.replayPath(tr.path, true); !isInternal(err) {
				t.Errorf("moment %d at node %d instead of %d: %v", i, v, old, err)
			}
			m.node = old
		}
	}
}

// sameEffect reports whether two nodes are skips with the same successor: the
// branches of an if that says nothing.
func sameEffect(p *proc, v, w int) bool {
	a, b := p.graph.Nodes[v], p.graph.Nodes[w]
	return a.Kind == boolprog.NodeSkip && b.Kind == boolprog.NodeSkip && slices.Equal(a.Succ, b.Succ)
}

// … and a summary edge with one input or output turned around.
func TestReplayRefusesWrongSummaries(t *testing.T) {
	s, tr := boundTrace(t)
	tried := 0
	for _, m := range tr.path {
		if m.move != over {
			continue
		}
		p := m.use.callee
		for _, set := range []struct {
			groups []group
			val    valuation
		}{{p.inputs, m.use.entry}, {p.outputs, m.use.exit}} {
			for _, g := range set.groups {
				set.val[g] = !set.val[g]
				if err := s.within(context.Background(), func() {
					if err := s.replay(tr, true); err != nil {
						panic(broken(err.Error()))
					}
				}); !isInternal(err) {
					t.Errorf("%s: variable %d of the summary turned around: %v", p.graph.Proc.Name, g, err)
				}
				set.val[g] = !set.val[g]
				tried++
			}
		}
	}
	if tried < 4 {
		t.Errorf("only %d values turned around", tried)
	}
}

func isInternal(err error) bool {
	var internal *InternalError
	return errors.As(err, &internal)
}

func TestExpandWhatIsNoCall(t *testing.T) {
	_, tr := boundTrace(t)
	for _, i := range []int{-1, 0, len(tr.Steps())} {
		if _, err := tr.Expand(context.Background(), i); err == nil {
			t.Errorf("step %d: no error", i)
		}
	}
}

// A trace that was interrupted leaves the solution as it was.
func TestInterruptedTrace(t *testing.T) {
	s := solve(t, parse(t, bound), Options{})
	at := []Target{{labelled(t, s.graph, "L"), true}}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Trace(ctx, at); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	tr, err := s.Trace(context.Background(), at)
	if err != nil || tr == nil {
		t.Fatal(tr, err)
	}
}

// Until a limit is met, what was found is reachable.
func TestPartialSolution(t *testing.T) {
	text := "void main() begin decl a, b, c, d, e; A: skip; " + strings.Repeat("a, b, c, d, e := b ^ c, c ^ d, d ^ e, e ^ a, a ^ b; ", 10) + "B: assume(a & (b | c)); end"
	g := parse(t, text)
	s, err := Solve(context.Background(), g, Options{NodeLimit: 200})
	if !errors.Is(err, bdd.ErrNodeLimit) {
		t.Fatal(err)
	}
	if !s.Reached(labelled(t, g, "A")) || s.Reached(labelled(t, g, "B")) {
		t.Error("want A reached before the limit and B not")
	}
}

// Unreachable targets are passed over; no target at all is no trace.
func TestTraceToNothing(t *testing.T) {
	s := solve(t, parse(t, "void main() begin A: assume(0); B: skip; end"), Options{})
	if tr := traceTo(t, s, "B"); tr != nil {
		t.Error("a trace to B")
	}
	tr, err := s.Trace(context.Background(), []Target{{Point: labelled(t, s.graph, "B")}, {Point: labelled(t, s.graph, "A")}})
	if err != nil || tr == nil || tr.Target() != 1 {
		t.Error("no trace to A, the second target")
	}
	if tr, err := s.Trace(context.Background(), nil); tr != nil || err != nil {
		t.Error("a trace to nothing")
	}
}

// Expressions may be nested deeply.
func TestDeepExpression(t *testing.T) {
	const n = 50_000
	text := "void main() begin decl a; a := " + strings.Repeat("!(", n) + "a" + strings.Repeat(")", n) + "; L: assert(a); end"
	s := solve(t, parse(t, text), Options{})
	if !s.CanFail(labelled(t, s.graph, "L")) || traceTo(t, s, "L") == nil {
		t.Error("not reached")
	}
}

// Garbage collection and reordering at every step change nothing but the peak.
func TestCollectionChangesNothing(t *testing.T) {
	for seed := range uint64(100) {
		g := graphOf(t, random(seed))
		sa := solve(t, g, Options{}).Stats()
		for _, o := range []Options{{collectEach: true}, {collectEach: true, reorderAt: 1}} {
			sb := solve(t, g, o).Stats()
			if !slices.Equal(sa[:len(sa)-1], sb[:len(sb)-1]) {
				t.Fatalf("seed %d: %v, with collections %v", seed, sa, sb)
			}
		}
	}
}

// A trace stays as it is when the same solution is asked for another.
func TestTracesApart(t *testing.T) {
	s := solve(t, parse(t, `decl g;
void main() begin decl x; g := *; x := !g; if (g) then A: skip; fi; f(x); if (g) then B: skip; fi; C: skip; end
void f(y) begin if (y) then g := !g; fi; end`), Options{})
	var traces []*Trace
	var want [][]verdict.Step
	for _, label := range []string{"A", "B", "C", "B", "A"} {
		traces = append(traces, traceTo(t, s, label))
		want = append(want, traces[len(traces)-1].Steps())
	}
	for i, tr := range traces {
		if !reflect.DeepEqual(tr.Steps(), want[i]) {
			t.Errorf("trace %d has changed", i)
		}
	}
	if !reflect.DeepEqual(want[0], want[4]) || !reflect.DeepEqual(want[1], want[3]) {
		t.Error("the same question has two answers")
	}
}

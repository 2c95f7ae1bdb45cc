package trace

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/flow"
	"c2bp/verdict"
)

// find solves a program that is right and returns a finder of its traces.
func find(t testing.TB, g *boolprog.Graph, tuning symbolic.Tuning, opts Options) *Finder {
	t.Helper()
	s, err := symbolic.Solve(context.Background(), g, symbolic.Options{Tuning: tuning})
	if err != nil {
		t.Fatal(err)
	}
	return NewFinder(s, opts)
}

func traceTo(t testing.TB, s *Finder, label string) *Trace {
	t.Helper()
	tr, err := s.Trace(context.Background(), []Target{{Point: labelled(t, s.Graph, label)}})
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

func boundTrace(t *testing.T) (*Finder, *Trace) {
	s := find(t, parse(t, bound), symbolic.Tuning{}, Options{})
	at := labelled(t, s.Graph, "L")
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
		for _, g := range s.Tracked(m.proc, m.node) {
			if tr.dontCare[i][g] {
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
		for v := range m.proc.Graph.Nodes {
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
func sameEffect(p *symbolic.Proc, v, w int) bool {
	a, b := p.Graph.Nodes[v], p.Graph.Nodes[w]
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
			groups []flow.Group
			val    valuation
		}{{p.Inputs, m.use.entry}, {p.Outputs, m.use.exit}} {
			for _, g := range set.groups {
				set.val[g] = !set.val[g]
				if err := s.Within(context.Background(), func() {
					if err := s.replay(tr, true); err != nil {
						panic(symbolic.Violation(err.Error()))
					}
				}); !isInternal(err) {
					t.Errorf("%s: variable %d of the summary turned around: %v", p.Graph.Proc.Name, g, err)
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
	var internal *symbolic.InternalError
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
	s := find(t, parse(t, bound), symbolic.Tuning{}, Options{})
	at := []Target{{labelled(t, s.Graph, "L"), true}}
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

// Unreachable targets are passed over; no target at all is no trace.
func TestTraceToNothing(t *testing.T) {
	s := find(t, parse(t, "void main() begin A: assume(0); B: skip; end"), symbolic.Tuning{}, Options{})
	if tr := traceTo(t, s, "B"); tr != nil {
		t.Error("a trace to B")
	}
	tr, err := s.Trace(context.Background(), []Target{{Point: labelled(t, s.Graph, "B")}, {Point: labelled(t, s.Graph, "A")}})
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
	s := find(t, parse(t, text), symbolic.Tuning{}, Options{})
	if !s.CanFail(labelled(t, s.Graph, "L")) || traceTo(t, s, "L") == nil {
		t.Error("not reached")
	}
}

// A trace stays as it is when the same solution is asked for another.
func TestTracesApart(t *testing.T) {
	s := find(t, parse(t, `decl g;
void main() begin decl x; g := *; x := !g; if (g) then A: skip; fi; f(x); if (g) then B: skip; fi; C: skip; end
void f(y) begin if (y) then g := !g; fi; end`), symbolic.Tuning{}, Options{})
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

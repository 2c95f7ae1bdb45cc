package bpexec

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/bptest"
	"c2bp/internal/testkit"
)

var parsed, graphOf = bptest.Parsed, bptest.Graph

func reach(t testing.TB, g *boolprog.Graph, opts Options) *Reachable {
	t.Helper()
	r, err := Reach(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compare explores g both ways and describes the first difference, or returns "".
// decided is false if the oracle was cut off; then it must find no more than Reach.
func compare(t testing.TB, g *boolprog.Graph, opts Options, depth int) (diff string, decided bool) {
	r := reach(t, g, opts)
	o := newStackOracle(g, depth)
	o.run()
	found := make([]map[string]bool, len(g.Procs))
	for i := range found {
		found[i] = map[string]bool{}
	}
	for c := range o.seen {
		found[c.top.proc][fmt.Sprintf("%d %s %s", c.top.node, c.globals, c.top.vars)] = true
	}
	for i, p := range g.Procs {
		claimed := map[string]bool{}
		for j := range p.Nodes {
			for _, s := range r.States(i, j) {
				claimed[fmt.Sprintf("%d %s %s", j, bitString(s.Globals, len(g.Globals)), bitString(s.Locals, len(p.Vars)))] = true
			}
		}
		for s := range found[i] {
			if !claimed[s] {
				return fmt.Sprintf("%s: missed node and state %s", p.Proc.Name, s), !o.cut
			}
		}
		for s := range claimed {
			if !o.cut && !found[i][s] {
				return fmt.Sprintf("%s: invented node and state %s", p.Proc.Name, s), true
			}
		}
	}
	claimed := map[Site]bool{}
	for _, s := range r.Failures() {
		claimed[s] = true
		if !o.cut && !o.failing[s] {
			return fmt.Sprintf("invented failure at %v", s), true
		}
	}
	for s := range o.failing {
		if !claimed[s] {
			return fmt.Sprintf("missed failure at %v", s), !o.cut
		}
	}
	return "", !o.cut
}

// differential compares on random programs and returns how many the oracle explored completely.
func differential(t *testing.T, programs int, opts Options) (decided int) {
	for seed := range uint64(programs) {
		p := bpgen.Generate(seed, bpgen.Config{Globals: 2, NoRecursion: seed%2 == 0})
		diff, ok := compare(t, graphOf(t, p), opts, 6)
		if ok {
			decided++
		}
		if diff != "" {
			t.Errorf("seed %d: %s\n%s", seed, diff, p)
		}
	}
	return decided
}

func programs() int { return testkit.Count[int](400, 20_000) }

func TestReachAgainstStacks(t *testing.T) {
	n := programs()
	decided := differential(t, n, Options{})
	t.Logf("%d programs, %d explored completely by the oracle", n, decided)
	if decided < n*6/10 {
		t.Errorf("the oracle explored only %d of %d programs completely", decided, n)
	}
}

// TestEvalAgainstTapes compares sets of values with the enumeration of choices.
func TestEvalAgainstTapes(t *testing.T) {
	for seed := range uint64(300) {
		p := bpgen.Generate(seed, bpgen.Config{Depth: 3})
		boolprog.InspectStmts(p.Procs[0].Body, func(s *boolprog.Stmt) {
			a, ok := s.Op.(*boolprog.Assign)
			if !ok {
				return
			}
			for _, e := range a.Rhs {
				lookup := func(r *boolprog.Ref) bool { return (uint64(len(r.Name)+int(r.Name[len(r.Name)-1]))+seed)%2 == 0 }
				var want Values
				c := &tape{}
				for more := true; more; more = c.next() {
					want |= only(c.value(e, lookup))
				}
				if got := Eval(e, lookup); got != want {
					t.Errorf("%s: values %b, want %b", boolprog.ExprString(e), got, want)
				}
			}
		})
	}
}

// TestPrograms states the semantics by example: the labels listed behind "reach:"
// and the assertions marked "fails" are what is reachable.
func TestPrograms(t *testing.T) {
	for _, c := range semantics {
		t.Run(c.name, func(t *testing.T) {
			g := parsed(t, c.text)
			r := reach(t, g, Options{})
			var labels, lines []string
			for _, l := range r.Labels() {
				labels = append(labels, l.Label)
			}
			if got := strings.Join(labels, " "); got != c.labels {
				t.Errorf("reachable labels %q, want %q", got, c.labels)
			}
			for _, s := range r.Failures() {
				lines = append(lines, fmt.Sprint(g.Procs[s.Proc].Nodes[s.Node].Stmt.Pos.Line))
			}
			if got := strings.Join(lines, " "); got != c.failing {
				t.Errorf("failing assertions at lines %q, want %q", got, c.failing)
			}
			if diff, _ := compare(t, g, Options{}, 5); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var semantics = []struct{ name, text, labels, failing string }{
	{"Ball–Rajamani 2000, §1", `decl g;
void main() begin
  decl h;
  h := !g; A(g,h); skip; A(g,h); skip;
  if (g) then R: skip; fi
end
void A(a1, a2) begin
  if (a1) then A(a2,a1); skip; else g := a2; fi
end`, "R", ""},
	{"globals start arbitrary once, locals at every call", `decl g;
void main() begin
  if (g) then A: skip; else B: skip; fi
  g := 0; f(); assert(!g);
end
void f() begin decl l; if (l) then C: l := 0; else D: l := 1; fi assert(g = 0); end`, "A B C D", ""},
	{"parallel assignment reads before it writes", `void main() begin
  decl a, b;
  a, b := 0, 1;
  a, b := b, a;
  assert(a & !b);
end`, "", ""},
	{"every star is fresh", `void main() begin
  decl a, b;
  a, b := *, *;
  if (a != b) then A: skip; fi
  a := * ^ *;
  if (a) then B: skip; fi
  if (* & !*) then C: skip; fi
end`, "A B C", ""},
	{"choose and schoose", `void main() begin
  decl a, b, c;
  a, b, c := choose(1, *), choose(0, 1), choose(0, 0);
  assert(a & !b);
  if (c) then A: skip; else B: skip; fi
  a, b, c := schoose[1, *], schoose[0, 1], schoose[0, 0];
  assert(a & !b);
  if (c) then C: skip; else D: skip; fi
end`, "A B C D", ""},
	{"constrain relates the values before and after", `void main() begin
  decl a, b;
  a := *;
  b := * constrain 'b = !a;
  assert(a != b);
  a, b := *, * constrain ('a | 'b) & !('a & 'b);
  assert(a != b);
  a := * constrain a & !a;
  L: assert(0);
end`, "", ""},
	{"enforce filters entry, every node, exit and behind calls", `decl g, h;
void main() begin
  enforce g | h;
  if (!g & !h) then A: skip; fi
  g, h := 1, 0; f();
  assert(h);
  g := *;
  assert(g | h);
  h := 0;
  g := 0;
  B: skip;
end
void f() begin
  g := 0;
  C: h := *;
end`, "C", ""},
	{"the exit is filtered", `void main() begin
  decl x;
  x := f();
  A: skip;
end
bool f() begin decl l; enforce l; l := 0; return 1; end`, "", ""},
	{"unset results are arbitrary", `void main() begin
  decl a, b;
  a := f(); a, b := two(); assert(!b);
  if (a) then A: skip; else B: skip; fi
end
bool f() begin skip; end
bool<2> two() begin
  decl l;
  if (l) then return l, 0; fi
  return l, 0;
end`, "A B", ""},
	{"results, discarded and of several kinds", `decl g;
void main() begin
  decl a;
  a, _ := two(1); assert(a);
  _, g := two(1); assert(!g);
  two(0); assert(g);
  a, g := g, 0;
end
bool<2> two(x) begin g := !x; return x, !x; end`, "", ""},
	{"assert leads on when it holds, abortif, dead, print", `void main() begin
  decl a, b;
  a := 1; b := 0;
  assert(*);
  print(a, b);
  dead b;
  if (b) then A: skip; else B: skip; fi
  abortif b;
  assert(!b & a);
  dead a;
  assert(a);
  assert(a);
end`, "A B", "4 11"},
	{"gotos into and out of blocks", `void main() begin
  decl a;
  a := 0;
  goto In, Out;
  while (a) do
    In: a := !a;
    if (a) then Mid: skip; else Never: skip; fi
    a := 0;
    if (a) then Loop: skip; fi
  od
  Out: assert(!a);
end`, "In Mid Out", ""},
	{"recursion with its own locals, main called again", `decl depth;
void main(again) begin
  decl mine;
  if (again) then Again: skip; fi
  mine := again;
  if (depth) then depth := 0; main(1); assert(mine = again); Back: skip; fi
end`, "Again Back", ""},
	{"non-terminating recursion returns never", `void main() begin f(); L: assert(0); end
void f() begin f(); M: assert(0); end`, "", ""},
	{"locals hide globals", `decl x;
void main() begin decl x; x := 1; f(); assert(x); end
void f() begin x := 0; G: skip; end`, "G", ""},
	{"elsif", `void main() begin decl a, b;
  if (a) then A: assert(a); elsif (b) then B: assert(b & !a); elsif (0) then C: skip; else D: assert(!a & !b); fi
end`, "A B D", ""},
	{"operators", `void main() begin decl a, b;
  assert((a => b) = (!a | b)); assert((a ^ b) = (a != b)); assert((a & b) = !(!a | !b));
  assert(a => b = (b => a));
end`, "", "3"},
}

func TestLimits(t *testing.T) {
	g := parsed(t, "decl a, b, c; void main() begin decl d; d := a; end")
	if _, err := Reach(context.Background(), g, Options{MaxVars: 3}); err == nil || !strings.Contains(err.Error(), "4 variables") {
		t.Errorf("too many variables: %v", err)
	}
	if _, err := Reach(context.Background(), g, Options{MaxEdges: 5}); err == nil || !strings.Contains(err.Error(), "path edges") {
		t.Errorf("too many edges: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Reach(ctx, g, Options{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

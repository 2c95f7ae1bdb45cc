package explicit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/refexec"
	"c2bp/internal/testkit"
)

// This file compares the search without summaries with brute force, on programs that choose objects and
// on others.

// choosing counts what the programs made the search do.
type choosing struct{ programs, chosen, complete, failing, safe, traced, kept, open int }

func TestWholeAgreesWithBruteForce(t *testing.T) {
	var c choosing
	for seed := range testkit.Count[uint64](60, 2000) {
		config := bpgen.ReferenceConfig{Procs: 3, RefGlobals: 2, Endless: -1, Any: 30}
		if seed%4 == 0 {
			config.Any = 0
		}
		p := bpgen.References(seed, config)
		if err := c.agree(p, seed%5 == 0); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
	t.Logf("%+v", c)
	if n := c.programs; c.chosen < n/2 || c.complete < n/3 || c.failing < n/5 || c.safe < n/50 || c.traced < n || c.kept < n || c.open > c.traced/5 {
		t.Errorf("the programs exercise too little: %+v", c)
	}
}

// agree compares the search with brute force, and its traces: those to failures or, with all, to every
// node.
func (c *choosing) agree(p *boolprog.Program, all bool) error {
	ctx := context.Background()
	g := boolprog.BuildGraph(p)
	brute, err := refexec.Explore(ctx, g, refexec.Options{MaxStates: 5000, MaxHeap: 8})
	if err != nil {
		return err
	}
	c.programs++
	if Chooses(g) {
		c.chosen++
	}
	if !brute.Complete {
		return nil
	}
	c.complete++
	w, err := SearchWhole(ctx, g, Options{})
	if err != nil {
		return err
	}
	facts := func(p Point) facts { return facts{w.Reached(p), w.CanFail(p), w.UsesNull(p)} }
	if err := compare(g, facts, factsOf(brute)); err != nil {
		return err
	}
	if err := c.keeps(g, w, all); err != nil {
		return err
	}
	fails := false
	for i, p := range g.Procs {
		for j := range p.Nodes {
			for goal, end := range map[Goal]refexec.End{Reach: refexec.Anyhow, Fail: refexec.Failure, Null: refexec.NullDereference} {
				if goal == Reach && !all {
					continue
				}
				at := Point{i, j}
				fails = fails || w.CanFail(at)
				if err := c.trace(g, w, Target{at, goal}, end); err != nil {
					return fmt.Errorf("trace to node %d of %s, goal %d: %w", j, p.Proc.Name, goal, err)
				}
			}
		}
	}
	if fails {
		c.failing++
	} else {
		c.safe++
	}
	return nil
}

// keeps compares a search that keeps traces, to failures or, with all, to every node, with one that keeps none.
func (c *choosing) keeps(g *boolprog.Graph, w *Whole, all bool) error {
	ctx := context.Background()
	var targets []Target
	for i, p := range g.Procs {
		for j := range p.Nodes {
			if all {
				targets = append(targets, Target{Point{i, j}, Reach})
			}
			targets = append(targets, Target{Point{i, j}, Fail})
		}
	}
	k, err := SearchTraces(ctx, g, Options{}, targets)
	if err != nil {
		return err
	}
	for _, to := range targets {
		if k.met(to) != w.met(to) {
			return fmt.Errorf("%v: met is %v with traces, and %v without", to, k.met(to), w.met(to))
		}
		kept, err := k.Trace(ctx, []Target{to})
		if err != nil {
			return err
		}
		again, err := w.Trace(ctx, []Target{to})
		if err != nil {
			return err
		}
		if kept == nil || again == nil {
			if kept != again {
				return fmt.Errorf("%v: one trace with traces kept, and none without, or the other way round", to)
			}
			continue
		}
		c.kept++
		if !slices.Equal(kept.Points(), again.Points()) {
			return fmt.Errorf("%v: the trace that was kept is another one", to)
		}
	}
	if n := len(k.kept); n != len(slices.DeleteFunc(targets, func(t Target) bool { return !w.met(t) })) {
		return fmt.Errorf("%d traces are kept, not one for each target that is met", n)
	}
	// With a limit of states, no trace is kept.
	if n := k.States; n > 1 {
		k, err = SearchTraces(ctx, g, Options{States: n / 2}, targets)
		var states *StatesError
		if !errors.As(err, &states) || len(k.kept) > 0 {
			return fmt.Errorf("a search of %d states with a limit of half of them: %v, %d traces", n, err, len(k.kept))
		}
	}
	return nil
}

// trace checks that brute force can follow the trace to a target.
func (c *choosing) trace(g *boolprog.Graph, w *Whole, to Target, end refexec.End) error {
	t, err := w.Trace(context.Background(), []Target{to})
	p := g.Procs[to.Proc]
	if err != nil || t == nil || to.Goal == Reach && p.Nodes[to.Node].Stmt == nil {
		return err
	}
	var moments []refexec.Moment
	for i, st := range t.Steps() {
		moments = append(moments, refexec.Moment{Site: bpexec.Site(t.Points()[i]), Depth: st.Depth, Values: st.Values, Heap: st.Heap})
	}
	at := bpexec.Site(to.Point)
	err = refexec.Follow(context.Background(), g, moments, end, at)
	if err != nil && to.Goal == Null && p.Proc.Enforce != nil { // in the clause: brute force has not come there yet
		err = refexec.Follow(context.Background(), g, moments[:len(moments)-1], end, at)
	}
	var many *refexec.TooManyError
	switch {
	case errors.As(err, &many):
		c.open++
		return nil
	case err == nil:
		c.traced++
	}
	return err
}

// Searches without an end stop, and say where.
func TestWholeLimits(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`class C { ref C next; } ref C g;
void main() begin ref C p; while (*) do p := any C new; p.next := g; g := p; od end`, "heap path longer than 100: g.next.next.next.next.next…"},
		{`class C { ref C next; } ref C g;
void main() begin ref C p; g := any C new; p := g; while (p != null) do p := p.next; od end`, "heap path longer than 100: g.next.next.next.next.next…"},
		{`class C { bool x; } void main() begin ref C p; p := any C; main(); end`, "calls nested more than 1000 deep"},
	} {
		_, err := SearchWhole(context.Background(), parsed(t, c.text), Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s\n%s", err, c.want, c.text)
		}
	}
}

// A list from outside is walked in a bounded number of states, if nothing else leads to it.
func TestListFromOutside(t *testing.T) {
	g := parsed(t, `class C { bool seen; ref C next; }
void main() begin
  ref C p;
  p := any C new;
  while (p != null) do
    p.seen := 1;
    assert(p.seen);
    p := p.next;
  od
end`)
	w, err := SearchWhole(context.Background(), g, Options{})
	if err != nil || w.States > 20 {
		t.Errorf("%d states, %v", w.States, err)
	}
}

// A reference that was chosen stays as it is, until it is assigned.
func TestChosenOnce(t *testing.T) {
	g := parsed(t, `class C { ref C next; }
void main() begin
  ref C p, a, b;
  p := any C new;
  if (p != null) then
    a := p.next;
    b := p.next;
    assert(a = b);
    dead C.next;
    b := p.next;
    assert(a = b);
  fi
end`)
	w, err := SearchWhole(context.Background(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var fails []bool
	for j, n := range g.Main.Nodes {
		if n.Kind == boolprog.NodeAssert {
			fails = append(fails, w.CanFail(Point{g.Main.Index, j}))
		}
	}
	if !slices.Equal(fails, []bool{false, true}) {
		t.Errorf("the assertions fail: %v, want false and true", fails)
	}
}

// A step that reads many Booleans that nothing has determined has no more outcomes than are allowed.
func TestManyOutcomes(t *testing.T) {
	const n = 12
	var decl, sum []string
	for i := range n {
		decl = append(decl, fmt.Sprintf("x%d", i))
		sum = append(sum, fmt.Sprintf("x%d", i))
	}
	g := parsed(t, "class C { bool b; } ref C r; decl "+strings.Join(decl, ", ")+`;
void main() begin
  r := new C;
  assume(`+strings.Join(sum, " & ")+`);
  assert(F);
end`)
	for _, limit := range []int{3, 2000} {
		var states *StatesError
		_, err := SearchTraces(context.Background(), g, Options{States: limit}, nil)
		if stopped := errors.As(err, &states) && states.Steps; stopped != (limit == 3) {
			t.Errorf("limit of %d states: %v", limit, err)
		}
		if _, err = SearchWhole(context.Background(), g, Options{States: limit}); (err != nil) != (limit == 3) {
			t.Errorf("limit of %d states: %v", limit, err)
		}
	}
}

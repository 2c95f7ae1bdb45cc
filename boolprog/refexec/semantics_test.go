package refexec

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bptest"
)

var parsed, graphOf = bptest.Parsed, bptest.Graph

// marked are the lines of text that end with "// " and a word.
func marked(text, word string) (lines []int) {
	for i, line := range strings.Split(text, "\n") {
		if strings.HasSuffix(line, "// "+word) {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// linesOf are the lines of some sites.
func linesOf(g *boolprog.Graph, sites []bpexec.Site) (lines []int) {
	for _, s := range sites {
		lines = append(lines, g.Procs[s.Proc].Nodes[s.Node].Stmt.Pos.Line)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// check says in what r differs from what a program's text says; "" if in nothing.
func check(g *boolprog.Graph, r *Result, name, labels, text string) string {
	var found []string
	for _, l := range r.Labels {
		found = append(found, l.Label)
	}
	slices.Sort(found)
	switch got := strings.Join(found, " "); {
	case got != labels && labels != "":
		return fmt.Sprintf("labels %q, want %q", got, labels)
	case !slices.Equal(linesOf(g, r.Failures), marked(text, "fails")):
		return fmt.Sprintf("assertions fail at lines %v, want %v", linesOf(g, r.Failures), marked(text, "fails"))
	case !slices.Equal(linesOf(g, r.Nulls), marked(text, "null")):
		return fmt.Sprintf("null dereferences at lines %v, want %v", linesOf(g, r.Nulls), marked(text, "null"))
	case r.Complete == strings.HasSuffix(name, "…"):
		return fmt.Sprintf("complete: %t, cut: %+v", r.Complete, r.Cut)
	}
	return ""
}

func TestPrograms(t *testing.T) {
	for _, c := range slices.Concat(semantics, fromPaper) {
		t.Run(c.name, func(t *testing.T) {
			g := parsed(t, c.text)
			r := explore(t, g, Options{})
			if wrong := check(g, r, c.name, c.labels, c.text); wrong != "" {
				t.Error(wrong)
			}
			t.Logf("%d states", r.States)
		})
	}
}

// TestStatesAreOne checks that states which differ in addresses or garbage are one.
func TestStatesAreOne(t *testing.T) {
	const text = `
class Box { ref Box next; }
ref Box g, h;
void main() begin
  if (*) then
    g := new Box; h := new Box;
    g.next := new Box; g.next := h;
  else
    h := new Box; g := new Box;
    h.next := g; g.next := h; h.next := null;
  fi
  skip; skip; skip;
end`
	// The branch, 4 and 5 states of its parts, and from then on one each: 3 and the exit.
	if r := explore(t, parsed(t, text), Options{}); r.States != 1+4+5+4 {
		t.Errorf("%d states, want 14", r.States)
	}
}

// TestLimits checks that what is cut off is said to be.
func TestLimits(t *testing.T) {
	const text = `
class Box { ref Box next; }
ref Box g;
void main() begin
  ref Box b;
  while (*) do b := new Box; b.next := g; g := b; od
  b := null;
  f();
end
void f() begin if (*) then f(); fi assert(g != null); end`
	g := parsed(t, text)
	for _, c := range []struct {
		opts Options
		want Cut
	}{
		{Options{}, Cut{Depth: true, Heap: true}},
		{Options{MaxStates: 30}, Cut{States: true}},
		{Options{MaxHeap: 3}, Cut{Depth: true, Heap: true}},
	} {
		r := explore(t, g, c.opts)
		if r.Cut != c.want || r.Complete {
			t.Errorf("%+v: cut %+v, complete %t; want %+v", c.opts, r.Cut, r.Complete, c.want)
		}
		if c.opts.MaxStates > 0 && r.States != c.opts.MaxStates {
			t.Errorf("%d states, want %d", r.States, c.opts.MaxStates)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Explore(ctx, g, Options{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

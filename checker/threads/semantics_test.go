package threads

import (
	"context"
	"errors"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bptest"
	"c2bp/boolprog/threadexec"
	"c2bp/checker/explicit"
)

// holds says that no assertion fails; other numbers are the fewest switches of a run to a failure.
const holds = -1

var meanings = []struct {
	name, text string
	least      int
}{
	{"a thread has copies of the locals", `void main() begin decl l; l := 0; start_thread goto L; l := 1; goto M; L: assert(!l); M: skip; end`, holds},
	{"its changes are not seen", `decl g; void main() begin decl l; l, g := 0, 0; start_thread goto L; assume(g); assert(!l); end_thread; L: l := 1; g := 1; end`, holds},
	{"a copy has the value of the original", `decl g, d; void main() begin decl l; d := 0; start_thread goto L; g := l; d := 1; end_thread; L: assume(d); assert(g = l); end`, holds},
	{"a copy keeps it", `decl g, d; void main() begin decl l; d := 0; start_thread goto L; g := l; d := 1; end_thread; L: l := !l; assume(d); assert(g = l); end`, 1},
	{"arguments are those at the start", `decl g; void main() begin g := 0; async p(g); g := 1; end void p(a) begin assert(!a); end`, holds},
	{"globals are shared", `decl g; void main() begin g := 0; async p(); g := 1; end void p() begin assert(!g); end`, 1},
	{"a thread may begin before the other goes on", `decl g; void main() begin g := 0; async p(); g := 1; end void p() begin assert(g); end`, 1},
	{"an assignment is one step", `decl g, h; void main() begin g, h := 0, 0; async p(); g, h := 1, 1; end void p() begin assert(g = h); end`, holds},
	{"two are not", `decl g, h; void main() begin g, h := 0, 0; async p(); g := 1; h := 1; end void p() begin assert(g = h); end`, 1},
	{"unless in a section", `decl g, h; void main() begin g, h := 0, 0; async p(); atomic_begin; g := 1; h := 1; atomic_end; end void p() begin assert(g = h); end`, holds},
	{"results are assigned in a step of their own", `decl g, d; void main() begin g, d := 0, 0; async p(); g := f(); if (d) then assert(g); fi end
		bool f() begin return g; end void p() begin g := 1; d := 1; end`, 2},
	{"unless in a section, too", `decl g, d; void main() begin g, d := 0, 0; async p(); atomic_begin; g := f(); atomic_end; if (d) then assert(g); fi end
		bool f() begin return g; end void p() begin atomic_begin; g := 1; d := 1; atomic_end; end`, holds},
	{"the end of a procedure is no step", `decl g; void main() begin g := 1; async p(); f(); assert(0); end void f() begin enforce g; g := 0; end void p() begin g := 1; end`, holds},
	{"a failing assume ends the run", `decl g; void main() begin g := 0; async p(); g := 1; assume(0); end void p() begin assert(!g); end`, 1},
	{"in a section, nobody sees a part of it", `decl g; void main() begin g := 0; async p(); atomic_begin; g := 1; assume(0); atomic_end; end void p() begin assert(!g); end`, holds},
	{"an assertion in it counts", `void main() begin atomic_begin; assert(0); assume(0); atomic_end; end`, 0},
	{"a section waits as a whole", `decl g, h; void main() begin g, h := 0, 0; async p(); atomic_begin; h := 1; assume(g); atomic_end; assert(0); end void p() begin assert(!h); g := 1; end`, 2},
	{"nobody leaves an endless section", `decl g; void main() begin g := 0; async p(); atomic_begin; g := 1; while (1) do skip; od atomic_end; end void p() begin assert(!g); end`, holds},
	{"threads that a section starts wait", `decl g; void main() begin atomic_begin; g := 1; async p(); g := 0; atomic_end; end void p() begin assert(!g); end`, holds},
	{"at labels, too", `decl g; void main() begin atomic_begin; g := 1; start_thread goto L; g := 0; atomic_end; end_thread; L: assert(!g); end`, holds},
	{"a section in a section does not end it", `decl g; void main() begin g := 0; async p(); atomic_begin; f(); g := 0; atomic_end; end void f() begin atomic_begin; g := 1; atomic_end; skip; end
		void p() begin assert(!g); end`, holds},
	{"calls in a section are in it", `decl g; void main() begin g := 0; async p(); atomic_begin; f(); g := 0; atomic_end; end void f() begin g := 1; skip; end void p() begin assert(!g); end`, holds},
	{"end_thread drops the calls", `void main() begin f(); assert(0); end void f() begin end_thread; end`, holds},
	{"and ends one thread only", `void main() begin async p(); f(); end void f() begin end_thread; end void p() begin assert(0); end`, 1},
	{"threads go on when main has returned", `decl g; void main() begin g := 0; async p(); g := 1; end void p() begin assume(g); assert(0); end`, 1},
	{"a thread at a label has no caller", `decl g; void main() begin f(); assert(g); end void f() begin g := 1; start_thread goto L; return; L: g := 0; end`, 2},
	{"it ends where it returns", `decl g; void main() begin g := 0; f(); g := 1; assume(!g); assert(0); end void f() begin start_thread goto L; return; L: skip; end`, holds},
	{"results of a thread are lost", `void main() begin async f(); assert(1); end bool f() begin return *; end`, holds},
	{"a clause is tested with each statement", `decl g; void main() begin g := 0; async p(); g := 1; end void p() begin enforce !g; skip; assert(!g); end`, holds},
	{"others may break it in between", `decl g; void main() begin g := 0; async p(); g := 1; g := 0; end void p() begin enforce !g; skip; assert(0); end`, 1},
	{"there and back is two switches", `decl g; void main() begin g := 0; async p(); assume(g); assert(0); end void p() begin g := 1; end`, 2},
	{"the end of a thread is followed by a switch", `void main() begin async p(); end void p() begin async q(); end void q() begin assert(0); end`, 2},
	{"a deadlock is no failure", `decl g; void main() begin g := 0; async p(); assume(g); end void p() begin assume(g); end`, holds},
}

// TestMeaning is the meaning of threads, point by point.
func TestMeaning(t *testing.T) {
	for _, m := range meanings {
		t.Run(m.name, func(t *testing.T) {
			g := bptest.Parsed(t, m.text)
			found, err := threadexec.Explore(g, 100_000)
			if err != nil {
				t.Fatal(err)
			}
			byForce := holds
			for _, least := range found.Failing {
				byForce = least
			}
			if byForce != m.least || len(found.Failing) > 1 {
				t.Errorf("by brute force: %d", byForce)
			}
			if got := fails(searched(t, g, -1)); got != (m.least != holds) {
				t.Errorf("without a bound: fails: %v", got)
			}
			for k := range 4 {
				if got := fails(searched(t, g, k)); got != (m.least != holds && m.least <= k) {
					t.Errorf("with %d switches: fails: %v", k, got)
				}
			}
		})
	}
}

// fails reports whether an assertion fails.
func fails(r *Result) bool {
	for i, p := range r.graph.Procs {
		for j := range p.Nodes {
			if r.CanFail(explicit.Point{Proc: i, Node: j}) {
				return true
			}
		}
	}
	return false
}

// TestLimits: endless programs come to an end.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ text, open string }{
		{`void main() begin f(); end void f() begin f(); end`, "calls nested more than 1000 deep"},
		{`void main() begin while (1) do async f(); od end void f() begin assume(0); end`, "more than 200 threads at a time"},
		{`decl a, b, c, d; void main() begin while (1) do a, b, c, d := b, !c, d, *; async f(a); od end void f(x) begin assume(x); a := x; end`, "limit of 500 states reached"},
		{`class C { ref C next; } ref C g; void main() begin ref C l; async f(); while (1) do l := new C; l.next := g; g := l; od end void f() begin skip; end`, "heap path longer than 100"},
	} {
		// Only the program that is about states needs a limit of them.
		opts := Options{States: 100_000}
		if strings.Contains(c.open, "states") {
			opts.States = 500
		}
		zero := 0
		if !strings.Contains(c.open, "states") {
			opts.Contexts = &zero
		}
		r, err := Search(context.Background(), bptest.Parsed(t, c.text), opts)
		if err != nil || r.Open != c.open {
			t.Errorf("%s\n%v, %q, want %q", c.text, err, r.Open, c.open)
		}
	}
	// An interrupt.
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := Search(ctx, bptest.Parsed(t, meanings[0].text), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestReferences: threads share objects.
func TestReferences(t *testing.T) {
	g := bptest.Parsed(t, `class C { bool x; ref C next; } ref C g;
		void main() begin ref C l; l := new C; g := l; start_thread goto L; l.x := 1; l := null; return; L: l.next := l; if (g.x) then assert(!l.next.x); fi g := null; g.x := 0; end`)
	r := searched(t, g, -1)
	if !fails(r) || r.Open != "" {
		t.Errorf("the other thread's write is not seen (%s)", r.Open)
	}
	var nulls []*boolprog.Node
	for j, n := range g.Procs[0].Nodes {
		if r.UsesNull(explicit.Point{Node: j}) {
			nulls = append(nulls, n)
		}
	}
	if len(nulls) != 1 || boolprog.StmtString(nulls[0].Stmt.Op) != "g.x := 0" {
		t.Errorf("null is dereferenced at %v", nulls)
	}
}

package explicit

import (
	"context"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bptest"
)

var parsed = bptest.Parsed

// This file has a program for each correction of Qadeer–Rajamani 2005's pseudo-code: without the
// correction, the search misses its failure (testdata/mutants). The order of exploration matters:
// of two branches, the search in depth takes the else part first, the one in breadth the other.

// failures counts the assertions that can fail.
func failures(g *boolprog.Graph, s *Solution) (n int) {
	for i, p := range g.Procs {
		for j := range p.Nodes {
			if s.CanFail(Point{i, j}) {
				n++
			}
		}
	}
	return n
}

var corrections = []struct {
	name string
	text string
}{
	{"the key is state and effect", `
		decl g;
		void main() begin g := 0; foo(); g := 1; foo(); end
		void foo() begin
			if (*) then skip; else g := 0; fi
			assert(!g);
		end`},
	{"reads are passed on without an effect", `
		decl y;
		void main() begin
			if (*) then y := 0; foo(); else y := 1; foo(); fi
		end
		void foo() begin bar(); end
		void bar() begin assume(y); assert(0); end`},
	{"cells of the entry keep their identity", `
		class A { bool x; }
		ref A g1, g2;
		void main() begin
			ref A c;
			g1 := new A; g2 := new A; c := g1;
			M();
			assert(c = g1);
		end
		void M() begin
			if (*) then skip; g2 := null; else g1 := g2; g2 := null; fi
		end`},
	{"a callee's cells are the caller's by the address map", `
		class A { bool x; }
		ref A g1, g2;
		decl k;
		void main() begin
			ref A a, b;
			a := new A; b := new A; g1 := a; g2 := b; k := 0;
			foo();
			g1 := b; g2 := a; a.x := 1; k := 1;
			foo();
			b.x := 1;
			foo();
		end
		void foo() begin
			if (k) then skip; fi
			if (g2 = null) then skip; fi
			bar();
		end
		void bar() begin assert(!g1.x); end`},
	{"a caller resumes with its effect", `
		decl g, k;
		void main() begin g := 0; k := 1; foo(); assert(!g); end
		void foo() begin if (k) then g := 1; bar(); fi end
		void bar() begin skip; end`},
}

func TestCorrections(t *testing.T) {
	for _, c := range corrections {
		t.Run(c.name, func(t *testing.T) {
			g := parsed(t, c.text)
			for _, opts := range []Options{{}, {depthFirst: true}, {noMerge: true}, {depthFirst: true, noMerge: true}} {
				s, err := Solve(context.Background(), g, opts)
				if err != nil || failures(g, s) != 1 {
					t.Errorf("%+v: %d failures, %v; want 1", opts, failures(g, s), err)
				}
			}
		})
	}
}

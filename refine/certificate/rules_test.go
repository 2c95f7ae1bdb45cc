package certificate_test

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/refine/certificate"
)

// This file has a wrong certificate for each rule of the validation, which must be rejected. It is
// valid but for that one rule: a mutant in testdata/mutants that breaks the rule accepts it.

// claim is the part of a certificate about a procedure: its predicates, and the invariant of
// each node.
type claim struct {
	predicates string
	invariant  func(i int, n *core.Node) string
}

// always is the same invariant at each node.
func always(f string) func(int, *core.Node) string {
	return func(int, *core.Node) string { return f }
}

// after is f after the last node that has that text, and true before.
func after(p *core.Proc, text, f string) func(int, *core.Node) string {
	last := -1
	for i, n := range p.Nodes {
		if strings.Contains(n.Text, text) {
			last = i
		}
	}
	return func(i int, _ *core.Node) string {
		if last >= 0 && i > last {
			return f
		}
		return "true"
	}
}

// claims writes a certificate; of procedures that are not in the map it claims nothing.
func claims(prog *core.Program, globals string, procs map[string]claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(certificate 1\n(global %s)\n", globals)
	for _, p := range prog.Procs {
		if !p.HasBody() {
			continue
		}
		c, ok := procs[p.Name]
		if !ok {
			c.invariant = always("true")
		}
		fmt.Fprintf(&b, "(procedure %s %s\n", p.Name, c.predicates)
		for i, n := range p.Nodes {
			fmt.Fprintf(&b, "(node %d %s)\n", i, c.invariant(i, n))
		}
		b.WriteString(")\n")
	}
	return b.String() + ")\n"
}

func TestRules(t *testing.T) {
	const is = "(predicate %s (== (var %s) (const int32 %d)))"
	for _, c := range []struct {
		rule, text, why string
		proves          string // "" is everything
		globals         string
		procs           func(*core.Program) map[string]claim
	}{
		{
			rule: "entry of main", why: "main:0: the invariant does not hold when the program starts",
			text: `int main(int argc) { assert(argc == 1); return 0; }`,
			procs: func(*core.Program) map[string]claim {
				return map[string]claim{"main": {fmt.Sprintf(is, "p", "argc", 1), always("p")}}
			},
		},
		{
			rule: "entries of procedures", why: "the invariant of f:0 does not follow",
			text: `void f(int n) { assert(n == 0); } int main(void) { f(1); return 0; }`,
			procs: func(*core.Program) map[string]claim {
				return map[string]claim{"f": {fmt.Sprintf(is, "p", "n", 0), always("p")}}
			},
		},
		{
			rule: "error labels", why: "the error label is reached",
			text: `int main(void) { ERROR: return 0; }`,
		},
		{
			rule: "every property", why: "main:0: no certificate proves this property",
			text:   `int main(void) { assert(0); return 0; }`,
			proves: "(proves)",
		},
		{
			rule: "assertions", why: "the assertion fails",
			text: `int main(void) { assert(0); return 0; }`,
		},
		{
			rule: "calls change", why: "does not follow",
			text:    `int g; void f(void) { g = 1; } int main(void) { g = 0; f(); assert(g == 0); return 0; }`,
			globals: fmt.Sprintf(is, "g0", "g", 0),
			procs: func(p *core.Program) map[string]claim {
				return map[string]claim{"main": {"", after(p.Proc("main"), "g = 0", "g0")}}
			},
		},
		{
			rule: "entry before the call", why: "does not follow",
			text:    `int g; void f(void) { g = 1; } int main(void) { g = 0; f(); assert(0); return 0; }`,
			globals: fmt.Sprintf(is, "g0", "g", 0),
			procs: func(p *core.Program) map[string]claim {
				f := p.Proc("f")
				return map[string]claim{
					"main": {"", func(i int, n *core.Node) string {
						if i > 0 && strings.Contains(p.Proc("main").Nodes[i-1].Text, "g = 0") && strings.Contains(n.Text, "f()") {
							return "g0"
						}
						return after(p.Proc("main"), "f()", "false")(i, n)
					}},
					"f": {"", func(i int, n *core.Node) string {
						if i == f.Exit() {
							return "(and (not g0) (entry g0))"
						}
						return "(and g0 (entry g0))"
					}},
				}
			},
		},
		{
			rule: "result is stored", why: "does not follow",
			text: `int f(void) { return 5; } int main(void) { int y; y = 1; y = f(); assert(y == 1); return 0; }`,
			procs: func(p *core.Program) map[string]claim {
				return map[string]claim{"main": {fmt.Sprintf(is, "p", "y", 1), after(p.Proc("main"), "y = 1", "p")}}
			},
		},
		{
			rule: "what is passed", why: "the invariant of f:0 does not follow",
			text: `
				struct s { int x; };
				struct s a, b;
				void f(struct s *u, struct s *w) { if (u == w) assert(0); }
				void pass(struct s *p, struct s *q) { f(p, q); }
				int main(void) {
					struct s *p = 0, *q = 0;
					if (__VERIFIER_nondet_int()) p = &a;
					if (__VERIFIER_nondet_int()) q = &b;
					a.x = 1;
					b.x = 0;
					pass(p, q);
					a.x = 0;
					b.x = 1;
					f(&b, &a);
					return 0;
				}`,
			globals: `
				(predicate ga (== (mem int32 (offset (address ptr64 a) 0 x)) (const int32 1)))
				(predicate gb (== (mem int32 (offset (address ptr64 b) 0 x)) (const int32 1)))`,
			procs: func(p *core.Program) map[string]claim {
				main := p.Proc("main")
				first := after(main, "b.x = 0", "(and ga (not gb))")
				second := after(main, "b.x = 1", "(and (not ga) gb)")
				changed := after(main, "a.x = 0", "(not ga)")
				started := after(main, "a.x = 1", "ga")
				return map[string]claim{
					"f": {`
						(predicate pu (== (mem int32 (offset (var u) 0 x)) (const int32 1)))
						(predicate pw (== (mem int32 (offset (var w) 0 x)) (const int32 1)))`,
						func(i int, n *core.Node) string {
							if _, fails := n.Stmt.(*core.Assert); fails {
								return "false"
							}
							return "(and (iff ga (entry ga)) (iff gb (entry gb)) pu (not pw))"
						}},
					"pass": {"", always("(and ga (not gb))")},
					"main": {"", func(i int, n *core.Node) string {
						for _, at := range []func(int, *core.Node) string{second, changed, first, started} {
							if f := at(i, n); f != "true" {
								return f
							}
						}
						return "true"
					}},
				}
			},
		},
		{
			rule: "lengths of arrays", why: "does not say that &a has 1 elements",
			text: `
				int a[10];
				int main(void) {
					int i = __VERIFIER_nondet_int();
					if (i < 0 || i >= 10) return 0;
					a[i] = 0;
					a[5] = 1;
					assert(a[i] == 0);
					return 0;
				}`,
			procs: func(p *core.Program) map[string]claim {
				place := "(predicate p (== (mem int32 (index (address ptr64 a) (var i) 4 1)) (const int32 0)))"
				main := p.Proc("main")
				from, to := -1, -1
				for i, n := range main.Nodes {
					if strings.Contains(n.Text, "a[i] = 0") {
						from = i
					}
					if _, ok := n.Stmt.(*core.Assert); ok {
						to = i
					}
				}
				return map[string]claim{"main": {place, func(i int, n *core.Node) string {
					if from < i && i <= to {
						return "p"
					}
					return "true"
				}}}
			},
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var procs map[string]claim
			if c.procs != nil {
				procs = c.procs(loaded(t, c.text))
			}
			cert := strings.Replace(claims(loaded(t, c.text), c.globals, procs), "(certificate 1", "(certificate 1 "+c.proves, 1)
			r := validate(t, cert, c.text, options)
			if r.Verdict != certificate.Rejected || !strings.Contains(r.Summary(), c.why) {
				t.Errorf("%s, want %q\n%s", r.Summary(), c.why, cert)
			}
		})
	}
}

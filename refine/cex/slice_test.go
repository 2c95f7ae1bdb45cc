package cex_test

import (
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
	"c2bp/source"
)

// straight returns the path of a program to its assertion that takes a branch only if it has come to it before.
func straight(t *testing.T, prog *core.Program) *cex.Path {
	p := &cex.Path{Fails: true}
	f := cex.NewFrame(0, prog.Entry, nil, -1)
	ids, node := 1, 0
	seen := map[*core.Node]bool{}
	for len(p.Steps) < 1000 {
		n := f.Proc.Nodes[node]
		s := cex.Step{Frame: f, Node: node}
		i := len(p.Steps)
		switch st := n.Stmt.(type) {
		case *core.Assert:
			p.Steps = append(p.Steps, s)
			return p
		case *core.Call:
			if st.Callee.HasBody() {
				s.Enter = cex.NewFrame(ids, st.Callee, f, i)
				p.Steps = append(p.Steps, s)
				f, node, ids = s.Enter, 0, ids+1
				continue
			}
		}
		p.Steps = append(p.Steps, s)
		if node == f.Proc.Exit() {
			f.Return = i
			node = f.Caller.Proc.Nodes[p.Steps[f.Call].Node].Succ[0]
			f = f.Caller
			continue
		}
		// Of a branch, the condition that does not hold, and then the one that does.
		if node = n.Succ[len(n.Succ)-1]; seen[n] {
			node = n.Succ[0]
		}
		seen[n] = true
	}
	t.Fatal("no assertion")
	return nil
}

// TestIrrelevant: each branch says whether the assertion depends on it.
func TestIrrelevant(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"branches of a function", `
int main(void) {
	int n = get(), m = get();
	if (on) b = 2;            // matters: it might write b
	while (n) n--;            // aside
	if (get()) return 0;      // matters: it might return
	if (n) { a = 2; c = 1; }  // aside
	m = c;                    // (c does not matter, but n would if it did)
	__VERIFIER_assert(b == 1);
	return m;
}`},
		{"what values depend on", `
int main(void) {
	int n = get(), m = get();
	if (on) n = 2;            // matters: b is n
	if (n) m = 2;             // matters: the branch on m does
	b = n;
	if (m) b = 3;             // matters
	if (n) m = 3;             // aside: m is not read any more
	__VERIFIER_assert(b == 1);
	return m;
}`},
		{"what is set anew", `
int main(void) {
	int n = get();
	if (on) n = 2;            // aside
	n = get();
	if (n) b = 3;             // matters
	__VERIFIER_assert(b == 1);
	return 0;
}`},
		{"calls", `
static void other(void) {
	if (get()) a = 1;         // aside, aside
	if (on) return;           // aside, aside
	__VERIFIER_assume(a != 2);
}
static void deeper(int n) {
	if (n) b = 2;             // matters
}
static int set(int n) {
	if (get()) a = 1;         // aside
	if (get()) n = 1;         // matters: it is given on
	deeper(n);
	if (get()) n = 2;         // matters: the result is used
	return n;
}
int main(void) {
	int n = get(), m = get();
	if (on) n = 3;            // matters: it is given
	if (on) m = 3;            // aside
	if (set(n)) b = 3;        // matters
	other();
	if (on) n = 4;            // aside
	if (get()) deeper(n);     // matters: the callee might write b
	if (get()) m = 4;         // aside: whether this is called does not matter
	else other();
	__VERIFIER_assert(b == 1);
	return m + n;
}`},
		{"memory", `
struct s { int x, y; struct s *next; };
extern struct s *find(void);
int main(void) {
	struct s *p = find(), *q = find(), *r = find();
	if (on) q = p;            // matters: the write to q->y does
	if (get()) r = p;         // aside
	if (get()) r->x = 1;      // aside: another member
	q->y = 2;
	if (get()) p = p->next;   // matters
	__VERIFIER_assert(p->y == 1);
	return 0;
}`},
		{"variables in memory", `
static void set(int *p, int n) {
	if (n) *p = 1;            // matters
}
int main(void) {
	int n = get(), m = get();
	if (on) set(&n, m);       // matters: it might write n
	if (get()) set(&m, n);    // matters: it is the same function
	set(&n, m);
	__VERIFIER_assert(n == 1);
	return m;
}`},
		{"failures", `
int main(void) {
	int n = get();
	if (n) __VERIFIER_assert(0);   // matters: it would fail before
	if (get()) a = 1;         // aside
	__VERIFIER_assert(b == 1);
	return 0;
}`},
		{"a failure in a call", `
static void check(int n) {
	if (n) a = 1;             // aside
	if (on) return;           // matters
	__VERIFIER_assert(b == n);
}
int main(void) {
	int n = get();
	if (on) a = 2;            // aside
	if (get()) n = 2;         // matters
	if (get()) check(n);      // aside: the path calls it later
	check(n);
	return 0;
}`},
		{"rounds of a loop", `
static void handle(void) {
	if (get()) a = 1;         // aside
	if (get()) a = 3;         // aside
}
int main(void) {
	for (;;) {
		if (on) a = 2;        // aside, aside
		if (get()) handle();  // aside, aside
		if (on) b = 2;        // aside, matters: it writes b, whatever that was
		if (c) {              // aside, matters: the path fails in it
			if (get()) a = 2; // aside
			__VERIFIER_assert(b == 1);
		}
		if (get()) break;     // matters: it might leave the loop
	}
	return 0;
}`},
		{"assumptions", `
int main(void) {
	int n = get(), m = get();
	if (on) n = 1;            // matters: what is assumed of b depends on it
	if (get()) m = 1;         // aside: nothing else depends on m
	__VERIFIER_assume(b == n);
	__VERIFIER_assume(m == 3);
	__VERIFIER_assert(b == 1);
	return 0;
}`},
	} {
		head := "extern int get(void), on;\nint a, b, c;\nextern void __VERIFIER_assume(int);\n"
		text := head + c.text
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		facts := cex.NewFacts(u.Program, alias.Analyze(u.Program), technique.Set{})
		p := straight(t, u.Program)
		aside := facts.Irrelevant(p)
		// The branches of the path by line.
		got := map[int]string{}
		for i, s := range p.Steps {
			if _, ok := s.Stmt().(*core.Branch); ok {
				says := "matters"
				if aside[i+1] {
					says = "aside"
				}
				if line := s.CoreNode().Pos.Line; got[line] == "" {
					got[line] = says
				} else {
					got[line] += ", " + says
				}
			}
		}
		for i, line := range strings.Split(text, "\n") {
			_, says, ok := strings.Cut(line, "// ")
			want, _, _ := strings.Cut(says, ":")
			if want = strings.TrimSpace(want); !ok || strings.HasPrefix(want, "(") {
				continue
			}
			if got[i+1] != want {
				t.Errorf("%s: %s: it is %q", c.name, strings.TrimSpace(line), got[i+1])
			}
			delete(got, i+1)
		}
		if len(got) > 0 {
			t.Errorf("%s: branches at other lines: %v", c.name, got)
		}
	}
}

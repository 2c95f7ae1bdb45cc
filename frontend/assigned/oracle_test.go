package assigned

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the checks with runs in the interpreter, of which is written down what each activation has set.

// program returns a random C program about variables that are set on some ways.
func program(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("extern int any(void);\nstatic int twice(int n) { int r; if (any()) r = 2 * n; else if (any()) r = n; return r; }\nint main(void)\n{\n\tint a, b, c, i, *p, x;\n\tlong l;\n")
	names := []string{"a", "b", "c", "l"}
	name := func() string { return names[rng.IntN(len(names))] }
	labels := 0
	var block func(depth int)
	block = func(depth int) {
		if depth > 0 && rng.IntN(3) == 0 {
			fmt.Fprintf(&b, "int a;\n")
		}
		for range 2 + rng.IntN(4) {
			switch rng.IntN(13) {
			case 0, 1, 2:
				fmt.Fprintf(&b, "%s = any() & 7;\n", name())
			case 3:
				fmt.Fprintf(&b, "%s = %s;\n", name(), name())
			case 4:
				fmt.Fprintf(&b, "%s += 1;\n", name())
			case 5:
				fmt.Fprintf(&b, "%s = twice(%s & 3);\n", name(), name())
			case 6:
				fmt.Fprintf(&b, "p = &x;\n")
			case 7:
				fmt.Fprintf(&b, "if (any()) *p = %s;\n", name())
			case 8:
				labels++
				fmt.Fprintf(&b, "if (any()) goto l%d;\n%s = 1;\nl%d: ;\n", labels, name(), labels)
			case 9:
				fmt.Fprintf(&b, "if (%s > 3) %s = 2;\n", name(), name())
			default:
				if depth < 3 {
					b.WriteString([]string{"if (any()) {\n", "for (i = 0; i < 2; i++) {\n", "while (any()) {\n", "switch (any()) { case 1: ; a = 1; break; case 2:;\n"}[rng.IntN(4)])
					block(depth + 1)
					b.WriteString("}\n")
				}
			}
		}
	}
	block(0)
	b.WriteString("\treturn 0;\n}\n")
	return b.String()
}

// random makes random choices, and leaves the variables of checks at 0.
type random struct{ *interp.Random }

func (r random) Value(q interp.Request) *big.Int {
	if q.Why == interp.InitLocal { // nothing is asked of the generator, which both runs have
		return new(big.Int)
	}
	return r.Random.Value(q)
}

// history is what the activations of a run have set.
type history struct {
	set   []map[*core.Var]bool // by depth
	wrong []string             // the variables that the first such node reads although they were not set
}

// step writes down node n, which f executes next.
func (h *history) step(f *interp.Frame, n *core.Node) {
	for len(h.set) <= f.Depth() {
		h.set = append(h.set, map[*core.Var]bool{})
	}
	h.set = h.set[:f.Depth()+1]
	now := h.set[f.Depth()]
	// 1. Everything that is evaluated.
	read := func(e core.Expr) {
		core.WalkVars(e, func(v *core.Var) {
			if v.Kind == core.Local && v.Proc == f.Proc() && !v.InMemory() && v.Name != `\result` && !now[v] {
				h.wrong = append(h.wrong, v.Name)
			}
		})
	}
	switch s := n.Stmt.(type) {
	case *core.Assume:
		read(s.Cond)
	case *core.Assign:
		for _, e := range s.Rhs {
			read(e)
		}
		for _, l := range s.Lhs {
			if m, ok := l.(*core.Mem); ok {
				read(m.Addr)
			}
		}
	case *core.Call:
		for _, e := range s.Args {
			read(e)
		}
	}
	// 2. What is stored.
	h2, begins := n.Stmt.(*core.Havoc)
	for _, l := range core.Destinations(n.Stmt) {
		if v, ok := l.(*core.VarRef); ok {
			now[v.Var] = !(begins && h2.Begin)
		}
	}
}

// TestOracle: the check fails at the variable that the run reads first although nothing has set it.
func TestOracle(t *testing.T) {
	t.Parallel()
	failed, finished := 0, 0
	for seed := range testkit.Count(uint64(60), 20_000) {
		text := program(rand.New(rand.NewPCG(seed, 5)))
		load := func(s checks.Set) *core.Program {
			u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Checks: checks.Of(checks.Uninitialised)})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			if err := Check(u.Program, s); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			return u.Program
		}
		plain, checked := load(0), load(checks.Of(checks.Uninitialised))
		for k := range uint64(8) {
			// 1. Without checks.
			m := interp.New(plain, random{interp.NewRandom(plain, k)}, interp.Options{})
			var h history
			done := false
			for steps := 0; steps < 500 && h.wrong == nil && !done; steps++ {
				f := m.Top()
				h.step(f, f.Proc().Nodes[f.Node()])
				if h.wrong != nil {
					break
				}
				event, err := m.Step()
				done = err != nil || event.Kind.Final()
			}
			if h.wrong == nil && !done {
				continue // a long loop
			}
			// 2. With them.
			m = interp.New(checked, random{interp.NewRandom(plain, k)}, interp.Options{})
			found := ""
			for done := false; !done; {
				f := m.Top()
				n := f.Proc().Nodes[f.Node()]
				event, err := m.Step()
				if done = err != nil || event.Kind.Final(); event.Kind == interp.Failed {
					found = n.Stmt.(*core.Assert).Check.Text
				}
			}
			if (found != "") != (h.wrong != nil) || found != "" && !slices.Contains(h.wrong, found) {
				t.Fatalf("seed %d, run %d: found %q, want %q\n%s%s", seed, k, found, h.wrong, text, checked)
			}
			if finished++; found != "" {
				failed++
			}
		}
	}
	t.Logf("%d runs, %d read what was not set", finished, failed)
	if failed < 50 || finished-failed < 10 {
		t.Error("too few of one sort")
	}
}

// TestLedger: memory is not covered.
func TestLedger(t *testing.T) {
	for text, want := range map[string]bool{
		"int main(void) { int x = 1; return x; }":                      false,
		"int main(void) { int x; int *p = &x; *p = 1; return *p; }":    true,
		"int main(void) { struct { int n; } s; s.n = 1; return s.n; }": true,
	} {
		u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Checks: checks.Of(checks.Uninitialised)})
		if err == nil {
			err = Check(u.Program, checks.All)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(u.Program.Ledger, "\n"), inMemory); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

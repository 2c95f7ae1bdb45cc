package abstract

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// This file simulates programs in which most pointers may be null: random procedures pass
// pointers on and compare them, and follow them where they have looked. What a predicate
// says of the place of a null pointer is nothing that C knows of, but all procedures must
// agree on it.

// nulls writes a program.
type nulls struct {
	rng *rand.Rand
	b   strings.Builder
}

func (g *nulls) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

// pointer is an expression; in a procedure the formals u and w are in scope.
func (g *nulls) pointer() string { return g.pick("u", "w", "u", "w", "gp", "&a", "&b", "0") }

// place is where a pointer may be stored.
func (g *nulls) place() string { return g.pick("u", "w", "gp") }

func (g *nulls) statement(callees []string) {
	p, n := g.place(), g.rng.IntN(2)
	switch g.rng.IntN(7) {
	case 0:
		fmt.Fprintf(&g.b, "\t%s = %s;\n", p, g.pointer())
	case 1:
		fmt.Fprintf(&g.b, "\tif (%s) %s->x = %d;\n", p, p, n)
	case 2:
		fmt.Fprintf(&g.b, "\tif (%s && %s->x == %d) gx = %d;\n", p, p, n, g.rng.IntN(2))
	case 3:
		fmt.Fprintf(&g.b, "\tif (%s == %s) gx = %d;\n", g.place(), g.place(), n)
	case 4:
		fmt.Fprintf(&g.b, "\t%s.x = %d;\n", g.pick("a", "b"), n)
	default:
		if len(callees) > 0 {
			fmt.Fprintf(&g.b, "\t%s(%s, %s);\n", g.pick(callees...), g.pointer(), g.pointer())
		}
	}
}

// program makes a program, in which a procedure calls those in front of it, and predicates.
func (g *nulls) program() (text, preds string) {
	g.b.WriteString("struct s { int pad, x; };\nstatic struct s a, b, *gp;\nstatic int gx;\n")
	scopes := []string{"a.x == 1, b.x == 1, gx == 1, gp == &a"}
	names := []string{"global"}
	var callees []string
	for i := range 3 {
		name := fmt.Sprintf("f%d", i)
		fmt.Fprintf(&g.b, "static void %s(struct s *u, struct s *w)\n{\n", name)
		for range 1 + g.rng.IntN(4) {
			g.statement(callees)
		}
		g.b.WriteString("}\n")
		callees = append(callees, name)
		names = append(names, name)
		var scope []string
		for _, p := range []string{"u->x == 1", "w->x == 1", "u == w", "u == &a", "w == 0"} {
			if g.rng.IntN(4) > 0 {
				scope = append(scope, p)
			}
		}
		scopes = append(scopes, strings.Join(scope, ", "))
	}
	g.b.WriteString("int main(void)\n{\n\tstruct s *u = 0, *w = 0;\n\tb.x = 1;\n")
	fmt.Fprintf(&g.b, "\tif (__VERIFIER_nondet_int()) u = &%s;\n\tif (__VERIFIER_nondet_int()) w = &%s;\n", g.pick("a", "b"), g.pick("a", "b"))
	for range 5 {
		g.statement(callees)
	}
	g.b.WriteString("\treturn 0;\n}\n")
	for i, n := range names {
		if scopes[i] != "" {
			preds += n + ":\n\t" + scopes[i] + "\n"
		}
	}
	return g.b.String(), preds
}

// simulateNulls simulates runs of programs until a violation.
func simulateNulls(t *testing.T, programs uint64, opts Options) (runs int, err error) {
	for seed := range programs {
		g := &nulls{rng: rand.New(rand.NewPCG(seed, 5))}
		text, preds := g.program()
		prog, list := loadWith(t, text, preds, frontend.Options{Whole: true})
		s, err := newSimulation(prog, list, opts)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for r := range uint64(20) {
			switch _, err := s.run(r, 200); {
			case errors.Is(err, errDiscarded):
			case err != nil:
				return runs, fmt.Errorf("program %d, run %d: %w\n%s%s", seed, r, err, text, preds)
			default:
				runs++
			}
		}
	}
	return runs, nil
}

// TestNullPointers: the abstraction simulates them.
func TestNullPointers(t *testing.T) {
	programs := testkit.Count[uint64](60, 3000)
	runs, err := simulateNulls(t, programs, Options{Jobs: 1, MaxExact: campaignExact})
	if err != nil || runs < int(programs)*15 {
		t.Errorf("%d runs: %v", runs, err)
	}
}

// TestNowhere: a pointer that is always null is followed in a branch that is never taken; what that says
// of the places of another pointer must not be believed elsewhere. (q->v = 1 was taken for a write to
// another place than q->v, and the assertion for proved.)
func TestNowhere(t *testing.T) {
	const text = `#include <stdlib.h>
#include <assert.h>
struct node { int v; };
struct box { struct node *first; };
extern void give(struct node *);
int main(void)
{
	struct box *d = 0;
	struct node *q = malloc(sizeof *q);
	if (!q) return 0;
	give(q);
	q->v = 0;
	if (d) d->first = q;
	q->v = 1;
	assert(q->v == 0);
	return 0;
}
`
	prog, preds := loadWith(t, text, "main:\n q->v == 0, d->first->v == 0", frontend.Options{})
	r, err := Program(t.Context(), prog, preds, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	v, err := checker.Check(t.Context(), r.Program, checker.Options{})
	if err != nil || v.Verdict != verdict.False {
		t.Errorf("%v, %v\n%s", v.Verdict, err, r.Program)
	}
}

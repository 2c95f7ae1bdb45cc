package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/source"
	"c2bp/verdict"
)

// This file compares the watch of a rule with a ghost field in each object: random programs with three to six
// locks are written twice, once with functions take and give of which only the rule knows anything, and once
// with functions that keep the state of the lock in a member of it and assert there. The second is audited
// without references and with them, where the state is a predicate of the object. None of the three may
// contradict another.

const ghostRule = `rule lock "taken and released alternately"
object l : struct lock *
state { enum { free, held } s = free; }
on take(l).exit  { if (s == held) abort "double-lock: taken twice"; s = held; }
on give(l).entry { if (s == free) abort "double-unlock: released, but not held"; s = free; }
`

const (
	observed = "extern void take(struct lock *l), give(struct lock *l);\n"
	ghostly  = `extern void reach_error(void);
static void take(struct lock *l) { if (l->s) reach_error(); l->s = 1; }
static void give(struct lock *l) { if (!l->s) reach_error(); l->s = 0; }
`
)

// locksWriter writes a random program with locks.
type locksWriter struct {
	*rand.Rand
	strings.Builder
	places []string // expressions for locks
	depth  int
}

// pick returns one of list.
func (w *locksWriter) pick(list []string) string { return list[w.IntN(len(list))] }

// statements writes n statements, mostly pairs of events that a lock allows.
func (w *locksWriter) statements(n int) {
	for range n {
		l := w.pick(w.places)
		switch k := w.IntN(17); {
		case k < 4:
			fmt.Fprintf(w, "take(%s);\ngive(%s);\n", l, l)
		case k == 4:
			fmt.Fprintf(w, "section(%s, %s);\n", l, w.pick(w.places))
		case k == 5:
			fmt.Fprintf(w, "p = %s;\ntake(p);\ngive(%s);\n", l, l)
		case k == 6:
			fmt.Fprintf(w, "%s = %s;\n", w.pick([]string{"p", "q"}), l)
		case k == 7:
			fmt.Fprintf(w, "x = __VERIFIER_nondet_int();\n")
		case k > 13:
			fmt.Fprintf(w, "%s(%s);\n", w.pick([]string{"take", "give"}), l)
		case k == 9:
			fmt.Fprintf(w, "if (p != q) { take(p); take(q); give(p); give(q); }\n")
		case k == 10:
			fmt.Fprintf(w, "swap = d->in; d->in = e->in; e->in = swap;\n")
		case k == 11:
			fmt.Fprintf(w, "if (x) take(%s);\n%sif (x) give(%s);\n", l, w.pick([]string{"", "", "x = 1;\n"}), l)
		case k == 8:
			fmt.Fprintf(w, "take(%s);\nif (p == q) give(%s);\n", l, l)
		case w.depth < 2:
			w.depth++
			fmt.Fprintf(w, "%s (%s) {\n", w.pick([]string{"if", "while"}), w.pick([]string{"__VERIFIER_nondet_int()", "x == 0 && __VERIFIER_nondet_int()", "p == q && __VERIFIER_nondet_int()"}))
			w.statements(1 + w.IntN(2))
			w.WriteString("}\n")
			w.depth--
		}
	}
}

// locksProgram writes a program with three to six locks in variables, a table, devices and on the heap; the
// functions are those of events.
func locksProgram(seed uint64, events string) string {
	w := &locksWriter{Rand: rand.New(rand.NewPCG(seed, 21))}
	w.WriteString("extern void *malloc(unsigned long);\nextern void free(void *);\nextern int __VERIFIER_nondet_int(void);\n" +
		"struct lock { int s; };\nstruct dev { int n; struct lock own; struct lock *in; };\n" + events +
		"static struct lock a, tab[2];\nstatic struct dev one, two;\n" +
		"static void section(struct lock *l, struct lock *m)\n{\ntake(l);\nif (l != m) { take(m); give(m); }\ngive(l);\n}\n" +
		"int main(void)\n{\nstruct lock *p = &a, *q = &a, *h = 0, *swap;\nstruct dev *d = &one, *e = &one;\nint x = 0;\none.in = &a;\n")
	// 1. Three locks at least: a, and two of the others.
	w.places = []string{"&a", "p", "q"}
	more := [][2]string{
		{"tab[0].s = 0;\nq = &tab[0];\n", "&tab[0]"},
		{"tab[1].s = 0;\np = &tab[__VERIFIER_nondet_int() ? 1 : 0];\n", "&tab[1]"},
		{"one.own.s = 0;\n", "&d->own"},
		{"two.own.s = 0;\ne = &two;\ntwo.in = &two.own;\n", "&e->own"},
		{"h = malloc(sizeof *h);\nif (!h) return 0;\nh->s = 0;\ntwo.in = h;\ne = &two;\n", "h"},
	}
	w.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
	for _, m := range more[:2+w.IntN(4)] {
		w.WriteString(m[0])
		w.places = append(w.places, m[1])
	}
	w.WriteString("if (!e->in) e->in = &a;\nsection(d->in, e->in);\n")
	w.places = append(w.places, "d->in", "e->in")
	if w.IntN(3) == 0 {
		w.WriteString("if (__VERIFIER_nondet_int()) { d = e; }\n")
	}
	// 2. The statements.
	w.statements(2 + w.IntN(4))
	w.WriteString("return 0;\n}\n")
	return w.String()
}

// TestGhostFields: a rule by watch, and the same as ghost fields without and with references, are decided alike.
func TestGhostFields(t *testing.T) {
	set, err := syntax.Load(source.NewFile("lock.slic", []byte(ghostRule)), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, manner := context.Background(), []string{"watch", "ghost", "references"}
	options := refine.Options{Iterations: 25, Queries: 4000, Checker: checker.Options{StateLimit: 20_000}}
	tally := map[string]int{}
	n := testkit.Count[uint64](4, 300)
	for seed := range n {
		var got []verdict.Verdict
		files := []*source.File{source.NewFile("in.c", []byte(locksProgram(seed, observed)))}
		r, err := Audit(ctx, files, []*syntax.Set{set}, Options{Frontend: frontend.Options{Extern: core.ExternPure}, Refine: options})
		if err != nil {
			t.Fatalf("program %d: %v", seed, err)
		}
		got = append(got, r.Verdict)
		for _, refs := range []refine.Refs{refine.RefsNever, refine.RefsAlways} {
			text := locksProgram(seed, ghostly)
			u, err := frontend.Load(ctx, []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
			if err != nil {
				t.Fatalf("program %d: %v\n%s", seed, err, text)
			}
			options := options
			options.Refs = refs
			o, err := refine.Audit(ctx, u.Program, options)
			if err != nil {
				t.Fatalf("program %d: %v", seed, err)
			}
			got = append(got, o.Result.Verdict)
		}
		for i, v := range got {
			tally[fmt.Sprint(manner[i], " ", v)]++
		}
		if slices.Contains(got, verdict.True) && slices.Contains(got, verdict.False) {
			t.Errorf("program %d: %v: %v\n%s", seed, manner, got, locksProgram(seed, observed))
		}
	}
	t.Log(tally)
	for i, m := range manner {
		least := []int{3, 2, 3}[i] * int(n) / 4
		if decided := tally[m+" TRUE"] + tally[m+" FALSE"]; decided < least || tally[m+" TRUE"] < int(n)/8 || tally[m+" FALSE"] < int(n)/8 {
			t.Errorf("by %s too few programs are decided: %v", m, tally)
		}
	}
}

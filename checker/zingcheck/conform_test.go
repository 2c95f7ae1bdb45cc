package zingcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/checker/conform"
	"c2bp/checker/interleave"
	"c2bp/frontend/zing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
	"c2bp/verdict"
)

// one returns a model with one process.
func one(body string) string {
	return "chan C int; class A { static C c = new C; static int g; static bool k; static bool ok() { return true; } activate static void a() { int v; bool b; " + body + " } };"
}

// compare compares two models that are given as texts.
func compare(t *testing.T, impl, spec string, opts CompareOptions) *Comparison {
	t.Helper()
	list := []*zing.Program{}
	for i, text := range []string{impl, spec} {
		p, err := zingtest.Load([]string{"i.zing", "s.zing"}[i], text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		list = append(list, p)
	}
	return Compare(t.Context(), list[0], list[1], opts)
}

// TestCompare: what events, choices, waits, assumptions and failures mean for conformance.
func TestCompare(t *testing.T) {
	const a, b, c = "event(1, 1, true);", "event(2, 2, true);", "event(3, 3, false);"
	const external = "select visible { event(1, 1, true) -> ; event(2, 2, true) -> ; }"
	const internal = "b = choose(bool); if (b) " + a + " else " + b
	for _, x := range []struct{ name, impl, spec, want string }{
		{"the same", one(a + b), one(a + b), "TRUE"},
		{"hidden steps are free", one("g = 1;" + a + "g = 2;" + b), one(a + b), "TRUE"},
		{"another message", one("event(1, 2, true);"), one(a), "FALSE (unspecified event(1, 2, true), i.zing:1)"},
		{"another direction", one("event(1, 1, false);"), one(a), "FALSE (unspecified event(1, 1, false), i.zing:1)"},
		{"values of arguments", one("g = 4; event(g - 3, g / 4, g == 4);"), one(a), "TRUE"},
		{"it stops early", one(a), one(a + b), "FALSE (deadlock, i.zing:1)"},
		{"it waits forever", one(a + "select { receive(c, v) -> ; }" + b), one(a + b), "FALSE (deadlock, i.zing:1)"},
		{"less choice of its own", one(a), one(internal), "TRUE"},
		{"it takes a choice away", one(a), one(external), "FALSE (refusal, i.zing:1)"},
		{"it chooses itself", one(internal), one(external), "FALSE (refusal, i.zing:1)"},
		{"it leaves the choice", one(external), one(internal), "TRUE"},
		{"after a timeout", one(b), one("select visible { event(1, 1, true) -> ; timeout -> " + b + " }"), "TRUE"},
		{"before a timeout nothing is stable", one(external), one("select visible { event(1, 1, true) -> ; timeout -> " + b + " }"), "FALSE (refusal, i.zing:1)"},
		{"early choice", one(a + external), one("b = choose(bool); if (b) {" + a + b + "} else {" + a + a + "}"), "FALSE (unspecified behaviour after event(1, 1, true), i.zing:1)"},
		{"early choice beside a transition with several events", one("g = 1; atomic {" + a + b + c + "}"), one("b = choose(bool); if (b) {" + a + a + "} else {" + a + c + "}"), "FALSE (unspecified behaviour after event(1, 1, true), i.zing:1)"},
		{"several events in a transition", one("atomic {" + a + b + c + "}"), one(a + b + c), "TRUE"},
		{"in another order", one("atomic {" + a + c + b + "}"), one(a + b + c), "FALSE (unspecified event(3, 3, false), i.zing:1)"},
		{"of the specification", one(a + "g = 1;" + b), one("atomic {" + a + b + "}"), "TRUE"},
		{"a state in the middle is ready for one", one("b = choose(bool); if (b) atomic {" + a + b + "} else atomic {" + a + c + "}"), one(a + "select visible { event(2, 2, true) -> ; event(3, 3, false) -> ; }"), "FALSE (refusal, i.zing:1)"},
		{"divergence of the implementation", one(a + "while (true) ;"), one(a + b), "TRUE"},
		{"divergence of the specification", one(a), one(a + "while (true) ;"), "FALSE (deadlock, i.zing:1)"},
		{"an end state is like any other", one(a + "select end { receive(c, v) -> ; }"), one(a), "TRUE"},
		{"an assumption drops the run", one("b = choose(bool); assume(b);" + a), one(a), "TRUE"},
		{"and is no way to stop", one(a + "assume(k);"), one(a + b), "TRUE"},
		{"a specification that is dropped never stops", one(a), one(a + "assume(k);"), "FALSE (deadlock, i.zing:1)"},
		{"a select that is not visible", one("select { event(1, 1, true) && wait(true) -> ; }" + b), one(b), "TRUE"},
		{"a failing implementation", one(a + "assert(k);"), one(a), "UNKNOWN (a step of the implementation fails: assertion, i.zing:1)"},
		{"that does not conform either", one(b + "assert(k);"), one(a), "FALSE (unspecified event(2, 2, true), i.zing:1)"},
		{"a failing specification", one(b), one("c = null; send(c, 1);" + a), "UNKNOWN (a step of the specification fails: null dereference, s.zing:1)"},
		{"an initialiser that fails", "class A { static int z; static int x = 1 / z; activate static void a() { event(1, 1, true); } };", one(a), "UNKNOWN (a step of the implementation fails: division by zero, i.zing:1)"},
		{"no events", one("g = 1;"), one(";"), "UNKNOWN (vacuous: neither model has an event)"},
		{"no events, and no stable state", one(";"), one("while (true) ;"), "FALSE (deadlock, i.zing:1)"},
		{"no process", "class A { static void f() { event(1, 1, true); } };", one(";"), "UNKNOWN (vacuous: no method of the implementation is activate, so no process runs)"},
		{"no process of the specification", one("assume(false);" + a), "class A { };", "UNKNOWN (vacuous: no method of the specification is activate, so no process runs)"},
		{"two processes", "class A { activate static void a() {" + a + "} activate static void b() {" + b + "} };", one("select visible { event(1, 1, true) -> " + b + " event(2, 2, true) -> " + a + " }"), "TRUE"},
	} {
		t.Run(x.name, func(t *testing.T) {
			got := compare(t, x.impl, x.spec, CompareOptions{})
			if got.Result.Summary() != x.want {
				t.Errorf("%s, want %s", got.Result.Summary(), x.want)
			}
			if (got.Result.Verdict == verdict.False) != (got.Length > 0) {
				t.Errorf("%s, and a run of %d states", got.Result.Summary(), got.Length)
			}
		})
	}
}

// TestDeterminized: a verdict that rests on sets of states says so, others do not.
func TestDeterminized(t *testing.T) {
	late := one("event(1, 1, true); select visible { event(1, 1, true) -> ; event(2, 2, true) -> ; }")
	early := one("b = choose(bool); event(1, 1, true); if (b) event(1, 1, true); else event(2, 2, true);")
	for _, c := range []struct {
		impl, spec  string
		determinize bool
		want        string
	}{
		{late, early, false, "FALSE (unspecified behaviour after event(1, 1, true), i.zing:1) []"},
		{late, early, true, "TRUE [determinized: what the specification can be in after the same events is compared as a set of states]"},
		{early, early, true, "TRUE []"},
		{late, late, true, "TRUE []"},
		{early, late, true, "FALSE (refusal, i.zing:1) []"},
	} {
		r := compare(t, c.impl, c.spec, CompareOptions{Determinize: c.determinize}).Result
		if got := fmt.Sprint(r.Summary(), " ", r.Ledger); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if r.Conformance.Coarser != (len(r.Ledger) > 0) {
			t.Errorf("%s: coarser %v, %v", r.Summary(), r.Conformance.Coarser, r.Ledger)
		}
	}
}

// TestCompareLimits: a limit leaves the verdict open, unless it was found before.
func TestCompareLimits(t *testing.T) {
	grows := one("while (g >= 0) { event(1, 1, true); g = g + 1; }")
	opts := CompareOptions{Options: Options{Options: interleave.Options{MaxStates: 20}}}
	if got := compare(t, grows, grows, opts).Result.Summary(); got != "UNKNOWN (limit of 20 states reached)" {
		t.Error(got)
	}
	if got := compare(t, grows, one("event(1, 1, true); event(2, 2, true);"), opts).Result.Summary(); !strings.HasPrefix(got, "FALSE") {
		t.Error(got)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	p, _ := zingtest.Load("m.zing", grows)
	if got := Compare(ctx, p, p, CompareOptions{}).Result.Summary(); got != "UNKNOWN (interrupted)" {
		t.Error(got)
	}
}

// steps is a system whose steps the interpreter has listed.
type steps [][]conform.Step

func (s steps) Initial() int                        { return 0 }
func (s steps) Steps(n int) ([]conform.Step, error) { return s[n], nil }

// interpreted returns a model as a system by the interpreter, and false if a step fails or a bound was reached.
func interpreted(p *zing.Program, events map[zingtest.Event]conform.Action) (steps, bool) {
	list, complete := zingtest.Labelled(p, zingtest.Options{States: 600, Blocks: 2000})
	if !complete {
		return nil, false
	}
	out := make(steps, len(list))
	for from, transitions := range list {
		for _, tr := range transitions {
			switch {
			case tr.Kind == zingtest.Assume:
				out[from] = append(out[from], conform.Step{Action: conform.Hidden, To: conform.Nowhere})
				continue
			case tr.Kind != "":
				return nil, false
			case len(tr.Events) == 0:
				out[from] = append(out[from], conform.Step{Action: conform.Hidden, To: tr.To})
			}
			// Each event but the last leads to a state of its own.
			at := from
			for i, e := range tr.Events {
				if events[e] == 0 {
					events[e] = conform.Action(len(events) + 1)
				}
				to := tr.To
				if i < len(tr.Events)-1 {
					to = len(out)
					out = append(out, nil)
				}
				out[at] = append(out[at], conform.Step{Action: events[e], To: to})
				at = to
			}
		}
	}
	return out, true
}

// eventful returns a random model with events; similar seeds give similar models.
func eventful(seed, variant uint64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	other := rand.New(rand.NewPCG(seed, 4+variant))
	var b strings.Builder
	b.WriteString("chan C int; class A { static int x; static bool k; static C c = new C;\n")
	for p := range 1 + r.IntN(2) {
		fmt.Fprintf(&b, "activate static void p%d() { int v; bool q;\n", p)
		for range 2 + r.IntN(3) {
			kind := r.IntN(8)
			// A few statements differ between variants.
			if other.IntN(6) == 0 {
				kind = other.IntN(8)
			}
			e := func() string { return fmt.Sprintf("event(%d, 0, true)", 1+r.IntN(2)) }
			b.WriteString([]string{e() + ";", "q = choose(bool); if (q) " + e() + "; else " + e() + ";", "select visible { " + e() + " -> ; " + e() + " -> x = 1; }",
				"send(c, 1);", "select { receive(c, v) -> " + e() + "; timeout -> ; }", "atomic { " + e() + "; " + e() + "; }",
				"select visible { wait(x == 0) && " + e() + " -> ; timeout -> ; }", "while (v < 1) { v = v + 1; " + e() + "; }"}[kind] + "\n")
		}
		b.WriteString("}\n")
	}
	b.WriteString("};")
	return b.String()
}

// TestCompareRandom compares random models, and gets the verdict that the steps of the interpreter give.
func TestCompareRandom(t *testing.T) {
	n := uint64(testkit.Count(150, 20000))
	count := map[string]int{}
	for seed := range n {
		impl, spec := eventful(seed, seed%3), eventful(seed, seed%2*2)
		determinize := seed%4 == 0
		events := map[zingtest.Event]conform.Action{}
		p, _ := zingtest.Load("i.zing", impl)
		q, _ := zingtest.Load("s.zing", spec)
		i, known := interpreted(p, events)
		s, also := interpreted(q, events)
		if !known || !also {
			continue
		}
		c := compare(t, impl, spec, CompareOptions{Determinize: determinize})
		r := conform.Check(t.Context(), i, s, conform.Options{Determinize: determinize})
		got := c.Result.Verdict == verdict.True
		if strings.Contains(c.Result.Reason, "vacuous") {
			continue
		}
		if got != r.Conforms || c.Result.Verdict == verdict.Unknown {
			t.Fatalf("seed %d: %s, want %v\n%s\n%s", seed, c.Result.Summary(), r.Conforms, impl, spec)
		}
		if got && c.Relation.Coarser != r.Coarser {
			t.Errorf("seed %d: coarser %v, want %v", seed, c.Relation.Coarser, r.Coarser)
		}
		count[c.Result.Verdict.String()]++
		// A model conforms to itself.
		if self := compare(t, impl, impl, CompareOptions{}); self.Result.Verdict != verdict.True && !strings.Contains(self.Result.Reason, "vacuous") {
			t.Fatalf("seed %d: a model to itself: %s\n%s", seed, self.Result.Summary(), impl)
		}
	}
	t.Logf("%v", count)
	if count["TRUE"] < int(n/20) || count["FALSE"] < int(n/20) {
		t.Errorf("%v", count)
	}
}

// TestConformDot: the run of the implementation, the specification, and what is missing are drawn.
func TestConformDot(t *testing.T) {
	var b bytes.Buffer
	c := compare(t, one("event(1, 1, true); event(2, 2, true);"), one("event(1, 1, true); g = 1; event(3, 3, true);"), CompareOptions{})
	if err := c.Dot(&b); err != nil {
		t.Fatal(err)
	}
	const want = `digraph conformance {
	rankdir=LR;
	compound=true;
	node [fontname=monospace, shape=circle];
	edge [fontname=monospace];
	subgraph cluster_i {
		label="implementation";
		i1 [peripheries=2, label="1"];
		i2 [peripheries=2, style=filled, label="2"];
		i3 [style=dotted, label="3"];
		i1 -> i2 [label="event(1, 1, true)"];
		i2 -> i3 [label="event(2, 2, true)"];
	}
	subgraph cluster_s {
		label="specification";
		s1 [peripheries=2, label="1"];
		s2 [style=filled, label="2"];
		s3 [peripheries=2, style=filled, label="3"];
		s4 [style=dotted, label="4"];
		s1 -> s2 [label="event(1, 1, true)"];
		s2 -> s3 [style=dashed];
		s3 -> s4 [label="event(3, 3, true)"];
	}
	why1 [shape=box, color=red, label="no event(2, 2, true)"];
	i2 -> why1 [color=red];
	why1 -> s2 [color=red, style=dashed, dir=none];
}
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

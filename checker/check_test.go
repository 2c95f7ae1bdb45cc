package checker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"c2bp/verdict"
)

func check(t *testing.T, text string, opts Options) *verdict.Result {
	t.Helper()
	r, err := Check(context.Background(), parse(t, "in.bp", text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestProperties(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       Options
		want       string
	}{
		{"assertion holds", "void main() begin assert(1); end", Options{}, "TRUE"},
		{"assertion fails", "void main() begin\nskip;\nassert(0); end", Options{}, "FALSE (assertion, in.bp:3)"},
		{"assertion may fail", "void main() begin assert(*); end", Options{}, "FALSE (assertion, in.bp:1)"},
		{"unreachable assertion", "void main() begin assume(0); assert(0); end", Options{}, "TRUE"},
		{"error label", "void main() begin f(); end void f() begin\nERROR: skip; end", Options{}, "FALSE (label ERROR, in.bp:2)"},
		{"SLIC's error label", "void main() begin SLIC_ERROR: skip; end", Options{}, "FALSE (label SLIC_ERROR, in.bp:1)"},
		{"error label in a procedure that is not called", "void main() begin skip; end void f() begin ERROR: skip; end", Options{}, "TRUE"},
		{"other error labels", "void main() begin ERROR: skip; BAD: skip; end", Options{ErrorLabels: []string{"BAD"}}, "FALSE (label BAD, in.bp:1)"},
		{"no error labels", "void main() begin ERROR: skip; end", Options{ErrorLabels: []string{}}, "UNKNOWN (vacuous: no assertion and no error label in the program)"},
		{"reach", "void main() begin assert(0); L: skip; end", Options{Reach: "L"}, "TRUE"},
		{"reach ignores assertions", "void main() begin assert(*); L: skip; end", Options{Reach: "L"}, "FALSE (label L, in.bp:1)"},
		{"vacuous", "void main() begin L: skip; end", Options{}, "UNKNOWN (vacuous: no assertion and no error label in the program)"},
		{"nearest first", "void main() begin skip; if (*) then assert(0); else skip; fi ERROR: skip; end", Options{}, "FALSE (assertion, in.bp:1)"},
		{"label of an assertion", "void main() begin ERROR: assert(1); end", Options{}, "FALSE (label ERROR, in.bp:1)"},
	} {
		if got := check(t, c.text, c.opts).Summary(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestUnknownLabel(t *testing.T) {
	for text, want := range map[string]string{
		"void main() begin A: skip; B: skip; end": `no label "L"; expected one of: A, B`,
		"void main() begin skip; end":             `no label "L": the program has no labels`,
	} {
		_, err := Check(context.Background(), parse(t, "in.bp", text), Options{Reach: "L"})
		var unknown *UnknownLabelError
		if !errors.As(err, &unknown) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

const annotated = `//@ assume signed overflow is absent
decl {x == 1};
void main() begin
    //@ main:1 lock.c:10:5 x = 1;
    {x == 1} := 1;
    //@ main:2 lock.c:11:5 assert(x != 1);
    //@ origin assert
    assert(!{x == 1});
end
`

// What a program says of the C text it was made from comes back in the result.
func TestAnnotations(t *testing.T) {
	r := check(t, annotated, Options{})
	if got := r.Summary(); got != "FALSE (assertion, lock.c:11)" {
		t.Error(got)
	}
	if len(r.Ledger) != 1 || r.Ledger[0] != "signed overflow is absent" {
		t.Errorf("ledger %q", r.Ledger)
	}
	if s := r.Sites[0]; s.Node != "main:2" || s.Text != "assert(x != 1);" || s.Pos.Col != 5 {
		t.Errorf("site %+v", s)
	}
	st := r.Trace.Steps
	if len(st) != 2 || st[0].Node != "main:1" || st[0].Text != "x = 1;" || st[0].Stmt != "{x == 1} := 1" ||
		st[0].Values[0] != (verdict.Value{Name: "{x == 1}", Val: "*"}) || st[1].Values[0].Val != "1" ||
		st[1].Origin != "assert" || st[1].Pos.File != "lock.c" {
		t.Errorf("trace %+v", st)
	}
}

// Annotations never change what is reachable.
func TestAnnotationsDoNotMatter(t *testing.T) {
	var plain []string
	for _, l := range strings.Split(annotated, "\n") {
		if !strings.Contains(l, "//@") {
			plain = append(plain, l)
		}
	}
	a, b := check(t, annotated, Options{}), check(t, strings.Join(plain, "\n"), Options{})
	if a.Verdict != b.Verdict || fmt.Sprint(a.Stats) != fmt.Sprint(b.Stats) {
		t.Errorf("%v %v with annotations, %v %v without", a.Verdict, a.Stats, b.Verdict, b.Stats)
	}
}

// Every failing site has a trace of its own, and those that hold have none.
func TestTraceToEverySite(t *testing.T) {
	text := "void main() begin decl a; assert(!a); assert(a | !a); assert(a); ERROR: assert(0); end"
	a, err := Analyse(context.Background(), parse(t, "in.bp", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"assert(!a)", "", "assert(a)", "", ""}
	for i, w := range want {
		tr, err := a.TraceTo(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if tr != nil {
			steps := tr.Steps()
			got = steps[len(steps)-1].Stmt
		}
		if got != w || a.Result.Sites[i].Failed != (w != "") {
			t.Errorf("site %d: trace to %q, want %q", i, got, w)
		}
	}
}

// No trace is sought to sites that are set aside; they fail all the same.
func TestAside(t *testing.T) {
	text := "void main() begin decl a; assert(!a); skip; assert(a); end"
	for aside, want := range map[int]string{-1: "0 traced", 0: "1 traced", 2: "0"} {
		a, err := Analyse(context.Background(), parse(t, "in.bp", text), Options{
			Aside: func(site int) bool { return site == aside || aside == 2 },
		})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(a.Result.Failed)
		if a.Trace != nil && a.Result.Trace != nil {
			got += " traced"
		}
		if got != want || !a.Result.Sites[0].Failed || !a.Result.Sites[1].Failed || a.Result.Verdict != verdict.False {
			t.Errorf("without %d: %s, want %s: %+v", aside, got, want, a.Result.Sites)
		}
	}
}

// grid is a program whose path edges are large in every order of the variables: in a
// square of k × k bits, no two neighbours are 1. All bits are asked for again in the end, so
// none can be forgotten before.
func grid(k int) string {
	var decl, body strings.Builder
	for i := range k * k {
		fmt.Fprintf(&decl, "decl x%d;\n", i)
	}
	for range 2 {
		for i := range k * k {
			if i%k > 0 {
				fmt.Fprintf(&body, "assume(!(x%d & x%d));\n", i-1, i)
			}
			if i >= k {
				fmt.Fprintf(&body, "assume(!(x%d & x%d));\n", i-k, i)
			}
		}
	}
	return fmt.Sprintf("void main() begin\n%s%sassert(x0);\nend", &decl, &body)
}

func TestNodeLimit(t *testing.T) {
	r := check(t, grid(10), Options{NodeLimit: 3000})
	if got := r.Summary(); got != "UNKNOWN (limit of 3000 BDD nodes reached)" {
		t.Error(got)
	}
	if s := r.Sites[0]; s.Failed || !s.Open {
		t.Errorf("the assertion is said to be decided: %+v", s)
	}
	if r := check(t, grid(3), Options{NodeLimit: 3000}); r.Verdict != verdict.False {
		t.Errorf("a small program under the same limit: %s", r.Summary())
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Check(ctx, parse(t, "in.bp", grid(3)), Options{})
	if err != nil || r.Summary() != "UNKNOWN (interrupted)" {
		t.Fatal(r, err)
	}
}

// inside is a context whose deadline passes when it is asked inside an operation on diagrams.
type inside struct {
	context.Context
	passed bool
	late   int // questions after the deadline
}

func (c *inside) Err() error {
	if !c.passed && strings.Contains(string(debug.Stack()), "bdd.(*Manager).alloc") {
		c.passed = true
	}
	if !c.passed {
		return nil
	}
	c.late++
	return context.DeadlineExceeded
}

// The end of the time is noticed inside an operation on large diagrams, too.
func TestTimeLimit(t *testing.T) {
	ctx := &inside{Context: context.Background()}
	r, err := Check(ctx, parse(t, "in.bp", grid(40)), Options{})
	if err != nil || r.Summary() != "UNKNOWN (time limit reached)" {
		t.Fatal(r, err)
	}
	if ctx.late > 1 {
		t.Errorf("noticed at question %d after the end", ctx.late)
	}
}

// Equal input gives equal output, counters included.
func TestDeterminism(t *testing.T) {
	first := ""
	for range 3 {
		a := analyseTemplate(t, 8)
		got := showVerdict(a.Result) + showTrace(t, a.Trace, false) + showValuations(t, a) + showStats(a.Result.Stats)
		if first == "" {
			first = got
		}
		if got != first {
			t.Fatalf("two runs differ:\n%s\n%s", first, got)
		}
	}
}

// A program far longer than the Go stack would allow to recurse over.
func TestLongProgram(t *testing.T) {
	var b strings.Builder
	b.WriteString("decl g; void main() begin g := 0;\n")
	for range 100_000 {
		b.WriteString("g := !g;\n")
	}
	b.WriteString("assert(g); end")
	r := check(t, b.String(), Options{})
	if r.Verdict != verdict.False || len(r.Trace.Steps) != 100_002 {
		t.Errorf("%s", r.Summary())
	}
}

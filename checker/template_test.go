package checker

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/verdict"
)

// template is T(N) of Ball–Rajamani 2000, Fig. 5: main and N levels; each level either runs
// a three-bit counter or calls the next level twice, and negates g. An execution
// has more than 2^N steps, but a procedure has only two summary edges.
func template(n int) string {
	var b strings.Builder
	b.WriteString(`decl g;
void main() begin
    level1();
    level1();
    if (!g) then
        reach: skip;
    else
        skip;
    fi
end
`)
	for i := 1; i <= n; i++ {
		inner := "skip"
		if i < n {
			inner = fmt.Sprintf("level%d()", i+1)
		}
		fmt.Fprintf(&b, `void level%d() begin
    decl a, b, c;
    if (g) then
        a, b, c := 0, 0, 0;
        while (!a | !b | !c) do
            if (!a) then
                a := 1;
            elsif (!b) then
                a, b := 0, 1;
            elsif (!c) then
                a, b, c := 0, 0, 1;
            else
                skip;
            fi
        od
    else
        %[2]s;
        %[2]s;
    fi
    g := !g;
end
`, i, inner)
	}
	return b.String()
}

func analyseTemplate(t testing.TB, n int) *Analysis {
	t.Helper()
	a, err := Analyse(context.Background(), parse(t, "t.bp", template(n)), Options{Reach: "reach"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The work counters of T(N) are pinned: a change of the engine that makes it do
// more work shows as a difference here.
func TestTemplateStats(t *testing.T) {
	const file = "testdata/template.stats"
	var got txtar.Archive
	got.Comment = []byte("Work counters of T(N), Ball–Rajamani 2000, Fig. 5.\n")
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		a := analyseTemplate(t, n)
		got.Files = append(got.Files, txtar.File{
			Name: fmt.Sprintf("out/stats T(%d)", n),
			Data: []byte(a.Result.Summary() + "\n" + showStats(a.Result.Stats)),
		})
	}
	have := string(txtar.Format(&got))
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have != string(want) {
		t.Errorf("%s differs (run with -update to accept):\n%s", file, have)
	}
}

// The work on T(N) grows linearly in N, and the number of levels of the decision
// diagrams not at all: Ball–Rajamani 2000's bound.
func TestTemplateIsLinear(t *testing.T) {
	counters := func(n int) map[string]int64 {
		m := map[string]int64{}
		for _, s := range analyseTemplate(t, n).Result.Stats {
			m[s.Name] = s.Value
		}
		return m
	}
	a, b, c := counters(10), counters(20), counters(30)
	for _, name := range []string{"worklist steps", "path edge updates", "summary increments", "summary lifts"} {
		if b[name] <= a[name] || c[name]-b[name] != b[name]-a[name] {
			t.Errorf("%s: %d, %d, %d for N = 10, 20, 30: not linear", name, a[name], b[name], c[name])
		}
	}
	if a["BDD levels"] != 12 || c["BDD levels"] != 12 {
		t.Errorf("%d levels for N = 10, %d for 30: want 12", a["BDD levels"], c["BDD levels"])
	}
}

// A trace of T(N) steps over the calls of main; expanded one level at a time it
// shows what happens inside.
func TestTemplateExpands(t *testing.T) {
	a := analyseTemplate(t, 20)
	if a.Result.Verdict != verdict.False || len(a.Result.Trace.Steps) != 4 {
		t.Fatalf("%s with %d steps", a.Result.Summary(), len(a.Result.Trace.Steps))
	}
	tr, depth := a.Trace, 0
	for {
		at := -1
		for i, st := range tr.Steps() {
			if st.Collapsed {
				at = i
				break
			}
		}
		if at < 0 {
			break
		}
		inner, err := tr.Expand(context.Background(), at)
		if err != nil {
			t.Fatal(err)
		}
		tr = inner
		depth++
		if tr.Steps()[0].Depth != depth {
			t.Fatalf("depth %d after %d expansions", tr.Steps()[0].Depth, depth)
		}
	}
	if depth != 20 {
		t.Errorf("%d levels deep, want 20", depth)
	}
}

func BenchmarkTemplate(b *testing.B) {
	for _, n := range []int{100, 800} {
		p := parse(b, "t.bp", template(n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Check(context.Background(), p, Options{Reach: "reach"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

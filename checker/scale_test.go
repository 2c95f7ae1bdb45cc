package checker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/chc"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file measures growth with size on the templates of the papers.

// family is a template: programs of any size, with a property that holds or one that
// can fail.
type family struct {
	name  string
	sizes []int // ordinarily
	long  []int // in addition with C2BP_LONG
	text  func(n int, fails bool) string
}

var families = []family{
	{"T(n), Ball–Rajamani 2000, Fig. 5", []int{100, 200, 400, 800}, []int{1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 100_000}, func(n int, fails bool) string {
		if fails {
			return template(n)
		}
		return strings.Replace(template(n), "level1();", "g := 1; level1();", 1)
	}},
	{"P(n), Andrews et al. 2004, Fig. 4", []int{10, 20, 50, 100, 200, 400, 800}, []int{2000, 5000, 10_000}, levels},
	{"Fig. 10 of Qadeer–Rajamani 2005, unrolled", []int{5, 10, 20, 50, 100, 200, 400, 800}, []int{2000, 5000, 10_000}, cloneChain},
}

// levels is P(n) of Andrews et al. 2004, Fig. 4: n globals, each written by one of n procedures,
// and counters of three bits. At the end the first global is 0.
func levels(n int, fails bool) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "decl g%d;\n", i)
	}
	want := "g1"
	if fails {
		want = "!g1"
	}
	fmt.Fprintf(&b, `void main() begin
    level1(1, 1, 1);
    level1(1, 1, 1);
    if (%s) then
        reach: skip;
    fi
end
`, want)
	for i := 1; i <= n; i++ {
		call := "skip"
		if i < n {
			call = fmt.Sprintf("level%d(a, b, c)", i+1)
		}
		fmt.Fprintf(&b, `void level%[1]d(p1, p2, p3) begin
    decl a, b, c;
    a, b, c := 0, 0, 0;
    while (!a | !b | !c) do
        if (!a) then
            a := 1;
        elsif (!b) then
            a, b := 0, 1;
        elsif (!c) then
            a, b, c := 0, 0, 1;
        fi
        g%[1]d := 0;
        %[2]s;
        g%[1]d := 1;
        %[2]s;
        g%[1]d := 0;
    od
end
`, i, call)
	}
	return b.String()
}

// cloneChain is Fig. 10 of Qadeer–Rajamani 2005 with the recursion unrolled n times, and the field
// x of the one object as a global: every level saves x, changes it and puts it back.
func cloneChain(n int, fails bool) string {
	var b strings.Builder
	want := "x"
	if fails {
		want = "!x"
	}
	fmt.Fprintf(&b, `decl x;
void main() begin
    x := 0;
    m1();
    if (%s) then
        reach: skip;
    fi
end
`, want)
	for i := 1; i <= n; i++ {
		call := "skip"
		if i < n {
			call = fmt.Sprintf("m%d()", i+1)
		}
		fmt.Fprintf(&b, `void m%d() begin
    decl f, b;
    f := x;
    b := *;
    x := b;
    %s;
    assert(x = b);
    x := f;
end
`, i, call)
	}
	return b.String()
}

// measure is one run from text to verdict.
type measure struct {
	time    time.Duration // the median of some
	memory  uint64        // bytes allocated and still in use, at the end
	verdict verdict.Verdict
}

func measureText(b testing.TB, text string, runs int) measure {
	var m measure
	var times []time.Duration
	for range runs {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		p, _, err := boolprog.Parse(source.NewFile("t.bp", []byte(text)), boolprog.ParseOptions{})
		if err != nil {
			b.Fatal(err)
		}
		opts := Options{}
		if strings.Contains(text, "reach:") {
			opts.Reach = "reach"
		}
		a, err := Analyse(context.Background(), p, opts)
		if err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
		runtime.GC()
		runtime.ReadMemStats(&after)
		m.memory = after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
		m.verdict = a.Result.Verdict
		runtime.KeepAlive(a)
	}
	slices.Sort(times)
	m.time = times[len(times)/2]
	return m
}

// statements counts the statements of a text.
func statements(text string) int {
	return strings.Count(text, ";") + strings.Count(text, " then") + strings.Count(text, " do\n")
}

// BenchmarkScale prints how time and memory grow with the size of the templates: for the
// whole process, as a user has it, with the growth from a text of half the size, and for
// the engine alone, in this process, with what its result keeps in use. Then what Spacer
// (Debian's z3) takes for the same, if it is installed.
func BenchmarkScale(b *testing.B) {
	for b.Loop() {
	}
	command := buildCommand(b)
	fmt.Printf("| %-32s | %7s | %-7s | %12s | %6s | %8s | %12s | %9s |\n", "template", "n", "verdict", "process", "growth", "peak", "engine alone", "B/stmt")
	for _, f := range families {
		sizes := f.sizes
		if testkit.Long() {
			sizes = append(slices.Clone(sizes), f.long...)
		}
		for _, fails := range []bool{true, false} {
			for _, n := range sizes {
				text := f.text(n, fails)
				m := measureText(b, text, 3)
				whole := measureProcess(b, command, f.text(n/2, fails), text, fails)
				fmt.Printf("| %-32s | %7d | %-7s | %12s | %6.2f | %5d MB | %12s | %9.0f |\n", f.name, n, m.verdict, whole.time.Round(100*time.Microsecond), whole.growth, whole.peak>>20, m.time.Round(10*time.Microsecond), float64(m.memory)/float64(statements(text)))
			}
		}
	}
	comparePeer(b)
}

// The templates have the verdicts that they are made for.
func TestTemplates(t *testing.T) {
	for _, f := range families {
		for _, n := range f.sizes[:3] {
			for _, fails := range []bool{true, false} {
				want := verdict.True
				if fails {
					want = verdict.False
				}
				if m := measureText(t, f.text(n, fails), 1); m.verdict != want {
					t.Errorf("%s, n = %d: %s, want %s", f.name, n, m.verdict, want)
				}
			}
		}
	}
}

// peerSizes are the sizes of each family on which Spacer is tried.
var peerSizes = map[string][]int{
	families[0].name: {5, 10, 20, 30},
	families[1].name: {5, 10, 20},
	families[2].name: {20, 100, 200},
}

// comparePeer prints what Spacer, of Debian's z3, takes for the Horn clauses of the same
// programs, processes and all, if it is installed.
func comparePeer(b *testing.B) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		fmt.Println("| z3 is not installed: no comparison with Spacer")
		return
	}
	limit := 20 * time.Second
	if testkit.Long() {
		limit = 120 * time.Second
	}
	fmt.Printf("| %-32s | %7s | %-7s | %12s | %12s | %6s |\n", "template", "n", "verdict", "time", "Spacer", "ratio")
	for _, f := range families {
		for _, fails := range []bool{true, false} {
			for _, n := range peerSizes[f.name] {
				text := f.text(n, fails)
				m := measureText(b, text, 3)
				peer, answer := spacer(b, z3, text, limit)
				if answer != "" && (answer == "unsat") != (m.verdict == verdict.False) {
					b.Errorf("%s, n = %d: %s, Spacer says %s", f.name, n, m.verdict, answer)
				}
				shown, ratio := peer.Round(time.Millisecond).String(), fmt.Sprintf("%.0f", float64(peer)/float64(m.time))
				if answer == "" {
					shown, ratio = "> "+limit.String(), "> "+ratio
				}
				fmt.Printf("| %-32s | %7d | %-7s | %12s | %12s | %6s |\n", f.name, n, m.verdict, m.time.Round(10*time.Microsecond), shown, ratio)
				if answer == "" {
					break
				}
			}
		}
	}
	for _, x := range bpgen.HardPrograms() {
		m := measureText(b, x.Text, 1)
		peer, answer := spacer(b, z3, x.Text, limit)
		if answer != "" && (m.verdict == verdict.Unknown || (answer == "unsat") != (m.verdict == verdict.False)) {
			b.Errorf("%s: %s, Spacer says %s", x.Name, m.verdict, answer)
		}
		fmt.Printf("| %-32s | %7s | %-7s | %12s | %12s | %6.1f |\n", x.Name, "", m.verdict, m.time.Round(10*time.Microsecond), peer.Round(time.Millisecond), float64(peer)/float64(m.time))
	}
}

// spacer asks whether the clauses of a text have a solution; the answer is empty if
// there is none in time.
func spacer(b *testing.B, z3, text string, limit time.Duration) (time.Duration, string) {
	p, _, err := boolprog.Parse(source.NewFile("t.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := boolprog.Check(p); err != nil {
		b.Fatal(err)
	}
	g := boolprog.BuildGraph(p)
	var targets []chc.Target
	for i, q := range g.Procs {
		for v, n := range q.Nodes {
			if n.Kind == boolprog.NodeAssert {
				targets = append(targets, chc.Target{Proc: i, Node: v, Fails: true})
			}
			if slices.Contains(n.Labels, "reach") {
				targets = append(targets, chc.Target{Proc: i, Node: v})
			}
		}
	}
	file := filepath.Join(b.TempDir(), "in.smt2")
	out, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	if err := chc.Write(context.Background(), out, g, targets); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	answer, err := exec.CommandContext(ctx, z3, "fp.engine=spacer", file).Output()
	took := time.Since(start)
	if ctx.Err() != nil {
		return took, ""
	}
	if err != nil {
		b.Fatalf("%v: %s", err, answer)
	}
	return took, strings.TrimSpace(string(answer))
}

package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file makes programs whose cost depends on the order of the variables.

// declaration is the order in which operands of k bits are declared.
type declaration int

const (
	interleaved declaration = iota // bit by bit: a good order
	separate                       // operand by operand: a bad one
	shuffled
)

func (d declaration) String() string { return [...]string{"interleaved", "separate", "shuffled"}[d] }

func (d declaration) declare(k int, operands ...string) string {
	var list []string
	for _, v := range operands {
		for i := range k {
			list = append(list, fmt.Sprint(v, i))
		}
	}
	switch d {
	case interleaved:
		slices.SortStableFunc(list, func(x, y string) int { return bitOf(x) - bitOf(y) })
	case shuffled:
		rand.New(rand.NewPCG(uint64(k), 5)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return "decl " + strings.Join(list, ", ") + ";\n"
}

func bitOf(name string) (i int) {
	fmt.Sscan(name[1:], &i)
	return i
}

// adder adds two numbers of k bits with a ripple carry, and then checks each bit of
// the sum against another formula for it.
func adder(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b", "s"))
	b.WriteString("void main() begin decl c;\nc := 0;\n")
	for i := range k {
		fmt.Fprintf(&b, "s%[1]d, c := a%[1]d ^ b%[1]d ^ c, a%[1]d & b%[1]d | a%[1]d & c | b%[1]d & c;\n", i)
	}
	b.WriteString("c := 0;\n")
	for i := range k {
		fmt.Fprintf(&b, "assert(s%[1]d = (a%[1]d = (b%[1]d = c)));\nc := (a%[1]d | b%[1]d) & c | a%[1]d & b%[1]d;\n", i)
	}
	b.WriteString("end\n")
	return b.String()
}

// carries is an adder that names each of its carries.
func carries(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b", "s", "c"))
	b.WriteString("void main() begin\nc0 := 0;\n")
	for i := range k {
		fmt.Fprintf(&b, "s%[1]d := a%[1]d ^ b%[1]d ^ c%[1]d;\n", i)
		if i+1 < k {
			fmt.Fprintf(&b, "c%[2]d := a%[1]d & b%[1]d | a%[1]d & c%[1]d | b%[1]d & c%[1]d;\n", i, i+1)
		}
	}
	for i := range k {
		fmt.Fprintf(&b, "assert(s%[1]d = (a%[1]d = (b%[1]d = c%[1]d)));\n", i)
	}
	b.WriteString("end\n")
	return b.String()
}

// comparator compares two numbers from the lowest bit, and again from the highest.
func comparator(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin decl l, done, m;\nl := 0;\n")
	for i := range k {
		fmt.Fprintf(&b, "l := !a%[1]d & b%[1]d | (a%[1]d = b%[1]d) & l;\n", i)
	}
	b.WriteString("m, done := 0, 0;\n")
	for i := k - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "m, done := choose(done & m | !done & !a%[1]d & b%[1]d, !(done & m | !done & !a%[1]d & b%[1]d)), done | a%[1]d != b%[1]d;\n", i)
	}
	b.WriteString("assert(l = m);\nend\n")
	return b.String()
}

// equality assumes that two numbers are equal, bit by bit, then asserts it.
func equality(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin\n")
	for _, what := range []string{"assume", "assert"} {
		for i := range k {
			fmt.Fprintf(&b, "%s(a%d = b%[2]d);\n", what, i)
		}
	}
	b.WriteString("end\n")
	return b.String()
}

// counter counts k bits up in a loop as long as it likes, beside a copy.
func counter(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin\n")
	for i := range k {
		fmt.Fprintf(&b, "a%d, b%[1]d := 0, 0;\n", i)
	}
	b.WriteString("while (*) do\n")
	for _, v := range []string{"a", "b"} {
		var left, right []string
		carry := "1"
		for i := range k {
			left = append(left, fmt.Sprint(v, i))
			right = append(right, fmt.Sprintf("%s%d ^ (%s)", v, i, carry))
			carry += fmt.Sprintf(" & %s%d", v, i)
		}
		fmt.Fprintf(&b, "%s := %s;\n", strings.Join(left, ", "), strings.Join(right, ", "))
	}
	b.WriteString("od\n")
	for i := range k {
		fmt.Fprintf(&b, "assert(a%d = b%[1]d);\n", i)
	}
	b.WriteString("end\n")
	return b.String()
}

// unconstrained assigns n globals anything, one by one, in a loop.
func unconstrained(n int) string {
	var b strings.Builder
	b.WriteString(separate.declare(n, "g"))
	b.WriteString("void main() begin\nwhile (*) do\n")
	for i := range n {
		fmt.Fprintf(&b, "g%d := *;\n", i)
	}
	b.WriteString("od\n")
	for i := range n {
		fmt.Fprintf(&b, "if (g%d) then assert(g%d); fi\n", i, (i*7+3)%n)
	}
	b.WriteString("end\n")
	return b.String()
}

// window computes n predicates, each from two of the live ones before it, of which there
// are as many as live says.
func window(d declaration, n, live int) string {
	var b strings.Builder
	b.WriteString(d.declare(n, "p"))
	b.WriteString("void main() begin\n")
	for i := live; i < n; i++ {
		fmt.Fprintf(&b, "p%d := choose(p%d & p%d, !p%[2]d & !p%[3]d);\n", i, i-live, i-live/2)
	}
	fmt.Fprintf(&b, "assert(p%d | !p%d | p%d);\nend\n", n-1, n-live, n-2)
	return b.String()
}

// copies copies a number bit by bit, in one of several ways, and then asserts that the
// copy is one.
func copies(d declaration, k int, how string) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin decl t;\n")
	for i := range k {
		fmt.Fprintf(&b, strings.ReplaceAll(how, "#", "%[1]d")+"\n", i)
	}
	for i := range k {
		fmt.Fprintf(&b, "t := a%d; assert(t = b%[1]d);\n", i)
	}
	b.WriteString("end\nbool id(x) begin return x; end\n")
	return b.String()
}

const (
	byTemporary = "t := a#; b# := t;"
	byBranch    = "if (a#) then b# := 1; else b# := 0; fi"
	byCall      = "b# := id(a#);"
)

// asDeclared is the declared order; atRandom is one that has nothing to do with the program.
func asDeclared(n int, _ [][]int32) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	return order
}

func atRandom(n int, edges [][]int32) []int32 {
	order := asDeclared(n, nil)
	rand.New(rand.NewPCG(uint64(n), uint64(len(edges)))).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// orders are those that the comparison with brute force runs with. Nothing but the
// cost may depend on them.
var orders = []ordering{force, atRandom, asDeclared}

// ordered is a program of the tests of the order.
type ordered struct {
	name string
	text string
	bad  bool // the declared order is out of reach
}

func orderedPrograms() (list []ordered) {
	for _, d := range []declaration{interleaved, separate, shuffled} {
		for _, k := range []int{10, 13, 40} {
			bad := d != interleaved && k == 40
			add := func(name string, make func(declaration, int) string) {
				list = append(list, ordered{fmt.Sprintf("%s-%d-%s", name, k, d), make(d, k), bad})
			}
			add("adder", adder)
			add("carries", carries)
			add("comparator", comparator)
			add("equality", equality)
		}
		list = append(list, ordered{fmt.Sprintf("window-200-%s", d), window(d, 200, 20), false})
	}
	for _, how := range []string{byTemporary, byBranch, byCall} {
		for _, k := range []int{13, 24} {
			list = append(list, ordered{fmt.Sprintf("copies-%d-%s", k, strings.Fields(how)[0]), copies(separate, k, how), k == 24})
		}
	}
	for _, k := range []int{8, 12, 16} {
		list = append(list, ordered{fmt.Sprintf("counter-%d", k), counter(separate, k), false})
	}
	return append(list, ordered{"unconstrained-30", unconstrained(30), false})
}

// With FORCE, no way to declare the operands makes 40 bits expensive; without, the
// bad ones are out of reach.
func TestOrderDecides(t *testing.T) {
	for _, x := range orderedPrograms() {
		if strings.HasPrefix(x.name, "counter") || strings.HasPrefix(x.name, "copies") {
			continue // the one takes long in any order, as it counts; of the other see TestReorderingRescues
		}
		g := parse(t, x.text)
		s, err := Solve(context.Background(), g, Options{NodeLimit: 100_000, reorderNever: true})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		for p, pg := range g.Procs {
			for v := range pg.Nodes {
				if s.CanFail(Point{p, v}) != strings.HasPrefix(x.name, "unconstrained") && pg.Nodes[v].Kind == boolprog.NodeAssert && !strings.HasPrefix(x.name, "window") {
					t.Fatalf("%s: node %d can fail: %v", x.name, v, s.CanFail(Point{p, v}))
				}
			}
		}
		if !x.bad {
			continue
		}
		if _, err := Solve(context.Background(), g, Options{NodeLimit: 100_000, order: asDeclared, reorderNever: true}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: the declared order is no worse", x.name)
		}
	}
}

// What statements do not say of the variables, reordering finds out.
func TestReorderingRescues(t *testing.T) {
	for _, how := range []string{byTemporary, byBranch, byCall} {
		g := parse(t, copies(separate, 24, how))
		s, err := Solve(context.Background(), g, Options{NodeLimit: 400_000})
		if err != nil {
			t.Errorf("%s: %v", how, err)
			continue
		}
		for v, n := range g.Main.Nodes {
			if n.Kind == boolprog.NodeAssert && s.CanFail(Point{g.Main.Index, v}) {
				t.Fatalf("%s: node %d can fail", how, v)
			}
		}
		if _, err := Solve(context.Background(), g, Options{NodeLimit: 400_000, reorderNever: true}); !errors.Is(err, bdd.ErrNodeLimit) {
			t.Errorf("%s: no worse without", how)
		}
	}
}

// orderFault says what is wrong with an order that force chose.
func orderFault(n int, edges [][]int32, order []int32) string {
	declared := asDeclared(n, nil)
	sorted := slices.Sorted(slices.Values(order))
	switch {
	case !slices.Equal(sorted, declared):
		return "no permutation"
	case !slices.Equal(order, declared) && totalSpan(edges, order) >= totalSpan(edges, declared):
		return "not the declared order, and no lower span"
	}
	return ""
}

func TestForceOnRandomHypergraphs(t *testing.T) {
	changed := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 1 + rng.IntN(40)
		var edges [][]int32
		for range rng.IntN(2 * n) {
			edges = append(edges, slices.Clone(atRandom(n, make([][]int32, rng.IntN(100)))[:min(n, 2+rng.IntN(4))]))
		}
		order := force(n, edges)
		if why := orderFault(n, edges, order); why != "" {
			t.Fatalf("seed %d: %s", seed, why)
		}
		if !slices.Equal(order, force(n, edges)) {
			t.Fatalf("seed %d: another order the second time", seed)
		}
		if slices.Equal(order, asDeclared(n, nil)) {
			continue
		}
		changed++
		if orderFault(n, edges, append(slices.Clone(order[1:]), order[1])) == "" {
			t.Fatalf("seed %d: a variable is lost and nobody notices", seed)
		}
	}
	if changed < 300 {
		t.Errorf("only %d orders differ from the declared one", changed)
	}
}

// A chain is unrolled from any order; chains that do not meet are laid end to end.
func TestForceUnrollsChains(t *testing.T) {
	const n = 300
	for _, chains := range []int{1, 2, 5} {
		names := atRandom(n, make([][]int32, chains))
		var edges [][]int32
		for i := range n - chains {
			edges = append(edges, []int32{names[i], names[i+chains]})
		}
		rand.New(rand.NewPCG(9, 9)).Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		if got := totalSpan(edges, force(n, edges)); got != n-chains {
			t.Errorf("%d chains of %d: span %d, want %d", chains, n/chains, got, n-chains)
		}
	}
}

// The order does not change the number of levels.
func TestOrderKeepsLevels(t *testing.T) {
	for seed := range uint64(100) {
		g := graphOf(t, random(seed))
		a, b := newLayout(g, nil), newLayout(g, asDeclared)
		if a.levels() != b.levels() || a.groups() != len(a.order()) {
			t.Fatalf("seed %d: %d levels, %d in the declared order", seed, a.levels(), b.levels())
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, x := range orderedPrograms() {
		g := parse(b, x.text)
		for _, o := range []struct {
			name string
			Options
		}{
			{"default", Options{}},
			{"force-only", Options{reorderNever: true}},
			{"sifting-only", Options{order: asDeclared}},
			{"neither", Options{order: asDeclared, reorderNever: true}},
		} {
			b.Run(x.name+"/"+o.name, func(b *testing.B) {
				o.NodeLimit = 1_000_000
				var s *Solution
				for b.Loop() {
					var err error
					if s, err = Solve(context.Background(), g, o.Options); errors.Is(err, bdd.ErrNodeLimit) {
						b.Skip("more than a million nodes")
					} else if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.m.Peak()), "nodes")
			})
		}
	}
}

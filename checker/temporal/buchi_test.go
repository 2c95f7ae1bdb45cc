package temporal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// A random word is accepted by the automaton of a formula if and only if the formula holds of it.
func TestTranslate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	held := 0
	for range testkit.Count(10000, 1000000) {
		f := randomFormula(rng, 1+rng.IntN(10), 3)
		a, err := Translate(f)
		if err != nil {
			t.Fatal(f, err)
		}
		stem, loop := randomWord(rng, 3)
		want := f.Holds(stem, loop)
		if got := a.accepts(stem, loop); got != want {
			t.Fatalf("%s on %v %v: %v\n%s", f, stem, loop, got, a)
		}
		if want {
			held++
		}
	}
	t.Logf("%d hold", held)
}

// families are formulas for which tables of sizes are common (Gastin–Oddoux 2001, §5; Etessami–Holzmann 2000, §6).
var families = []struct {
	name    string
	formula func(n int) string
}{
	// Fairness implies a response.
	{"!(GF a1 & … & GF an -> G (p -> F q))", func(n int) string {
		return "!((" + series(n, " & ", "G F %c") + ") -> G (y -> F z))"
	}},
	{"!(a1 U (a2 U (… an)))", func(n int) string { return "!(" + series(n, " U (", "%c") + strings.Repeat(")", n-1) + ")" }},
	{"GF a1 & … & GF an", func(n int) string { return series(n, " & ", "G F %c") }},
	{"F a1 & … & F an", func(n int) string { return series(n, " & ", "F %c") }},
	{"FG a1 | GF a2 | …", func(n int) string { return series(n, " | ", "G F %c") }},
	{"((a1 U a2) U a3) …", func(n int) string {
		text := "a"
		for i := 1; i < n; i++ {
			text = fmt.Sprintf("(%s U %c)", text, 'a'+i)
		}
		return text
	}},
	{"X … X a (n)", func(n int) string { return strings.Repeat("X", n) + " a" }},
}

// series writes n formulas, with a separator between them.
func series(n int, separator, format string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(format, 'a'+i))
	}
	return strings.Join(list, separator)
}

// The sizes of the automata of well-known formulas: states and transitions.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text                string
		states, transitions int
	}{
		{"true", 1, 1},
		{"false", 0, 0},
		{"a", 2, 2},
		{"G a", 1, 1},
		{"F a", 2, 3},
		{"a U b", 2, 3},
		{"G F a", 1, 2},
		{"F G a", 2, 3},
		{"G (a -> F b)", 2, 5},
		{"!G (a -> F b)", 2, 3},
		{"G F a & G F b", 2, 5},
		{"G F a -> G F b", 3, 5},
		{"!(a U b)", 2, 3},
		{"a R b", 2, 3},
	} {
		a, err := Translate(mustParse(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if len(a.States) != c.states || a.Transitions() != c.transitions {
			t.Errorf("%s: %d states, %d transitions, want %d and %d\n%s", c.text, len(a.States), a.Transitions(), c.states, c.transitions, a)
		}
	}
}

// Formulas whose automata are too large are refused.
func TestTranslateLimits(t *testing.T) {
	for _, text := range []string{
		series(20, " & ", "G F %c"),
		series(16, " & ", "X F %c"),
		series(26, " & ", "(%[1]c | X %[1]c)"),
		"X (" + series(26, " & ", "(%[1]c | X %[1]c)") + ")",
		"X (" + series(26, " <-> ", "F %c") + ")",
		series(26, " <-> ", "X %c"),
	} {
		var limit *LimitError
		if _, err := Translate(mustParse(text)); !errors.As(err, &limit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Operands that stand in the normal form twice do not double the work.
func TestNormalIsShared(t *testing.T) {
	for _, op := range []string{" W ", " <-> "} {
		text := strings.Repeat("a"+op+"b"+op, 40) + "c"
		for _, negate := range []bool{false, true} {
			table := newTerms()
			table.normal(mustParse(text), negate)
			if n := len(table.nodes); n > 1000 {
				t.Errorf("%s: %d terms", text, n)
			}
		}
	}
}

// BenchmarkFamilies prints the sizes of automata for families of formulas.
func BenchmarkFamilies(b *testing.B) {
	for _, f := range families {
		for _, n := range []int{2, 3, 4, 5, 6} {
			b.Run(fmt.Sprintf("%s/%d", f.name, n), func(b *testing.B) {
				for range b.N {
					a, err := Translate(mustParse(f.formula(n)))
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(a.States)), "states")
					b.ReportMetric(float64(a.Transitions()), "transitions")
				}
			})
		}
	}
}

// BenchmarkRandom prints the sizes of automata for random formulas with a number of operators.
func BenchmarkRandom(b *testing.B) {
	for _, n := range []int{5, 10, 15, 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			states, transitions, most, count := 0, 0, 0, 0
			for range b.N {
				for range 500 {
					a, err := Translate(randomFormula(rng, n, 3))
					if err != nil {
						b.Fatal(err)
					}
					states, transitions, most, count = states+len(a.States), transitions+a.Transitions(), max(most, len(a.States)), count+1
				}
			}
			b.ReportMetric(float64(states)/float64(count), "states")
			b.ReportMetric(float64(transitions)/float64(count), "transitions")
			b.ReportMetric(float64(most), "most-states")
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// This file decides formulas about random C programs whose states are few, so that their truth is known: the programs go
// round in a loop, with three numbers below 4 in variables, in a structure, or in an object that is a new one in each round.

// wheel is such a program: statements in a loop.
type wheel struct {
	kind  int // where the numbers are
	stmts []spoke
}

// spoke is a statement of the loop: numbers[to] = (numbers[from] + add) % 4, if a condition holds. Renewing replaces the
// object, or ends the program; leaving ends the loop.
type spoke struct {
	to, from, add int
	when          int // always, if an input is not 0, or if numbers[on] == is
	on, is        int
	what          int // assign, renew or leave
}

const (
	always = iota
	chosen
	equal
)
const (
	assign = iota
	renew
	leave
)

// newWheel returns a random program.
func newWheel(r *rand.Rand) *wheel {
	w := &wheel{kind: r.IntN(3)}
	for range 2 + r.IntN(4) {
		s := spoke{to: r.IntN(3), from: r.IntN(3), add: r.IntN(4), when: r.IntN(3), on: r.IntN(3), is: r.IntN(4)}
		if s.when == equal && r.IntN(4) == 0 {
			s.what = leave
		}
		w.stmts = append(w.stmts, s)
	}
	if w.kind == 2 {
		w.stmts = append(w.stmts, spoke{what: renew})
	}
	return w
}

// name returns number n as C has it.
func (w *wheel) name(n int) string { return []string{"", "s.", "p->"}[w.kind] + string(rune('a'+n)) }

// text returns the program.
func (w *wheel) text() string {
	var b strings.Builder
	b.WriteString("extern int __VERIFIER_nondet_int(void);\nvoid *calloc(unsigned long, unsigned long), free(void *), exit(int);\n")
	b.WriteString("struct numbers { unsigned a, b, c; };\nunsigned a, b, c;\nstruct numbers s, *p, *q, *o;\nint main(void) {\n")
	if w.kind == 2 {
		b.WriteString("p = &s;\n")
	}
	for i := range 3 {
		fmt.Fprintf(&b, "%s = 0;\n", w.name(i))
	}
	b.WriteString("for (;;) {\n")
	for _, s := range w.stmts {
		switch s.when {
		case chosen:
			b.WriteString("if (__VERIFIER_nondet_int()) ")
		case equal:
			fmt.Fprintf(&b, "if (%s == %d) ", w.name(s.on), s.is)
		}
		switch s.what {
		case assign:
			fmt.Fprintf(&b, "%s = (%s + %d) & 3;\n", w.name(s.to), w.name(s.from), s.add)
		case leave:
			b.WriteString("break;\n")
		case renew:
			b.WriteString("q = calloc(1, sizeof *q);\nif (q == 0) exit(1);\nq->a = p->a; q->b = p->b; q->c = p->c;\no = p; p = q;\nif (o != &s) free(o);\n")
		}
	}
	b.WriteString("}\nfor (;;) ;\n}\n")
	return b.String()
}

// moment is a state: before a statement, or after the loop.
type moment struct {
	at      int
	numbers [3]int
}

// next returns the states that may follow.
func (w *wheel) next(m moment) []moment {
	if m.at == len(w.stmts) {
		return []moment{m}
	}
	s := w.stmts[m.at]
	skipped, made := m, m
	skipped.at = (m.at + 1) % len(w.stmts)
	made.at = skipped.at
	switch s.what {
	case assign:
		made.numbers[s.to] = (m.numbers[s.from] + s.add) & 3
	case leave, renew:
		made.at = len(w.stmts)
	}
	switch {
	case s.when == chosen || s.what == renew: // there may be no more memory
		return []moment{skipped, made}
	case s.when == always || m.numbers[s.on] == s.is:
		return []moment{made}
	}
	return []moment{skipped}
}

// cycles reports whether a state that can be reached comes back to itself, only through states that may count, and through one
// that must.
func (w *wheel) cycles(may, must func(moment) bool) bool {
	reach := func(from []moment, may func(moment) bool) map[moment]bool {
		seen := map[moment]bool{}
		for len(from) > 0 {
			m := from[0]
			if from = from[1:]; seen[m] || !may(m) {
				continue
			}
			seen[m] = true
			from = append(from, w.next(m)...)
		}
		return seen
	}
	for m := range reach([]moment{{}}, func(moment) bool { return true }) {
		if may(m) && must(m) && reach(w.next(m), may)[m] {
			return true
		}
	}
	return false
}

// TestWheels: no formula is said to hold that does not, or to be violated that holds; and most are decided.
func TestWheels(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "in.c")
	verdicts := map[string]int{}
	n := testkit.Count(24, 2000)
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 77))
		w := newWheel(r)
		v, k := r.IntN(3), r.IntN(4)
		is := func(m moment) bool { return m.numbers[v] == k }
		not := func(m moment) bool { return !is(m) }
		any := func(moment) bool { return true }
		// G F a is violated by a cycle without a, F G a by one with a state without a.
		formula, holds := fmt.Sprintf("G F {%s == %d}", w.name(v), k), !w.cycles(not, any)
		if r.IntN(2) == 0 {
			formula, holds = strings.Replace(formula, "G F", "F G", 1), !w.cycles(any, not)
		}
		if err := os.WriteFile(file, []byte(w.text()), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		a := &app{stdout: &out, stderr: &errs}
		a.run(t.Context(), []string{"audit", "--ltl", formula, file})
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		last := lines[len(lines)-1]
		got, _, _ := strings.Cut(strings.TrimPrefix(last, "Verification result: "), " ")
		verdicts[fmt.Sprint(holds, " ", got)]++
		if !slices.Contains([]string{"TRUE", "FALSE", "UNKNOWN"}, got) || got == "TRUE" && !holds || got == "FALSE" && holds {
			t.Errorf("seed %d: %s of\n%s%s%s holds: %v", seed, formula, w.text(), out.String(), errs.String(), holds)
		}
	}
	if decided := verdicts["true TRUE"] + verdicts["false FALSE"]; decided < n*3/4 || verdicts["false FALSE"] < n/2 || verdicts["true TRUE"] == 0 {
		t.Errorf("too few of %d are decided: %v", n, verdicts)
	}
}

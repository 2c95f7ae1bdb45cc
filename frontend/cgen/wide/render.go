package wide

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
)

// This file chooses assertions for checks by the values that were observed in the runs.

var checkLine = regexp.MustCompile(`^CHECK\((\d+), (.*)\);\n?$`)

// guesses are inputs that the runs guess right: GUESS(e) is e in a run.
var guesses = regexp.MustCompile(`GUESS\(([^()]|\([^()]*\))*\)`)

// functions are names of functions: FUNC("f") is "f" in a run, where functions have other
// names.
var functionNames = regexp.MustCompile(`FUNC\("\w+"\)`)

// parseCheck reads CHECK(k, e);.
func parseCheck(code string) (k int, e string, ok bool) {
	m := checkLine.FindStringSubmatch(code)
	if m == nil {
		return 0, "", false
	}
	k, err := strconv.Atoi(m[1])
	return k, m[2], err == nil
}

// Assertion is a condition on the value that a check observes.
type Assertion struct {
	Text  string // with %s for what is observed
	Holds func(v int64) bool
}

// A Goal is how the assertions of a program are chosen.
type Goal int

const (
	Safe   Goal = iota // none fails
	Unsafe             // one fails in a run
	Grey               // one fails by a choice that C leaves to the compiler, in no run that was seen
)

// Choose returns assertions for the checks of p that reach goal, if the observed values allow that, and
// the goal that was reached.
func (p *Program) Choose(runs *Runs, goal Goal) ([]*Assertion, Goal) {
	rng := rand.New(rand.NewPCG(p.Seed, 0x61737365))
	list := make([]*Assertion, len(p.Checks))
	seen := runs.values(len(p.Checks))
	// 1. List the checks with which the goal can be reached: a value that was seen refutes an
	// assertion, a value that is allowed and was not seen makes one grey.
	var able []int // checks that the goal can be reached with
	for k, c := range p.Checks {
		if c.Known && p.leaves {
			continue
		}
		if goal == Unsafe && len(seen[k]) > 0 || goal == Grey && len(without(c.Allowed, seen[k])) > 0 {
			able = append(able, k)
		}
	}
	// If there is none, all assertions are to be safe.
	if goal != Safe && len(able) == 0 {
		goal = Safe
	}
	at := -1
	if goal != Safe {
		at = able[rng.IntN(len(able))]
	}
	// 2. Choose an assertion for each check: for one of the able ones one that a value refutes,
	// and for the others ones that hold for all values, seen or allowed.
	for k, c := range p.Checks {
		// The values that were seen or are allowed, in order.
		all := slices.Clone(append(slices.Clone(seen[k]), c.Allowed...))
		slices.Sort(all)
		all = slices.Compact(all)
		switch {
		case c.Known && p.leaves:
		case k == at && goal == Unsafe:
			list[k] = refuted(rng, all, seen[k][rng.IntN(len(seen[k]))])
		case k == at:
			grey := without(c.Allowed, seen[k])
			list[k] = refuted(rng, all, grey[rng.IntN(len(grey))])
		case len(c.Allowed) == 0 || len(seen[k]) > 0:
			list[k] = implied(rng, all)
		}
	}
	// 3. The assertion that was to be grey may be false of another value that was seen.
	if goal == Grey && len(runs.Fails(list)) > 0 {
		goal = Unsafe
	}
	return list, goal
}

// Doubtful lists the checks whose assertions do not hold of every value that was observed or
// is allowed.
func (p *Program) Doubtful(runs *Runs, list []*Assertion) (out []int) {
	seen := runs.values(len(p.Checks))
	for k, c := range p.Checks {
		if a := list[k]; a != nil && slices.ContainsFunc(append(seen[k], c.Allowed...), func(v int64) bool { return !a.Holds(v) }) {
			out = append(out, k)
		}
	}
	return out
}

// implied returns an assertion that holds for all values and is not trivial.
func implied(rng *rand.Rand, all []int64) *Assertion {
	// No run reaches the check: any assertion is safe.
	if len(all) == 0 {
		return &Assertion{"%s == 12345", func(v int64) bool { return v == 12345 }}
	}
	low, high := all[0], all[len(all)-1]
	switch pickRand := rng.IntN(6); {
	case len(all) == 1 && pickRand < 4:
		return equal(low)
	case len(all) == 2 && pickRand < 3:
		return &Assertion{"%s == " + spell(low) + " || %s == " + spell(high), func(v int64) bool { return v == low || v == high }}
	case pickRand < 2:
		return unequal(high + 1)
	case pickRand < 4:
		return &Assertion{"%s <= " + spell(high), func(v int64) bool { return v <= high }}
	case pickRand == 4:
		return &Assertion{"%s >= " + spell(low), func(v int64) bool { return v >= low }}
	}
	// A gap between the values, if there is one.
	for v := low + 1; v < high && v < low+100; v++ {
		if !slices.Contains(all, v) {
			return unequal(v)
		}
	}
	return unequal(low - 1)
}

// refuted returns an assertion that bad refutes.
func refuted(rng *rand.Rand, all []int64, bad int64) *Assertion {
	low, high := all[0], all[len(all)-1]
	switch k := rng.IntN(6); {
	case k < 2:
		return unequal(bad)
	case k == 2 && bad > low:
		return &Assertion{"%s < " + spell(bad), func(v int64) bool { return v < bad }}
	case k == 3 && bad < high:
		return &Assertion{"%s > " + spell(bad), func(v int64) bool { return v > bad }}
	}
	for _, v := range all {
		if v != bad && rng.IntN(2) == 0 {
			return equal(v)
		}
	}
	return unequal(bad)
}

// equal returns the assertion that the value is v.
func equal(v int64) *Assertion {
	return &Assertion{"%s == " + spell(v), func(x int64) bool { return x == v }}
}

// unequal returns the assertion that the value is not v.
func unequal(v int64) *Assertion {
	return &Assertion{"%s != " + spell(v), func(x int64) bool { return x != v }}
}

// spell returns v as a constant of C: of type int or long, the least long as an expression.
func spell(v int64) string {
	if v == -1<<63 {
		return "(-9223372036854775807L - 1)"
	}
	if v > 1<<31-1 || v < -1<<31 {
		return fmt.Sprintf("%dL", v)
	}
	return fmt.Sprint(v)
}

// without returns a less b.
func without(a, b []int64) (out []int64) {
	for _, v := range a {
		if !slices.Contains(b, v) {
			out = append(out, v)
		}
	}
	return out
}

// texts returns the assertions for Files.
func texts(list []*Assertion) (out []string) {
	for _, a := range list {
		if a == nil {
			out = append(out, "")
		} else {
			out = append(out, a.Text)
		}
	}
	return out
}

// Render returns the files with the assertions.
func (p *Program) Render(list []*Assertion) []File { return p.Files(texts(list)) }

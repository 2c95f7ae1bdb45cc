package zingtest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// This file makes mutants of the models directed-*.zing. Each of those fails or deadlocks because of
// one rule about which steps may be joined to transactions (Lipton: Reduction: A Method of Proving
// Properties of Parallel Programs, 1975). They declare the same variables and have one
// statement a line, so that lines can be moved between them.

// directed is a model as lists of statements.
type directed struct {
	start     string     // the statements of the first step
	processes [][]string // one statement a line
}

const directedHead = `chan C int;
class P {
    static int x; static int y; static bool k; static bool l; static C c = new C; static C d = new C;
`

var (
	directedStart   = regexp.MustCompile(`void start\(\) \{ atomic \{ (.*?)async p0`)
	directedProcess = regexp.MustCompile(`(?s)static void p\d\(\) \{\n.*?\n(.*?)\n    \}`)
)

// readDirected splits the text of a model directed-*.zing.
func readDirected(text string) directed {
	d := directed{start: directedStart.FindStringSubmatch(text)[1]}
	for _, p := range directedProcess.FindAllStringSubmatch(text, -1) {
		var stmts []string
		for line := range strings.Lines(p[1]) {
			stmts = append(stmts, strings.TrimSpace(line))
		}
		d.processes = append(d.processes, stmts)
	}
	return d
}

// text puts a model together.
func (d directed) text() string {
	var out strings.Builder
	out.WriteString(directedHead)
	var creates []string
	for i, p := range d.processes {
		fmt.Fprintf(&out, "    static void p%d() {\n        int l0; int n; bool b;\n", i)
		for _, s := range p {
			fmt.Fprintf(&out, "        %s\n", s)
		}
		out.WriteString("    }\n")
		creates = append(creates, fmt.Sprintf("async p%d();", i))
	}
	fmt.Fprintf(&out, "    activate static void start() { atomic { %s%s } }\n};\n", d.start, strings.Join(creates, " "))
	return out.String()
}

// others are statements that occur in no directed model and mix with theirs.
var others = []string{
	"l0 = x;", "x = l0;", "y = x;", "x = x + 1;", "l0 = l0 + 1;", "assert(x == y);", "assert(l0 != 1);",
	"select { wait(!k) -> k = true; timeout -> ; }", "select { wait(k) -> ; }", "assume(x == 0);", "send(c, x);",
	"atomic { x = 1; y = 1; }", "b = choose(bool);", "if (b) x = 1;", "select { receive(d, x) -> ; }", "send(d, 2);",
	"atomic { select { wait(!l) -> l = true; } l0 = x; }",
}

// Mutant returns the text of a directed model in which one or two statements were inserted, deleted,
// exchanged or taken from another directed model. All of them have finitely many states.
func Mutant(seed uint64) string {
	d := mutant(rand.New(rand.NewPCG(seed, 1)))
	return d.text()
}

// MutantInProcedures returns the text of the same model with the statements in procedures, which call each other or are
// called one after the other. Variables of processes are static then.
func MutantInProcedures(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := mutant(rng)
	return d.textInProcedures(rng)
}

// mutant returns a directed model that was changed.
func mutant(rng *rand.Rand) directed {
	var bases []directed
	pool := slices.Clone(others)
	for _, m := range Models() {
		if strings.HasPrefix(m.Name, "directed-") {
			d := readDirected(m.Text)
			bases = append(bases, d)
			pool = append(pool, slices.Concat(d.processes...)...)
		}
	}
	d := bases[rng.IntN(len(bases))]
	for range 1 + rng.IntN(2) {
		d.mutate(rng, bases, pool)
	}
	return d
}

// variable finds the variables of processes.
var variable = regexp.MustCompile(`\b(l0|n|b)\b`)

// textInProcedures puts a model together, whose statements are in procedures.
func (d directed) textInProcedures(rng *rand.Rand) string {
	var out strings.Builder
	out.WriteString(directedHead)
	var creates []string
	for i, p := range d.processes {
		fmt.Fprintf(&out, "    static int l0_%d; static int n_%d; static bool b_%d;\n", i, i, i)
		// 1. Groups of statements. Each is called by the process, or at the end of the one before it.
		groups := [][]string{nil}
		for _, s := range p {
			last := len(groups) - 1
			groups[last] = append(groups[last], variable.ReplaceAllString(s, fmt.Sprintf("${1}_%d", i)))
			if rng.IntN(2) == 0 {
				groups = append(groups, nil)
			}
		}
		calls := fmt.Sprintf("f%d_0(); ", i)
		for g := range groups[1:] {
			call := fmt.Sprintf("f%d_%d(); ", i, g+1)
			if rng.IntN(2) == 0 {
				groups[g] = append(groups[g], call)
			} else {
				calls += call
			}
		}
		// 2. Procedures.
		for g, body := range groups {
			fmt.Fprintf(&out, "    static void f%d_%d() { %s }\n", i, g, strings.Join(body, " "))
		}
		fmt.Fprintf(&out, "    static void p%d() { %s}\n", i, calls)
		creates = append(creates, fmt.Sprintf("async p%d();", i))
	}
	fmt.Fprintf(&out, "    activate static void start() { atomic { %s%s } }\n};\n", d.start, strings.Join(creates, " "))
	return out.String()
}

// mutate changes one statement, or replaces or adds one process.
func (d *directed) mutate(rng *rand.Rand, bases []directed, pool []string) {
	i := rng.IntN(len(d.processes))
	p := &d.processes[i]
	at := rng.IntN(len(*p) + 1)
	switch n := rng.IntN(16); {
	case n < 6:
		*p = slices.Insert(*p, at, pool[rng.IntN(len(pool))])
	case n < 9 && at < len(*p):
		*p = slices.Delete(*p, at, at+1)
	case n < 12 && at < len(*p):
		(*p)[at] = pool[rng.IntN(len(pool))]
	case n < 14 && at+1 < len(*p):
		(*p)[at], (*p)[at+1] = (*p)[at+1], (*p)[at]
	default:
		other := bases[rng.IntN(len(bases))]
		q := slices.Clone(other.processes[rng.IntN(len(other.processes))])
		if len(d.processes) < 3 && rng.IntN(2) == 0 {
			d.processes = append(d.processes, q)
		} else {
			*p = q
		}
	}
}

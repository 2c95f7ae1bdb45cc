package refine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"c2bp/refine/harness"
)

// This file finds out what is true of random programs: gcc compiles them with
// testdata/truth.c, which runs them on all inputs, or on many.

// truth is what runs of a program have shown.
type truth struct {
	complete                               bool // all runs were made
	ended, failed, blocked, cut, undefined int
	checks                                 []checked
}

// checked is what came of one check.
type checked struct {
	reached, failed int
	min, max, gap   int64    // of its expression; gap is not taken, min and max are
	inputs          []string // of the first run that fails
}

// comparison is the last part of a check; op 0 holds always.
type comparison struct {
	op    int
	limit int64
}

var operators = []string{"", "<=", ">=", "!="}

// runner is a program that gcc has compiled.
type runner struct{ path string }

var (
	inputMark = regexp.MustCompile(`@(\w+) (-?\d+) (\d+)@`)
	probeMark = regexp.MustCompile(`@(\d)@`)
	failure   = regexp.MustCompile(`^(\s*)(if \(!\(@\d@\)\) .*|\w+\(@\d@\);)$`)
)

// compile makes the program of g ready to be run on all inputs.
func compile(t *testing.T, g *generator) *runner {
	t.Helper()
	dir := t.TempDir()
	text := inputMark.ReplaceAllStringFunc(g.out.String(), func(m string) string {
		w := inputMark.FindStringSubmatch(m)
		lo := w[2] + "ll"
		if w[2] == strconv.Itoa(math.MinInt64) {
			lo = fmt.Sprintf("(-%dll - 1)", math.MaxInt64)
		}
		return fmt.Sprintf("input(%s, %sull)", lo, w[3])
	})
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if m := failure.FindStringSubmatch(l); m != nil {
			k := probeMark.FindStringSubmatch(l)[1]
			n, _ := strconv.Atoi(k)
			lines[i] = fmt.Sprintf("%scheck(%s, %s);", m[1], k, g.probes[n].expr)
		}
	}
	text = strings.ReplaceAll(strings.Join(lines, "\n"), "__VERIFIER_assume(", "assume(")
	text += fmt.Sprintf("static void program_reset(void) { %s }\n", strings.Join(g.reset, " "))
	text += fmt.Sprintf("static const long long constants[] = { 0, %s };\n", strings.Join(g.constants, ", "))
	if err := os.WriteFile(filepath.Join(dir, "truth.inc"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &runner{filepath.Join(dir, "truth")}
	out, err := exec.Command("gcc", "-O1", "-std=gnu17", "-w", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error",
		"-I", dir, "-o", r.path, "testdata/truth.c").CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s\n%s", err, out, text)
	}
	return r
}

// flat is comparisons as arguments.
func flat(cs []comparison) (args []string) {
	for _, c := range cs {
		args = append(args, fmt.Sprint(c.op), fmt.Sprint(c.limit))
	}
	return args
}

// all runs the program on all inputs, or on many.
func (r *runner) all(t *testing.T, seed uint64, runs int, cs []comparison) truth {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), r.path, append([]string{fmt.Sprint(seed), fmt.Sprint(runs)}, flat(cs)...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var complete int
	var x truth
	_, err = fmt.Sscan(lines[0], &complete, &x.ended, &x.failed, &x.blocked, &x.cut, &x.undefined)
	x.complete = complete == 1
	for _, l := range lines[1:] {
		var c checked
		var used int
		_, bad := fmt.Sscan(l, &c.reached, &c.failed, &c.min, &c.max, &c.gap, &used)
		c.inputs = strings.Fields(l)[6:]
		x.checks = append(x.checks, c)
		err = errors.Join(err, bad)
	}
	if err != nil || len(x.checks) != len(cs) {
		t.Fatalf("%q: %v", out, err)
	}
	return x
}

// failsOn is the check that fails in the run on these inputs, -1 if none does.
func (r *runner) failsOn(t *testing.T, cs []comparison, inputs []harness.Input) int {
	t.Helper()
	args := append(append([]string{"replay"}, flat(cs)...), "--")
	for _, in := range inputs {
		args = append(args, valueOf(in))
	}
	out, err := exec.Command(r.path, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var how, check int
	if _, err := fmt.Sscan(string(out), &how, &check); err != nil {
		t.Fatal(err)
	}
	if how != 1 {
		return -1
	}
	return check
}

func valueOf(in harness.Input) string {
	if in.Value == nil {
		return "0"
	}
	return in.Value.String()
}

// choose completes the checks by what was seen of their expressions: so that they just
// hold, mostly, or just fail.
func choose(g *generator, seen truth) []comparison {
	var cs []comparison
	for i, c := range seen.checks {
		options := []comparison{{1, c.max}, {2, c.min}, {3, c.max + 1}, {3, c.min - 1}}
		if c.gap < c.max {
			options = append(options, comparison{3, c.gap}, comparison{3, c.gap})
		}
		if g.one(3) {
			options = []comparison{{1, c.max - 1}, {2, c.min + 1}, {3, c.max}, {3, c.min}}
		}
		chosen := options[g.rng.IntN(len(options))]
		typ := g.probes[i].typ
		if lo, hi := max(typ.lo, -1<<62), int64(min(typ.span+uint64(typ.lo), 1<<62)); typ.span == 1<<64-1 {
			chosen.limit = min(max(chosen.limit, lo), 1<<62)
		} else {
			chosen.limit = min(max(chosen.limit, lo), hi)
		}
		cs = append(cs, chosen)
	}
	return cs
}

// render is the program with its checks completed, and the line of each.
func render(g *generator, cs []comparison) (text string, at []int) {
	at = make([]int, len(cs))
	lines := strings.Split(declarations+g.out.String(), "\n")
	for i, l := range lines {
		l = inputMark.ReplaceAllString(l, "__VERIFIER_nondet_$1()")
		lines[i] = probeMark.ReplaceAllStringFunc(l, func(m string) string {
			k, _ := strconv.Atoi(m[1:2])
			at[k] = i + 1
			suffix := map[string]string{"long": "L", "unsigned": "u"}[g.probes[k].typ.name]
			return fmt.Sprintf("%s %s %d%s", g.probes[k].expr, operators[cs[k].op], cs[k].limit, suffix)
		})
	}
	return strings.Join(lines, "\n"), at
}

package bdd

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// This file compares diagrams with those of BuDDy 2.4 (Debian's libbdd-dev): the same
// operations on more variables than truth tables have room for must lead to as many
// nodes, and to the same values at random points.

// buddyProgram executes operations: each line makes a function of earlier ones, by
// number, and prints its nodes and its values at the points.
const buddyProgram = `
#include <bdd.h>
#include <stdio.h>
#include <string.h>
enum { MAX = 4096, POINTS = 64 };
static BDD f[MAX];
static unsigned long long point[64];
static unsigned long long values(BDD g)
{
	unsigned long long out = 0;
	for (int p = 0; p < POINTS; p++) {
		BDD h = g;
		while (h != bddtrue && h != bddfalse)
			h = point[bdd_var(h)] >> p & 1 ? bdd_high(h) : bdd_low(h);
		out |= (unsigned long long)(h == bddtrue) << p;
	}
	return out;
}
int main(void)
{
	int vars, n = 0;
	char op[16];
	long a, b, c;
	scanf("%d", &vars);
	bdd_init(100000, 10000);
	bdd_setvarnum(vars);
	bdd_gbc_hook(NULL);
	for (int i = 0; i < vars; i++)
		scanf("%llx", &point[i]);
	while (scanf("%15s %ld %ld %ld", op, &a, &b, &c) == 4) {
		BDD r;
		if (!strcmp(op, "var")) r = bdd_ithvar(a);
		else if (!strcmp(op, "not")) r = bdd_not(f[a]);
		else if (!strcmp(op, "and")) r = bdd_and(f[a], f[b]);
		else if (!strcmp(op, "or")) r = bdd_or(f[a], f[b]);
		else if (!strcmp(op, "xor")) r = bdd_xor(f[a], f[b]);
		else if (!strcmp(op, "diff")) r = bdd_apply(f[a], f[b], bddop_diff);
		else if (!strcmp(op, "ite")) r = bdd_ite(f[a], f[b], f[c]);
		else { /* exists, andexists: variables b % vars and c % vars, or those of f[a] & f[b] */
			BDD cube = bdd_addref(bdd_and(bdd_ithvar(b % vars), bdd_ithvar(c % vars)));
			if (!strcmp(op, "exists")) r = bdd_exist(f[a], cube);
			else r = bdd_appex(f[a], f[b], bddop_and, cube);
			bdd_delref(cube);
		}
		f[n++] = bdd_addref(r);
		printf("%d %llx\n", bdd_nodecount(r), values(r));
	}
	return 0;
}
`

const buddyVars = 26

func TestAgainstBuDDy(t *testing.T) {
	if !testkit.Long() {
		t.Skip("the comparison with BuDDy is for long tests")
	}
	if _, err := os.Stat("/usr/include/bdd.h"); err != nil {
		t.Skip("BuDDy is not installed: apt-get install libbdd-dev gcc")
	}
	exe := filepath.Join(t.TempDir(), "buddy")
	gcc := exec.Command("gcc", "-w", "-O1", "-x", "c", "-", "-o", exe, "-lbdd", "-lm")
	gcc.Stdin = strings.NewReader(buddyProgram)
	if out, err := gcc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	total, largest := 0, 0
	for seed := range uint64(200) {
		n, size, err := againstBuDDy(exe, seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		total += n
		largest = max(largest, size)
	}
	t.Logf("%d functions compared, of up to %d nodes", total, largest)
	if largest < 1000 {
		t.Error("the functions are small")
	}
}

// againstBuDDy makes a few hundred functions and compares.
func againstBuDDy(exe string, seed uint64) (n, largest int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	rng := rand.New(rand.NewPCG(seed, 5))
	var script bytes.Buffer
	points := make([]uint64, buddyVars)
	fmt.Fprintln(&script, buddyVars)
	for i := range points {
		points[i] = rng.Uint64()
		fmt.Fprintf(&script, "%x\n", points[i])
	}
	m := New(buddyVars, Options{})
	var fs []Ref
	make1 := func(op string, a, b, c int) {
		fmt.Fprintln(&script, op, a, b, c)
		fs = append(fs, buddyStep(m, fs, op, a, b, c))
	}
	for v := range buddyVars {
		make1("var", v, 0, 0)
	}
	ops := []string{"not", "and", "or", "xor", "diff", "ite", "exists", "andexists", "and", "or", "ite", "xor"}
	for range 250 {
		recent := func() int { return max(0, len(fs)-1-rng.IntN(40)) }
		make1(ops[rng.IntN(len(ops))], recent(), rng.IntN(len(fs)), recent())
		if m.NodeCount(fs[len(fs)-1]) > 20_000 { // start again from small ones
			for range 40 {
				make1("var", rng.IntN(buddyVars), 0, 0)
			}
		}
		if rng.IntN(20) == 0 {
			m.Collect(func(keep func(Ref)) {
				for _, f := range fs {
					keep(f)
				}
			})
		}
	}
	cmd := exec.Command(exe)
	cmd.Stdin = &script
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, err
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for i, f := range fs {
		got := fmt.Sprintf("%d %x", m.inner(f), m.valuesAt(f, points))
		if !lines.Scan() || lines.Text() != got {
			return 0, 0, fmt.Errorf("function %d: %s, BuDDy: %s", i, got, lines.Text())
		}
		largest = max(largest, m.inner(f))
	}
	return len(fs), largest, nil
}

func buddyStep(m *Manager, fs []Ref, op string, a, b, c int) Ref {
	switch op {
	case "var":
		return m.Var(a)
	case "not":
		return m.Not(fs[a])
	case "and":
		return m.And(fs[a], fs[b])
	case "or":
		return m.Or(fs[a], fs[b])
	case "xor":
		return m.Xor(fs[a], fs[b])
	case "diff":
		return m.Diff(fs[a], fs[b])
	case "ite":
		return m.Ite(fs[a], fs[b], fs[c])
	case "exists":
		return m.Exists(fs[a], m.Cube([]int{b % buddyVars, c % buddyVars}))
	}
	return m.AndExists(fs[a], fs[b], m.Cube([]int{b % buddyVars, c % buddyVars}))
}

// inner counts the nodes of f that are no constants.
func (m *Manager) inner(f Ref) int {
	seen := map[Ref]bool{}
	for work := []Ref{f}; len(work) > 0; {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if g > True && !seen[g] {
			seen[g] = true
			work = append(work, m.nodes[g].lo, m.nodes[g].hi)
		}
	}
	return len(seen)
}

// valuesAt is the values of f at 64 points; bit p of points[v] is variable v of point p.
func (m *Manager) valuesAt(f Ref, points []uint64) (out uint64) {
	for p := range 64 {
		if m.Eval(f, func(v int) bool { return points[v]>>p&1 == 1 }) {
			out |= 1 << p
		}
	}
	return out
}

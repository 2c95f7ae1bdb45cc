package harness_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the entries that are found with those that an environment, compiled by gcc, can
// call: random drivers move addresses of functions through variables, structures, arrays and functions
// of their own, and give some of them away.

// environment is the other side: it calls each function that it is given.
const environment = `
#include <stdio.h>
typedef int (*callback)(int);
struct ops { callback a, b; };
static int outside;
int entered(int n) { if (outside) printf("f%d\n", n); return n; }
static void call(callback c) { outside = 1; if (c) c(1); outside = 0; }
void give(callback c) { call(c); }
void give_ops(const struct ops *o) { if (o) { call(o->a); call(o->b); } }
void give_copy(struct ops o) { call(o.a); call(o.b); }
void give_list(callback *l) { call(l[0]); call(l[1]); }
int init_module(void);
int main(void) { return init_module(); }
`

// routes writes a driver with n independent parts. Functions are called f0, f1 and so on.
func routes(rng *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("typedef int (*callback)(int);\nstruct ops { callback a, b; };\nint entered(int);\n" +
		"void give(callback);\nvoid give_ops(const struct ops *);\nvoid give_copy(struct ops);\nvoid give_list(callback *);\n" +
		"static callback same(callback c) { return c; }\nstatic void store(struct ops *o, callback c) { o->b = c; }\n" +
		"static void pass(callback c) { give(c); }\nstatic void set(callback *p, callback c) { *p = c; }\n")
	const functions = 6 // of a part
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for k := range n {
		// 1. Functions, and tables that mention some of them.
		f := func() string { return fmt.Sprintf("f%d", k*functions+rng.IntN(functions)) }
		for i := range functions {
			fmt.Fprintf(&b, "static int f%d(int x) { return entered(%d) + x; }\n", k*functions+i, k*functions+i)
		}
		fmt.Fprintf(&b, "static callback g%d, l%d[2] = { %s };\nstatic struct ops s%d = { .b = %s };\n", k, k, pick("0", f()), k, pick("0", f()))
		fmt.Fprintf(&b, "static const struct { const struct ops *to; } w%d = { &s%d };\n", k, k)
		// 2. Moves and gifts, in any order.
		value := func() string {
			return pick(f(), f(), "c", "d", fmt.Sprintf("g%d", k), fmt.Sprintf("s%d.a", k), fmt.Sprintf("s%d.b", k), "t.a", "p->b", fmt.Sprintf("l%d[1]", k), "same(c)", "("+f()+", d)", "k > 3 ? "+f()+" : c", "({ d; })")
		}
		record := func() string { return pick("t", fmt.Sprintf("s%d", k), "*p") }
		fmt.Fprintf(&b, "static void part%d(int k)\n{\n\tcallback c = %s, d = 0;\n\tstruct ops t = { %s, 0 }, *p = &%s;\n", k, pick("0", f()), pick("0", f()), pick("t", fmt.Sprintf("s%d", k)))
		for range 4 + rng.IntN(8) {
			b.WriteString("\t" + pick(
				"c = "+value(), "d = "+value(), fmt.Sprintf("g%d = %s", k, value()), "t.a = "+value(), fmt.Sprintf("s%d.b = %s", k, value()),
				"p->a = "+value(), fmt.Sprintf("l%d[%d] = %s", k, rng.IntN(2), value()), record()+" = "+record(), "p = &"+pick("t", fmt.Sprintf("s%d", k)),
				"store(&"+pick("t", fmt.Sprintf("s%d", k))+", "+value()+")", "pass("+value()+")", "set(&"+pick("c", "t.b", fmt.Sprintf("g%d", k))+", "+value()+")",
				"give("+value()+")", "give_ops(&"+record()+")", fmt.Sprintf("give_ops(w%d.to)", k), "give_copy("+record()+")", fmt.Sprintf("give_list(l%d)", k),
				"if (c) c(1)", "t = (struct ops){ "+value()+", d }", "give_ops(&(struct ops){ .a = "+value()+" })",
			) + ";\n")
		}
		b.WriteString("}\n")
	}
	b.WriteString("int init_module(void)\n{\n")
	for k := range n {
		fmt.Fprintf(&b, "\tpart%d(%d);\n", k, rng.IntN(8))
	}
	b.WriteString("\treturn 0;\n}\n")
	return b.String()
}

var calledEntry = regexp.MustCompile(`(?m)^\t\t\t(f\d+)\(`)

// TestEntriesAgainstGCC: whatever the environment calls is an entry.
func TestEntriesAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	given, found := 0, 0
	for seed := range testkit.Count[uint64](2, 100) {
		text := routes(rand.New(rand.NewPCG(seed, 1)), 60)
		// 1. Those that the environment calls.
		dir := t.TempDir()
		for name, text := range map[string]string{"driver.c": text, "environment.c": environment} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program := filepath.Join(dir, "program")
		if out, err := exec.Command("gcc", "-w", "-o", program, filepath.Join(dir, "driver.c"), filepath.Join(dir, "environment.c")).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v\n%s", err, out)
		}
		out, err := exec.Command(program).Output()
		if err != nil {
			t.Fatal(err)
		}
		// 2. Those that the harness calls.
		h, err := frontend.Harness(t.Context(), []*source.File{source.NewFile("driver.c", []byte(text))}, frontend.Options{}, harness.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var entries []string
		for _, m := range calledEntry.FindAllStringSubmatch(h.String(), -1) {
			entries = append(entries, m[1])
		}
		slices.Sort(entries)
		entries = slices.Compact(entries)
		called := strings.Fields(string(out))
		slices.Sort(called)
		called = slices.Compact(called)
		for _, name := range called {
			if !slices.Contains(entries, name) {
				t.Errorf("seed %d: the environment calls %s, which is no entry", seed, name)
			}
		}
		given, found = given+len(called), found+len(entries)
	}
	t.Logf("%d functions are called by the environment, %d are entries", given, found)
	if given < 100 || found > 8*given {
		t.Errorf("%d functions are called by the environment, %d are entries", given, found)
	}
}

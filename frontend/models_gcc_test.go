package frontend

import (
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares models with the functions of the C library: what a function does is
// one of the things that its model does.

// realCalls are statements that call a function with char a[16], b[16] and int n, c; the
// result is r. Strings in a and b are shorter than 8, and n is at most 7.
var realCalls = []struct{ name, call string }{
	{"memcpy", "r = (char *)memcpy(a, b, n) - a;"},
	{"memmove", "r = (char *)memmove(a + 1, a, n) - a;"},
	{"memset", "r = (char *)memset(a, c, n) - a;"},
	{"memcmp", "r = memcmp(a, b, n);"},
	{"memcmp", "r = memcmp(a, b, 2);"},
	{"memcmp", "r = memcmp(\"ab\", b, 2);"},
	{"mempcpy", "r = (char *)mempcpy(a, b, n) - a;"},
	{"memchr", "char *p = memchr(a, c, n); r = p ? p - a : -1;"},
	{"memrchr", "char *p = memrchr(a, c, n); r = p ? p - a : -1;"},
	{"bzero", "bzero(a, n); r = 0;"},
	{"bcopy", "bcopy(a, b, n); r = 0;"},
	{"strlen", "r = strlen(a);"},
	{"strnlen", "r = strnlen(a, n);"},
	{"strcpy", "r = strcpy(a, b) - a;"},
	{"strncpy", "r = strncpy(a, b, n) - a;"},
	{"strcat", "r = strcat(a, b) - a;"},
	{"strncat", "r = strncat(a, b, n) - a;"},
	{"stpcpy", "r = stpcpy(a, b) - a;"},
	{"stpncpy", "r = stpncpy(a, b, n) - a;"},
	{"strcmp", "r = strcmp(a, b);"},
	{"strncmp", "r = strncmp(a, b, n);"},
	{"strcmp", "r = strcmp(a, \"a\");"},
	{"strcmp", "r = strcmp(\"\", b);"},
	{"strncmp", "r = strncmp(a, b, 2);"},
	{"strncmp", "r = strncmp(\"a1b\", a, 2);"},
	{"strcasecmp", "r = strcasecmp(a, b);"},
	{"strspn", "r = strspn(a, b);"},
	{"strcspn", "r = strcspn(a, b);"},
	{"strchr", "char *p = strchr(a, c); r = p ? p - a : -1;"},
	{"strrchr", "char *p = strrchr(a, c); r = p ? p - a : -1;"},
	{"strstr", "char *p = strstr(a, b); r = p ? p - a : -1;"},
	{"strpbrk", "char *p = strpbrk(a, b); r = p ? p - a : -1;"},
	{"atoi", "r = atoi(a);"},
	{"strtol", "char *p = a + 5; r = strtol(a, &p, 10); r = 16 * r + (p - a);"},
	{"strtoul", "char *p = a + 5; r = strtoul(a, &p, 0); r = p - a;"},
	{"abs", "r = abs(n - c);"},
	{"labs", "r = labs(n - c);"},
	{"tolower", "r = tolower(c);"},
	{"isdigit", "r = isdigit(c);"},
	{"sprintf", "r = sprintf(a, \"%d\", c);"},
	{"snprintf", "r = snprintf(a, n, \"%d,%d\", c, n);"},
	{"calloc", "char *p = calloc(n, 1); r = p != 0; if (p && n) r = p[n - 1];"},
	{"realloc", "char *p = malloc(8); if (!p) return 0; p[0] = c; p = realloc(p, 16); if (!p) return 0; r = p[0];"},
	{"reallocarray", "char *p = malloc(8); if (!p) return 0; p[0] = c; p = reallocarray(p, 4, 4); if (!p) return 0; r = p[0];"},
	{"posix_memalign", "void *p = 0; r = posix_memalign(&p, 64, 8); if (p && r == 0) { *(char *)p = c; r = *(char *)p; }"},
	{"strdup", "char *p = strdup(a); if (!p) return 0; r = p[0] - a[0];"},
}

// brokenModels are such as the comparison must refuse.
var brokenModels = map[string]string{
	"strcpy":   "char *strcpy(char *to, const char *from) { return to; }",
	"stpcpy":   "void __c2bp_havoc(void *, unsigned long); char *stpcpy(char *to, const char *from) { __c2bp_havoc(to, 8); return to; }",
	"strcmp":   "int strcmp(const char *s, const char *t) { return 0; }",
	"memset":   "void *memset(void *p, int c, unsigned long n) { if (n) __builtin_memset(p, c, n - 1); return p; }",
	"memmove":  "void *memmove(void *p, const void *q, unsigned long n) { __builtin_memcpy(p, (char *)q + 1, n); return p; }",
	"strchr":   "char *strchr(const char *s, int c) { return (char *)s; }",
	"abs":      "int abs(int n) { return n; }",
	"strtol":   "long __c2bp_nondet_long(void); long strtol(const char *s, char **end, int base) { return __c2bp_nondet_long(); }",
	"snprintf": "int __c2bp_nondet_int(void); int snprintf(char *to, unsigned long n, const char *format, ...) { return __c2bp_nondet_int(); }",
	"calloc":   "void *__c2bp_alloc(unsigned long n); void *calloc(unsigned long n, unsigned long m) { char *p = __c2bp_alloc(n * m); if (n) p[n - 1] = 1; return p; }",
	"strdup":   "void *__c2bp_alloc(unsigned long n); char *strdup(const char *s) { char *p = __c2bp_alloc(16); p[0] = s[0] + 1; return p; }",
}

const callPrelude = `#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <stdio.h>
#include <ctype.h>
void *mempcpy(void *, const void *, size_t), *memrchr(const void *, int, size_t), *reallocarray(void *, size_t, size_t);
char *stpcpy(char *, const char *), *stpncpy(char *, const char *, size_t);
int posix_memalign(void **, size_t, size_t);
`

// realProgram prints, for each function and number of a run, what it is given and does.
func realProgram(runs int) string {
	var s strings.Builder
	s.WriteString(callPrelude + `
static unsigned long seed;
static int pick(int n) { seed = seed * 6364136223846793005ul + 1442695040888963407ul; return (seed >> 33) % n; }
static char a[16], b[16]; static int n, c; static long r;
static void string(char *s) { int len = pick(8); for (int i = 0; i < 16; i++) s[i] = i < len ? "ab1-A "[pick(6)] : i == len ? 0 : pick(3); }
static void show(void) { for (int i = 0; i < 16; i++) printf("%d ", a[i]); for (int i = 0; i < 16; i++) printf("%d ", b[i]); }
static void start(int i) { seed = 77 + i; string(a); string(b); n = pick(8); c = pick(3) ? "ab1-A "[pick(6)] : pick(128); show(); printf("%d %d ", n, c); }
`)
	for i, f := range realCalls {
		fmt.Fprintf(&s, "static int f%d(void) { %s return 1; }\n", i, f.call)
	}
	fmt.Fprintf(&s, "int main(void) { for (int i = 0; i < %d; i++) {\n", runs)
	for i := range realCalls {
		fmt.Fprintf(&s, "start(i); if (!f%d()) abort(); printf(\"%%ld \", r); show(); printf(\"\\n\");\n", i)
	}
	s.WriteString("} return 0; }\n")
	return s.String()
}

// modelProgram fails if the call does what it is told to expect.
func modelProgram(call string) string {
	return callPrelude + `
char __VERIFIER_nondet_char(void); int __VERIFIER_nondet_int(void); long __VERIFIER_nondet_long(void); void reach_error(void);
char a[16], b[16]; int n, c; long r;
int main(void) {
	for (int i = 0; i < 16; i++) a[i] = __VERIFIER_nondet_char();
	for (int i = 0; i < 16; i++) b[i] = __VERIFIER_nondet_char();
	n = __VERIFIER_nondet_int();
	c = __VERIFIER_nondet_int();
	` + call + `
	if (r != __VERIFIER_nondet_long()) return 0;
	for (int i = 0; i < 16; i++) if (a[i] != __VERIFIER_nondet_char()) return 0;
	for (int i = 0; i < 16; i++) if (b[i] != __VERIFIER_nondet_char()) return 0;
	reach_error();
	return 0;
}
`
}

// finder makes the choices of one run of a modelProgram: the test's inputs, contents of
// memory as they are expected to be, and what the model leaves open by trying candidates.
type finder struct {
	inputs     []int64 // a, b, n, c, r, and a and b behind the call
	given      int
	choices    []int // the number of the candidate, for each choice of the model
	limits     []int // how many candidates there were
	candidates []int64
}

func (f *finder) choose(limit int) int {
	if limit == 1 {
		return 0
	}
	i := len(f.limits)
	f.limits = append(f.limits, limit)
	if i == len(f.choices) {
		f.choices = append(f.choices, 0)
	}
	return f.choices[i]
}

func (f *finder) Branch(_ interp.Place, next []int) int { return next[f.choose(len(next))] }

func (f *finder) Value(r interp.Request) *big.Int {
	switch r.Why {
	case interp.Havocked:
		if h, ok := r.Proc.Nodes[r.Node].Stmt.(*core.Havoc); ok && strings.HasPrefix(h.Why, "__VERIFIER_") {
			f.given++
			return r.Type.Convert(big.NewInt(f.inputs[f.given-1]))
		} else if ok && !h.Begin {
			return r.Type.Convert(big.NewInt(f.candidates[f.choose(len(f.candidates))]))
		}
	case interp.Contents:
		if r.Object != nil && r.Object.Var() != nil {
			at := int64(r.Addr - r.Object.Start())
			switch r.Object.Var().Name {
			case "a":
				return r.Type.Convert(big.NewInt(f.inputs[35+at]))
			case "b":
				return r.Type.Convert(big.NewInt(f.inputs[51+at]))
			}
		} else if r.Type.Bits == 8 { // of a new object: the start of a copy of a
			return r.Type.Convert(big.NewInt(f.inputs[0]))
		}
	}
	return new(big.Int)
}

// next moves on to the next combination of choices; false if there is none.
func (f *finder) next() bool {
	for i := len(f.limits) - 1; i >= 0; i-- {
		if f.choices[i]+1 < f.limits[i] {
			f.choices = append(f.choices[:i:i], f.choices[i]+1)
			f.limits, f.given = nil, 0
			return true
		}
	}
	return false
}

// steps are candidates for sizes and offsets.
var steps = []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -1}

// allows reports whether p, a modelProgram, can do what inputs say.
func allows(t *testing.T, p *core.Program, inputs []int64) bool {
	f := &finder{inputs: inputs}
	f.candidates = []int64{inputs[34]}
	for _, v := range append([]int64{inputs[34] >> 4}, steps...) {
		if !slices.Contains(f.candidates, v) {
			f.candidates = append(f.candidates, v)
		}
	}
	for tries := 0; tries < 3000; tries++ {
		e, err := interp.New(p, f, interp.Options{}).Run(t.Context(), 20000)
		if err == nil && e.Kind == interp.Failed {
			return true
		}
		if !f.next() {
			return false
		}
	}
	t.Fatal("too many choices")
	return false
}

// results runs the functions of the C library: for each of realCalls, a list of runs.
func results(t *testing.T, runs int) [][][]int64 {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real.c"), []byte(realProgram(runs)), 0o666); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "real")
	if out, err := exec.Command("gcc", "-w", "-O0", "-fno-builtin", "-o", exe, filepath.Join(dir, "real.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	table := make([][][]int64, len(realCalls))
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var row []int64
		for _, field := range strings.Fields(line) {
			v, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		table[i%len(realCalls)] = append(table[i%len(realCalls)], row)
	}
	return table
}

// TestModelsAllowReality: what the functions of the C library do, their models may do.
func TestModelsAllowReality(t *testing.T) {
	compared, written := 0, 0
	for i, rows := range results(t, testkit.Count(12, 300)) {
		if writtenOut(realCalls[i].call) {
			written++
		}
		u := mustLoad(t, modelProgram(realCalls[i].call), Options{})
		if ledger := strings.Join(u.Program.Ledger, "\n"); !strings.Contains(ledger, realCalls[i].name) {
			t.Errorf("%s: there is no model", realCalls[i].name)
		}
		for _, row := range rows {
			compared++
			if !allows(t, u.Program, row) {
				t.Errorf("%s: the model does not allow %v", realCalls[i].call, row)
				break
			}
		}
	}
	t.Logf("%d calls of %d functions compared", compared, len(realCalls))
	if written != 6 {
		t.Errorf("%d comparisons are written out, want 6", written)
	}
}

// writtenOut reports whether call compares a few bytes: it is lowered without its model.
func writtenOut(call string) bool {
	return strings.Contains(call, "cmp(") && (strings.Contains(call, `"`) || strings.Contains(call, ", 2)"))
}

// TestBrokenModels: the comparison finds models that allow too little.
func TestBrokenModels(t *testing.T) {
	table := results(t, 40)
	for i, f := range realCalls {
		text := brokenModels[f.name]
		if text == "" || writtenOut(f.call) {
			continue
		}
		u := mustLoad(t, modelProgram(f.call), Options{Models: []*source.File{source.NewFile("broken.c", []byte(text))}})
		caught := false
		for _, row := range table[i] {
			if caught = !allows(t, u.Program, row); caught {
				break
			}
		}
		if !caught {
			t.Errorf("%s: not caught", f.name)
		}
	}
}

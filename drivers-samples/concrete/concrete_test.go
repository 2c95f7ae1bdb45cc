package concrete

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const shapes = `// 99
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void)
{
    int table[4] = { 0 };
    int what = __VERIFIER_nondet_int();

    switch (what) {
    case 0: return 7;
    case 1: assert(what == 1); assert(what == 2); break;
    case 2: __VERIFIER_assert(what != 2); break;
    case 3: reach_error(); break;
    case 4: goto ERROR;
    case 5: __VERIFIER_assume(what != 5); break;
    case 6: return what * 2147483647;
    case 7: return table[what];
    case 8: while (1) __VERIFIER_nondet_int();
    case 9: while (what) { __asm__ volatile (""); }
    }
    return 0;
ERROR:
    return 1;
}
`

func compiler(t *testing.T) *Compiler {
	t.Helper()
	c, err := New(t.TempDir(), Options{})
	if errors.Is(err, ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each way to end a run is told from the others, with the line of the failure.
func TestEnds(t *testing.T) {
	exe, err := compiler(t).Compile(Program{"shapes", shapes})
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range []Run{
		{End: Ended, Used: 1},
		{End: Failed, Used: 1, Line: 15, Passed: 1},
		{End: Failed, Used: 1, Line: 16},
		{End: Failed, Used: 1, Line: 17},
		{End: Failed, Used: 1, Line: 26},
		{End: Blocked, Used: 1},
		{End: Undefined, Used: 1},
		{End: Undefined, Used: 1},
		{End: Short, Used: 1},
		{End: Stuck, Used: 1},
	} {
		got, err := exe.Run([]int64{int64(what)})
		if err != nil {
			t.Fatal(err)
		}
		got.Inputs = nil
		if got.End != want.End || got.Line != want.Line || got.Passed != want.Passed || got.Used != want.Used {
			t.Errorf("%d: %+v, want %+v", what, got, want)
		}
	}
}

// Random runs come to all of them, are the same each time, and other ones for another
// seed.
func TestSample(t *testing.T) {
	exe, err := compiler(t).Compile(Program{"shapes", strings.Replace(shapes, "while (what)", "if (what)", 1)})
	if err != nil {
		t.Fatal(err)
	}
	var seen [3][]Run
	for i, seed := range []uint64{1, 1, 2} {
		if seen[i], err = exe.Sample(seed, 300); err != nil {
			t.Fatal(err)
		}
	}
	same := func(a, b []Run) bool {
		return slices.EqualFunc(a, b, func(a, b Run) bool { return a.End == b.End && a.Line == b.Line })
	}
	if !same(seen[0], seen[1]) {
		t.Error("the same seed gave other runs")
	}
	if same(seen[0], seen[2]) {
		t.Error("another seed gave the same runs")
	}
	for _, end := range []End{Ended, Failed, Blocked, Cut, Undefined} {
		if !slices.ContainsFunc(seen[0], func(r Run) bool { return r.End == end }) {
			t.Errorf("no run of 300 %s", end)
		}
	}
	for _, r := range seen[0] {
		if r.End == Failed && len(r.Inputs) != r.Used {
			t.Errorf("a failure without its inputs: %+v", r)
		}
	}
}

// What is not initialised is refused.
func TestUninitialised(t *testing.T) {
	_, err := compiler(t).Compile(Program{"bad", "int main(void) { int x; return x; }"})
	if err == nil {
		t.Error("compiled")
	}
}

// False claims are found out.
func TestCheck(t *testing.T) {
	c := compiler(t)
	check := func(name, body string, claim Claim) error {
		exe, err := c.Compile(Program{name, "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n" +
			"extern void reach_error(void);\nint main(void) { int x = __VERIFIER_nondet_int(); " + body + " return 0; }\n"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = exe.Check(claim, 1, 100)
		return err
	}
	for _, k := range []struct {
		name, body string
		claim      Claim
		ok         bool
	}{
		{"safe", "", Claim{}, true},
		{"unsafe", "if (x == 3) reach_error();", Claim{4, []int64{3}}, true},
		{"fails", "if (x == 3) reach_error();", Claim{}, false},
		{"holds", "if (x == 3) reach_error();", Claim{4, []int64{4}}, false},
		{"elsewhere", "if (x == 3) reach_error();", Claim{5, []int64{3}}, false},
		{"longer", "if (x == 3) reach_error();", Claim{4, []int64{3, 0}}, false},
		{"other", "if (x == 3) reach_error();\nif (x == 4) reach_error();", Claim{4, []int64{3}}, false},
		{"undefined", "return x * x * x * x;", Claim{}, false},
		{"vacuous", "__VERIFIER_assume(x == 123456789 && x == 3);", Claim{}, false},
	} {
		if err := check(k.name, k.body, k.claim); (err == nil) != k.ok {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}

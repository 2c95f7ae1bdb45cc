package interleave_test

import (
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
)

// TestMicro compares verdicts, numbers of states and lengths of shortest runs of small models with those that
// the rules of the language give.
func TestMicro(t *testing.T) {
	for _, c := range []struct {
		name, text string
		states     int
		failure    string // "" if there is none
		length     int    // states on a shortest run to it
	}{
		{"empty method", `class A { static void f() {} activate static void a() { f(); } activate static void b() { ; } };`, 14, "", 0},
		{"goto", `class A { static int g; activate static void a() { goto L; g = 1; L: g = 2; } activate static void b() { g = 3; } };`, 14, "", 0},
		{"atomic exit", `class A { static int g; activate static void a() { atomic { g = 1; g = 2; } g = 3; } activate static void b() { g = 4; } };`, 16, "", 0},
		{"goto out of atomic", `class A { static int g; activate static void a() { atomic { g = 1; goto L; g = 2; } L: ; } activate static void b() { g = 4; } };`, 16, "", 0},
		{"atomic method with select", `class A { static bool k; atomic static void get() { select { wait(!k) -> k = true; } } activate static void a() { get(); k = false; } activate static void b() { get(); k = false; } };`, 23, "", 0},
		{"nondeterministic select", `class A { static int g; activate static void a() { select { wait(true) -> g = 1; wait(true) -> g = 2; timeout -> g = 3; } } activate static void b() { g = 9; } };`, 33, "", 0},
		{"select first with timeout", `chan C int; class A { static C c = new C; activate static void a() { int v; select first { timeout -> v = 7; receive(c, v) -> ; } } activate static void b() { send(c, 5); } };`, 16, "", 0},
		{"choose in atomic", `class A { static bool x; activate static void a() { bool y; atomic { x = choose(bool); y = choose(bool); assume(x != y); } } activate static void b() { ; } };`, 22, "", 0},
		{"deadlock", `chan C int; class A { static C c = new C; activate static void a() { int v; select { receive(c, v) -> ; } } };`, 1, "deadlock", 1},
		{"end state", `chan C int; class A { static C c = new C; activate static void a() { int v; select end { receive(c, v) -> ; } } activate static void b() { ; } };`, 2, "", 0},
		{"block inside atomic", `class A { static bool k; activate static void a() { atomic { k = false; select { wait(k) -> ; } } } };`, 1, "blocking select inside a step", 2},
		{"out and return", `class A { static int r; static int f(int p, out int q) { q = p + 1; return p; } activate static void a() { int z; r = f(4, out z); assert(r + z == 9); } activate static void b() { r = 0; } };`, 22, "failed", 6},
		{"struct value", `struct S { int u; }; class A { activate static void a() { S s; S t; s.u = 1; t = s; t.u = 2; assert(s.u == 1); } };`, 1, "", 0},
		{"heap isomorphism", `class N { N nx; }; class A { static N h; static void mk() { h = new N; } activate static void a() { async mk(); async mk(); } };`, 21, "", 0},
		{"while with empty body", `class A { static bool f; activate static void a() { while (!f) ; } activate static void b() { f = true; } };`, 9, "", 0},
		{"nested scopes", `class A { static int g; activate static void a() { int i; while (i < 2) { int t = i; g = t; i = i + 1; } } activate static void b() { ; } };`, 32, "", 0},
		{"return in atomic", `class A { static int g; static int f() { atomic { g = g + 1; return g; } } activate static void a() { int v; v = f(); } activate static void b() { int v; v = f(); } };`, 18, "", 0},
		{"division", `class A { activate static void a() { int z; int q = 4; q = q / z; } };`, 1, "division by zero", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explore(t, c.text, lowerzing.Options{}, interleave.Options{})
			failure, length := "", 0
			if len(r.Failures) > 0 {
				f := r.Failures[0]
				failure, length = "deadlock", f.States()
				if f.Kind == interleave.Step {
					failure = f.Outcome.String()
				}
			}
			if failure != c.failure || length != c.length {
				t.Errorf("failure %q on a run of %d states, want %q of %d", failure, length, c.failure, c.length)
			}
			if c.failure == "" && r.Distinct != c.states {
				t.Errorf("%d states, want %d", r.Distinct, c.states)
			}
		})
	}
}

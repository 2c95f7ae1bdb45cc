package zingcheck

import (
	"context"
	"testing"

	"c2bp/checker/interleave"
)

// TestCorners checks models that reach limits of the object model.
func TestCorners(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"structs without fields", `
struct E { }; struct F { E e; int x; }; array AE[] E; chan CE E; array AF[3] F;
class A { static E g; static AE a; static CE c; static AF f;
    static E m(E p, out E q) { q = p; return p; }
    activate static void run() {
        E l; E k; F z;
        a = new AE[3]; c = new CE; send(c, g); f = new AF;
        select { receive(c, l) -> a[1] = l; }
        a[2] = a[1]; l = m(g, out k); f[1].e = l; f[1].x = 4; z = f[1]; l = z.e; l = choose(a);
        foreach (E v in a) { g = v; }
        assert(z.x == 5); } };`, "FALSE (assertion, in.zing:11)"},
		{"new without end", `class N { N n = new N; }; class A { activate static void a() { N x; x = new N; } };`, "FALSE (infinite loop in a step, in.zing:1)"},
		{"recursion inside atomic", `class A { static int f(int n) { int r; r = f(n + 1); return r; } activate static void a() { int x; atomic { x = f(0); } } };`, "FALSE (infinite loop in a step, in.zing:1)"},
		{"recursion", `class A { static void f() { f(); } activate static void a() { f(); } };`, "UNKNOWN (limit of 1000 states reached)"},
		{"a range of many values", `range R -5 .. 2000000000; class A { activate static void a() { int x; x = choose(R); } };`, "UNKNOWN (limit of 1000 states reached)"},
		{"an empty array", `array B[] int; class A { activate static void a() { B b; int x; b = new B[0]; x = choose(b); } };`, "FALSE (choose from nothing, in.zing:1)"},
		{"a negative size", `array B[] int; class A { activate static void a() { B b; int x; x = x - 1; b = new B[x]; } };`, "FALSE (arithmetic overflow, in.zing:1)"},
		{"a huge array", `array B[] int; class A { activate static void a() { B b; b = new B[2000000000]; } };`, "FALSE (array too large, in.zing:1)"},
		{"static initialisers fail", `array B[5] int; class A { static B b = new B; static int x = b[7]; activate static void a() { ; } };`, "FALSE (invalid index, in.zing:1)"},
		{"an object of another class", `class B { bool u; int w; }; class A { int v; static object o; activate static void a() { B b; o = new A; b = o; b.w = 3; } };`, "FALSE (object of another class, in.zing:1)"},
		{"a process on a null object", `class A { int v; void f() { v = 1; } activate static void a() { A x; async x.f(); } };`, "FALSE (null dereference, in.zing:1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Check(context.Background(), load(t, []byte(c.text)), Options{Options: interleave.Options{MaxStates: 1000}})
			if got := a.Result.Summary(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

package zingtest

import "testing"

// TestMicro runs small programs whose numbers of distinct states and lengths of shortest traces are
// known for the original language.
func TestMicro(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"m1 empty method and call", `class A { static void f() {} activate static void a() { f(); } activate static void b() { ; } };`, "states 14; none"},
		{"m2 goto and label", `class A { static int g; activate static void a() { goto L; g = 1; L: g = 2; } activate static void b() { g = 3; } };`, "states 14; none"},
		{"m3 atomic exit", `class A { static int g; activate static void a() { atomic { g = 1; g = 2; } g = 3; } activate static void b() { g = 4; } };`, "states 16; none"},
		{"m4 goto out of atomic", `class A { static int g; activate static void a() { atomic { g = 1; goto L; g = 2; } L: ; } activate static void b() { g = 4; } };`, "states 16; none"},
		{"m5 atomic method with select", `class A { static bool k; atomic static void get() { select { wait(!k) -> k = true; } } activate static void a() { get(); k = false; } activate static void b() { get(); k = false; } };`, "states 23; none"},
		{"m6 non-deterministic select", `class A { static int g; activate static void a() { select { wait(true) -> g = 1; wait(true) -> g = 2; timeout -> g = 3; } } activate static void b() { g = 9; } };`, "states 33; none"},
		{"m7 select first with timeout", `chan C int; class A { static C c = new C; activate static void a() { int v; select first { timeout -> v = 7; receive(c, v) -> ; } } activate static void b() { send(c, 5); } };`, "states 16; none"},
		{"m8 choose in atomic", `class A { static bool x; activate static void a() { bool y; atomic { x = choose(bool); y = choose(bool); assume(x != y); } } activate static void b() { ; } };`, "states 22; assume 4"},
		{"m9 deadlock", `chan C int; class A { static C c = new C; activate static void a() { int v; select { receive(c, v) -> ; } } };`, "states 1; deadlock 1"},
		{"m10 end state", `chan C int; class A { static C c = new C; activate static void a() { int v; select end { receive(c, v) -> ; } } activate static void b() { ; } };`, "states 2; none"},
		{"m11 block inside atomic", `class A { static bool k; activate static void a() { atomic { k = false; select { wait(k) -> ; } } } };`, "states 1; blocking-select 2"},
		{"m12 out and return", `class A { static int r; static int f(int p, out int q) { q = p + 1; return p; } activate static void a() { int z; r = f(4, out z); assert(r + z == 9); } activate static void b() { r = 0; } };`, "states 22; assertion 6"},
		{"m13 struct value", `struct S { int u; }; class A { activate static void a() { S s; S t; s.u = 1; t = s; t.u = 2; assert(s.u == 1); } };`, "states 1; none"},
		{"m14 heap isomorphism", `class N { N nx; }; class A { static N h; static void mk() { h = new N; } activate static void a() { async mk(); async mk(); } };`, "states 21; none"},
		{"m15 while with empty body", `class A { static bool f; activate static void a() { while (!f) ; } activate static void b() { f = true; } };`, "states 9; none"},
		{"m16 nested scopes", `class A { static int g; activate static void a() { int i; while (i < 2) { int t = i; g = t; i = i + 1; } } activate static void b() { ; } };`, "states 32; none"},
		{"m17 return in atomic", `class A { static int g; static int f() { atomic { g = g + 1; return g; } } activate static void a() { int v; v = f(); } activate static void b() { int v; v = f(); } };`, "states 18; none"},
		{"m18 division", `class A { activate static void a() { int z; int q = 4; q = q / z; } };`, "states 1; division 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := explore(t, c.text, Options{}).Summary(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

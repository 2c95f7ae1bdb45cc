package zingtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes random models whose processes share objects with locks.

const lockedHead = `class N {
    bool held; int w; N next;
    atomic void lock() { select { wait(!held) -> held = true; } }
    void unlock() { held = false; }
};
chan C N; set B int; array V[2] int;
class P {
    static int x; static bool k; static N h = new N; static N g = new N; static C c = new C; static C d = new C; static B s = new B; static V v = new V;
    static void other(N n) { n.lock(); n.w = 1; n.unlock(); }
    static void work(N n, int i) { n.w = i; if (i > 0) work(n, i - 1); }
`

// lockedPool are statements; n and m are objects, i and b numbers.
var lockedPool = []string{
	"n = h;", "h = n;", "m = n;", "n = m;", "g = m;", "m = g;", "n.next = m;", "if (n.next != null) n = n.next;",
	"n.w = 1;", "n.w = 0;", "assert(n.w == 0);", "assert(m.w == 0);", "i = n.w;", "m.w = i;", "x = 1;", "x = 0;", "assert(x == 0);", "i = x;",
	"send(c, n);", "send(d, m);", "select { receive(c, n) -> ; }", "select { receive(d, m) -> ; timeout -> ; }", "select { receive(c, n) -> ; receive(d, n) -> x = 1; }",
	"select first { receive(c, n) -> ; receive(d, n) -> assert(x == 0); timeout -> ; }", "i = sizeof(c);", "if (i == 1) assert(n.w == 0);",
	"atomic { i = 1; select { receive(c, n) -> ; } }", "select { receive(c, n) && receive(c, m) -> ; }",
	"n = new N;", "atomic { n = new N; n.w = 1; h = n; }", "m = new N;", "atomic { m = new N; send(c, m); }",
	"select { wait(n.w == 1) -> ; }", "select { wait(x == 1) -> assert(n.w == 0); }", "assert(!n.held);", "n.unlock();", "m.unlock();",
	"b = choose(bool);", "if (b) n = m;", "if (b) n.w = 1;", "atomic { b = choose(bool); if (b) x = 1; n.w = 0; }",
	"while (n.w == 0) n.w = 1;", "while (x == 1) ;", "work(n, 1);", "assume(x == 0);", "assume(n.w == 0);", "s = s + i;", "assert(!(1 in s));", "v[0] = i;", "i = v[0];",
	"assert(v[0] == 0);", "async other(n);", "atomic { async other(n); n = null; n = h; }", "n.held = true;",
	"select { wait(!k) -> k = true; timeout -> ; }", "atomic { x = 1; if (k) x = 0; }",
}

// Locked returns the text of a model made from a seed: two or three processes that use objects, most of the time
// in sections between taking and releasing a lock. It has finitely many states.
func Locked(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 3))
	pick := func() string { return lockedPool[rng.IntN(len(lockedPool))] }
	// The statements of a model are few, so that they meet.
	var few []string
	for range 4 + rng.IntN(5) {
		few = append(few, pick())
	}
	some := func() string { return few[rng.IntN(len(few))] }
	var out strings.Builder
	out.WriteString(lockedHead)
	starts := ""
	for i := range 2 + rng.IntN(5)/3 {
		fmt.Fprintf(&out, "    static void p%d() {\n        N n = h; N m = %s; int i; bool b;\n", i, []string{"g", "g", "new N"}[rng.IntN(3)])
		for range 1 + rng.IntN(2) {
			section := [][2]string{{"n.lock();", "n.unlock();"}, {"n.lock();", "n.unlock();"}, {"m.lock();", "m.unlock();"}, {"atomic { select { wait(!k) -> k = true; } }", "k = false;"}, {"", ""}}[rng.IntN(5)]
			if rng.IntN(10) == 0 {
				section[rng.IntN(2)] = some()
			}
			fmt.Fprintf(&out, "        %s\n", section[0])
			for range 1 + rng.IntN(3) {
				fmt.Fprintf(&out, "        %s\n", some())
			}
			fmt.Fprintf(&out, "        %s\n", section[1])
		}
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&out, "        %s\n", some())
		}
		out.WriteString("    }\n")
		starts += fmt.Sprintf("async p%d(); ", i)
	}
	fmt.Fprintf(&out, "    activate static void start() { atomic { %s} }\n};\n", starts)
	return out.String()
}

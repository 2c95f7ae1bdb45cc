package zingtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes random models whose processes spend their time in procedures, for summaries of those.

// calledHead is that of package-wide declarations; procedures that are the same in all models come with it.
const calledHead = `class N {
    bool held; int w; N next; int f;
    atomic void lock() { select { wait(!held) -> held = true; } }
    void unlock() { held = false; }
    int get() { int r = w; return r; }
};
chan C N; set B int; array V[2] int;
class P {
    static int x; static int y; static bool k; static bool l; static N h = new N; static N g = new N; static C c = new C; static B s = new B; static V v = new V;
    static void take() { atomic { select { wait(!k) -> k = true; } } }
    static void give() { k = false; }
    static N make(int i) { N a; a = new N; a.w = i; return a; }
    static void down(N n, int i) { n.w = i; if (i > 0) { down(n.next, i - 1); } }
    static void spin() { x = 1; spin(); }
    static bool one() { return x == 1; }
`

// calledPool are statements; n, m are objects, i is a number and b a Boolean.
var calledPool = []string{
	"n = h;", "h = n;", "m = n;", "g = m;", "n.next = m;", "if (n.next != null) n = n.next;", "m = null;",
	"n.w = 1;", "n.w = 0;", "assert(n.w == 0);", "m.w = i;", "i = n.w;", "n.w = n.f;", "n.f = 1;",
	"x = 1;", "x = 0;", "x = y;", "y = 1;", "y = x;", "assert(x == 0);", "assert(x == y);", "i = x;", "x = i;", "i = 1;", "i = 0;", "if (i == 1) x = 0;", "if (x == 1) y = 0;",
	"take();", "give();", "take();", "give();", "n.lock();", "n.unlock();", "m.lock();", "m.unlock();", "atomic { select { wait(!l) -> l = true; } }", "l = false;",
	"send(c, n);", "select { receive(c, n) -> ; timeout -> ; }", "select { receive(c, m) -> ; }", "i = sizeof(c);", "s = s + i;", "assert(!(1 in s));", "v[i] = 1;", "i = v[0];", "v[0] = 0;",
	"n = make(1);", "m = make(i);", "h = make(0);", "i = n.get();", "x = n.get();", "down(n, 1);", "down(h, 2);",
	"b = choose(bool);", "if (b) n = m;", "if (b) return;", "if (i == 1) return;", "assume(x == 0);", "assume(n.w == 0);", "select { wait(x == 1) -> ; }", "select { wait(one()) -> i = 1; timeout -> i = 0; }",
	"while (i < 1) { x = i; i = i + 1; }", "while (x == 1) ;", "atomic { x = 1; y = 1; }", "atomic { b = choose(bool); if (b) x = 1; }", "if (b) spin();", "i = self;", "async work(n);",
}

// Called returns the text of a model made from a seed: two or three processes that call procedures, which call
// others, and one time in as many calls as recursion says any of them, themselves included. Plain exploration may not
// end, as stacks may grow.
func Called(seed uint64, recursion int) string {
	rng := rand.New(rand.NewPCG(seed, 5))
	// The statements of a model are few, so that they meet.
	var few []string
	for range 5 + rng.IntN(6) {
		few = append(few, calledPool[rng.IntN(len(calledPool))])
	}
	// 1. Procedures, of which each calls those after it, and seldom any.
	names := []string{"f0", "f1", "f2"}
	call := func(from int) string {
		if rng.IntN(recursion) > 0 {
			from++
		} else {
			from = 0
		}
		if from >= len(names) {
			return "work(n);"
		}
		f := names[from+rng.IntN(len(names)-from)]
		return []string{f + "(n, i);", f + "(m, 1);", "i = " + f + "(n, 0);", "if (b) " + f + "(h, i);", "x = " + f + "(g, i);"}[rng.IntN(5)]
	}
	body := func(from, n int) string {
		var list []string
		locks := [][2]string{{"n.lock();", "n.unlock();"}, {"take();", "give();"}, {"", ""}, {"", ""}, {"h.lock();", "h.unlock();"}}[rng.IntN(5)]
		list = append(list, locks[0])
		for range n {
			if rng.IntN(1+min(recursion, 2)) == 0 {
				list = append(list, call(from))
			} else {
				list = append(list, few[rng.IntN(len(few))])
			}
		}
		return strings.Join(append(list, locks[1]), " ")
	}
	var out strings.Builder
	out.WriteString(calledHead)
	fmt.Fprintf(&out, "    static void work(N n) { N m = g; int i; bool b; %s }\n", strings.ReplaceAll(few[rng.IntN(len(few))], "async work(n);", ""))
	for i, name := range names {
		fmt.Fprintf(&out, "    static int %s(N n, int i) { N m = g; bool b; %s return i; }\n", name, withResult(body(i, 1+rng.IntN(3))))
	}
	// 2. Processes.
	starts := ""
	for i := range 2 + rng.IntN(5)/4 {
		fmt.Fprintf(&out, "    static void p%d() { N n = h; N m = %s; int i; bool b; %s }\n", i, []string{"g", "g", "new N"}[rng.IntN(3)], body(-1, 2+rng.IntN(3)))
		starts += fmt.Sprintf("async p%d(); ", i)
	}
	fmt.Fprintf(&out, "    activate static void start() { atomic { h.next = g; %s} }\n};\n", starts)
	return out.String()
}

// withResult gives the returns of a procedure a result.
func withResult(body string) string { return strings.ReplaceAll(body, "return;", "return 2;") }

package interleave_test

import (
	"fmt"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
)

// ruleHead declares what the models of TestReduceRules use.
const ruleHead = `chan C int; chan K N; array V[1] int; set B int; set G N;
class N { bool held; int w; N next; atomic void lock() { select { wait(!held) -> held = true; } } void unlock() { held = false; } };
class P {
    static int x; static int y; static int o; static bool k; static C c = new C; static K q = new K; static N h = new N; static N g = new N; static V v = new V; static B s = new B; static G all = new G;
    static void checks() { int i; atomic { if (sizeof(all) == 2 && x == 1) { foreach (N m in all) { if (i == 0) i = m.w; } assert(i != 1); } } }
    static void waits() { select { wait(y == 1) -> ; } }
    static void looks() { assert(x != 1); }
    static void take() { atomic { select { wait(!k) -> k = true; } } }
`

// TestReduceRules explores models beside the directed ones of package zingtest, each of which fails because of one
// rule of a reduction.
func TestReduceRules(t *testing.T) {
	for _, m := range []struct {
		name    string
		methods string
		p0, p1  string // the bodies of two processes
	}{
		{"a loop after the commit", "", `x = 1; while (true) ;`, `assert(x != 1);`},
		{"a loop of gotos through regions", "", `x = 1; L: atomic { goto M; } M: goto L;`, `assert(x != 1);`},
		{"a failing step after the commit", "", `x = 1; assert(false);`, `assert(x != 1);`},
		{"the lock of another object", "", `h.lock(); h.w = 1; h.w = 0; h.unlock();`, `g.lock(); assert(h.w != 1); g.unlock();`},
		{"the lock of the object", "", `h.lock(); h.w = 1; h.unlock(); h.lock(); h.w = 0; h.unlock();`, `h.lock(); assert(h.w != 1); h.unlock();`},
		{"an element", "", `take(); v[0] = 1; v[0] = 0; k = false;`, `assert(v[0] != 1);`},
		{"a set", "", `s = s + 1; s = s - 1;`, `assert(!(1 in s));`},
		{"the size of a set", "", `s = s + 1; s = s - 1;`, `assert(sizeof(s) == 0);`},
		{"a choice from an array", "", `v[0] = 1; v[0] = 0;`, `i = choose(v); assert(i != 1);`},
		{"an object that is sent", "", `n = new N; send(q, n); n.w = 1; n.w = 0;`, `select { receive(q, n) -> ; } assert(n.w != 1);`},
		{"an object that is handed out", "", `n = new N; h = n; assert(n.w != 1);`, `take(); h.w = 1; h.w = 0; k = false;`},
		{"an object that is initialised first", "", `n = new N; n.w = 1; h = n; n.lock(); n.w = 0; n.unlock();`, `h.lock(); assert(h.w != 1); h.unlock();`},
		{"an object that is passed on", "static void gets(N n) { assert(n.w != 1); }", `n = new N; async gets(n); n.w = 1; n.w = 0;`, `;`},
		{"a select in the middle of a step", "", `x = 1; send(c, 1);`, `select { wait(x == 1) -> ; } atomic { i = 1; select { receive(c, i) -> ; } }`},
		{"a select in a callee in the middle of a step", "static void gets() { int i; select { receive(c, i) -> ; } }", `x = 1; send(c, 1);`, `select { wait(x == 1) -> ; } atomic { gets(); }`},
		{"a select after a label in the middle of a step", "", `x = 1; send(c, 1);`, `select { wait(x == 1) -> ; } atomic { i = 1; L: select { receive(c, i) -> ; } if (i == 7) goto L; }`},
		{"an object that another one leads to", "", `n = new N; h.next = n; n.w = 1; n.w = 0;`, `select { wait(h.next != null) -> ; } n = h.next; assert(n.w != 1);`},
		{"the order of allocation", "", `n = new N; n.w = 1; atomic { all = all + n; x = 1; } checks();`, `n = new N; n.w = 2; atomic { all = all + n; x = 2; }`},
		{"a send before the commit", "", `send(c, 1); x = 1;`, `select { receive(c, i) -> ; } assert(x == 1);`},
		{"two senders", "", `x = 1; send(c, 1);`, `select { wait(x == 1) -> ; } send(c, 2); select { receive(c, i) -> ; } assert(i != 2);`},
		{"a send and the size", "", `x = 1; send(c, 1);`, `select { wait(x == 1) -> ; } i = sizeof(c); assert(i == 1);`},
		{"two receivers", "", `select { receive(c, i) -> ; } x = 1;`, `send(c, 1); send(c, 2); select { receive(c, i) -> ; } assert(!(i == 2 && x == 0));`},
		{"the size and a receive", "", `send(c, 1); x = 1; i = sizeof(c); assert(i == 1);`, `select { wait(x == 1) -> ; } select { receive(c, i) -> ; }`},
		{"two receives", "", `x = 1; send(c, 1); send(c, 1);`, `select { wait(x == 1) -> ; } select { receive(c, i) && receive(c, i) -> ; }`},
		{"a lock that is taken in the middle of a step", "", `take(); k = false;`, `atomic { i = 1; select { wait(!k) -> k = true; } }`},
		{"a lock that is not always taken", "", `take(); k = false;`, `select { wait(!k) -> ; timeout -> assert(false); }`},
		{"a lock that is found free and not taken", "", `take(); o = 1;`, `select { wait(!k) -> ; } assert(o != 1);`},
		{"a select first", "", `x = 1; send(c, 1);`, `atomic { select first { receive(c, i) -> ; timeout -> assert(x != 1); } }`},
		{"a lock that another process releases", "", `take(); x = 1; x = 0; k = false;`, `k = false; take(); assert(x != 1); k = false;`},
		{"two free values", "", `atomic { select { wait(o == 0) -> o = 1; } } x = 1; x = 0;`, `atomic { select { wait(o == 1) -> o = 0; } } assert(x != 1);`},
		{"a use without the lock that is met late", "", `take(); x = 1; x = 0; k = false;`, `i = x; assert(i != 1);`},
		{"a process that is created", "static void late() { assert(x == 1); }", `async late(); x = 1;`, `y = 0;`},
		{"a process that is created later", "", `y = 1; x = 1; x = 0;`, `waits(); async looks();`},
		{"the frame of a caller", "static void meets() { o = 1; waits(); }", `select { wait(o == 1) -> ; } y = 1; x = 1; x = 0;`, `meets(); assert(x != 1);`},
		{"a handler", "", `y = 1; x = 1; x = 0;`, `try { select { wait(y == 1) -> raise E; } } with { E -> assert(x != 1); }`},
		{"a handler of a caller", "static void raises() { select { wait(y == 1) -> raise E; } }", `y = 1; x = 1; x = 0;`, `try { raises(); } with { E -> assert(x != 1); }`},
		{"a predicate", "static bool is() { return x == 1; }", `x = 1; x = 0;`, `select { wait(is()) -> assert(false); }`},
		{"taken in opposite orders", "", `h.lock(); g.lock(); g.unlock(); h.unlock();`, `g.lock(); h.lock(); h.unlock(); g.unlock();`},
		{"a receive while a lock is held", "", `take(); select { receive(c, i) -> ; } k = false;`, `take(); send(c, 1); k = false;`},
	} {
		t.Run(m.name, func(t *testing.T) {
			body := func(i int, text string) string {
				return fmt.Sprintf("static void p%d() { int i; N n; %s }\n", i, text)
			}
			text := ruleHead + m.methods + "\n" + body(0, m.p0) + body(1, m.p1) + "activate static void start() { atomic { async p0(); async p1(); } }\n};"
			for _, opts := range []interleave.Options{{}, {Search: interleave.Depth, NoDeadlocks: true}} {
				if !compare(t, text, opts) {
					t.Error("not finished")
				}
			}
			if r := explore(t, text, lowerzing.Options{}, interleave.Options{All: true}); len(r.Failures) == 0 {
				t.Error("no failure")
			}
		})
	}
}

// TestReduceTable shows the table of locks and protected locations. A use before an object is shared needs no lock.
func TestReduceTable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{accounts(2), `
Bank.a lock false by [] written false
Bank.b lock false by [] written false
Account.held lock true by [] written true
Account.balance lock false by [Account.held] written true`},
		{ruleHead + `
    static void p(int i) { N n; n = new N; n.w = i; h = n; n = g; n.lock(); n.w = i; n.unlock(); n = h; n.lock(); n.w = 0; n.unlock(); }
    activate static void a() { p(1); } activate static void b() { p(2); } };`, `
P.h lock false by [] written true
P.g lock false by [] written false
N.held lock true by [] written true
N.w lock false by [N.held] written true`},
	} {
		got := ""
		for _, l := range explore(t, c.text, lowerzing.Options{}, interleave.Options{Reduce: true}).Reduction.Table {
			got += fmt.Sprintf("\n%s lock %v by %v written %v", l.Location, l.Lock, l.By, l.Written)
		}
		if got != c.want {
			t.Errorf("got%s\nwant%s", got, c.want)
		}
	}
}

// TestReduceRecursion: a transaction in a recursion without end stops at the limit of states.
func TestReduceRecursion(t *testing.T) {
	r := explore(t, `class A { static int x; static void f() { f(); } activate static void a() { assert(x != 1); } activate static void b() { x = 1; f(); } };`,
		lowerzing.Options{}, interleave.Options{Reduce: true, All: true, MaxStates: 100})
	if r.Open != "limit of 100 states reached" {
		t.Errorf("open %q", r.Open)
	}
}

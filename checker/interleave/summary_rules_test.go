package interleave_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// This file compares the search with summaries with plain exploration.

// summaryHead declares what the models of TestSummaryRules use.
const summaryHead = `chan C int; chan K N; array V[2] int; array W[2] N; set B int;
class N { bool held; int w; int f; N next; atomic void lock() { select { wait(!held) -> held = true; } } void unlock() { held = false; } };
class P {
    static int x; static int y; static int o; static bool k; static bool l; static C c = new C; static K q = new K; static N h = new N; static N g = new N; static V v = new V; static W a = new W; static B s = new B;
    static void takeK() { atomic { select { wait(!k) -> k = true; } } }
    static void takeL() { atomic { select { wait(!l) -> l = true; } } }
    static void twice() { x = 1; x = 0; }
    static void flash(N n) { n.w = 1; n.w = 0; }
    static void looks() { assert(x != 1); }
`

// summaryModel returns a model with two processes.
func summaryModel(methods, p0, p1 string) string {
	body := func(i int, text string) string {
		return fmt.Sprintf("static void p%d() { int i; bool b; N n; N m; %s }\n", i, text)
	}
	return summaryHead + methods + "\n" + body(0, p0) + body(1, p1) + "activate static void start() { atomic { async p0(); async p1(); } }\n};"
}

// explores explores a model with summaries.
func explores(t *testing.T, text string, opts interleave.Options) *interleave.Result {
	t.Helper()
	opts.All, opts.Reduce, opts.Summaries = true, true, true
	r := explore(t, text, lowerzing.Options{}, opts)
	if r.Reduction.LookedUp == 0 {
		t.Error("no summary is looked up")
	}
	return r
}

// TestSummaryRules explores models each of which fails because of one rule about summaries.
func TestSummaryRules(t *testing.T) {
	for _, m := range []struct {
		name    string
		methods string
		p0, p1  string // the bodies of two processes
	}{
		{"a transaction that ends inside", "", `twice();`, `assert(x != 1);`},
		{"a transaction that ends deep inside", "static void outer() { y = 0; middle(); } static void middle() { o = 0; twice(); }", `outer();`, `assert(x != 1);`},
		{"under another lock", "", `takeK(); twice(); k = false; takeL(); twice(); l = false;`, `takeK(); assert(x != 1); k = false;`},
		{"the lock of another object", "static void both(N a, N b) { b.w = 1; b.w = 0; }", `h.lock(); both(h, h); h.unlock(); h.lock(); both(h, g); h.unlock();`, `g.lock(); assert(g.w != 1); g.unlock();`},
		{"a table that has shrunk", "", `takeK(); twice(); k = false;`, `i = x; assert(i != 1);`},
		{"a private object and a shared one", "", `n = new N; flash(n); flash(h);`, `assert(h.w != 1);`},
		{"an object that is handed out inside", "static void hand(N n) { h = n; n.w = 1; n.w = 0; }", `n = new N; hand(n);`, `assert(h.w != 1);`},
		{"an object that is sent inside", "static void hand(N n) { send(q, n); n.w = 1; n.w = 0; }", `n = new N; hand(n);`, `select { receive(q, n) -> ; } assert(n.w != 1);`},
		{"an object that is put into an array inside", "static void hand(N n) { a[0] = n; n.w = 1; n.w = 0; }", `n = new N; hand(n);`, `select { wait(a[0] != null) -> ; } assert(a[0].w != 1);`},
		{"an object that is linked inside", "static void hand(N n) { h.next = n; n.w = 1; n.w = 0; }", `n = new N; hand(n);`, `select { wait(h.next != null) -> ; } assert(h.next.w != 1);`},
		{"an object that is handed out in a callee", "static void gives(N n) { y = 0; h = n; } static void hand(N n) { gives(n); n.w = 1; n.w = 0; }", `n = new N; hand(n);`, `assert(h.w != 1);`},
		{"others that may look from now on", "", `twice(); async looks(); twice();`, `y = 1;`},
		{"the phase", "static void one() { i0 = 1; x = 1; } static int i0;", `one(); x = 0; y = 1; one();`, `assert(!(y == 1 && x == 0));`},
		{"a lock taken before", "static void useL() { int i; i = 1; takeL(); l = false; } static void useK() { int i; i = 1; takeK(); k = false; }",
			`useL(); takeK(); useL(); k = false;`, `useK(); takeL(); useK(); l = false;`},
		{"the number of the process", "static void who() { int i; i = 1; assert(self != 2); }", `who();`, `who();`},
		{"values", "static void foo(N n) { assume(n.f == 1); assert(false); }", `n = new N; b = choose(bool); if (b) n.f = 1; foo(n);`, `y = 1;`},
		{"values of a callee", "static void bar(N n) { assume(n.f == 1); assert(false); } static void foo(N n) { bar(n); n.w = 1; }", `n = new N; b = choose(bool); if (b) n.f = 1; foo(n);`, `y = 1;`},
		{"values of a callee with a summary", "static void bar(N n) { int i; i = n.f; assert(i == 0); } static void foo(N n) { bar(n); n.w = 1; }", `n = new N; bar(n); foo(n); n.f = 1; foo(n);`, `y = 1;`},
		{"an object that was private for a while", "", `n = h; h = null; flash(n); h = n; o = 1; flash(n);`, `select { wait(o == 1) -> ; } n = h; assert(n.w != 1);`},
		{"a value that is written again", "static void foo() { int i; bool b; b = choose(bool); if (b) x = 0; i = 2; assert(x == 0); }", `foo(); x = 1; foo();`, `y = 1;`},
		{"two objects that change places", "static void sw() { bool b; b = choose(bool); if (!b) h = g; g = null; i0 = 1; } static int i0;", `n = h; sw(); assert(n == h);`, `;`},
		{"an object that only a caller knows", "static void bar(N n) { bool b; b = choose(bool); if (b) n.f = 1; else n.f = 2; h = null; } static int i0;", `n = h; bar(n); assert(n.f != 2);`, `;`},
		{"the same object twice", "static void both(N a, N b) { a.f = 1; b.f = 2; assert(a.f == 1); }", `both(h, g); both(h, h);`, `;`},
		{"an element", "static void puts(int i) { v[i] = 1; v[i] = 0; }", `puts(0); puts(1);`, `assert(v[1] != 1);`},
		{"a set", "static void put() { int i; i = 1; s = s + 1; i = 2; s = s - 1; }", `put(); s = s + 2; put();`, `assert(!((1 in s) && (2 in s)));`},
		{"a channel", "static void sends() { int i; i = 1; send(c, x); i = 2; }", `sends(); x = 1; sends(); x = 2; sends();`, `select { receive(c, i) -> ; } select { receive(c, i) -> ; } select { receive(c, i) -> ; } assert(i != 2);`},
		{"what a condition writes", "static bool odd() { x = 3; return y == 1; } static void waits() { int i; i = 1; select { wait(odd()) -> i = x; timeout -> i = x; } assert(i != 5); }", `waits(); x = 5; waits();`, `y = 1;`},
		{"a test of a process that waits", "static void waits() { int i; i = 1; select { wait(x == 1) -> ; } x = 0; assert(false); }", `waits();`, `takeK(); x = 1; x = 0; k = false;`},
		{"results", "static int gets(int a, out int b) { int i; i = x; b = i + a; return i; }", `x = gets(1, out y); o = gets(2, out i); assert(i != 3); `, `x = 1;`},
		{"recursion", "static void down(int n) { if (n > 0) { x = n; down(n - 1); } else { assert(x != 1); } }", `down(2);`, `y = 1;`},
		{"recursion with a loop", "static void tree(int n) { int i; while (i < 2 && n > 0) { tree(n - 1); i = i + 1; } o = n; }", `takeK(); tree(2); k = false;`, `takeK(); assert(o == 0); k = false; assert(o != 1);`},
		{"mutual recursion", "static void even(int n) { if (n > 0) { odd(n - 1); } x = 1; } static void odd(int n) { if (n > 0) { even(n - 1); } x = 2; }", `even(3);`, `assert(x != 2);`},
		{"a loop after the commit", "static void spins() { x = 1; while (true) ; }", `spins();`, `assert(x != 1);`},
		{"a failing assumption after the commit", "static void cuts() { x = 1; assume(false); }", `cuts();`, `assert(x != 1);`},
		{"a failing step after the commit", "static void fails() { x = 1; assert(false); }", `fails();`, `assert(x != 1);`},
		{"a lock of a caller that is released", "static void frees() { int i; i = 1; k = false; i = 2; }", `takeK(); x = 1; frees(); x = 0;`, `takeK(); assert(x != 1); k = false;`},
		{"a lock that is taken for a caller", "static void takes() { int i; i = 1; takeK(); i = 2; }", `takes(); x = 1; x = 0; k = false;`, `takes(); assert(x != 1); k = false; assert(x != 1);`},
	} {
		t.Run(m.name, func(t *testing.T) {
			text := summaryModel(m.methods, m.p0, m.p1)
			for _, opts := range []interleave.Options{{}, {Search: interleave.Depth}} {
				if !compare(t, text, opts) {
					t.Error("not finished")
				}
			}
			explores(t, text, interleave.Options{})
			if r := explore(t, text, lowerzing.Options{}, interleave.Options{All: true}); len(r.Failures) == 0 {
				t.Error("no failure")
			}
		})
	}
}

// TestSummaryEndless: a recursion without end after the commit; plain exploration does not end.
func TestSummaryEndless(t *testing.T) {
	for _, methods := range []string{
		"static void f() { f(); }",
		"static void f() { i0 = 1; g0(); } static void g0() { f(); } static int i0;",
		"static void f() { bool b; b = choose(bool); f(); }",
	} {
		text := summaryModel(methods, `x = 1; f();`, `assert(x != 1);`)
		r := explores(t, text, interleave.Options{MaxStates: mostStates})
		if got := found(r); r.Open != "" || len(got) != 1 || !strings.HasPrefix(got[0], "assertion") {
			t.Errorf("%s: %q, open %q", methods, got, r.Open)
		}
		if r := explore(t, text, lowerzing.Options{}, interleave.Options{All: true, MaxStates: 3000}); r.Open == "" {
			t.Errorf("%s: plain exploration ends", methods)
		}
	}
}

// TestSummaryRecursion: recursion of any depth inside a transaction has finitely many summaries; plain exploration
// does not end.
func TestSummaryRecursion(t *testing.T) {
	const methods = `
    static void walk() { bool b; o = 1 - o; b = choose(bool); if (b) { walk(); } o = 1 - o; }
    static void make() { bool b; N top; top = new N; top.w = 1; b = choose(bool); if (b) { make(); } top.w = top.w + 1; assert(top.w == 2); }
    static void late() { bool b; b = choose(bool); if (!b) { late(); assert(false); } }
    static void h0() { bool b; int i; b = choose(bool); if (!b) { a0(); i = o; b0(i); } else { o = 1; } }
    static void a0() { bool b; b = choose(bool); if (!b) { x0(); } else { h0(); } }
    static void x0() { bool b; b = choose(bool); if (b) { a0(); } }
    static void b0(int before) { x0(); assert(o == before); }
`
	for _, c := range []struct{ p0, p1, want string }{
		{`takeK(); walk(); assert(o == 0); k = false;`, `takeK(); o = 0; assert(o == 0); walk(); k = false;`, ""},
		{`takeK(); walk(); assert(o == 1); k = false;`, `takeK(); assert(o == 0); walk(); k = false;`, "assertion"},
		{`takeK(); make(); k = false;`, `takeK(); make(); k = false;`, ""},
		{`late();`, `y = 1;`, "assertion"},
		{`h0();`, `y = 1;`, "assertion"},
	} {
		text := summaryModel(methods, c.p0, c.p1)
		r := explores(t, text, interleave.Options{MaxStates: mostStates})
		got := strings.Join(found(r), " ")
		if r.Open != "" || (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, open %q", c.p0, got, r.Open)
		}
		for _, f := range r.Failures {
			confirm(t, text, f)
		}
		if r := explore(t, text, lowerzing.Options{}, interleave.Options{All: true, MaxStates: 3000}); r.Open == "" {
			t.Errorf("%s: plain exploration ends", c.p0)
		}
	}
}

// confirm makes the run to a failure again.
func confirm(t *testing.T, text string, f *interleave.Failure) {
	t.Helper()
	p, err := zingtest.Load("model.zing", text)
	if err != nil {
		t.Fatal(err)
	}
	low := lowerzing.Program(p, lowerzing.Options{})
	interleave.Confirm(interleave.Model{Prog: low.Prog, Roots: low.Activate}, interleave.Options{}, f)
}

// TestSummaryLimit: a recursion whose calls do not lie within one transaction ends at a limit, which names it.
func TestSummaryLimit(t *testing.T) {
	for _, c := range []struct{ methods, p0, want string }{
		{"static void f() { x = 1 - x; f(); }", `f();`, "recursion of P.f: a stack has more than 1000 frames (P.f calls P.f)"},
		{"static void f() { x = 1 - x; g0(); } static void g0() { y = 1 - y; f(); }", `f();`, "recursion of P.g0: a stack has more than 1000 frames (P.g0 calls P.f calls P.g0)"},
	} {
		r := explores(t, summaryModel(c.methods, c.p0, `x = 0; y = 0;`), interleave.Options{MaxStates: 100000})
		if r.Open != c.want {
			t.Errorf("%q, want %q", r.Open, c.want)
		}
	}
	text := summaryModel("static void f() { x = 1 - x; f(); }", `f();`, `x = 0;`)
	if r := explores(t, text, interleave.Options{MaxFrames: 7}); !strings.Contains(r.Open, "more than 7 frames") {
		t.Errorf("%q", r.Open)
	}
}

// TestSummaryTable: with summaries, the table of protected locations is the same.
func TestSummaryTable(t *testing.T) {
	// A use counts from the moment on at which there is a second process; both calls of twice are in phase post.
	texts := []string{summaryHead + `static void idle() { y = 1; } static void reads() { int i; takeK(); i = x; k = false; }
    activate static void start() { send(c, 1); twice(); async idle(); twice(); async reads(); takeK(); x = 2; k = false; }
};`}
	for _, c := range []struct{ methods, p0, p1 string }{
		// The object is handed out in two ways; the second one must not take the facts of the first one for its own.
		{"static bool hand(N n) { bool b; b = choose(bool); h = n; i0 = 1; return b; } static void rest(N n) { n.f = 1; } static int i0;",
			`n = new N; b = hand(n); rest(n); if (b) { n.w = 1; }`, `m = h; m.lock(); i = m.w; i = i - m.w; m.unlock(); assert(i == 0);`},
		{"static void puts(N n) { n.lock(); n.w = 1; n.unlock(); }", `n = new N; n.w = 2; puts(n); h = n; puts(n);`, `puts(h);`},
		{"", `m = new N; x = 1; flash(m); n = h; h = null; flash(n); h = n; o = 1;`, `select { wait(o == 1) -> ; } m = h; m.lock(); m.w = 1; m.unlock(); i = x;`},
		{"static void sets(N n) { n.w = 1; n.f = 2; }", `n = new N; sets(n); h.lock(); sets(h); h.unlock();`, `h.lock(); sets(h); h.unlock();`},
	} {
		texts = append(texts, summaryModel(c.methods, c.p0, c.p1))
	}
	for _, text := range texts {
		want := explore(t, text, lowerzing.Options{}, interleave.Options{All: true, Reduce: true}).Reduction.Table
		if got := explores(t, text, interleave.Options{}).Reduction.Table; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\ngot  %v\nwant %v", text, got, want)
		}
	}
}

// TestSummaryReuse counts the summaries of a procedure that is called from several places and processes.
func TestSummaryReuse(t *testing.T) {
	const methods = `static void add(N n) { int i; i = n.f; n.f = i; }`
	r := explores(t, summaryModel(methods, `takeK(); add(h); add(g); add(h); k = false;`, `takeK(); add(h); k = false;`), interleave.Options{})
	// The argument may be h or g: each time an object that others can reach, which nobody writes but this procedure.
	if got := fmt.Sprint(r.Reduction.Computed, r.Reduction.LookedUp-r.Reduction.Found); got != "2 2" {
		t.Errorf("computed and not found: %s, %d looked up", got, r.Reduction.LookedUp)
	}
	// The same work on objects that are new each time.
	r = explores(t, summaryModel(methods, `while (i < 3) { n = new N; add(n); add(n); i = i + 1; }`, `y = 1;`), interleave.Options{})
	if r.Reduction.Computed != 1 {
		t.Errorf("%d computed for private objects", r.Reduction.Computed)
	}
}

// TestSummaryRandom compares on models whose processes spend their time in procedures.
func TestSummaryRandom(t *testing.T) {
	finished := 0
	for seed := range uint64(testkit.Count(150, 20000)) {
		opts := interleave.Options{NoDeadlocks: seed%8 == 6}
		if seed%2 == 1 {
			opts.Search = interleave.Depth
		}
		if compare(t, zingtest.Called(seed, 8), opts) {
			finished++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d models finished", finished)
	if finished < 100 {
		t.Errorf("only %d models", finished)
	}
}

// TestSummaryMutants compares on mutants of the directed models whose statements are in procedures.
func TestSummaryMutants(t *testing.T) {
	finished := 0
	n := uint64(testkit.Count(100, 20000))
	for seed := range n {
		opts := interleave.Options{NoDeadlocks: seed%8 == 6}
		if seed%2 == 1 {
			opts.Search = interleave.Depth
		}
		if compare(t, zingtest.MutantInProcedures(seed+3000000), opts) {
			finished++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d of %d mutants finished", finished, n)
	if finished < 90 {
		t.Errorf("only %d mutants", finished)
	}
}

// TestSummaryRandomRecursion compares on models with more recursion, most of which have infinitely many states: each
// failure that a part of a plain exploration finds is found with summaries, and each that is found is confirmed.
func TestSummaryRandomRecursion(t *testing.T) {
	ended, endless, failing := 0, 0, 0
	for seed := range uint64(testkit.Count(150, 20000)) {
		text := zingtest.Called(seed, 1)
		plain := explore(t, text, lowerzing.Options{}, interleave.Options{All: true, MaxStates: 4000})
		r := explore(t, text, lowerzing.Options{}, interleave.Options{All: true, Reduce: true, Summaries: true, MaxStates: 4000, MaxFrames: 20})
		if plain.Open != "" {
			endless++
		}
		for _, f := range r.Failures {
			confirm(t, text, f)
			failing++
		}
		if r.Open != "" {
			continue
		}
		ended++
		got := found(r)
		for _, f := range found(plain) {
			if !slices.Contains(got, f) {
				t.Fatalf("seed %d: %q with summaries, plain exploration finds %q\n%s", seed, got, f, text)
			}
		}
	}
	t.Logf("%d ended with summaries, %d not without, %d failures", ended, endless, failing)
	if ended < 75 || endless < 30 {
		t.Errorf("%d ended with summaries, %d not without", ended, endless)
	}
}

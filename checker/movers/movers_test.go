package movers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/frontend/zing/zingtest"
)

// analyse returns the facts about a model with a method p of the given body.
func analyse(t *testing.T, body string) (*Facts, *zom.Program) {
	t.Helper()
	text := `chan C int; set B int; array V[2] int;
class N { bool held; int w; atomic void lock() { select { wait(!held) -> held = true; } } };
class A {
    static bool k; static int o; static int x; static N h = new N; static C c = new C; static B s = new B; static V v = new V;
    static bool is() { return x == 1; }
    static void gets() { int i; select { receive(c, i) -> ; } }
    static void waits() { select { wait(x == 1) -> ; } }
    static void deep(int n) { if (n > 0) deep(n - 1); }
    static void p() { int i; ` + body + ` }
    activate static void a() { p(); }
};`
	p, err := zingtest.Load("model.zing", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	prog := lowerzing.Program(p, lowerzing.Options{}).Prog
	return Analyse(prog, false), prog
}

// procedure returns the number of a procedure.
func procedure(p *zom.Program, name string) int32 {
	return int32(slices.IndexFunc(p.Procs, func(proc *zom.Proc) bool { return proc.Name == name }))
}

// TestAcquire: which selects may take a lock, and when it is free.
func TestAcquire(t *testing.T) {
	for _, c := range []struct{ patterns, want string }{
		{"wait(!k) -> k = true;", "A.k 0"},
		{"wait(k) -> k = false;", "A.k 1"},
		{"wait(k == false) -> ;", "A.k 0"},
		{"wait(!(k == true)) -> ;", "A.k 0"},
		{"wait(o == 3) -> o = 1;", "A.o 3"},
		{"wait(3 == o) -> o = 1;", "A.o 3"},
		{"wait(!h.held) -> ;", "N.held 0"},
		{"wait(h == null) -> ;", "A.h 0"},
		{"wait(o != 3) -> ;", ""},
		{"wait(o > 3) -> ;", ""},
		{"wait(x == o) -> ;", ""},
		{"wait(!k && x == 0) -> ;", ""},
		{"wait(!k) && wait(x == 0) -> ;", ""},
		{"wait(!k || x == 0) -> ;", ""},
		{"wait(is()) -> ;", ""},
		{"wait(i == 0) -> ;", ""},
		{"wait(v[0] == 0) -> ;", ""},
		{"receive(c, i) -> ;", ""},
		{"wait(!k) -> ; timeout -> ;", ""},
		{"wait(!k) -> ; wait(k) -> ;", ""},
	} {
		f, prog := analyse(t, "select { "+c.patterns+" }")
		got := ""
		for at, a := range f.Acquire {
			if at.Proc == procedure(prog, "A.p") {
				got = fmt.Sprint(f.Name(a.Location), " ", a.Free)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.patterns, got, c.want)
		}
	}
}

// TestFuture: what a process may do from its start on.
func TestFuture(t *testing.T) {
	names := []string{"reads", "writes", "sends", "receives", "asks", "tests"}
	for _, c := range []struct{ body, want string }{
		{"x = o;", "A.o reads, A.x writes"},
		{"h.w = 1;", "A.h reads, N.w writes"},
		{"v[0] = 1;", "A.v reads, elements of V writes"},
		{"s = s + 1;", "A.s reads, elements of B reads writes asks"},
		{"send(c, 1);", "A.c reads, elements of C sends"},
		{"select { receive(c, i) -> ; }", "A.c reads, elements of C receives"},
		{"select { receive(c, i) -> ; timeout -> ; }", "A.c reads, elements of C receives"},
		{"select first { receive(c, i) -> ; timeout -> ; }", "A.c reads, elements of C receives tests"},
		{"select { receive(c, i) && receive(c, i) -> ; }", "A.c reads, elements of C receives tests"},
		{"atomic { i = 1; select { receive(c, i) -> ; } }", "A.c reads, elements of C receives tests"},
		{"atomic { select { receive(c, i) -> ; } }", "A.c reads, elements of C receives"},
		{"L: select { receive(c, i) -> goto L; timeout -> ; }", "A.c reads, elements of C receives"},
		{"gets();", "A.c reads, elements of C receives"},
		{"atomic { gets(); }", "A.c reads, elements of C receives tests"},
		{"i = sizeof(c);", "A.c reads, elements of C reads asks"},
		{"async waits();", "A.x reads"},
		{"i = 1; try { i = 2; } with { E -> x = 1; }", "A.x writes"},
		{"select { wait(is()) -> ; }", "A.x reads"},
		{"h.lock();", "A.h reads, N.held reads writes"},
		{"while (k) ; o = 1;", "A.k reads, A.o writes"},
	} {
		f, prog := analyse(t, c.body)
		proc := procedure(prog, "A.p")
		at := zom.Frame{Proc: proc, PC: prog.Procs[proc].Entry}
		var list []string
		for l := range int32(f.Locations()) {
			var how []string
			for u := range uses {
				if f.May(&at, l, u) {
					how = append(how, names[u])
				}
			}
			if how != nil {
				list = append(list, f.Name(l)+" "+strings.Join(how, " "))
			}
		}
		slices.Sort(list)
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}

// TestHeads: each loop, and each recursion, has a head.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		body string
		want int // heads in the method, beside the one of deep
	}{
		{"x = 1;", 0},
		{"while (k) ;", 1},
		{"while (k) while (o == 1) ;", 2},
		{"L: x = 1; if (k) goto L;", 1},
		{"atomic { while (k) { gets(); } }", 1},
		{"try { raise E; } with { E -> ; }", 1},
	} {
		f, prog := analyse(t, c.body)
		n := 0
		for i, at := range prog.Places {
			if at.Proc == procedure(prog, "A.p") && f.Heads.Has(i) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d heads, want %d", c.body, n, c.want)
		}
		deep := prog.Procs[procedure(prog, "A.deep")]
		if !f.Heads.Has(int(deep.Blocks[deep.Entry].Number)) {
			t.Error("a recursive procedure has no head")
		}
	}
}

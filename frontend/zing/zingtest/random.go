package zingtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes random models.

// Random returns the text of a model made from a seed: two or three processes over small data, with
// most constructs of the language. It is correct as to names and types and has finitely many states,
// since loops are bounded and calls descend; it may fail or deadlock in any way.
func Random(seed uint64) string {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 2))}
	g.line("enum E { e0, e1, e2 };")
	g.line("range R 1 .. %d;", 2+g.rng.IntN(2))
	g.line("struct S { int a; bool b; };")
	g.line("struct D { S l; N r; };")
	g.line("chan C int;")
	g.line("chan M S;")
	g.line("set B int;")
	g.line("array V[E] int;")
	g.line("array W[] D;")
	g.line("chan K N;")
	g.line("interface I { int get(int a); };")
	g.class()
	g.line("class A {")
	g.line("static int x; static int y = %d; static bool p; static bool k; static E e; static S s; static byte z; static ulong g;", g.rng.IntN(2))
	g.line("static N h%s; static C c = new C; static M m = new M; static B b = new B; static V v = new V;", g.pick("", " = new N", " = new N", " = new N", " = new N"))
	g.line("static W d = new W[2]; static K l = new K; static object any;")
	g.line("static bool ready() { %s return %s; }", g.pick("", "int z = x; if (z > 1) return false;"), g.condition())
	for i := range 3 {
		g.helper(i)
	}
	g.callable = 3
	for i := range 2 + g.rng.IntN(3)/2 {
		g.process(i)
	}
	g.line("};")
	return g.out.String()
}

// generator makes one model.
type generator struct {
	rng    *rand.Rand
	out    strings.Builder
	indent int

	callable int // methods f0, f1, … below this one may be called

	// Of the method in progress.
	body     strings.Builder // its statements; the declarations come before
	inBody   bool
	counters int      // variables w0, w1, … that bound loops
	labels   int      // L0, L1, … were used
	pending  []string // labels that a goto names and no statement has yet
	locals   []string // int variables of inner blocks
	atomic   bool
	asyncs   int    // processes that the method creates
	budget   int    // of statements
	result   string // an expression to return
}

// pick returns one of some texts.
func (g *generator) pick(texts ...string) string { return texts[g.rng.IntN(len(texts))] }

// chance reports true n times out of a hundred.
func (g *generator) chance(n int) bool { return g.rng.IntN(100) < n }

// line writes a line.
func (g *generator) line(format string, args ...any) {
	to := &g.out
	if g.inBody {
		to = &g.body
	}
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") {
		g.indent--
	}
	fmt.Fprintf(to, "%s%s\n", strings.Repeat("    ", max(g.indent, 0)), text)
	if strings.HasSuffix(text, "{") {
		g.indent++
	}
}

// class writes the class of heap objects.
func (g *generator) class() {
	g.line("class N : I {")
	g.line("int w%s; bool held; N next; S s;", g.pick("", " = 1"))
	g.line("%sint get(int a) { %s return w + a; }", g.pick("", "atomic "), g.pick("", "w = a;", "if (held) raise F;"))
	g.line("atomic void lock() { select { wait(!held) -> held = true; } }")
	g.line("void unlock() { held = false; }")
	g.line("bool free(int a) { int i = w; while (i < a) { i = i + 1; if (held) return false; } return true; }")
	g.line("};")
	g.line("class Q : I {")
	g.line("static int made = %d; N of = new N;", g.rng.IntN(2))
	g.line("int get(int a) { made = a; %s return of.w - made; }", g.pick("", "of = null;", "atomic { of = new N; made = made + 1; }"))
	g.line("static bool few() { %s return Q.made < 2; }", g.pick("", "if (made > 2) raise E0;", "while (made > 3) return true;"))
	g.line("};")
}

// method writes a method whose statements fill makes.
func (g *generator) method(header string, budget int, fill func()) {
	g.body.Reset()
	g.counters, g.labels, g.pending, g.locals, g.asyncs, g.budget = 0, 0, nil, nil, 0, budget
	g.atomic = strings.Contains(header, "atomic")
	g.line("%s {", header)
	g.inBody = true
	fill()
	g.inBody = false
	g.line("int i; int j; bool q; N n; I o; E u; S t; D f;")
	for i := range g.counters {
		g.line("int w%d;", i)
	}
	if g.chance(90) {
		g.line("o = n = h;")
	}
	g.out.WriteString(g.body.String())
	g.line("}")
}

// helper writes a method that processes call.
func (g *generator) helper(i int) {
	g.callable = i
	modifiers := g.pick("static", "static", "static atomic", "atomic static")
	g.result = [...]string{"", "i", "t"}[i]
	switch i {
	case 0:
		g.method(modifiers+" void f0()", 2, func() { g.list(); g.finish() })
	case 1:
		g.method(modifiers+" int f1(int a, out bool r)", 3, func() {
			g.line("r = a == %d;", g.rng.IntN(2))
			g.list()
			g.finish()
			g.line("return %s;", g.integer())
		})
	case 2:
		g.method(modifiers+" S f2(int a)", 2, func() {
			g.line("t.a = a;")
			if g.chance(30) {
				g.line("if (a > 0) t = f2(a - 1);")
			}
			g.list()
			g.finish()
			g.line("return t;")
		})
	}
}

// process writes an activate method.
func (g *generator) process(i int) {
	g.result = ""
	g.method(fmt.Sprintf("%s void p%d()", g.pick("activate static", "static activate"), i), 3+g.rng.IntN(5), func() {
		g.list()
		g.finish()
	})
}

// finish puts the labels that no statement has at the end of the method.
func (g *generator) finish() {
	for _, l := range g.pending {
		g.line("%s: ;", l)
	}
	g.pending = nil
}

// list writes some statements.
func (g *generator) list() {
	for range 1 + g.rng.IntN(4) {
		if g.budget > 0 {
			g.labeled()
		}
	}
	for g.indent == 2 && g.budget > 0 {
		g.labeled()
	}
	if len(g.pending) > 0 && g.chance(25) {
		g.line("%s: ;", g.label())
	}
}

// braces writes statements in braces after a header.
func (g *generator) braces(header string) {
	g.line("%s{", header)
	g.list()
	g.line("}")
}

// label returns a label that a goto names, which is pending no more.
func (g *generator) label() string {
	l := g.pending[0]
	g.pending = g.pending[1:]
	return l
}

// labeled writes a statement, perhaps after one with a label that a goto before it names.
func (g *generator) labeled() {
	if len(g.pending) > 0 && g.chance(40) {
		switch l := g.label(); {
		case g.chance(30) && !g.atomic:
			g.line("%s: %s", l, g.pick("atomic { i = 1; x = i; }", "atomic { select { wait(!k) -> k = true; } }"))
		case g.chance(20):
			g.line("%s: %s", l, g.pick("select end { wait(!p) -> i = 2; }", "{ int z = 1; y = z; }", "try { raise F; } with { * -> ; }"))
		default:
			g.line("%s: %s", l, g.pick(";", "x = 1;", "y = x;", "i = i + 1;"))
		}
	}
	g.budget--
	g.statement()
}

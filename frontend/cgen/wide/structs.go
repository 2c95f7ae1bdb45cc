package wide

// This file generates parts that copy, pass and return structs, and access arrays, unions and bit-fields
// in them.

// structs are whole objects that are copied, passed and returned, and places within them.
var structs = class{"structs", []form{
	// A struct with a pointer comes back from a function: a write through its member changes
	// the object.
	{"result", func(g *generator) {
		t := g.record()
		f, r := g.global("f"), g.fresh("s")
		g.decl("static struct %s %s(int n, int *p) { struct %s s = { .a = n, .p = p }; s.t[1] = n; return s; }", t, f, t)
		o := g.some()
		g.line("struct %s %s = %s(%s, %s);", t, r, f, g.value(), o.address())
		g.line("*%s.p = %s;", r, g.value())
		g.observe("%s", o.lvalue)
		g.observe("%s.a", r)
		g.observe("%s.t[%d]", r, g.n(2))
	}},
	// A member of a result, which is no lvalue.
	{"result-member", func(g *generator) {
		t, f := g.record(), g.global("f")
		g.decl("static struct %s %s(int n) { struct %s s = { n + 1 }; return s; }", t, f, t)
		r := g.fresh("r")
		g.line("int %s = %s(%s).a;", r, f, g.value())
		g.observe("%s", r)
		g.keep(r)
	}},
	// An argument by value: the caller's struct does not change, but the object that its
	// pointer leads to does.
	{"argument", func(g *generator) {
		t, f, s, r := g.record(), g.global("f"), g.fresh("s"), g.fresh("r")
		g.decl("static int %s(struct %s s) { s.a++; s.t[0] += 2; if (s.p) *s.p = 9; return s.a + s.t[0]; }", f, t)
		o := g.some()
		g.line("struct %s %s = { %s, %s, { 1, 2 } };", t, s, g.value(), pick(g, "0", o.address()))
		g.line("int %s = %s(%s);", r, f, s)
		g.observe("%s", r)
		g.observe("%s.%s", s, pick(g, "a", "t[0]"))
		g.observe("%s", o.lvalue)
	}},
	// A copy keeps the old values; the original changes afterwards.
	{"copy", func(g *generator) {
		t, a, b := g.record(), g.fresh("s"), g.fresh("s")
		g.line("struct %s %s = { %s, 0, { 3, %s } }, %s = %s;", t, a, g.value(), g.value(), b, a)
		g.line("%s.t[%s & 1] = 7;", a, g.inputs[0])
		if g.p(50) {
			g.line("if (%s) %s = %s;", g.condition(), b, a)
		}
		g.observe("%s.t[%d]", b, g.n(2))
		g.observe("%s.a", pick(g, a, b))
	}},
	// Elements at indices that inputs choose, written and copied.
	{"array", func(g *generator) {
		t, a := g.record(), g.global("s")
		g.decl("static struct %s %s[4] = { { 1 }, [2] = { .t = { 5, 6 } } };", t, a)
		g.line("%s[%s].t[%s & 1] = %s;", a, g.inputs[0], g.inputs[1], g.value())
		if g.p(50) {
			g.line("%s[%s] = %s[%s];", a, g.inputs[1], a, pick(g, g.inputs[0], "2"))
		}
		g.observe("%s[%s].t[%d]", a, pick(g, "0", "2", g.inputs[1]), g.n(2))
		g.observe("%s[%d].a", a, g.n(3))
	}},
	{"array-result", func(g *generator) { // an element, read through one index and stored through another
		t, a, f := g.record(), g.global("s"), g.global("f")
		g.decl("static struct %s %s[2], %s0;", t, a, a)
		g.program.globals = append(g.program.globals, a+"0")
		g.decl("static struct %s %s(struct %s s, int v) { %s0.a = 1; s.t[v & 1]++; return s; }", t, f, t, a)
		g.line("int %sk = %s(%s[%s & 1], 1).a;", a, f, a, g.inputs[0])
		g.line("if (%s[1].a != 3) %s[%s & 1] = %s(%s0, %s);", a, a, g.inputs[1], f, a, g.value())
		g.observe("%s[%d].a", a, g.n(2))
		g.observe("%s[%d].t[%d]", a, g.n(2), g.n(2))
		g.observe("%sk", a)
	}},
	// A union, written as one member and read as another one.
	{"union", func(g *generator) {
		u := g.fresh("u")
		g.line("union { unsigned u; int i; unsigned char b[4]; struct { short lo, hi; } h; } %s = { %s };", u, g.value())
		g.line("%s%s = %s;", u, pick(g, ".b[1]", ".b[0]", ".h.lo", ".h.hi", ".i"), g.value())
		g.observe("%s%s", u, pick(g, ".u", ".i", ".b[0]", ".b[1]", ".h.lo", ".h.hi"))
	}},
	// Pointers in a union, all with the address of one object.
	{"union-pointers", func(g *generator) {
		u, o := g.fresh("u"), g.some()
		g.line("union { int *p; char *c; void *v; } %s;", u)
		g.line("%s.v = %s;", u, o.address())
		g.line("*%s.p = %s;", u, g.value())
		g.observe("%s", o.lvalue)
		g.observe("*(int *)%s.c", u)
	}},
	// Bit-fields that wrap at their width, signed or not, next to others.
	{"bits", func(g *generator) {
		s := g.fresh("s")
		g.line("struct { unsigned a : 3, b : 7; int c : 5; unsigned long long d : 33; } %s = { %s, %s, -2, %s };", s, g.value(), g.value(), g.value())
		g.line("%s.%s;", s, pick(g, "a += 5", "b--", "c ^= 3", "d = ~0ull", "a = 9", "c += 7"))
		g.observe("%s.%s", s, pick(g, "a", "b", "c", "d"))
		g.observe("%s.%s", s, pick(g, "a", "b", "c"))
	}},
	// Two nodes of a list, written through either.
	{"list", func(g *generator) {
		t, a, b, p := g.global("N"), g.fresh("n"), g.fresh("n"), g.fresh("p")
		g.decl("struct %s { int v; struct %s *next; };", t, t)
		g.line("struct %s %s = { %s, 0 }, %s = { %s, &%s }, *%s = %s ? &%s : &%s;", t, a, g.value(), b, g.value(), a, p, g.condition(), a, b)
		g.line("if (%s->next) %s->next->v += 2; else %s->v = 4;", p, p, p)
		g.observe("%s.v", pick(g, a, b))
		g.observe("%s->v", p)
	}},
	// A pointer into an array within a struct.
	{"inner-pointer", func(g *generator) {
		t, s, p := g.record(), g.fresh("s"), g.fresh("p")
		g.line("struct %s %s = { %s }, *%s = &%s;", t, s, g.value(), p, s)
		g.line("int *%sq = &%s->t[%s & 1];", p, p, g.inputs[0])
		g.line("%sq[0] = %s;", p, g.value())
		g.observe("%s.t[%d]", s, g.n(2))
		g.observe("%s.a", s)
	}},
}}

// record declares a struct with an int a, a pointer p and an array t, and returns its tag.
func (g *generator) record() string {
	t := g.global("R")
	g.decl("struct %s { %s };", t, pick(g, "int a; int *p; int t[2];", "short a; int *p; int t[2]; char c;", "int a; int *p; struct { int t[2]; };"))
	return t
}

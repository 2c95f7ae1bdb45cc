package wide

// This file generates parts with objects without size and arrays without length.

// empties have objects of size 0, which may share their address with any other one:
//
//	struct {} e1, e2; CHECK(0, (void *)&e1 == (void *)&e2);      0 or 1
//
// An analysis that takes addresses of objects for different proves too much.
var empties = class{"empties", []form{
	// Globals without size.
	{"globals", func(g *generator) {
		t, a, b := g.global("E"), g.global("e"), g.global("e")
		g.decl("struct %s {};", t)
		g.decl("static struct %s %s, %s;", t, a, b)
		p, q := g.fresh("p"), g.fresh("q")
		g.line("struct %s *%s = &%s, *%s = &%s;", t, p, a, q, b)
		g.observeOpen([]int64{0, 1}, "%s == %s", p, q)
		g.observe("sizeof *%s", p)
	}},
	// Locals without size.
	{"locals", func(g *generator) {
		a, b := g.fresh("e"), g.fresh("e")
		g.line("struct {} %s, %s;", a, b)
		g.observeOpen([]int64{0, 1}, "(void *)&%s == (void *)&%s", a, b)
		g.observe("sizeof %s", a)
	}},
	// Arrays without elements.
	{"zero-array", func(g *generator) {
		a, b := g.fresh("z"), g.fresh("z")
		g.line("int %s[0], %s[0];", a, b)
		g.observeOpen([]int64{0, 1}, "(long)%s == (long)%s", a, b)
	}},
	// A member without size has the place of the next one.
	{"member", func(g *generator) {
		s := g.fresh("s")
		g.line("struct { int a; struct {} e; int b; } %s = { .b = %s };", s, g.value())
		g.observe("(long)&%s.e == (long)&%s.b", s, s)
		g.observe("%s.b", s)
		g.observe("sizeof %s", s)
	}},
	// Copying and passing an empty struct changes nothing.
	{"copied", func(g *generator) {
		t, f, s := g.global("E"), g.global("f"), g.fresh("s")
		g.decl("struct %s {};", t)
		g.decl("static int %s(struct %s e, int n) { struct %s c = e; (void)c; return n + 1; }", f, t, t)
		r := g.fresh("r")
		g.line("struct %s %s = {};", t, s)
		g.line("int %s = %s(%s, %s);", r, f, s, g.value())
		g.observe("%s", r)
		g.keep(r)
	}},
	// All elements of such an array are at one place.
	{"array", func(g *generator) {
		a := g.fresh("e")
		g.line("struct {} %s[3];", a)
		g.observe("(void *)&%s[0] == (void *)&%s[2]", a, a)
		g.observe("sizeof %s", a)
	}},
	// A flexible array member in an allocated object.
	{"flexible", func(g *generator) {
		g.include("stdlib.h")
		t, p := g.global("F"), g.fresh("p")
		g.decl("struct %s { int n; int t[]; };", t)
		g.line("struct %s *%s = malloc(sizeof *%s + 3 * sizeof(int));", t, p, p)
		g.line("if (!%s) return 0;", p)
		g.line("%s->n = %s;", p, g.value())
		g.line("%s->t[0] = %s;", p, g.value())
		g.line("%s->t[2] = %s;", p, g.value())
		g.observe("%s->n", p)
		g.observe("%s->t[%s]", p, pick(g, "0", "2"))
		g.observe("sizeof *%s", p)
	}},
	// One in a static object, whose initialiser makes room for the elements (gcc).
	{"flexible-static", func(g *generator) {
		t, o := g.global("F"), g.global("o")
		g.decl("struct %s { char n; int t[]; };", t)
		g.decl("static struct %s %s = { 1, { 2, 3 } };", t, o)
		g.line("%s.t[%s & 1] = %s;", o, g.inputs[0], g.value())
		g.observe("%s.t[%s]", o, pick(g, "0", "1", g.inputs[1]+" & 1"))
		g.observe("%s.n", o)
	}},
	// The end of a struct is the place of its array of length 0.
	{"trailing", func(g *generator) {
		s := g.fresh("s")
		g.line("struct { int a; int z[0]; } %s = { %s };", s, g.value())
		g.observe("(void *)%s.z == (void *)(&%s + 1)", s, s)
		g.observe("%s.a", s)
	}},
}}

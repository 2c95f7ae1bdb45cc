package wide

// This file generates parts with volatile objects, which keep the values that the program writes.

// volatiles hold the values that were written last, in all ways to write and read them.
//
//	volatile int v = in1; v++; CHECK(0, v);      one more than in1
var volatiles = class{"volatile", []form{
	// A local variable.
	{"local", func(g *generator) {
		x := g.fresh("v")
		g.line("volatile int %s = %s;", x, g.value())
		g.change(x)
		g.observe("%s", x)
	}},
	// A static one, with a value at the start.
	{"static", func(g *generator) {
		x := g.global("x")
		g.decl("static volatile int %s = %s;", x, g.constant())
		g.change(x)
		g.observe("%s", x)
	}},
	// A variable that other files know by name: they may change it.
	{"external", func(g *generator) {
		x := g.global("x")
		g.decl("volatile int %s = %s;", x, g.constant())
		g.observe("%s", x)
		g.program.Checks[len(g.program.Checks)-1].Known = true
	}},
	// Volatile members, one of them a bit-field, and an ordinary one.
	{"member", func(g *generator) {
		s := g.fresh("s")
		g.line("struct { volatile short a; int b; volatile unsigned c : 5; } %s = { %s, %s, 3 };", s, g.value(), g.value())
		g.change(s + pick(g, ".a", ".c"))
		g.observe("%s.a", s)
		g.observe("%s.c", s)
		g.observe("%s.b", s)
	}},
	// Elements at an index that an input chooses.
	{"array", func(g *generator) {
		a := g.global("t")
		g.decl("static volatile unsigned char %s[4] = { 1, 2 };", a)
		g.line("%s[%s] = %s;", a, g.inputs[0], g.value())
		g.observe("%s[%s]", a, pick(g, "0", "1", "3", g.inputs[1]))
	}},
	// An ordinary object that is read and written through a pointer to volatile.
	{"pointed", func(g *generator) {
		o, p := g.some(), g.fresh("p")
		g.line("volatile int *%s = %s;", p, o.address())
		g.line("*%s = %s;", p, g.value())
		g.observe("%s", pick(g, o.lvalue, "*"+p))
	}},
	// A pointer that is itself volatile.
	{"pointer", func(g *generator) {
		x, y, p := g.some(), g.object(), g.fresh("p")
		g.line("int *volatile %s = %s;", p, x.address())
		g.line("if (%s) %s = %s;", g.condition(), p, y.address())
		g.line("*%s = %s;", p, g.value())
		g.observe("%s", x.lvalue)
		g.observe("%s", y.lvalue)
	}},
	// A counter of a loop.
	{"counter", func(g *generator) {
		i, n := g.fresh("i"), g.fresh("n")
		g.line("int %s = 0;", n)
		g.line("for (volatile int %s = 0; %s < %s; %s++) %s++;", i, i, g.inputs[1], i, n)
		g.observe("%s", n)
		g.keep(n)
	}},
	// A whole struct is read at once.
	{"struct", func(g *generator) {
		t, s, c := g.global("V"), g.global("s"), g.fresh("c")
		g.decl("struct %s { int a; short b; };", t)
		g.decl("static volatile struct %s %s = { 1, 2 };", t, s)
		g.line("%s.b = %s;", s, g.value())
		g.line("struct %s %s = %s;", t, c, s)
		g.observe("%s.%s", c, pick(g, "a", "b"))
	}},
	// A constant that is volatile keeps its value here.
	{"constant", func(g *generator) {
		x := g.global("x")
		g.decl("static const volatile int %s = %s;", x, g.constant())
		g.observe("%s", x)
	}},
	// A function sets it and returns it.
	{"call", func(g *generator) {
		x, f := g.global("x"), g.global("f")
		g.decl("static volatile int %s;", x)
		g.decl("static int %s(int n) { %s = n; return %s; }", f, x, x)
		r := g.fresh("r")
		g.line("int %s = %s(%s);", r, f, g.value())
		g.observe("%s", r)
		g.observe("%s", x)
		g.keep(r)
	}},
}}

// change writes to an object, in some way, or not at all.
func (g *generator) change(lvalue string) {
	switch g.n(5) {
	case 0:
		g.line("%s++;", lvalue)
	case 1:
		g.line("%s += %s;", lvalue, g.value())
	case 2:
		g.line("if (%s) %s = %s;", g.condition(), lvalue, g.value())
	case 3:
		g.line("%s = %s;", lvalue, g.value())
	}
}

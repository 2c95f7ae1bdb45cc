package wide

// This file generates parts with volatile objects, which keep the values that the program writes.

var volatiles = class{"volatile", []form{
	{"local", func(g *generator) {
		x := g.fresh("v")
		g.line("volatile int %s = %s;", x, g.value())
		g.change(x)
		g.observe("%s", x)
	}},
	{"static", func(g *generator) {
		x := g.global("x")
		g.decl("static volatile int %s = %s;", x, g.constant())
		g.change(x)
		g.observe("%s", x)
	}},
	{"external", func(g *generator) {
		x := g.global("x")
		g.decl("volatile int %s = %s;", x, g.constant())
		g.observe("%s", x)
		g.program.Checks[len(g.program.Checks)-1].Known = true
	}},
	{"member", func(g *generator) {
		s := g.fresh("s")
		g.line("struct { volatile short a; int b; volatile unsigned c : 5; } %s = { %s, %s, 3 };", s, g.value(), g.value())
		g.change(s + pick(g, ".a", ".c"))
		g.observe("%s.a", s)
		g.observe("%s.c", s)
		g.observe("%s.b", s)
	}},
	{"array", func(g *generator) {
		a := g.global("t")
		g.decl("static volatile unsigned char %s[4] = { 1, 2 };", a)
		g.line("%s[%s] = %s;", a, g.inputs[0], g.value())
		g.observe("%s[%s]", a, pick(g, "0", "1", "3", g.inputs[1]))
	}},
	{"pointed", func(g *generator) {
		o, p := g.some(), g.fresh("p")
		g.line("volatile int *%s = %s;", p, o.address())
		g.line("*%s = %s;", p, g.value())
		g.observe("%s", pick(g, o.lvalue, "*"+p))
	}},
	{"pointer", func(g *generator) {
		x, y, p := g.some(), g.object(), g.fresh("p")
		g.line("int *volatile %s = %s;", p, x.address())
		g.line("if (%s) %s = %s;", g.condition(), p, y.address())
		g.line("*%s = %s;", p, g.value())
		g.observe("%s", x.lvalue)
		g.observe("%s", y.lvalue)
	}},
	{"counter", func(g *generator) {
		i, n := g.fresh("i"), g.fresh("n")
		g.line("int %s = 0;", n)
		g.line("for (volatile int %s = 0; %s < %s; %s++) %s++;", i, i, g.inputs[1], i, n)
		g.observe("%s", n)
		g.keep(n)
	}},
	{"struct", func(g *generator) {
		t, s, c := g.global("V"), g.global("s"), g.fresh("c")
		g.decl("struct %s { int a; short b; };", t)
		g.decl("static volatile struct %s %s = { 1, 2 };", t, s)
		g.line("%s.b = %s;", s, g.value())
		g.line("struct %s %s = %s;", t, c, s)
		g.observe("%s.%s", c, pick(g, "a", "b"))
	}},
	{"constant", func(g *generator) {
		x := g.global("x")
		g.decl("static const volatile int %s = %s;", x, g.constant())
		g.observe("%s", x)
	}},
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

// change writes to an object, in some way.
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

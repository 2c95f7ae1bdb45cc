package wide

// This file generates parts about objects whose lifetimes do not overlap.

var blocks = class{"blocks", []form{
	{"disjoint", func(g *generator) {
		a, b := g.fresh("a"), g.fresh("a")
		n := pick(g, 1, 4, 100)
		g.line("unsigned long %s, %s;", a, b)
		for _, v := range []string{a, b} {
			g.block("", func() {
				x := g.fresh("v")
				g.line("volatile char %s[%d];", x, n)
				g.line("%s[0] = 1;", x)
				g.line("%s = (unsigned long)%s;", v, x)
			})
		}
		g.sameOrNot(a, b)
	}},
	{"calls", func(g *generator) {
		f, a, b := g.global("f"), g.fresh("a"), g.fresh("a")
		g.decl("static unsigned long %s(int n) { volatile int v = n; return (unsigned long)&v; }", f)
		g.line("unsigned long %s = %s(1), %s = %s(2);", a, f, b, f)
		g.sameOrNot(a, b)
	}},
	{"rounds", under(samePlace, func(g *generator) {
		a, i := g.fresh("a"), g.fresh("i")
		g.line("unsigned long %s[2];", a)
		g.block("for (int "+i+" = 0; "+i+" < 2; "+i+"++) ", func() {
			x := g.fresh("v")
			g.line("int %s = %s;", x, i)
			g.line("%s[%s] = (unsigned long)&%s;", a, i, x)
		})
		g.sameOrNot(a+"[0]", a+"[1]")
	})},
	{"literals", func(g *generator) {
		a, b := g.fresh("a"), g.fresh("a")
		g.line("unsigned long %s, %s;", a, b)
		for _, v := range []string{a, b} {
			g.block("", func() {
				x := g.fresh("p")
				g.line("int *%s = (int[]){ %s, 2 };", x, g.value())
				g.line("%s = (unsigned long)%s;", v, x)
			})
		}
		g.sameOrNot(a, b)
	}},
	{"heap", func(g *generator) {
		g.include("stdlib.h")
		a, b, x := g.fresh("a"), g.fresh("a"), g.fresh("h")
		g.line("int *%s = malloc(8);", x)
		g.line("unsigned long %s = (unsigned long)%s;", a, x)
		g.line("free(%s);", x)
		g.line("%s = malloc(8);", x)
		g.line("unsigned long %s = (unsigned long)%s;", b, x)
		g.line("if (!%s) return 0;", x)
		g.sameOrNot(a, b)
		g.observe("%s == 0", b)
	}},
	{"alive", func(g *generator) {
		a, b, x := g.fresh("a"), g.fresh("a"), g.fresh("v")
		g.line("unsigned long %s, %s;", a, b)
		g.block("", func() {
			g.line("int %s = %s;", x, g.value())
			g.line("%s = (unsigned long)&%s;", a, x)
			g.block("", func() {
				y := g.fresh("v")
				g.line("int %s = %s;", y, g.value())
				g.line("%s = (unsigned long)&%s;", b, y)
				g.line("%s += %s;", y, x)
				g.observe("%s", y)
			})
		})
		g.observe("%s == %s", a, b)
	}},
	{"cases", func(g *generator) {
		a, b := g.fresh("a"), g.fresh("a")
		g.line("unsigned long %s = 0, %s = 0;", a, b)
		g.block("if ("+g.condition()+") ", func() {
			x := g.fresh("v")
			g.line("int %s[3] = { 1 };", x)
			g.line("%s = (unsigned long)&%s[1];", a, x)
		})
		g.block("", func() {
			x := g.fresh("v")
			g.line("int %s[3] = { 2 };", x)
			g.line("%s = (unsigned long)&%s[1];", b, x)
		})
		g.sameOrNot(a, b)
	}},
}}

// sameOrNot observes whether two addresses are equal, which C leaves open, and lets that
// matter.
func (g *generator) sameOrNot(a, b string) {
	if g.p(60) {
		g.observeOpen([]int64{0, 1}, "%s == %s", a, b)
		return
	}
	r, x, y := g.fresh("r"), g.fresh("v"), g.fresh("v")
	g.line("int %s = %s, %s = 5, *%s = &%s;", x, g.value(), y, r, x)
	g.line("if (%s == %s) %s = &%s;", a, b, r, y)
	g.line("*%s = 7;", r)
	g.observeOpen([]int64{5, 7}, "%s", y)
}

package wide

// This file generates parts about objects whose lifetimes do not overlap.

// blocks are about objects that are never alive together: whether they have one address is open in
// C.
//
//	{ char v1[4]; a = (unsigned long)v1; }
//	{ char v2[4]; b = (unsigned long)v2; }
//	CHECK(0, a == b);                          0 or 1
//
// An analysis that takes all objects for disjoint proves too much, and so does one that takes these
// for equal.
var blocks = class{"blocks", []form{
	// Two blocks, one after the other.
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
	// Two calls of one function: the address of a local is returned as a number.
	{"calls", func(g *generator) {
		f, a, b := g.global("f"), g.fresh("a"), g.fresh("a")
		g.decl("static unsigned long %s(int n) { volatile int v = n; return (unsigned long)&v; }", f)
		g.line("unsigned long %s = %s(1), %s = %s(2);", a, f, b, f)
		g.sameOrNot(a, b)
	}},
	// Two rounds of a loop: the variable is another object in each.
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
	// Compound literals of two blocks, which live as long as their blocks.
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
	// An object that is allocated after another one was freed.
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
	// The inner block's object lives while the outer one's does: these are different.
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
	// A block that is entered in some runs only: without it, a is 0.
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

// sameOrNot observes whether two addresses are equal, which C leaves open, and lets that matter:
// either directly, or by a pointer that the comparison chooses.
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

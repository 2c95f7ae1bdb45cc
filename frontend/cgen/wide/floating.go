package wide

import "fmt"

// This file generates parts with decisions by floating-point numbers: constants as conditions, and values
// computed from integers.

// floating has numbers whose truth value, conversion or comparison decides.
var floating = class{"floating", append([]form{
	// A floating constant is true if it is not 0, also if it would be 0 as an integer.
	{"condition", func(g *generator) {
		r := g.fresh("r")
		g.line("int %s = %s;", r, g.value())
		g.line("if (%s) %s += 2;", g.floatCondition(), r)
		g.observe("%s", r)
		g.keep(r)
	}},
	// The same in a conditional expression.
	{"choice", func(g *generator) { g.observe("(%s) ? %s : %s", g.floatCondition(), g.value(), g.value()) }},
	// The same in an assertion: all of these hold.
	{"assertion", func(g *generator) {
		g.line("assert(%s);", pick(g, "0.5", "!0.0", "1e-30f", "0.5 && 1", "0x1p-3 || 0", "1.0L"))
	}},
	// The same in a loop, which only break leaves.
	{"loop", func(g *generator) {
		n := g.fresh("n")
		g.line("int %s = 0;", n)
		g.block("while ("+pick(g, "0.5", "2.5f")+") ", func() {
			g.line("%s++;", n)
			g.line("if (%s > %s) break;", n, g.inputs[0])
		})
		g.observe("%s", n)
	}},
	// Conversions of constants: truncation towards 0, and to _Bool by comparison with 0.
	{"converted", func(g *generator) {
		g.observe("%s", pick(g, "(int)2.5", "(_Bool)0.5", "(unsigned char)3.99f", "(long)-1.5", "(int)(0.1 + 0.2 > 0.3)", "sizeof(1.0f)", "sizeof 1.0", "(int)1e3"))
	}},
	// The initialiser of an integer is converted, also in a constant expression.
	{"initial", func(g *generator) {
		x := g.global("x")
		g.decl("%sint %s = %s;", pick(g, "const static ", "static const "), x, pick(g, "2.75", "-1.5", "0.5 ? 3 : 4", "0.5 && 1", "(int)0.9f + 1"))
		g.observe("%s", x)
	}},
	// An integer input as a number, compared.
	{"variable", func(g *generator) {
		d, r := g.fresh("d"), g.fresh("r")
		g.line("%s %s = %s;", pick(g, "double", "float"), d, g.inputs[0])
		g.line("int %s = %s;", r, pick(g, d+" > 1.5", d+" * 2 == 4", d+" + 0.5 >= 2", "!"+d))
		g.observe("%s", r)
	}},
	// To a number and back: exact for small integers.
	{"back", func(g *generator) {
		d, r := g.fresh("d"), g.fresh("r")
		g.line("double %s = %s;", d, g.value())
		g.line("int %s = (int)(%s * 2);", r, d)
		g.observe("%s", r)
	}},
	// Floating constants in integer constant expressions, after a cast (C11 6.6p6).
	{"enum", func(g *generator) {
		e := g.global("K")
		g.decl("enum { %s = (int)2.5 };", e)
		a := g.fresh("t")
		g.line("int %s[(int)3.7];", a)
		g.observe("%s + sizeof %s / sizeof %s[0]", e, a, a)
	}},
}, floatForms...)}

// floatForms are programs that compute with floats and doubles.
var floatForms = []form{
	// A loop that counts in steps of a fraction.
	{"steps", func(g *generator) {
		x, n, t := g.fresh("x"), g.fresh("n"), pick(g, "float", "double")
		g.line("%s %s = %s; int %s = 0;", t, x, pick(g, "0", "0.25", g.inputs[0]), n)
		g.block(fmt.Sprintf("while (%s < %s) ", x, pick(g, "2", "1.5f", "2.75")), func() {
			g.line("%s += %s; %s++;", x, pick(g, "0.5", "0.75f", "1"), n)
		})
		g.observe("%s", n)
	}},
	// A comparison bounds the number before it is converted.
	{"range", func(g *generator) {
		x, r := g.fresh("x"), g.fresh("r")
		g.line("double %s = %s / %s; int %s = 0;", x, g.inputs[0], pick(g, "2.0", "4.0", "3.0"), r)
		g.line("if (%s >= 0 && %s <= %s) %s = (int)(%s %s %s);", x, x, pick(g, "1", "1.5", "2"), r, x, pick(g, "+", "*"), pick(g, "0.5", "2", "1.25f"))
		g.observe("%s", r)
	}},
	// Numbers as members, read and written through a pointer.
	{"member", func(g *generator) {
		s, t := g.fresh("s"), g.global("S")
		g.decl("struct %s { float f; double d[2]; int n; };", t)
		g.line("struct %s %s = { %s, { 1.5, %s } }, *p%s = &%s;", t, s, g.inputs[0], g.inputs[1], s, s)
		g.line("p%s->d[1] %s= p%s->f; p%s->n = p%s->d[1] > %s.d[0];", s, pick(g, "+", "-", "*"), s, s, s, s)
		g.observe("%s.n", s)
		g.observe("(int)%s.d[1]", s)
	}},
	// The bits of a number in a union: the sign is changed, or the upper half.
	{"bits", func(g *generator) {
		u, t := g.fresh("u"), g.global("U")
		g.decl("union %s { double d; unsigned long long w; float f[2]; unsigned h[2]; };", t)
		g.line("union %s %s; %s.d = %s;", t, u, u, pick(g, "1", g.inputs[0], "-"+g.inputs[0]+" - 0.5"))
		g.line("%s", pick(g, u+".w ^= 1ull << 63;", u+".h[1] = 0x40000000;", u+".f[1] = 2;"))
		g.observe("%s.d > %s", u, pick(g, "0", "1.5", "-2"))
		g.observe("(int)(%s.w >> 60)", u)
	}},
	// Arguments and results are converted to the types of the function.
	{"function", func(g *generator) {
		f := g.global("f")
		a, b := pick(g, "float", "double", "int"), pick(g, "float", "double")
		g.decl("static %s %s(%s x, %s y) { return x < y ? x + y : %s; }", pick(g, "float", "double", "int"), f, a, b, pick(g, "x - y", "x * y", "y / 2"))
		g.observe("(int)%s(%s, %s)", f, g.value(), pick(g, "1.5", "2.5f", g.inputs[1]))
	}},
	// 0 / 0 is a NaN, and other numbers divided by 0 are infinite: comparisons with a NaN are
	// false.
	{"not a number", func(g *generator) {
		x, z := g.fresh("x"), g.fresh("z")
		g.line("volatile double %s = 0; double %s = %s ? %s / %s : %s;", z, x, pick(g, g.inputs[0]+" > 1", g.inputs[0]), g.inputs[1], z, g.inputs[0])
		g.observe("%s", pick(g, x+" != "+x, x+" < 3 || "+x+" >= 3", "!("+x+" > 2)", x+" == 1", "__builtin_isinf("+x+")"))
	}},
	// Functions and macros of math.h.
	{"mathematics", func(g *generator) {
		g.include("math.h")
		x := g.fresh("x")
		g.line("double %s = %s %s %s;", x, g.inputs[0], pick(g, "/", "-"), pick(g, "2.0", "1.5", "0.75"))
		g.observe("(int)%s", pick(g, "floor("+x+")", "ceil("+x+" * 2)", "fabs("+x+")", "sqrt("+x+" * "+x+" + 4)", "fmod("+x+", 2)", "fmin("+x+", 1)", "round("+x+")", "lrint("+x+")"))
		g.observe("%s", pick(g, "isnan("+x+")", "signbit("+x+")", "isfinite("+x+")", "fpclassify("+x+") == FP_ZERO", "isless("+x+", 1)"))
	}},
	// Compound assignments compute in the wider type and convert back: i *= 1.5.
	{"compound", func(g *generator) {
		i, x := g.fresh("i"), g.fresh("x")
		g.line("int %s = %s; float %s = %s;", i, g.value(), x, g.inputs[0])
		g.line("%s %s= %s; %s%s; %s %s= %s;", i, pick(g, "+", "*", "-"), pick(g, "1.5", x, "0.4f"), x, pick(g, "++", "--"), x, pick(g, "/", "*", "+"), pick(g, "2", "3.0", i))
		g.observe("%s", i)
		g.observe("%s > %s", x, pick(g, "1", "0.7f", "2.25"))
	}},
	// Rounding to float and double: sums that are not exact, and excess precision that must not
	// show.
	{"rounding", func(g *generator) {
		x := g.fresh("x")
		g.line("%s %s = %s;", pick(g, "float", "double"), x, g.inputs[0])
		g.observe("%s", pick(g, x+" / 10 * 10 == "+x, x+" + 0.1 + 0.2 == "+x+" + 0.3", "(float)("+x+" / 3) == "+x+" / 3", x+" + 1e17 == 1e17", x+" * 0.1f > "+x+" * 0.1"))
	}},
}

// floatCondition returns a floating constant, or two, as a condition.
func (g *generator) floatCondition() string {
	return pick(g, "0.5", "0.0", "!0.25", "0.25f", "1e-40", "0.5 || "+g.inputs[0], "0.5 && "+g.inputs[0], "-0.0", "0.1L", "0.5 > 0.25",
		"0.1f == 0.1", g.inputs[1]+" ? 0.5 : 0.0", "0.0 || "+g.inputs[1])
}

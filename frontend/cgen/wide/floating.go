package wide

// This file lets floating point decide: constants as conditions, and values that stem from
// integers.

var floating = class{"floating", []form{
	{"condition", func(g *generator) {
		r := g.fresh("r")
		g.line("int %s = %s;", r, g.value())
		g.line("if (%s) %s += 2;", g.floatCondition(), r)
		g.observe("%s", r)
		g.keep(r)
	}},
	{"choice", func(g *generator) { g.observe("(%s) ? %s : %s", g.floatCondition(), g.value(), g.value()) }},
	{"assertion", func(g *generator) {
		g.line("assert(%s);", pick(g, "0.5", "!0.0", "1e-30f", "0.5 && 1", "0x1p-3 || 0", "1.0L"))
	}},
	{"loop", func(g *generator) {
		n := g.fresh("n")
		g.line("int %s = 0;", n)
		g.block("while ("+pick(g, "0.5", "2.5f")+") ", func() {
			g.line("%s++;", n)
			g.line("if (%s > %s) break;", n, g.inputs[0])
		})
		g.observe("%s", n)
	}},
	{"converted", func(g *generator) {
		g.observe("%s", pick(g, "(int)2.5", "(_Bool)0.5", "(unsigned char)3.99f", "(long)-1.5", "(int)(0.1 + 0.2 > 0.3)", "sizeof(1.0f)", "sizeof 1.0", "(int)1e3"))
	}},
	{"initial", func(g *generator) {
		x := g.global("x")
		g.decl("%sint %s = %s;", pick(g, "const static ", "static const "), x, pick(g, "2.75", "-1.5", "0.5 ? 3 : 4", "0.5 && 1", "(int)0.9f + 1"))
		g.observe("%s", x)
	}},
	{"variable", func(g *generator) {
		d, r := g.fresh("d"), g.fresh("r")
		g.line("%s %s = %s;", pick(g, "double", "float"), d, g.inputs[0])
		g.line("int %s = %s;", r, pick(g, d+" > 1.5", d+" * 2 == 4", d+" + 0.5 >= 2", "!"+d))
		g.observe("%s", r)
	}},
	{"back", func(g *generator) {
		d, r := g.fresh("d"), g.fresh("r")
		g.line("double %s = %s;", d, g.value())
		g.line("int %s = (int)(%s * 2);", r, d)
		g.observe("%s", r)
	}},
	{"enum", func(g *generator) {
		e := g.global("K")
		g.decl("enum { %s = (int)2.5 };", e)
		a := g.fresh("t")
		g.line("int %s[(int)3.7];", a)
		g.observe("%s + sizeof %s / sizeof %s[0]", e, a, a)
	}},
}}

// floatCondition is a floating constant, or two, as a condition.
func (g *generator) floatCondition() string {
	return pick(g, "0.5", "0.0", "!0.25", "0.25f", "1e-40", "0.5 || "+g.inputs[0], "0.5 && "+g.inputs[0], "-0.0", "0.1L", "0.5 > 0.25",
		"0.1f == 0.1", g.inputs[1]+" ? 0.5 : 0.0", "0.0 || "+g.inputs[1])
}

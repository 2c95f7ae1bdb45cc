package wide

// This file generates parts with control flow through tables, recursion, switches, jumps and variable
// arguments.

// control has calls and jumps whose targets are values, activations of one function at once, and
// arguments without parameters.
var control = class{"control", []form{
	// A table of functions with an index that an input chooses, and a gap that is null.
	{"table", func(g *generator) {
		x, t := g.global("x"), g.global("t")
		g.decl("static int %s;", x)
		var names []any
		for i := range 3 {
			f := g.global("f")
			g.decl("static int %s(int n) { %s += n; return n + %d; }", f, x, i)
			names = append(names, f)
		}
		g.decl("static int (*"+t+"[4])(int) = { %s, %s, [3] = %s };", names...)
		r := g.fresh("r")
		g.line("int %s = %s[%s] ? %s[%s](%s) : 7;", r, t, g.inputs[0], t, g.inputs[0], g.value())
		g.observe("%s", r)
		g.observe("%s", x)
		g.keep(r)
	}},
	// A struct with a pointer to a function, which is called with the struct, as operations of
	// drivers are.
	{"operations", func(g *generator) {
		t, o, f, h := g.global("O"), g.global("o"), g.global("f"), g.global("f")
		g.decl("struct %s { int (*get)(struct %s *); int v; };", t, t)
		g.decl("static int %s(struct %s *o) { return o->v; }", f, t)
		g.decl("static int %s(struct %s *o) { return o->v++ + 2; }", h, t)
		g.decl("static struct %s %s = { %s, 1 };", t, o, f)
		g.line("if (%s) %s.get = %s;", g.condition(), o, h)
		r := g.fresh("r")
		g.line("int %s = %s.get(&%s);", r, o, o)
		g.observe("%s", r)
		g.observe("%s.v", o)
		g.keep(r)
	}},
	// Each activation has a k of its own: it must be the same after the inner call.
	{"recursion", func(g *generator) {
		f, r := g.global("f"), g.fresh("r")
		g.decl("static int %s(int n) { int k = n & 1; if (n <= 0) return 1; int v = %s(n - 1); return v + k; }", f, f)
		g.line("int %s = %s(%s);", r, f, g.inputs[1])
		g.observe("%s", r)
		g.keep(r)
	}},
	// The inner activation writes the outer one's variable of the same name.
	{"frames", func(g *generator) { // the address of a variable in the frame of a caller
		f, r := g.global("f"), g.fresh("r")
		g.decl("static int %s(int *p, int n) { int own = n; if (p) { *p += 2; return own; } %s(&own, n + 1); return own; }", f, f)
		g.line("int %s = %s(0, %s);", r, f, g.value())
		g.observe("%s", r)
		g.keep(r)
	}},
	// Cases that fall through, a range, and a default.
	{"switch", func(g *generator) {
		r := g.fresh("r")
		g.line("int %s = 0;", r)
		g.block("switch ("+pick(g, g.inputs[0], g.inputs[0]+" + "+g.inputs[1])+") ", func() {
			g.line("case 0: %s = %s; break;", r, g.value())
			g.line("case 1: %s += 1;", r)
			g.line("case 2 ... 3: %s += 2; break;", r)
			g.line("default: %s = 5;", r)
		})
		g.observe("%s", r)
		g.keep(r)
	}},
	// A jump back makes a loop.
	{"goto", func(g *generator) {
		l, n := g.fresh("again"), g.fresh("n")
		g.line("int %s = 0;", n)
		g.line("%s:", l)
		g.line("%s++;", n)
		g.line("if (%s <= %s) goto %s;", n, g.inputs[0], l)
		g.observe("%s", n)
		g.keep(n)
	}},
	// The number of arguments that are read is smaller than that of those passed, or the same.
	{"varargs", func(g *generator) {
		g.include("stdarg.h")
		f, r := g.global("f"), g.fresh("r")
		g.decl("static int %s(int n, ...) { va_list ap; int sum = 0; va_start(ap, n); while (n-- > 0) sum += va_arg(ap, int); va_end(ap); return sum; }", f)
		g.line("int %s = %s(%s, %s, 2);", r, f, pick(g, "2", "1", g.inputs[0]+" & 1"), g.value())
		g.observe("%s", r)
	}},
	// A pointer among the variable arguments lets the callee write an object of the caller.
	{"varargs-pointer", func(g *generator) {
		g.include("stdarg.h")
		f, o := g.global("f"), g.some()
		g.decl("static void %s(int n, ...) { va_list ap; va_start(ap, n); int *p = va_arg(ap, int *); *p = n; va_end(ap); }", f)
		g.line("%s(%s, %s);", f, g.value(), o.address())
		g.observe("%s", o.lvalue)
	}},
	// continue and break, depending on inputs.
	{"loops", func(g *generator) {
		n, i := g.fresh("n"), g.fresh("i")
		g.line("int %s = 0;", n)
		g.block("for (int "+i+" = 0; "+i+" < 3; "+i+"++) ", func() {
			g.line("if (%s == %s) continue;", i, g.inputs[0])
			g.line("%s += %s;", n, pick(g, "1", i, "2"))
			g.line("if (%s > %s) break;", i, g.inputs[1])
		})
		g.observe("%s", n)
		g.keep(n)
	}},
	// Unsigned arithmetic wraps below 0, in narrow types by conversion.
	{"unsigned", func(g *generator) {
		u := g.fresh("u")
		g.line("%s %s = %s - 2;", pick(g, "unsigned", "unsigned char", "unsigned short", "unsigned long"), u, g.inputs[0])
		g.observe("%s > %s", u, pick(g, "1", "100", "-1"))
		g.observe("%s + 2 <= 3", u)
	}},
	// A jump to a label whose address is in a table (gcc).
	{"computed-goto", func(g *generator) {
		r := g.fresh("r")
		g.line("int %s = 0;", r)
		g.line("static void *const %sl[2] = { &&%sa, &&%sb };", r, r, r)
		g.line("goto *%sl[%s & 1];", r, g.inputs[0])
		g.line("%sa: %s = 1;", r, r)
		g.line("%sb: %s += 2;", r, r)
		g.observe("%s", r)
	}},
	// A statement expression (gcc) with a variable of its own.
	{"expression", func(g *generator) {
		r := g.fresh("r")
		g.line("int %s = ({ int a = %s; if (a > 1) a = 7; a; });", r, g.value())
		g.observe("%s", r)
		g.keep(r)
	}},
}}

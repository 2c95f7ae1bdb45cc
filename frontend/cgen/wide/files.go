package wide

// This file generates parts with definitions in two translation units.

// files are programs of two units, such as
//
//	extern int *p, x; … x = 1; *p = 2; CHECK(0, x);      a.c
//	int x; int *p = &x;                                  b.c
//
// An analysis that links them wrongly takes one name for two objects, or two objects for one.
var files = class{"files", []form{
	// The variable is defined in the other unit, in one of several ways.
	{"extern", func(g *generator) {
		x := g.global("x")
		g.decl("extern int %s;", x)
		g.elsewhere("%s;", pick(g, "int "+x, "int "+x+", "+x+"__; int "+x, "int "+x+" = 3", "int "+x+"; extern int "+x+"; int "+x+" = 2"))
		g.program.globals = append(g.program.globals, x+"__")
		g.change(x)
		g.observe("%s", x)
	}},
	// Tentative definitions of a static variable, before and after the one with a value.
	{"tentative", func(g *generator) {
		x := g.global("x")
		g.decl("static int %s; %sint %s; static int %s = 2; extern int %s;", x, "static ", x, x, x)
		g.change(x)
		g.observe("%s", x)
	}},
	// Two variables and one name: each unit has its own.
	{"same-static", func(g *generator) {
		x, f := g.global("x"), g.global("f")
		g.decl("static int %s = 1;", x)
		g.decl("int %s(int);", f)
		g.elsewhere("static int %s = 2;", x)
		g.elsewhere("int %s(int n) { %s += n; return %s; }", f, x, x)
		r := g.fresh("r")
		g.line("int %s = %s(%s);", r, f, g.value())
		g.observe("%s", r)
		g.observe("%s", x)
		g.keep(r)
	}},
	{"pointer", func(g *generator) { // an external pointer to an external variable
		x, p := g.global("x"), g.global("p")
		g.decl("extern int *%s, %s;", p, x)
		g.elsewhere("%sint %s;", pick(g, "", "static int unused_; "), x)
		g.elsewhere("int *%s = &%s;", p, x)
		g.line("%s = 1;", x)
		g.line("*%s = %s;", p, g.value())
		g.observe("%s", x)
	}},
	{"pointer-static", func(g *generator) { // to one that is internal to its unit
		x, p, f := g.global("x"), g.global("p"), g.global("f")
		g.decl("extern int *%s; int %s(void);", p, f)
		g.elsewhere("static int %s = 1;", x)
		g.elsewhere("int *%s = &%s;", p, x)
		g.elsewhere("int %s(void) { return %s; }", f, x)
		g.line("*%s += %s;", p, g.value())
		r := g.fresh("r")
		g.line("int %s = %s();", r, f)
		g.observe("%s", r)
	}},
	// The length of the array is known in the other unit only.
	{"array", func(g *generator) {
		t := g.global("t")
		g.decl("extern int %s[];", t)
		g.elsewhere("int %s[4] = { 1, 2, [3] = 5 };", t)
		g.line("%s[%s] = %s;", t, g.inputs[0], g.value())
		g.observe("%s[%s]", t, pick(g, "0", "1", "3", g.inputs[1]))
	}},
	// The elements of the constant table are known in the other unit only.
	{"constant", func(g *generator) {
		t := g.global("t")
		g.decl("extern const int %s[4];", t)
		g.elsewhere("const int %s[4] = { 4, 3, 2 };", t)
		g.observe("%s[%s]", t, pick(g, "0", "3", g.inputs[0]))
	}},
	// A struct of operations in the other unit, with pointers to internal objects of that unit.
	{"operations", func(g *generator) {
		t, o, f, x := g.global("O"), g.global("o"), g.global("f"), g.global("x")
		g.decl("struct %s { int (*get)(int); int *where; };", t)
		g.decl("extern struct %s %s;", t, o)
		g.elsewhere("struct %s { int (*get)(int); int *where; };", t)
		g.elsewhere("static int %s = 1;", x)
		g.elsewhere("static int %s(int n) { return %s + n; }", f, x)
		g.elsewhere("struct %s %s = { %s, &%s };", t, o, f, x)
		g.line("*%s.where = %s;", o, g.value())
		r := g.fresh("r")
		g.line("int %s = %s.get(%s);", r, o, g.value())
		g.observe("%s", r)
	}},
	{"address", func(g *generator) { // a function of the other unit gets an address, and keeps it
		f, h, x, p := g.global("f"), g.global("f"), g.global("x"), g.global("p")
		g.decl("void %s(int *); void %s(int);", f, h)
		g.decl("int %s = 1;", x)
		g.elsewhere("static int *%s;", p)
		g.elsewhere("void %s(int *q) { %s = q; }", f, p)
		g.elsewhere("void %s(int n) { if (%s) *%s = n; }", h, p, p)
		g.line("if (%s) %s(&%s);", g.condition(), f, x)
		g.line("%s(%s);", h, g.value())
		g.observe("%s", x)
	}},
	// A function of the other unit calls one of this unit, for some inputs.
	{"callback", func(g *generator) {
		f, h, x := g.global("f"), g.global("f"), g.global("x")
		g.decl("int %s(int (*)(int), int);", f)
		g.decl("static int %s;", x)
		g.decl("static int %s(int n) { %s = n; return n + 1; }", h, x)
		g.elsewhere("int %s(int (*f)(int), int n) { return n > 1 ? f(n) : 0; }", f)
		r := g.fresh("r")
		g.line("int %s = %s(%s, %s);", r, f, h, g.inputs[0])
		g.observe("%s", r)
		g.observe("%s", x)
	}},
	// A declaration in a block refers to the variable of the other unit.
	{"block-extern", func(g *generator) {
		x, f := g.global("x"), g.global("f")
		g.decl("int %s(void);", f)
		g.elsewhere("int %s = 4;", x)
		g.elsewhere("int %s(void) { return %s; }", f, x)
		g.block("", func() {
			g.line("extern int %s;", x)
			g.line("%s = %s;", x, g.value())
		})
		r := g.fresh("r")
		g.line("int %s = %s();", r, f)
		g.observe("%s", r)
	}},
	// Inline functions of one name, each with a static variable of its own.
	{"inline", func(g *generator) {
		f, h := g.global("f"), g.global("f")
		g.decl("static inline int %s(int n) { static int s; return s += n; }", f)
		g.decl("int %s(int);", h)
		g.elsewhere("static inline int %s(int n) { static int s = 1; return s += n; }", f)
		g.elsewhere("int %s(int n) { return %s(n) + %s(n); }", h, f, f)
		r := g.fresh("r")
		g.line("int %s = %s(%s);", r, pick(g, f, h), g.value())
		g.line("%s += %s(1);", r, pick(g, f, h))
		g.observe("%s", r)
	}},
	// A weak definition that nothing overrides.
	{"weak", func(g *generator) {
		f := g.global("f")
		g.decl("int %s(int);", f)
		g.elsewhere("__attribute__((weak)) int %s(int n) { return n + 2; }", f)
		r := g.fresh("r")
		g.line("int %s = %s(%s);", r, f, g.value())
		g.observe("%s", r)
	}},
	{"double", func(g *generator) { // a pointer as a double, through the other unit
		f := g.global("f")
		g.decl("double %s(int *);", f)
		g.elsewhere("double %s(int *p) { return (double)(unsigned long)p; }", f)
		g.carry(`double D = ` + f + `(P); int *Q = (int *)(unsigned long)D;`)
	}},
}}

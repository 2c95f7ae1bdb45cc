package wide

import "strings"

// This file generates parts that take pointers through values that are neither integers nor pointers.

// carriers take the pointer P to Q, each in its own way; then the object is written through Q and
// observed.
//
//	int *p = &x;
//	double d = (double)(unsigned long)p;
//	int *q = (int *)(unsigned long)d;
//	*q = 3; CHECK(0, x);
//
// An analysis that follows pointers through pointers and integers only finds no target for Q, or
// the wrong one.
var carriers = class{"carriers", []form{
	// Values: a number of P in a type that holds all of its bits, perhaps after arithmetic.
	carrier("double", `double D = (double)(unsigned long)P; int *Q = (int *)(unsigned long)D;`),
	carrier("long-double", `long double D = (long double)(long)P; int *Q = (int *)(long)D;`),
	carrier("double-arithmetic", `double D = (double)(unsigned long)P; D = D * 2 + 1; int *Q = (int *)(unsigned long)((D - 1) / 2);`),
	carrier("double-array", `double D[2] = { 0, (double)(unsigned long)P }; int *Q = (int *)(unsigned long)D[1];`),
	carrier("double-member", `struct { int n; double d; } D = { 1, (double)(long)P }, E = D; int *Q = (int *)(long)E.d;`),
	carrier("int128", `__int128 D = (long)P; int *Q = (int *)(long)D;`),
	carrier("int128-shifted", `unsigned __int128 D = (unsigned long)P; D <<= 40; int *Q = (int *)(unsigned long)(D >> 40);`),
	carrier("complex", `_Complex double D = 0; __imag__ D = (double)(unsigned long)P; int *Q = (int *)(unsigned long)__imag__ D;`),
	carrier("complex-sum", `_Complex double D = (double)(unsigned long)P + 1.0i; int *Q = (int *)(unsigned long)__real__ D;`),
	// Bits: P is read as another type, in a union, by an lvalue, or by memcpy.
	carrier("union-double", `union { int *p; double d; } D, E; D.p = P; E.d = D.d; int *Q = E.p;`),
	carrier("union-double-variable", `union { int *p; double d; } D; D.p = P; double E = D.d; D.p = 0; D.d = E; int *Q = D.p;`),
	carrier("union-floats", `union { int *p; float f[2]; } D, E; D.p = P; E.f[0] = D.f[0]; E.f[1] = D.f[1]; int *Q = E.p;`),
	carrier("complex-float", `int *D = P, *Q; *(_Complex float *)&Q = *(_Complex float *)&D;`),
	carrier("double-lvalue", `int *D = P, *Q = 0; *(double *)&Q = *(double *)&D;`),
	carrier("float-lvalues", `int *D = P, *Q = 0; ((float *)&Q)[0] = ((float *)&D)[0]; ((float *)&Q)[1] = ((float *)&D)[1];`),
	carrier("memcpy-double", `int *D = P, *Q; double E; memcpy(&E, &D, sizeof E); memcpy(&Q, &E, sizeof Q);`, "string.h"),
	carrier("memcpy-long", `int *D = P, *Q; long E; memcpy(&E, &D, sizeof E); memcpy(&Q, &E, sizeof Q);`, "string.h"),
	carrier("memcpy-bytes", `int *D = P, *Q; unsigned char E[sizeof D]; memcpy(E, &D, sizeof D); memmove(&Q, E, sizeof Q);`, "string.h"),
	// Copies of memory in a loop or by wide types, and vectors.
	carrier("byte-loop", `int *D = P, *Q; for (unsigned k = 0; k < sizeof D; k++) ((char *)&Q)[k] = ((char *)&D)[k];`),
	carrier("vector-lvalue", `typedef int V TYPEEND __attribute__((vector_size(16))); struct { int *p; long n; } __attribute__((aligned(16))) D = { P, 1 }, E; *(V *)&E = *(V *)&D; int *Q = E.p;`),
	carrier("vector-union", `typedef long V TYPEEND __attribute__((vector_size(16))); union { int *p[2]; V v; } D = { { 0, P } }, E; E.v = D.v; int *Q = E.p[1];`),
	carrier("vector-lane", `typedef long V TYPEEND __attribute__((vector_size(16))); V D = { 0, (long)P }; D = D + 1; int *Q = (int *)(D[1] - 1);`),
	carrier("words-double", `struct { int *p; long n; } D = { P, 1 }, E; for (unsigned k = 0; k < sizeof D / sizeof(double); k++) ((double *)&E)[k] = ((double *)&D)[k]; int *Q = E.p;`),
	carrier("words-long", `struct { int *p; long n; } D = { P, 1 }, E; for (unsigned k = 0; k < sizeof D / sizeof(long); k++) ((long *)&E)[k] = ((long *)&D)[k]; int *Q = E.p;`),
	carrier("words-int128", `struct { int *p; long n; } __attribute__((aligned(16))) D = { P, 1 }, E; *(__int128 *)&E = *(__int128 *)&D; int *Q = E.p;`),
	carrier("words-complex", `struct { long n; int *p; } D = { 1, P }, E; *(_Complex double *)&E = *(_Complex double *)&D; int *Q = E.p;`),
	carrier("words-int", `struct { int *p; long n; } D = { P, 1 }, E; for (unsigned k = 0; k < sizeof D / sizeof(int); k++) ((int *)&E)[k] = ((int *)&D)[k]; int *Q = E.p;`),
	// The value passes through a function, a global variable, variable arguments, or a function
	// that copies memory.
	{"double-call", func(g *generator) {
		f := g.global("f")
		g.decl("static double %s(double d) { return d; }", f)
		g.carry(`int *Q = (int *)(unsigned long)` + f + `((double)(unsigned long)P);`)
	}},
	{"double-global", func(g *generator) {
		d := g.global("d")
		g.decl("static double %s;", d)
		g.carry(d + ` = (double)(unsigned long)P; int *Q = (int *)(unsigned long)` + d + `;`)
	}},
	{"varargs", func(g *generator) {
		g.include("stdarg.h")
		f := g.global("f")
		g.decl("static double %s(int n, ...) { va_list ap; va_start(ap, n); double d = va_arg(ap, double); va_end(ap); return d; }", f)
		g.carry(`int *Q = (int *)(unsigned long)` + f + `(1, (double)(unsigned long)P);`)
	}},
	{"copier", func(g *generator) {
		f, w := g.global("f"), pick(g, "double", "long", "char", "_Complex float", "unsigned long long", "float")
		g.decl("static void %s(void *to, void *from, int n) { for (int k = 0; k < n / (int)sizeof(%s); k++) ((%s *)to)[k] = ((%s *)from)[k]; }", f, w, w, w)
		g.carry(`struct { int *p; long n; } D = { P, 1 }, E; ` + f + `(&E, &D, sizeof D); int *Q = E.p;`)
	}},
	// Pointers to functions: Q is called in the end.
	functions("function-double", `*(double *)&Q = *(double *)&P;`),
	functions("function-union", `{ union { FP; double d; } D, E; D.p = P; E.d = D.d; Q = E.p; }`),
	functions("function-value", `{ double D = (double)(unsigned long)P; Q = (int (*)(void))(unsigned long)D; }`),
	functions("function-int128", `{ __int128 D = (long)P; Q = (int (*)(void))(long)D; }`),
	functions("function-memcpy", `memcpy(&Q, &P, sizeof Q);`),
	functions("function-words", `{ float *D = (float *)&P, *E = (float *)&Q; E[0] = D[0]; E[1] = D[1]; }`),
}}

// carrier returns a form that takes pointer P to Q by statements; D, E and V are names of its own.
func carrier(name, text string, headers ...string) form {
	return form{name, func(g *generator) {
		for _, h := range headers {
			g.include(h)
		}
		g.carry(text)
	}}
}

// carry writes a pointer P to an int object, text, and a use of Q. Text declares Q, and has the
// names that statements replaces.
func (g *generator) carry(text string) {
	p, list := g.target()
	q := g.fresh("q")
	g.statements(text, "P", p, "Q", q)
	g.through(p, q, list)
	if g.p(30) {
		g.observe("%s == %s", p, q)
	}
}

// statements writes text, one statement a line, with names for its capital letters: names has pairs
// of a letter and its name; D, E and V get fresh ones. IN0 and IN1 are the inputs.
func (g *generator) statements(text string, names ...string) {
	for _, letter := range []string{"D", "E", "V"} {
		names = append(names, letter, g.fresh(strings.ToLower(letter)))
	}
	text = strings.ReplaceAll(text, " TYPEEND", "")
	text = strings.NewReplacer("IN0", g.inputs[0], "IN1", g.inputs[1]).Replace(text)
	r := map[string]string{}
	for i := 0; i < len(names); i += 2 {
		r[names[i]] = names[i+1]
	}
	// Capital letters that stand alone are names.
	text = letters.ReplaceAllStringFunc(text, func(s string) string {
		if to, ok := r[s]; ok {
			return to
		}
		return s
	})
	// A statement ends at a semicolon outside of all brackets.
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '{', '(':
			depth++
		case '}', ')':
			depth--
		}
		if depth == 0 && c == ';' {
			g.line("%s", strings.TrimSpace(text[start:i+1]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		g.line("%s", rest)
	}
}

// functions returns a form that takes pointer P to a function to Q, declared before; FP in text
// declares a pointer p to such functions. The functions say by x and by their results which one was
// called.
func functions(name, text string) form {
	return form{name, func(g *generator) {
		g.include("string.h")
		f, h, x := g.global("f"), g.global("f"), g.global("x")
		g.decl("static int %s;", x)
		g.decl("static int %s(void) { %s = 1; return %d; }", f, x, g.n(4))
		g.decl("static int %s(void) { %s = 2; return %d; }", h, x, g.n(4))
		p, q := g.fresh("p"), g.fresh("q")
		// With another entry than main, the initial values of globals would be arbitrary.
		if g.program.Flags.Entry == "" && g.p(40) {
			p, q = g.global("p"), g.global("q")
			g.decl("static int (*%s)(void) = %s, (*%s)(void) = %s;", p, f, q, h)
		} else {
			g.line("int (*%s)(void) = %s ? %s : %s, (*%s)(void) = %s;", p, g.condition(), f, h, q, h)
		}
		g.statements(strings.ReplaceAll(text, "FP", "int (*p)(void)"), "P", p, "Q", q)
		r := g.fresh("r")
		g.line("int %s = %s();", r, q)
		g.observe("%s", r)
		g.observe("%s", x)
		g.keep(r)
	}}
}

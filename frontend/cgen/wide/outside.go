package wide

import "fmt"

// This file generates parts that depend on the environment: arguments of main, arguments of an entry,
// functions and pointers that are defined elsewhere. The driver of the runs defines these.

// Assumptions that must be printed with a verdict that depends on them.
const (
	callsGiven   = "callbacks: functions without a body do not call what they find in memory"
	leadsNowhere = "pointers from outside: they lead to no object of the program"
	byMembers    = "order of evaluation at"
	samePlace    = "addresses: a variable is at one place each time"
)

// under returns a form whose checks depend on an assumption.
func under(line string, write func(*generator)) func(*generator) {
	return func(g *generator) { g.assuming(line, func() { write(g) }) }
}

// arguments are parts of programs whose main has parameters: argc is the third input.
var arguments = class{"arguments", []form{
	// The environment may pass more arguments than any run has; never fewer than none.
	{"count", func(g *generator) {
		g.observeOpen([]int64{0, 1}, "argc > %d", 3+g.n(40)) // there may be more than in any run here
		g.observe("argc >= 0")
	}},
	// Bounds of argc that some runs reach.
	{"order", func(g *generator) { g.observe("argc %s", pick(g, "< 0", ">= 0", "> 1", "== 2", "!= 3")) }},
	// The vector ends with a null pointer.
	{"end", func(g *generator) { g.observe("argv[argc] == 0") }},
	{"vector", func(g *generator) { g.observe("argv != 0") }},
	// The elements before it are strings.
	{"element", func(g *generator) {
		g.block("if (argc > 1) ", func() { g.observe("argv[%d] == 0", g.n(2)) })
	}},
	// A loop over the arguments.
	{"index", func(g *generator) {
		i := g.fresh("i")
		g.line("int %s = 0;", i)
		g.line("while (%s < argc && %s < 3) %s++;", i, i, i)
		g.observe("%s <= argc", i)
		g.observe("%s", i)
	}},
}}

// argumentsDriver calls main with as many arguments as the third input says, 0 included.
const argumentsDriver = `static int wide_main(void) {
  static char a[4][3] = { "p", "x", "yz" }; char *v[5] = { 0 }; int n = wide_in[2];
  for (int i = 0; i < n; i++) v[i] = a[i];
  return main(n, v);
}`

// callbacks are parts that give functions to functions without a body, which may call them. The first
// input decides whether they do.
var callbacks = class{"callbacks", []form{
	// The function is in a struct whose address is given away.
	{"member", under(callsGiven, func(g *generator) {
		x, _, t, o := g.callback()
		e := g.outside(fmt.Sprintf("void %%s(struct %s *o)", t), "if (wide_in[0] & 1) o->probe(wide_in[1] & 1);")
		g.line("%s(&%s);", e, o)
		g.observeCalled(x)
	})},
	// The function is given away.
	{"direct", func(g *generator) {
		x, f, _, _ := g.callback()
		e := g.outside("void %s(int (*f)(int))", "if (wide_in[0] & 1) f(wide_in[1] & 1);")
		g.line("%s(%s);", e, f)
		g.observeCalled(x)
	}},
	// It is given away as a number.
	{"integer", under(callsGiven, func(g *generator) {
		x, f, _, _ := g.callback()
		e := g.outside("void %s(long f)", "if (wide_in[0] & 1) ((int (*)(int))f)(wide_in[1] & 1);")
		g.line("%s((long)%s);", e, f)
		g.observeCalled(x)
	})},
	// It is in an array whose address is given away.
	{"array", under(callsGiven, func(g *generator) {
		x, f, _, _ := g.callback()
		e, a := g.outside("void %s(void *p)", "if (wide_in[0] & 1) ((int (**)(int))p)[1](wide_in[1] & 1);"), g.fresh("a")
		g.line("int (*%s[2])(int) = { 0, %s };", a, f)
		g.line("%s(%s);", e, a)
		g.observeCalled(x)
	})},
	{"context", func(g *generator) { // with a pointer that is given back
		f, e, x := g.global("f"), g.outside("void %s(void (*f)(void *), void *p)", "f(p);"), g.global("x")
		g.decl("static int %s;", x)
		g.decl("static void %s(void *p) { *(int **)p = &%s; }", f, x)
		p, v := g.fresh("p"), g.fresh("v")
		g.line("int %s = 1, *%s = &%s;", v, p, v)
		g.line("%s(%s, &%s);", e, f, p)
		// It may store anything through what f has left in p, and call f or not, whatever the
		// inputs are: what is seen in runs that go on must not depend on that.
		g.line("if (%s != &%s) return 0;", p, x)
		g.line("*%s = %s;", p, g.value())
		g.observe("%s", x)
	}},
	{"kept-inside", func(g *generator) { // not given away: nobody calls it
		x, f, _, _ := g.callback()
		e := g.outside("void %s(int n)", "(void)n;")
		g.line("int (*%sq)(int) = %s;", x, f)
		g.line("%s(%s);", e, g.value())
		g.observe("%s", x)
		g.line("%sq(1);", x)
		g.observe("%s", x)
	}},
}}

// callback declares a variable x, a function f(n) that sets it to 1 + n, and an object o of
// type struct t with f in it.
func (g *generator) callback() (x, f, t, o string) {
	x, f, t, o = g.global("x"), g.global("f"), g.global("C"), g.global("o")
	g.decl("static int %s;", x)
	g.decl("static int %s(int n) { if (n == 0 || n == 1) %s = 1 + n; return 0; }", f, x)
	g.decl("struct %s { int n; int (*probe)(int); };", t)
	g.decl("static struct %s %s = { 1, %s };", t, o, f)
	return x, f, t, o
}

// observeCalled observes x of callback, whose function is called by nobody, or by somebody
// with any number, and often.
func (g *generator) observeCalled(x string) { g.observeOpen([]int64{0, 1, 2}, "%s", x) }

// outside declares a function that the program does not define, and defines it for the runs.
func (g *generator) outside(head, body string) (name string) {
	name = g.global("ext")
	g.program.leaves = true
	g.decl("extern "+head+";", name)
	g.program.driver += fmt.Sprintf(head, name) + " { " + body + " }\n"
	return name
}

// externals are parts that use variables which the program does not define.
var externals = class{"externals", []form{
	{"pointer", under(leadsNowhere, func(g *generator) { // leads to a variable of the program
		x, p := g.global("x"), g.global("gp")
		g.decl("int %s; extern int *%s;", x, p)
		g.program.driver += fmt.Sprintf("static int %s_; int *%s = &%s;\n", p, p, x)
		g.program.globals = append(g.program.globals, p+"_")
		g.line("if (!%s) return 0;", p)
		g.line("%s = 1;", x)
		g.line("*%s = 2;", p)
		g.observeOpen([]int64{1, 2}, "%s", x)
	})},
	{"value", func(g *generator) {
		x := g.global("x")
		g.decl("extern int %s;", x)
		g.program.driver += fmt.Sprintf("int %s = 2;\n", x)
		g.line("if (%s < 0 || %s > 3) return 0;", x, x)
		g.observeOpen([]int64{0, 1, 2, 3}, "%s", x)
		g.line("%s = %s;", x, g.value())
		g.observe("%s", x)
	}},
	{"struct", under(leadsNowhere, func(g *generator) {
		t, o, x := g.global("G"), g.global("o"), g.global("x")
		g.decl("struct %s { int n; int *p; }; extern struct %s %s; int %s = 3;", t, t, o, x)
		g.program.driver += fmt.Sprintf("struct %s %s = { 1, &%s };\n", t, o, x)
		g.line("if (!%s.p) return 0;", o)
		g.line("*%s.p = 5;", o)
		g.observeOpen([]int64{3, 5}, "%s", x)
	})},
}}

// entries are parts of programs that start in a function with arguments pa and pb, which point anywhere.
// The third input chooses their pointees, the fourth the values of globals.
var entries = class{"entries", []form{
	{"each-other", func(g *generator) {
		g.line("*pa = 1;")
		g.line("*pb = 2;")
		g.observe("*pa")
		g.observe("*pb")
	}},
	{"global", under(leadsNowhere, func(g *generator) {
		x := g.shared("")
		g.line("%s = 1;", x)
		g.line("*%s = 2;", pick(g, "pa", "pb"))
		g.observeOpen([]int64{1, 2}, "%s", x)
	})},
	{"value", under(leadsNowhere, func(g *generator) { // other parts write to *pa before
		x := g.shared(" = 2")
		g.line("if (%s < 0 || %s > 3) return 0;", x, x)
		g.observe("%s", x)
	})},
	{"pointer", under(leadsNowhere, func(g *generator) { // in a global variable
		x, p := g.shared(""), g.global("gp")
		g.decl("int *%s = &%s;", p, x)
		g.line("if (!%s) return 0;", p)
		g.line("*pa = 1;")
		g.line("*%s = 2;", p)
		g.observeOpen([]int64{1, 2}, "*pa")
		g.observe("*%s", p)
	})},
	{"local", func(g *generator) { // the caller cannot know of it
		v := g.fresh("v")
		g.line("int %s = %s;", v, g.value())
		g.line("*pa = 8;")
		g.observe("%s", v)
	}},
}}

// shared declares an external variable, which pa or pb may point to.
func (g *generator) shared(initial string) string {
	x := g.global("x")
	g.decl("int %s%s;", x, initial)
	if g.program.Flags.Open {
		g.program.setup += "  " + x + " = wide_in[3];\n"
	}
	g.program.setup += "  if (wide_in[2] == 2) pa = &" + x + "; if (wide_in[2] == 3) pb = &" + x + ";\n"
	return x
}

// entryDriver calls the entry.
func (p *Program) entryDriver() string {
	return fmt.Sprintf(`static int wide_entry(void) {
  static int one, two; int *pa = &one, *pb = wide_in[2] == 1 ? pa : &two;
%s  return entry(wide_in[0], wide_in[1], pa, pb);
}`, p.setup)
}

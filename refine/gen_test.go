package refine

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates random C programs with inputs and checks, small enough to be run on
// all inputs: integers of a few types, globals, structs, arrays with constant index,
// pointers to any of these, calls with pointers to locals, loops with small bounds, switch,
// goto. Whether a check can fail is not known yet: its last part, "<= 7", is chosen when
// it is known which values its expression takes. See truth_test.go.

// ctype is an integer type.
type ctype struct {
	name  string
	input string // of __VERIFIER_nondet_…
	lo    int64
	span  uint64 // the greatest value less the least
}

var ctypes = []ctype{
	{"int", "int", -1 << 31, 1<<32 - 1}, {"unsigned", "uint", 0, 1<<32 - 1},
	{"char", "char", -128, 255}, {"unsigned char", "uchar", 0, 255},
	{"short", "short", -1 << 15, 1<<16 - 1}, {"unsigned short", "ushort", 0, 1<<16 - 1},
	{"long", "long", -1 << 63, 1<<64 - 1}, {"unsigned long", "ulong", 0, 1<<64 - 1},
	{"_Bool", "bool", 0, 1},
}

// lvalue is a place of an integer type, written as an expression.
type lvalue struct {
	text     string
	typ      ctype
	constant bool // not to be written
}

// pointer is a variable that always points to one of targets.
type pointer struct {
	name    string
	typ     ctype
	targets []string
}

// probe is a check: its expression is to be compared with a constant. The comparison
// stands where the text says "@0 <= 7@".
type probe struct {
	expr string
	typ  ctype
}

// callee is a function that the program defines.
type callee struct{ a, p, result ctype }

// flavour is what a program has more of than others.
type flavour int

const (
	wrapping flavour = iota // unsigned arithmetic that wraps
	pointing                // pointers
	vast                    // inputs without a small range: not all runs can be made
	risky                   // arithmetic that may be undefined
	flavours
)

// generator writes one program.
type generator struct {
	rng       *rand.Rand
	out       strings.Builder
	indent    int
	types     []ctype // of this program
	vars      []lvalue
	pointers  []pointer
	callees   []callee
	probes    []probe
	reset     []string // statements that set the globals again
	constants []string
	flavour   flavour
	counter   int
	budget    int
	depth     int // of loops
	labelled  bool
	checks    int // most of them
}

// declarations are what all programs begin with.
var declarations = func() string {
	text := "#include <assert.h>\nvoid reach_error(void);\nvoid __VERIFIER_assume(int);\nvoid __VERIFIER_assert(int);\n"
	for _, t := range ctypes {
		text += fmt.Sprintf("%s __VERIFIER_nondet_%s(void);\n", t.name, t.input)
	}
	return text
}()

// generate is the program of a seed. Inputs stand as "@int -3 9@" in its text: the least
// value, and the greatest less that.
func generate(seed uint64) *generator { return generateWith(seed, 0) }

// generateWith is that program with so many more checks at its end.
func generateWith(seed uint64, more int) *generator {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 5)), checks: 4, flavour: flavour(seed % uint64(flavours))}
	for range 1 + g.rng.IntN(2) {
		g.types = append(g.types, ctypes[g.rng.IntN(len(ctypes))])
	}
	g.types = append(g.types, ctypes[g.rng.IntN(2)])
	g.globals()
	for range g.rng.IntN(3) {
		g.function()
	}
	vars := g.vars
	g.line("int main(void)")
	g.line("{")
	g.indent++
	g.locals(2 + g.rng.IntN(2))
	for g.one(3) || g.flavour == pointing && len(g.pointers) < 2 && g.one(2) {
		g.pointer()
	}
	g.budget = 12
	g.statements(2 + g.rng.IntN(4))
	for i := range g.callees {
		g.call(i)
		g.statements(g.rng.IntN(2))
	}
	if g.flavour == pointing && len(g.pointers) > 0 {
		g.redirect(g.pointers[0])
	}
	if g.flavour == wrapping {
		g.wrap()
	}
	for range 1 + g.rng.IntN(2) {
		g.check()
	}
	for g.checks += more; more > 0; more-- {
		g.check()
	}
	g.line("return 0;")
	g.indent--
	g.line("}")
	g.vars = vars
	return g
}

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("\t", g.indent) + fmt.Sprintf(format, args...) + "\n")
}

func (g *generator) name(prefix string) string {
	g.counter++
	return fmt.Sprint(prefix, g.counter)
}

func (g *generator) typ() ctype { return g.types[g.rng.IntN(len(g.types))] }

// one of n: true once in n times.
func (g *generator) one(n int) bool { return g.rng.IntN(n) == 0 }

// globals declares variables, and how they are set again.
func (g *generator) globals() {
	for range 1 + g.rng.IntN(2) {
		t, name, n := g.typ(), g.name("g"), g.rng.IntN(2)
		g.line("%s %s = %d;", t.name, name, n)
		g.reset = append(g.reset, fmt.Sprintf("%s = %d;", name, n))
		g.vars = append(g.vars, lvalue{name, t, false})
	}
	if g.one(3) {
		a, b := g.typ(), g.typ()
		g.line("struct device { %s flags; %s count; };", a.name, b.name)
		g.line("struct device device = { 1, 0 };")
		g.reset = append(g.reset, "device = (struct device){ 1, 0 };")
		prefix := "device."
		if g.one(2) {
			g.line("struct device *at = &device;")
			prefix = "at->"
		}
		g.vars = append(g.vars, lvalue{prefix + "flags", a, false}, lvalue{prefix + "count", b, false})
	}
	if g.one(4) {
		t := g.typ()
		g.line("%s table[3];", t.name)
		g.reset = append(g.reset, "table[0] = table[1] = table[2] = 0;")
		g.vars = append(g.vars, lvalue{"table[0]", t, false}, lvalue{"table[2]", t, false})
	}
}

// function defines a function, of a value and a pointer.
func (g *generator) function() {
	vars, pointers := g.vars, g.pointers
	c := callee{g.typ(), g.typ(), g.typ()}
	g.line("static %s f%d(%s a, %s *p)", c.result.name, len(g.callees), c.a.name, c.p.name)
	g.line("{")
	g.indent++
	g.vars = append(append([]lvalue{}, vars...), lvalue{"a", c.a, false}, lvalue{"*p", c.p, false})
	if g.one(2) {
		g.locals(1)
	}
	g.budget = 5
	g.statements(1 + g.rng.IntN(3))
	g.line("return %s;", g.expr(2))
	g.indent--
	g.line("}")
	g.vars, g.pointers = vars, pointers
	g.callees = append(g.callees, c)
}

// locals declares variables with a value, most of them inputs.
func (g *generator) locals(n int) {
	for range n {
		t, name := g.typ(), g.name("x")
		if g.one(3) {
			g.line("%s %s = %s;", t.name, name, g.expr(1))
		} else {
			g.line("%s %s;", t.name, name)
			g.input(lvalue{name, t, false})
		}
		g.vars = append(g.vars, lvalue{name, t, false})
	}
}

// input sets v to an input, in a small range in most programs.
func (g *generator) input(v lvalue) {
	lo, span := v.typ.lo, v.typ.span
	if span < 256 && g.one(2) || g.flavour == vast && g.one(2) {
		g.line("%s = @%s %d %d@;", v.text, v.typ.input, lo, span)
		return
	}
	lo, span = max(int64(g.rng.IntN(6))-3, lo), min(uint64(1+g.rng.IntN(9)), span)
	if v.typ.name == "_Bool" {
		lo = 0
	}
	g.small(v, lo, span)
}

// small sets v to an input in a range.
func (g *generator) small(v lvalue, lo int64, span uint64) {
	g.line("%s = @%s %d %d@;", v.text, v.typ.input, lo, span)
	if v.typ.name != "_Bool" {
		g.line("__VERIFIER_assume(%s >= %d && %s <= %d);", v.text, lo, v.text, lo+int64(span))
	}
}

// pointer declares a pointer to one of the variables of a type.
func (g *generator) pointer() {
	t := g.typ()
	var targets []string
	for _, v := range g.vars {
		if v.typ == t && !strings.HasPrefix(v.text, "*") {
			targets = append(targets, "&"+v.text)
		}
	}
	if len(targets) == 0 {
		return
	}
	p := pointer{g.name("p"), t, targets}
	g.line("%s *%s = %s;", t.name, p.name, targets[g.rng.IntN(len(targets))])
	g.pointers = append(g.pointers, p)
	g.vars = append(g.vars, lvalue{"*" + p.name, t, false})
}

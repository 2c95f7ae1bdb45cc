package harness

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates random C programs with inputs: integers of all types from functions
// without bodies, in all places where C may call a function; branches, bounded loops,
// functions, globals; assertions of every kind, and labels. The programs read nothing
// uninitialised and leave no order of evaluation open that matters.

// generator writes one program.
type generator struct {
	rng     *rand.Rand
	out     strings.Builder
	indent  int
	vars    []string // in scope, to be read and written
	labels  int
	loops   int
	funcs   int
	budget  int // statements that may still be written
	counter int
}

var inputTypes = []struct{ name, typ string }{
	{"__VERIFIER_nondet_int", "int"}, {"__VERIFIER_nondet_uint", "unsigned"}, {"__VERIFIER_nondet_char", "char"},
	{"__VERIFIER_nondet_uchar", "unsigned char"}, {"__VERIFIER_nondet_short", "short"}, {"__VERIFIER_nondet_ushort", "unsigned short"},
	{"__VERIFIER_nondet_long", "long"}, {"__VERIFIER_nondet_ulong", "unsigned long"}, {"__VERIFIER_nondet_bool", "_Bool"},
	{"read_status", "unsigned char"}, {"read_count", "int"},
}

// generate is the program of a seed.
func generate(seed uint64) string {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 77)), budget: 28}
	g.line("#include <assert.h>")
	g.line("void reach_error(void);")
	g.line("void __VERIFIER_assume(int);")
	g.line("void __VERIFIER_assert(int);")
	for _, t := range inputTypes {
		g.line("%s %s(void);", t.typ, t.name)
	}
	g.line("void outb(unsigned char, unsigned short);")
	g.line("struct status { short code; long count; unsigned char tail; };")
	g.line("int get(int port, struct status *);")
	g.line("struct status status(void);")
	g.line("struct status *same(struct status *);")
	g.line("void *kmalloc(unsigned long, unsigned); void kfree(const void *); int printk(const char *, ...);")
	g.line("unsigned long copy_from_user(void *, const void *, unsigned long);")
	for i := range 3 {
		name := fmt.Sprintf("g%d", i)
		g.line("%s %s = %d;", g.typeName(), name, g.rng.IntN(5))
		g.vars = append(g.vars, name)
	}
	globals := g.vars
	for range g.rng.IntN(3) {
		g.function(globals)
	}
	g.vars = globals
	g.line("int main(void)")
	g.block(func() { g.locals(3); g.statements(8); g.check(); g.line("return 0;") })
	return g.out.String()
}

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("\t", g.indent) + fmt.Sprintf(format, args...) + "\n")
}

func (g *generator) block(body func()) {
	vars := g.vars
	g.line("{")
	g.indent++
	body()
	g.indent--
	g.line("}")
	g.vars = vars
}

func (g *generator) typeName() string { return inputTypes[g.rng.IntN(len(inputTypes))].typ }

// input is a call of a random input function.
func (g *generator) input() string { return inputTypes[g.rng.IntN(len(inputTypes))].name + "()" }

func (g *generator) function(globals []string) {
	g.vars = append([]string{"a", "b"}, globals...)
	g.line("static %s f%d(%s a, %s b)", g.typeName(), g.funcs, g.typeName(), g.typeName())
	g.block(func() { g.locals(2); g.statements(4); g.line("return %s;", g.expr(2)) })
	g.funcs++
}

// locals declares variables.
func (g *generator) locals(n int) {
	for range n {
		g.counter++
		name := fmt.Sprintf("x%d", g.counter)
		if g.rng.IntN(4) == 0 {
			g.line("%s %s;", g.typeName(), name)
			g.line("%s = %s;", name, g.input())
		} else {
			g.line("%s %s = %s;", g.typeName(), name, g.rhs())
		}
		g.vars = append([]string{name}, g.vars...)
	}
}

// rhs is an expression with at most one input in it.
func (g *generator) rhs() string {
	switch g.rng.IntN(6) {
	case 0, 1:
		return g.input()
	case 2:
		return fmt.Sprintf("%s %s %s", g.input(), g.op(), g.expr(1))
	case 3:
		if g.funcs > 0 {
			return g.call()
		}
		return fmt.Sprintf("(%s)%s", g.typeName(), g.input())
	case 4:
		return fmt.Sprintf("%s ? %s : %s", g.condition(), g.expr(1), g.input())
	}
	return g.expr(2)
}

// call is a call of a function of the program; two inputs of it may have one type.
func (g *generator) call() string {
	x, y := g.expr(1), g.expr(1)
	if g.rng.IntN(2) == 0 {
		x = g.input()
	} else if g.rng.IntN(2) == 0 {
		y = g.input()
	}
	return fmt.Sprintf("f%d(%s, %s)", g.rng.IntN(g.funcs), x, y)
}

func (g *generator) op() string {
	return []string{"+", "-", "*", "&", "|", "^", "%", "/", "<", "==", ">>"}[g.rng.IntN(11)]
}

// expr is an expression without inputs and side effects.
func (g *generator) expr(depth int) string {
	switch n := g.rng.IntN(5); {
	case depth == 0 || n == 0:
		if g.rng.IntN(3) == 0 {
			return fmt.Sprint(g.rng.IntN(9))
		}
		return g.vars[g.rng.IntN(len(g.vars))]
	case n == 1:
		return fmt.Sprintf("(%s)%s", g.typeName(), g.vars[g.rng.IntN(len(g.vars))])
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(depth-1), g.op(), g.expr(depth-1))
}

func (g *generator) condition() string {
	switch g.rng.IntN(6) {
	case 0:
		return g.input()
	case 1:
		return "!" + g.input()
	case 2:
		return fmt.Sprintf("%s %s %s", g.input(), []string{"<", ">", "!="}[g.rng.IntN(3)], g.expr(1))
	case 3:
		return fmt.Sprintf("(%s && %s)", g.input(), g.expr(1))
	}
	return fmt.Sprintf("%s %s %s", g.expr(1), []string{"<", "<=", "==", "!="}[g.rng.IntN(4)], g.expr(1))
}

func (g *generator) statements(n int) {
	for range n {
		if g.budget--; g.budget < 0 {
			return
		}
		g.statement()
	}
}

func (g *generator) statement() {
	v := g.vars[g.rng.IntN(len(g.vars))]
	switch g.rng.IntN(15) {
	case 0, 1, 2:
		g.line("%s = %s;", v, g.rhs())
	case 3:
		g.line("%s %s= %s;", v, []string{"+", "-", "^", "|"}[g.rng.IntN(4)], g.input())
	case 4, 5:
		g.line("if (%s)", g.condition())
		g.block(func() { g.statements(2) })
		if g.rng.IntN(2) == 0 {
			g.line("else")
			g.block(func() { g.statements(2) })
		}
	case 6, 7:
		i := fmt.Sprintf("i%d", g.loops)
		g.loops++
		g.line("for (int %s = 0; %s < %d; %s++)", i, i, 1+g.rng.IntN(4), i)
		g.block(func() {
			g.statements(2)
			if g.rng.IntN(2) == 0 {
				g.line("if (%s) %s;", g.condition(), []string{"break", "continue"}[g.rng.IntN(2)])
			}
			g.line("%s = %s;", v, g.rhs())
		})
	case 8:
		g.line("%s;", g.input())
	case 9:
		g.line("(void)%s; outb(%s, 1);", g.input(), g.expr(1))
	case 10:
		g.line("__VERIFIER_assume(%s);", g.condition())
	case 11:
		g.line("switch (%s)", g.input())
		g.line("{ case 0: %s = %s; break; case 1: %s = %s; default: %s = %s; }", v, g.rhs(), v, g.rhs(), v, g.expr(1))
	case 12:
		g.line("%s = (%s, %s);", v, g.input(), g.rhs())
	case 13:
		g.check()
	case 14:
		g.memory(v)
	}
}

// check writes a property.
func (g *generator) check() {
	c := fmt.Sprintf("%s %s %s", g.expr(2), []string{"<", "<=", "!="}[g.rng.IntN(3)], g.expr(1))
	switch g.rng.IntN(6) {
	case 0, 1:
		g.line("assert(%s);", c)
	case 2:
		g.line("assert(%s && (%s ||\n%s));", c, g.condition(), g.expr(1))
	case 3:
		g.line("__VERIFIER_assert(%s);", c)
	case 4:
		g.line("if (!(%s)) reach_error();", c)
	case 5:
		g.labels++
		if g.rng.IntN(2) == 0 {
			g.line("if (!(%s)) ERROR%d: g0++; else g0 = 2;", c, g.labels)
		} else {
			g.line("if (!(%s)) { ERROR%d:; g1 = 0; }", c, g.labels)
		}
	}
}

package wide

import "fmt"

// This file generates int objects of every storage duration, as pointees.

// object is an int object.
type object struct {
	lvalue string
	outer  bool // alive as long as the program
}

// address returns a pointer to the object.
func (o object) address() string { return "&" + o.lvalue }

// object declares an object.
func (g *generator) object() object {
	o := g.newObject()
	g.objects = append(g.objects, o)
	return o
}

// newObject declares an object: a global, a local, an allocated or a static one, or a member or
// element of such a one, whose index an input may choose.
func (g *generator) newObject() object {
	k := g.n(10)
	if g.program.Flags.Entry != "" {
		k = pick(g, 2, 3, 5, 7, 8) // a caller can know of the others
	}
	switch k {
	case 0, 1:
		// A global, initialised or 0.
		x := g.global("x")
		g.decl("%sint %s%s;", pick(g, "", "static "), x, pick(g, "", " = "+g.constant()))
		return object{x, true}
	case 2, 3:
		x := g.fresh("v")
		g.line("int %s = %s;", x, g.value())
		return object{x, false}
	case 4:
		// A member of a global struct.
		t, s := g.global("S"), g.global("s")
		g.decl("struct %s { char c; int i; long l; };", t)
		g.decl("%sstruct %s %s = { 1, %s };", pick(g, "", "static "), t, s, g.constant())
		return object{s + ".i", true}
	case 5:
		// A member of a local struct.
		s := g.fresh("s")
		g.line("struct { short h; int i, j; } %s = { .j = %s };", s, g.value())
		return object{s + pick(g, ".i", ".j"), false}
	case 6:
		// An element of a static array.
		a := g.global("t")
		g.decl("static int %s[4] = { 1, 2 };", a)
		return object{fmt.Sprintf("%s[%s]", a, pick(g, "0", "1", "3", g.inputs[0])), true}
	case 7:
		// An element of a local array.
		a := g.fresh("t")
		g.line("int %s[4] = { [2] = %s };", a, g.value())
		return object{fmt.Sprintf("%s[%s]", a, pick(g, "0", "2", g.inputs[1])), false}
	case 8:
		g.include("stdlib.h")
		// An allocated object.
		h := g.fresh("h")
		g.line("int *%s = malloc(sizeof *%s);", h, h)
		g.line("if (!%s) return 0;", h)
		g.line("*%s = %s;", h, g.value())
		return object{"*" + h, false}
	}
	x := g.fresh("v")
	g.line("static int %s = %s;", x, g.constant())
	return object{x, true}
}

// some returns an object: often one that other parts use.
func (g *generator) some() object {
	if len(g.objects) > 0 && g.p(40) {
		return pick(g, g.objects...)
	}
	return g.object()
}

// target writes a pointer to one of two objects, which an input may choose, and returns
// its name and the objects.
func (g *generator) target() (p string, list []object) {
	x, y := g.some(), g.object()
	// In half of the cases there is one target in all runs.
	p = g.fresh("p")
	if g.p(50) {
		g.line("int *%s = %s;", p, x.address())
	} else {
		g.line("int *%s = %s ? %s : %s;", p, g.condition(), x.address(), y.address())
	}
	return p, []object{x, y}
}

// through writes through q, a pointer that should point to one of the objects, and observes their values.
func (g *generator) through(p, q string, list []object) {
	switch g.n(5) {
	// A change that depends on the old value.
	case 0:
		g.line("*%s += %s;", q, g.value())
	// A write by name, seen through q.
	case 1:
		if g.p(50) {
			g.observe("%s == %s", p, q)
		}
		g.line("%s = %s;", list[g.n(len(list))].lvalue, g.value())
		g.observe("*%s", q)
	// A write through q, seen by name.
	default:
		g.line("*%s = %s;", q, g.value())
	}
	for _, o := range list {
		if g.p(75) {
			g.observe("%s", o.lvalue)
		}
	}
}

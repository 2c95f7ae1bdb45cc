package wide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file defines the state of the generator, and the lines, names and integer values in scope that all
// parts share.

// generator makes one program.
type generator struct {
	rng     *rand.Rand
	program *Program

	includes []string           // headers, without assert.h
	decls    [2]strings.Builder // of both translation units
	body     strings.Builder    // of the function that is being written
	indent   int
	names    int

	inputs  []string // of main, each from 0 to 3
	values  []string // integer expressions without side effects, in scope, small
	objects []object // in scope
	depth   int      // of blocks
	use     []string // the classes that parts are taken from
	wanted  int      // parts; 0 is two or three
	under   string   // assumption that what is observed depends on
	form    string   // that parts have; "" is any
}

// n returns a random number below k.
func (g *generator) n(k int) int { return g.rng.IntN(k) }

// p is true with k chances in a hundred.
func (g *generator) p(k int) bool { return g.n(100) < k }

// pick returns a random element of list.
func pick[T any](g *generator, list ...T) T { return list[g.n(len(list))] }

// fresh returns a name that the program does not have yet.
func (g *generator) fresh(kind string) string {
	g.names++
	return fmt.Sprintf("%s%d", kind, g.names)
}

// global returns a fresh name of file scope.
func (g *generator) global(kind string) string {
	name := g.fresh(kind)
	g.program.globals = append(g.program.globals, name)
	return name
}

// decl writes a line at file scope, before the function that is being written.
func (g *generator) decl(format string, args ...any) {
	fmt.Fprintf(&g.decls[0], format+"\n", args...)
}

// elsewhere writes a line at file scope of the second translation unit.
func (g *generator) elsewhere(format string, args ...any) {
	fmt.Fprintf(&g.decls[1], format+"\n", args...)
}

// line writes a line of the function.
func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.body, strings.Repeat("    ", g.indent)+format+"\n", args...)
}

// include makes sure that the program includes a header.
func (g *generator) include(name string) {
	if !slices.Contains(g.includes, name) {
		g.includes = append(g.includes, name)
	}
}

// block writes head and a block; declarations in it are out of scope afterwards.
func (g *generator) block(head string, inside func()) {
	values, objects := len(g.values), len(g.objects)
	g.line("%s{", head)
	g.indent++
	g.depth++
	inside()
	g.depth--
	g.indent--
	g.line("}")
	g.values, g.objects = g.values[:values], g.objects[:objects]
}

// function writes a function at file scope.
func (g *generator) function(head string, inside func()) {
	// Locals of the function that is being written are not in scope in the new one.
	body, indent, values, objects, depth := g.body, g.indent, g.values, g.objects, g.depth
	g.body, g.indent, g.values, g.objects, g.depth = strings.Builder{}, 0, nil, nil, 0
	g.line("%s", head)
	g.line("{")
	g.indent++
	inside()
	g.indent--
	g.line("}")
	text := g.body.String()
	g.body, g.indent, g.values, g.objects, g.depth = body, indent, values, objects, depth
	g.decls[0].WriteString(text)
}

// constant returns a small constant.
func (g *generator) constant() string { return fmt.Sprint(g.n(6)) }

// value returns an integer expression of small value without side effects.
func (g *generator) value() string {
	if len(g.values) == 0 || g.p(25) {
		return g.constant()
	}
	// A value in scope, as it is or slightly changed.
	v := pick(g, g.values...)
	switch g.n(6) {
	case 0:
		return fmt.Sprintf("%s + %d", v, 1+g.n(3))
	case 1:
		return fmt.Sprintf("(%s & 1)", v)
	case 2:
		return fmt.Sprintf("(%s ^ %d)", v, 1+g.n(3))
	}
	return v
}

// condition returns one that inputs decide.
func (g *generator) condition() string {
	v := pick(g, g.inputs...)
	return pick(g, v+" & 1", v+" == 2", v+" > 1", v+" != 3", v)
}

// keep makes v, an expression of small value that does not change any more, usable by later parts.
func (g *generator) keep(v string) { g.values = append(g.values, v) }

// observe writes a check of e, an integer expression without side effects.
func (g *generator) observe(format string, args ...any) {
	// The number of a check is its index.
	k := len(g.program.Checks)
	g.program.Checks = append(g.program.Checks, Check{Under: g.under})
	g.line("CHECK(%d, %s);", k, fmt.Sprintf(format, args...))
}

// observeOpen writes a check of e, whose value C leaves open: each of allowed is one that
// a compiler may choose.
func (g *generator) observeOpen(allowed []int64, format string, args ...any) {
	g.observe(format, args...)
	g.program.Checks[len(g.program.Checks)-1].Allowed = allowed
}

// assuming writes checks that depend on an assumption.
func (g *generator) assuming(line string, write func()) {
	old := g.under
	g.under = line
	write()
	g.under = old
}

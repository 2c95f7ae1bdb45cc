package cgen

import (
	"fmt"
	"strings"
)

// This file generates statements.

// body is n statements of a block.
func (g *generator) body(n int) {
	for i := 0; i < n; i++ {
		g.statement(3)
	}
}

// block is a compound statement with its own scope.
func (g *generator) block(n, depth int) {
	g.line("{")
	g.indent++
	leave := g.enterScope()
	scope := len(g.vars)
	for i := 0; i < n; i++ {
		g.statement(depth)
	}
	g.vars = g.vars[:scope]
	leave()
	g.indent--
	g.line("}")
}

// statement generates a statement: about memory, or a declaration, an expression, an observation, a
// jump; if depth is not 0, also one with blocks.
func (g *generator) statement(depth int) {
	if g.memoryStatement(depth) {
		return
	}
	k := g.n(30)
	// No statement with blocks.
	if depth == 0 {
		k = g.n(14)
	}
	switch {
	case k < 4:
		g.declaration()
	case k < 10:
		g.line("%s;", g.full(3))
	case k < 13:
		g.observe()
	case k < 14:
		g.leave()
	case k < 18:
		g.ifStatement(depth)
	case k < 23:
		g.loop(depth)
	case k < 26:
		g.switchStatement(depth)
	case k < 28:
		g.gotoStatement(depth)
	case k < 29 && g.self != nil && g.self.fuel && !g.pure:
		g.recursion()
	default:
		g.block(1+g.n(3), depth-1)
	}
}

// observe observes a full expression; a pure function has none to call, and evaluates it only.
func (g *generator) observe() {
	if g.pure {
		g.line("%s;", g.full(2))
		return
	}
	g.line("%sobserve(%s);", g.prefix, g.full(3))
}

// declaration declares a variable; sometimes its name hides another.
func (g *generator) declaration() {
	v := variable{g.fresh("v"), g.typ(), false, false}
	init := g.full(3)
	if g.p(8) && g.indent > 1 {
		for _, w := range g.vars {
			if w.global && !w.isPool() && !strings.Contains(init, w.name) {
				v.name = w.name // distinct blocks only: a second one in a block would not compile
				break
			}
		}
		g.line("{ %s %s = %s; %s; }", v.typ.name, v.name, init, g.shadowed(v))
		return
	}
	g.line("%s %s = %s;", v.typ.name, v.name, init)
	g.vars = append(g.vars, v)
}

// shadowed returns an expression in the scope of v.
func (g *generator) shadowed(v variable) string {
	g.vars = append(g.vars, v)
	text := g.full(2)
	g.vars = g.vars[:len(g.vars)-1]
	return text
}

// leave is break, continue or return, or nothing.
func (g *generator) leave() {
	switch {
	case g.breaks > 0 && g.p(50):
		g.line("if (%s) break;", g.full(2))
	case g.loops > 0 && g.p(50):
		g.line("if (%s) continue;", g.full(2))
	case g.self != nil && g.p(40):
		g.line("if (%s) return %s;", g.full(2), g.full(2))
	default:
		g.line(";")
	}
}

// ifStatement generates an if, in half of the cases with an else.
func (g *generator) ifStatement(depth int) {
	g.line("if (%s)", g.full(3))
	g.block(1+g.n(2), depth-1)
	if g.p(50) {
		g.line("else")
		g.block(1+g.n(2), depth-1)
	}
}

// loop is a loop of a few iterations, counted by a variable of its own.
func (g *generator) loop(depth int) {
	i := variable{g.fresh("i"), pick(g, types[1:]), false, true}
	// The counter is not written by the body, so the loop ends.
	bound := 1 + g.n(4)
	g.loops++
	g.breaks++
	defer func() { g.loops--; g.breaks-- }()
	switch g.n(4) {
	case 0:
		g.line("for (%s %s = 0; %s < %d; %s++)", i.typ.name, i.name, i.name, bound, i.name)
		g.inLoop(i, depth)
	case 1:
		g.line("{ %s %s = %d; while (%s-- && %s)", i.typ.name, i.name, bound, i.name, g.full(2))
		g.inLoop(i, depth)
		g.line("}")
	case 2:
		g.line("{ %s %s = 0; while (%s++ < %d)", i.typ.name, i.name, i.name, bound)
		g.inLoop(i, depth)
		g.line("}")
	default:
		g.line("{ %s %s = 0; do", i.typ.name, i.name)
		g.inLoop(i, depth)
		g.line("while (++%s < %d && %s); }", i.name, bound, g.full(2))
	}
}

// inLoop generates the body of a loop; the counter can be read in it, and not be written.
func (g *generator) inLoop(i variable, depth int) {
	g.vars = append(g.vars, i)
	g.block(1+g.n(3), depth-1)
	g.vars = g.vars[:len(g.vars)-1]
}

// switchStatement generates a switch with four cases in order, ranges of gcc and a default
// somewhere among them. Some cases fall through. The controlling expression may have any type,
// and may be outside of all cases.
func (g *generator) switchStatement(depth int) {
	g.line("switch (%s %s)", paren(g.full(3)), pick(g, []string{"& 7", "% 5", ""}))
	g.line("{")
	g.indent++
	g.breaks++
	// Cases do not overlap: next is the least value that no case has yet.
	next := -4
	dflt := g.n(4)
	for i := 0; i < 4; i++ {
		switch {
		case i == dflt:
			g.line("default:")
		case g.p(25):
			g.line("case %d ... %d:", next, next+g.n(3))
			next += 4
		default:
			g.line("case %d:", next)
			next += 1 + g.n(2)
		}
		g.block(1, depth-1)
		if g.p(60) {
			g.line("break;")
		}
	}
	g.breaks--
	g.indent--
	g.line("}")
}

// gotoStatement jumps forward, or backward a bounded number of times, into and
// out of blocks.
func (g *generator) gotoStatement(depth int) {
	g.labels++
	l := fmt.Sprintf("%sL%d", g.prefix, g.labels)
	switch g.n(4) {
	case 0: // forward, over a block
		g.line("if (%s) goto %s;", g.full(2), l)
		g.block(1, depth-1)
		g.line("%s: ;", l)
	case 1: // backward
		i := variable{g.fresh("i"), ctype{"int", 32, true}, false, true}
		g.line("int %s = 0;", i.name)
		g.line("%s: %s++;", l, i.name)
		g.vars = append(g.vars, i)
		g.block(1, depth-1)
		g.line("if (%s < %d && %s) goto %s;", i.name, 1+g.n(3), g.full(2), l)
	case 2: // into a block
		g.line("if (%s) goto %s;", g.full(2), l)
		g.line("if (%s) {", g.full(2))
		g.indent++
		g.line("%s;", g.full(2))
		g.line("%s: %s;", l, g.full(2))
		g.indent--
		g.line("}")
	default: // computed
		g.labels++
		m := fmt.Sprintf("%sL%d", g.prefix, g.labels)
		g.line("{ if (%s) goto %s; %s; goto %s; %s: %s; %s: ; }", g.full(2), l, g.full(2), m, l, g.full(2), m)
	}
}

// recursion calls the function being generated with less fuel: f(depth - 1, …).
func (g *generator) recursion() {
	e := effects{}
	var args []string
	for i := range g.self.params {
		if i == 0 {
			args = append(args, "depth - 1")
			continue
		}
		args = append(args, g.expr(2, e))
	}
	for _, t := range g.self.memory {
		args = append(args, g.memoryValue(t, e))
	}
	g.line("%sobserve(%s(%s));", g.prefix, g.self.name, strings.Join(args, ", "))
}

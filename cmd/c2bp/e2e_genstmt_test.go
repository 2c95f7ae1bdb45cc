package main

import (
	"fmt"
	"strings"
)

// This file generates the statements and expressions of random programs.

// constant is a value that comes back.
func (g *gen) constant() string {
	if g.p(12) {
		return pickOne(g, "255", "256", "-128", "127", "128", "65535", "300", "0xffffffff", "-2", "1u", "0u")
	}
	return pickOne(g, "0", "0", "1", "1", "2", "3", "-1")
}

func (g *gen) variable() genVar {
	if len(g.locals) == 0 || g.p(40) {
		return pickOne(g, g.globals...)
	}
	return pickOne(g, g.locals...)
}

func (g *gen) input(v genVar) string { return "__VERIFIER_nondet_" + v.input }

func (g *gen) leaf() string {
	if g.p(30) {
		return g.constant()
	}
	return g.variable().name
}

// expr is an expression without side effects.
func (g *gen) expr(depth int) string {
	if depth == 0 || g.p(25) {
		return g.leaf()
	}
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.n(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", g.variable().name, pickOne(g, "+", "-"), pickOne(g, "1", "1", "2", "3"))
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, pickOne(g, "+", "-"), y)
	case 4:
		return fmt.Sprintf("(%s)%s", pickOne(g, genTypes...).name, x)
	case 5:
		return fmt.Sprintf("(%s %s %s)", x, pickOne(g, "<", "==", ">", "!=", ">=", "<="), y)
	case 6:
		return fmt.Sprintf("(%s %s %s)", x, pickOne(g, "&&", "||"), y)
	case 7:
		return fmt.Sprintf("(%s ? %s : %s)", x, y, g.expr(depth-1))
	case 8:
		return fmt.Sprintf("(%s %% %s)", x, pickOne(g, "2", "3", "2u", "-2"))
	case 9:
		return fmt.Sprintf("(%s & %s)", x, pickOne(g, "1", "3", "7", "255"))
	case 10:
		return fmt.Sprintf("(%s / %s)", x, pickOne(g, "2", "-2", "3u"))
	case 11:
		return pickOne(g, "!", "-", "~") + g.variable().name
	case 12:
		return fmt.Sprintf("(%s %s 1)", g.variable().name, pickOne(g, ">>", "<<"))
	}
	return g.leaf()
}

// atom is a comparison, often one that was there before.
func (g *gen) atom() atom {
	name := g.self.name
	known := append(append([]atom(nil), g.atoms[name]...), g.atoms[""]...)
	if len(known) > 0 && g.p(50) {
		return pickOne(g, known...)
	}
	return g.newAtom(g.variable())
}

// newAtom is a comparison of v.
func (g *gen) newAtom(v genVar) atom {
	a := atom{local: v.local}
	op := pickOne(g, "==", "==", "<", ">", "!=", ">=")
	switch {
	case g.p(60):
		a.text = fmt.Sprintf("%s %s %s", v.name, op, g.constant())
	case g.p(20):
		a.text = fmt.Sprintf("%s %s 1 %s %s", v.name, pickOne(g, "+", "-", "&"), op, g.constant())
		if strings.Contains(a.text, "&") {
			a.text = fmt.Sprintf("(%s & 1) == %s", v.name, pickOne(g, "0", "1"))
		}
	default:
		w := g.variable()
		a.local = a.local || w.local
		a.text = fmt.Sprintf("%s %s %s", v.name, op, w.name)
	}
	g.know(a)
	return a
}

// know makes a come back, and a candidate.
func (g *gen) know(a atom) {
	scope := ""
	if a.local {
		scope = g.self.name
	}
	g.atoms[scope] = append(g.atoms[scope], a)
}

// condition is a condition without side effects.
func (g *gen) condition() string {
	switch g.n(10) {
	case 0:
		return fmt.Sprintf("%s && %s", g.paren(g.atom()), g.paren(g.atom()))
	case 1:
		return fmt.Sprintf("%s || %s", g.paren(g.atom()), g.paren(g.atom()))
	case 2:
		return "!" + g.paren(g.atom())
	}
	return g.atom().text
}

func (g *gen) paren(a atom) string { return "(" + a.text + ")" }

// test is a condition that may have side effects.
func (g *gen) test() string {
	switch k := g.n(20); {
	case k < 2:
		return "__VERIFIER_nondet_bool()"
	case k < 5:
		if c := g.call(false); c != "" {
			return pickOne(g, c, "!"+c, fmt.Sprintf("%s == %s", c, g.constant()), fmt.Sprintf("%s && %s", g.paren(g.atom()), c), fmt.Sprintf("%s || %s", c, g.paren(g.atom())))
		}
	case k < 6:
		return fmt.Sprintf("%s%s", g.variable().name, pickOne(g, "++", "--"))
	case k < 7:
		return fmt.Sprintf("(%s = %s) %s %s", g.variable().name, g.expr(1), pickOne(g, "==", "<", ">"), g.constant())
	}
	return g.condition()
}

// call is a call of a function, void or not as asked; "" if there is none.
func (g *gen) call(void bool) string {
	var list []*genFn
	for _, f := range g.fns {
		if (f.void == void || void) && (f != g.self || f.fuel) {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return ""
	}
	f := pickOne(g, list...)
	var args []string
	if f.fuel {
		args = append(args, pickOne(g, "0", "1", "2"))
		if f == g.self {
			args[0] = "d - 1"
		}
	}
	for range f.params {
		args = append(args, g.expr(1))
	}
	text := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	if f == g.self { // the guard is an operand, for the call may stand in an expression
		if void {
			return fmt.Sprintf("d > 0 ? (void)%s : (void)0", text)
		}
		return fmt.Sprintf("(d > 0 ? %s : %s)", text, g.constant())
	}
	return text
}

func (g *gen) body(n int) {
	for range n {
		g.statement(2)
	}
}

func (g *gen) block(depth int) {
	g.line("{")
	g.indent++
	for range 1 + g.n(2) {
		g.statement(depth)
	}
	g.indent--
	g.line("}")
}

func (g *gen) statement(depth int) {
	k := g.n(36)
	if depth == 0 {
		k = g.n(22)
	}
	v := g.variable()
	switch {
	case k < 4:
		g.assign(v, g.constant())
	case k < 7:
		g.assign(v, g.expr(2))
	case k < 9:
		g.line("%s = %s();", v.name, g.input(v))
		if g.p(20) {
			g.line("__VERIFIER_assume(%s);", g.newAtom(v).text)
		}
	case k < 11:
		g.line("%s%s;", v.name, pickOne(g, "++", "--"))
	case k < 12:
		g.line("%s %s %s;", v.name, pickOne(g, "+=", "-=", "&=", "|=", "^=", ">>="), pickOne(g, "1", "2", "3"))
	case k < 17:
		g.callStatement(v)
	case k < 22:
		g.assertion(g.atom())
	case k < 29:
		g.line("if (%s)", g.test())
		g.block(depth - 1)
		if g.p(40) {
			g.line("else")
			g.block(depth - 1)
		}
	case k < 32:
		g.loop(depth)
	case k < 33:
		g.switchStatement(depth)
	case k < 34:
		g.jump(depth)
	case k < 35:
		g.through(v)
	default:
		g.hiding(depth)
	}
}

// assign stores a value, which is a candidate for a predicate.
func (g *gen) assign(v genVar, e string) {
	g.line("%s = %s;", v.name, e)
	if !strings.ContainsAny(e, "(?") && g.p(50) {
		scope := ""
		if v.local || strings.ContainsAny(e, "ax") {
			scope = g.self.name
		}
		g.others[scope] = append(g.others[scope], fmt.Sprintf("%s == %s", v.name, e))
	}
}

func (g *gen) callStatement(v genVar) {
	if c := g.call(false); c != "" && g.p(70) {
		g.line("%s = %s%s;", v.name, c, pickOne(g, "", "", "", " + 1", " == 0"))
		if g.p(60) {
			a := g.newAtom(v)
			if g.p(50) {
				a.text = fmt.Sprintf("%s %s %s", v.name, pickOne(g, "==", "!=", ">", "<"), pickOne(g, "255", "44", "0", "-1", "-128", "128"))
				g.know(a)
			}
			g.assertion(a)
		}
	} else if c := g.call(true); c != "" {
		g.line("%s;", c)
	}
}

// assertion asserts a, perhaps weakened.
func (g *gen) assertion(a atom) {
	g.asserts++
	g.first[a.text] = true
	text := a.text
	if b := g.atom(); b.text != a.text && g.p(30) {
		g.first[b.text] = true
		text = fmt.Sprintf("%s || %s", g.paren(a), g.paren(b))
	} else if g.p(30) {
		text = "!" + g.paren(a)
	}
	g.line("A%d(%s);", g.asserts, text)
}

func (g *gen) loop(depth int) {
	switch g.n(4) {
	case 0:
		g.line("while (__VERIFIER_nondet_bool())")
		g.block(depth - 1)
	case 1:
		g.counters++
		i := fmt.Sprintf("i%d", g.counters)
		g.line("for (int %s = 0; %s < %d; %s++)", i, i, 1+g.n(3), i)
		g.block(depth - 1)
	case 2:
		g.line("do")
		g.block(depth - 1)
		g.line("while (__VERIFIER_nondet_bool() && %s);", g.paren(g.atom()))
	default:
		g.line("while (%s || __VERIFIER_nondet_bool())", g.paren(g.atom()))
		g.line("{")
		g.indent++
		g.statement(depth - 1)
		g.line("if (%s) %s;", g.test(), pickOne(g, "break", "continue", "break"))
		g.statement(depth - 1)
		g.indent--
		g.line("}")
	}
}

func (g *gen) switchStatement(depth int) {
	g.line("switch (%s) {", g.variable().name)
	dflt := g.n(4)
	for i, c := range []string{"0", "1", "2 ... 3", "-1"} {
		if i == dflt {
			g.line("default:")
		}
		if g.p(70) {
			g.line("case %s:", c)
		}
		g.line(";")
		g.block(depth - 1)
		if g.p(60) {
			g.line("break;")
		}
	}
	g.line("}")
}

// jump is a goto: over a block, back, or into a block.
func (g *gen) jump(depth int) {
	g.labels++
	l := fmt.Sprintf("L%d", g.labels)
	switch g.n(3) {
	case 0:
		g.line("if (%s) goto %s;", g.test(), l)
		g.block(depth - 1)
		g.line("%s: ;", l)
	case 1:
		g.line("%s: ;", l)
		g.block(depth - 1)
		g.line("if (__VERIFIER_nondet_bool()) goto %s;", l)
	default:
		g.line("if (%s) goto %s;", g.test(), l)
		g.line("if (%s) {", g.test())
		g.statement(depth - 1)
		g.line("%s: ;", l)
		g.statement(depth - 1)
		g.line("}")
	}
}

// through writes a variable through a pointer.
func (g *gen) through(v genVar) {
	if v.name2() == "_Bool" {
		return
	}
	g.line("{ %s *p = &%s; %s; }", v.name2(), v.name, pickOne(g, "*p = "+g.leaf(), "(*p)++", "p[0] = "+g.leaf()))
}

// hiding is a block with a variable that hides a global one.
func (g *gen) hiding(depth int) {
	v := pickOne(g, g.globals...)
	g.shadowed[g.self.name] = append(g.shadowed[g.self.name], v.name)
	t := pickOne(g, genTypes...)
	g.line("{ %s %s = %s; %s = %s + 1; if (%s > 2) %s++; }", t.name, v.name, g.constant(), v.name, v.name, v.name, v.name)
}

package refine

import "fmt"

// This file generates expressions and statements of random programs.

func (g *generator) number() string {
	n := []int{0, 1, 2, 3, 4, 5, 7, 8, 10, 100, 127, 128, 255, 256}[g.rng.IntN(14-5*g.rng.IntN(2))]
	g.constants = append(g.constants, fmt.Sprint(n))
	return fmt.Sprint(n)
}

func (g *generator) read() string { return g.vars[g.rng.IntN(len(g.vars))].text }

// expr is an expression without side effects.
func (g *generator) expr(depth int) string {
	if depth == 0 {
		if g.one(3) {
			return g.number()
		}
		return g.read()
	}
	x := g.read()
	if depth > 1 {
		x = g.expr(depth - 1)
	}
	if g.flavour == risky && g.one(8) {
		return g.risk(x)
	}
	switch g.rng.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, []string{"+", "-"}[g.rng.IntN(2)], g.number())
	case 3, 4:
		return fmt.Sprintf("(%s %s %s)", x, []string{"+", "-"}[g.rng.IntN(2)], g.expr(depth-1))
	case 5:
		return fmt.Sprintf("((%s)%s)", g.typ().name, x)
	case 6:
		return fmt.Sprintf("(%s %s %s)", x, []string{"&", "|", "%", "/"}[g.rng.IntN(4)], []string{"1", "2", "3", "7"}[g.rng.IntN(4)])
	case 7:
		return fmt.Sprintf("(%s * %d)", x, 2+g.rng.IntN(2))
	case 8:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(), x, g.expr(depth-1))
	case 9:
		return "(" + g.condition() + ")"
	case 10:
		return fmt.Sprintf("((%s)(%s - %s))", g.typ().name, x, g.expr(depth-1))
	case 11:
		return fmt.Sprintf("%s(%s)", []string{"-", "~", "!"}[g.rng.IntN(3)], x)
	}
	return x
}

// risk is an expression that may be undefined for some values of x and of others.
func (g *generator) risk(x string) string {
	return fmt.Sprintf([]string{"(%s / %s)", "(%s %% %s)", "(%[2]s << %[1]s)", "(%[2]s >> %[1]s)", "(%[1]s + 2147483645)", "(%[1]s - 2147483645)", "(%[1]s * 715827882)"}[g.rng.IntN(7)], x, g.read())
}

func (g *generator) condition() string {
	c := fmt.Sprintf("%s %s %s", g.read(), []string{"<", "<=", "==", "!=", ">", ">="}[g.rng.IntN(6)], g.expr(g.rng.IntN(2)))
	switch g.rng.IntN(8) {
	case 0:
		return g.read()
	case 1:
		return fmt.Sprintf("(%s) %s %s", c, []string{"&&", "||"}[g.rng.IntN(2)], g.read())
	}
	return c
}

// target is a place to be written.
func (g *generator) target() lvalue {
	if len(g.pointers) > 0 && g.flavour == pointing && g.one(3) {
		return lvalue{"*" + g.pointers[0].name, g.pointers[0].typ, false}
	}
	for {
		if v := g.vars[g.rng.IntN(len(g.vars))]; !v.constant {
			return v
		}
	}
}

// block writes statements in braces, which leave (break, continue, goto) may cut short.
func (g *generator) block(n int, leave string) {
	g.line("{")
	g.indent++
	vars := g.vars
	g.statements(n)
	if leave != "" && g.one(3) {
		g.line("if (%s) %s;", g.condition(), leave)
		g.statements(1)
	}
	g.vars = vars
	g.indent--
	g.line("}")
}

func (g *generator) statements(n int) {
	for range n {
		if g.budget--; g.budget >= 0 {
			g.statement()
		}
	}
}

func (g *generator) statement() {
	v := g.target()
	switch n := g.rng.IntN(20); {
	case n < 4:
		g.line("%s = %s;", v.text, g.expr(2))
	case n == 4:
		g.line("%s %s= %s;", v.text, []string{"+", "-", "|", "^"}[g.rng.IntN(4)], g.expr(1))
	case n == 5:
		g.line("(%s)%s;", v.text, []string{"++", "--"}[g.rng.IntN(2)])
	case n < 9 && n > 5 && (n > 6 || g.flavour != pointing):
		g.line("if (%s)", g.condition())
		g.block(1+g.rng.IntN(2), "")
		if g.one(2) {
			g.line("else")
			g.block(1, "")
		}
	case n < 11 && g.depth < 2:
		g.loop()
	case n == 11:
		g.jump()
	case n == 12:
		g.line("switch (%s)", g.expr(1))
		g.line("{ case 0: %s = %s; break; case 1: %s = %s;", v.text, g.expr(1), v.text, g.expr(1))
		g.line("case 2: %s = %s; break; default: %s = %s; }", v.text, g.number(), v.text, g.expr(1))
	case n == 13:
		g.input(v)
	case (n == 14 || n == 6 && g.flavour == pointing) && len(g.pointers) > 0:
		p := g.pointers[g.rng.IntN(len(g.pointers))]
		t := p.targets[g.rng.IntN(len(p.targets))]
		g.line("if (%s) %s = %s;", g.condition(), p.name, t)
	case n == 15:
		g.check()
	case n == 16 && g.one(2):
		g.line("__VERIFIER_assume(%s);", g.condition())
	case n > 17 && len(g.callees) > 0:
		g.call(g.rng.IntN(len(g.callees)))
	default:
		g.line("%s = %s;", v.text, g.expr(1))
	}
}

// loop writes a loop that ends, or one that inputs keep running.
func (g *generator) loop() {
	i := g.name("i")
	g.depth++
	defer func() { g.depth-- }()
	vars := g.vars
	defer func() { g.vars = vars }()
	counter := lvalue{i, ctypes[0], true}
	leave := []string{"break", "continue"}[g.rng.IntN(2)]
	switch g.rng.IntN(6) {
	case 0:
		g.line("while (@bool 0 1@)")
		g.block(1+g.rng.IntN(2), leave)
	case 1, 2:
		g.line("int %s;", i)
		g.small(counter, int64(g.rng.IntN(2)), uint64(1+g.rng.IntN(3)))
		g.vars = append(append([]lvalue{}, vars...), counter)
		g.line("while (%s-- > 0)", i)
		g.block(1+g.rng.IntN(2), leave)
	default:
		g.vars = append(append([]lvalue{}, vars...), counter)
		g.line("for (int %s = 0; %s < %d; %s++)", i, i, 1+g.rng.IntN(4), i)
		g.block(1+g.rng.IntN(2), leave)
	}
}

// jump writes a goto, forwards or backwards.
func (g *generator) jump() {
	label := g.name("label")
	if g.one(2) || g.depth > 1 {
		g.line("if (%s) goto %s;", g.condition(), label)
		g.block(2, "goto "+label)
		g.line("%s:;", label)
		return
	}
	i := g.name("i")
	g.line("int %s; %s = 0;", i, i)
	g.line("%s:;", label)
	g.depth++
	g.block(1, "")
	g.depth--
	g.line("if (++%s < %d && (%s)) goto %s;", i, 2+g.rng.IntN(3), g.condition(), label)
}

// call sets a variable to the result of function i, which is given a pointer to another,
// or to the same.
func (g *generator) call(i int) {
	v, c := g.target(), g.callees[i]
	var fit []string
	for _, w := range g.vars {
		if w.typ == c.p && !w.constant {
			fit = append(fit, "&"+w.text)
		}
	}
	if len(fit) == 0 {
		name := g.name("x")
		g.line("%s %s = %s;", c.p.name, name, g.expr(1))
		fit = append(fit, "&"+name)
	}
	to := ""
	if !g.one(4) {
		to = v.text + " = "
	}
	g.line("%sf%d(%s, %s);", to, i, g.expr(1), fit[g.rng.IntN(len(fit))])
}

package zingtest

import "fmt"

// This file makes random statements and expressions.

// statement writes a statement.
func (g *generator) statement() {
	if g.budget > 0 && g.chance(35) {
		g.compound()
		return
	}
	switch g.rng.IntN(20) {
	case 0, 1, 2, 3:
		g.line("%s = %s;", g.integerPlace(), g.integer())
	case 4:
		g.line("%s = %s;", g.pick("p", "q", "s.b", "t.b"), g.condition())
	case 5:
		g.line("%s;", g.pick("n = new N", "h = n", "n = h", "if (n.next != null) n = n.next", "h.next = n", "n.next = h = new N", "o = h", "h = n = new N"))
	case 6:
		g.line("%s;", g.pick("s = t", "t = s", "n.s = t", "t = h.s", "s.a = i", "h.s.a = x", "e = u", "u = E.e2", "v[u] = x", "x = v[i]", "z = x", "x = z", "g = z", "g = g + g"))
		if g.chance(40) {
			g.line("%s;", g.pick("f.l = t", "f.r = n", "d[i] = f", "f = d[1]", "d[x].l.b = p", "d[0].r = h", "f.l.a = d[1].l.a", "d = new W[2]", "any = d", "any = n", "o = new Q"))
		}
	case 7:
		g.line("%s;", g.pick("send(c, i)", "send(c, 1)", "send(m, s)", "send(m, t)", "send(l, n)", "send(l, f.r)"))
	case 8:
		g.line("assert(%s);", g.condition())
	case 9:
		g.line("assume(%s);", g.pick(g.condition(), "true"))
	case 10, 11:
		g.call()
	case 12:
		g.line("%s;", g.pick("i = choose(R)", "q = choose(bool)", "p = choose(bool)", "u = choose(E)", "x = choose(b)", "j = choose(v)"))
	case 13:
		g.line("%s;", g.pick("b = b + i", "b = b + 1", "b = 2 + b", "b = b - x", "v = new V", "c = new C"))
	case 14:
		g.line("%s", g.pick(";", "{}", "trace(\"here\", i);", "accept(p);"))
	case 15:
		if !g.atomic {
			g.line("yield;")
		}
	case 16, 17:
		g.jump()
	case 18:
		g.line("if (%s) %s;", g.condition(), g.pick("raise E0", "raise F", "return "+g.result))
	case 19:
		g.create()
	}
}

// call writes a call of a method.
func (g *generator) call() {
	switch n := g.rng.IntN(7); {
	case n == 0:
		g.line("%s;", g.pick("n.lock()", "h.lock()", "h.unlock()", "q = Q.few()", "p = h.free(2)", "f.l.b = n.free(1)"))
	case n == 1:
		g.line("%s = o.get(%s);", g.pick("i", "x"), g.pick("1", "j"))
	case n == 2:
		g.line("%s = %s.get(i);", g.pick("i", "y"), g.pick("n", "h"))
	case g.callable == 0:
		g.line("x = 0;")
	case n <= 3 || g.callable == 1:
		g.line("f0();")
	case n <= 5 || g.callable == 2:
		g.line("%sf1(%s, out %s);", g.pick("", "i = ", "x = "), g.integer(), g.pick("p", "q", "t.b"))
	default:
		g.line("%sf2(1);", g.pick("t = ", "s = ", ""))
	}
}

// jump writes a goto: forward to a label that a later statement gets, or backward once.
func (g *generator) jump() {
	l := fmt.Sprintf("L%d", g.labels)
	g.labels++
	if g.chance(60) {
		g.pending = append(g.pending, l)
		g.line("if (%s) goto %s;", g.condition(), l)
		return
	}
	g.line("%s: %s", l, g.pick(";", "x = x + 1;", "select { wait(p) -> ; timeout -> i = 1; }"))
	g.line("w%d = w%d + 1;", g.counters, g.counters)
	g.line("if (w%d < 2) goto %s;", g.counters, l)
	g.counters++
}

// create writes an async call, of which each process makes one at most.
func (g *generator) create() {
	if g.asyncs > 0 || g.callable < 3 {
		g.line("y = self;")
		return
	}
	g.asyncs++
	g.line("async %s;", g.pick("f0()", "h.unlock()", "n.lock()"))
}

// compound writes a statement with statements in it.
func (g *generator) compound() {
	switch g.rng.IntN(10) {
	case 0:
		g.braces("if (" + g.condition() + ") ")
	case 1:
		g.braces("if (" + g.condition() + ") ")
		g.braces("else ")
	case 2:
		g.line("while (w%d < 2 && %s) {", g.counters, g.condition())
		g.line("w%d = w%d + 1;", g.counters, g.counters)
		g.counters++
		g.list()
		g.line("}")
	case 3:
		if g.chance(30) {
			g.line("foreach (%s in v) %s", g.pick("x", "j", "h.w"), g.pick(";", "y = j;", "{ i = x; }"))
		}
		g.braces("foreach (int " + g.variable() + " in " + g.pick("v", "b") + ") ")
		g.locals = g.locals[:len(g.locals)-1]
	case 4:
		g.line("{")
		name := g.variable()
		g.locals = g.locals[:len(g.locals)-1]
		g.line("int %s%s;", name, g.pick("", " = "+g.integer()))
		g.locals = append(g.locals, name)
		g.list()
		g.line("}")
		g.locals = g.locals[:len(g.locals)-1]
	case 5, 6:
		g.region()
	case 7, 8:
		g.choice(g.atomic)
	case 9:
		g.line("try {")
		if g.chance(50) {
			g.call()
		}
		if g.chance(30) {
			g.line("i = h.get(2);")
		}
		g.list()
		g.line("}")
		g.line("with {")
		g.braces(g.pick("E0", "F") + " -> ")
		if g.chance(50) {
			g.line("%s -> %s;", g.pick("*", "F"), g.pick("x = 1", "raise E0", ""))
		}
		g.line("}")
	}
}

// variable returns the name of a new variable of an inner block.
func (g *generator) variable() string {
	name := fmt.Sprintf("z%d", g.labels)
	g.labels++
	g.locals = append(g.locals, name)
	return name
}

// region writes an atomic region, or braces where there is one around.
func (g *generator) region() {
	if g.atomic {
		g.braces("")
		return
	}
	g.atomic = true
	g.line("atomic {")
	if g.chance(30) {
		g.choice(false)
	}
	g.list()
	g.line("}")
	g.atomic = false
}

// choice writes a select; a safe one does not block.
func (g *generator) choice(safe bool) {
	first := g.pick("", "", "first ", "end ")
	g.line("select %s{", first)
	g.join(g.pick("wait("+g.condition()+")", "wait(!k)", "wait(ready())", "wait(Q.few() && (p || h.free(1)))", "wait(!(n.free(x)))", "receive(l, n)", "receive(c, h.w) && receive(l, f.r)", "event(1, x, p)", "receive(c, i)", "receive(c, x)", "receive(m, t)", "receive(m, s) && wait(k)"))
	if g.chance(50) {
		g.join(g.pick("wait(true)", "wait("+g.condition()+")", "receive(c, j)"))
	}
	if safe || g.chance(30) {
		g.join("timeout")
	}
	g.line("}")
}

// join writes a join statement.
func (g *generator) join(patterns string) {
	switch g.rng.IntN(4) {
	case 0:
		g.line("%s -> %s;", patterns, g.pick("", "k = true", "k = false", "x = x + 1"))
	case 1:
		g.line("%s -> { %s; }", patterns, g.pick("k = true; p = q", "i = j; y = i", "assert(!p)"))
	default:
		g.line("%s -> {", patterns)
		g.budget--
		g.statement()
		g.line("}")
	}
}

// integerPlace returns a place of type int.
func (g *generator) integerPlace() string {
	if len(g.locals) > 0 && g.chance(40) {
		return g.locals[g.rng.IntN(len(g.locals))]
	}
	return g.pick("x", "x", "y", "i", "j", "s.a", "t.a", "h.w", "n.w", "v[0]", "v[e]")
}

// integer returns an expression of type int. Only x + 1 grows, and that a bounded number of times.
func (g *generator) integer() string {
	if g.chance(30) {
		return g.pick("0", "1", "2")
	}
	switch g.rng.IntN(12) {
	case 0:
		return g.integerPlace() + " + 1"
	case 1:
		return "1 - " + g.integerPlace()
	case 2:
		return g.pick("sizeof(c)", "sizeof(b)", "sizeof(V)", "self")
	case 3:
		return g.pick("2 / x", "3 % y", "x * 2147483647")
	}
	return g.integerPlace()
}

// condition returns an expression of type bool that calls nothing.
func (g *generator) condition() string {
	if !g.inBody { // in ready, which has no variables
		return g.pick("p", "!k", "x == 0", "e == E.e1 || k")
	}
	switch g.rng.IntN(10) {
	case 0:
		return g.pick("p", "q", "k", "s.b", "t.b")
	case 1:
		return "!" + g.pick("p", "q", "k")
	case 2:
		return g.pick("n == null", "h != null", "h == n", "f.r == h", "any == d", "n == null || n.held", "o != h")
	case 3:
		return g.pick("e == 1", "u == E.e2", "e != u", "sizeof(m) > 0", "(x in b)")
	case 4:
		return g.pick("p", "q") + g.pick(" && ", " || ", " & ", " ^ ") + g.pick("k", "x < y")
	}
	return g.integerPlace() + g.pick(" == ", " != ", " < ", " >= ") + g.pick("0", "1", "2", "i", "y")
}

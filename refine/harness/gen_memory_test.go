package harness

// memory writes a block in which other functions store through pointers, or return them.
func (g *generator) memory(v string) {
	g.line("printk(\"%%d\", 1);")
	g.block(func() {
		member := []string{"code", "count", "tail"}[g.rng.IntN(3)]
		switch g.rng.IntN(4) {
		case 0:
			g.line("struct status s = { %s }, t;", g.expr(1))
			g.line("if (get(%s, &s) == 0) { t = s; %s = t.%s; }", g.expr(1), v, member)
		case 1:
			g.line("struct status s = status(), *p = same(&s);")
			g.line("if (p == &s) %s = p->%s;", v, member)
		case 2:
			g.line("struct status *p = kmalloc(sizeof *p, 0);")
			g.line("if (!p) %s = %s; else { %s += p->%s; kfree(p); }", v, g.input(), v, member)
		case 3:
			g.line("struct status s;")
			g.line("if (!copy_from_user(&s, 0, sizeof s)) %s = s.%s;", v, member)
		}
	})
}

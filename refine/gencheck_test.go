package refine

import (
	"fmt"
	"strings"
)

// This file generates the checks of random programs, and what makes them hard to decide.

// check writes a property.
func (g *generator) check() { g.checkOf(g.vars[g.rng.IntN(len(g.vars))]) }

func (g *generator) checkOf(v lvalue) {
	if len(g.probes) == g.checks {
		return
	}
	p := probe{v.text, v.typ}
	long := ctypes[6]
	switch g.rng.IntN(6) {
	case 0:
		p = probe{fmt.Sprintf("((long)%s - %s)", p.expr, g.read()), long}
	case 1:
		p = probe{fmt.Sprintf("(%s)", g.condition()), ctypes[0]}
	}
	if p.typ.name == "unsigned long" || p.typ.name == "long" {
		p = probe{"(long)" + p.expr, long}
	}
	if g.one(3) {
		g.line("if (%s)", g.condition())
	}
	k := len(g.probes)
	g.probes = append(g.probes, p)
	switch n := g.rng.IntN(6); {
	case n < 3:
		g.line("assert(@%d@);", k)
	case n == 3:
		g.line("__VERIFIER_assert(@%d@);", k)
	case n == 4 && !g.labelled && strings.Count(g.out.String(), "int main") > 0:
		g.labelled = true
		g.line("if (!(@%d@)) { ERROR: return 1; }", k)
	default:
		g.line("if (!(@%d@)) reach_error();", k)
	}
}

// redirect lets p point elsewhere under a condition, writes through it, and checks one of
// its targets.
func (g *generator) redirect(p pointer) {
	target := p.targets[g.rng.IntN(len(p.targets))]
	g.line("if (%s) %s = %s;", g.condition(), p.name, target)
	g.line("*%s = %s;", p.name, g.expr(g.rng.IntN(2)))
	g.checkOf(lvalue{target[1:], p.typ, false})
}

// wrap takes from an unsigned variable more than it holds, perhaps, and checks it.
func (g *generator) wrap() {
	for _, v := range g.vars {
		if v.typ.name == "unsigned" || v.typ.name == "unsigned long" {
			g.line("%s = %s - %s;", v.text, v.text, g.number())
			g.checkOf(v)
			return
		}
	}
}

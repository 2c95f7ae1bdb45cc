package shytest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"c2bp/frontend/shylock"
	"c2bp/source"
)

// This file makes random programs.

// Kind is a family of random programs.
type Kind int

// The families.
const (
	Uniform   Kind = iota // statements of all kinds, in two procedures that call each other
	Hanging               // a callee hangs new objects below cut points, and lets the globals go
	Bounded               // calls lead forwards only, so the stack is bounded
	Recursive             // calls lead anywhere, under tests and choices
	Looping               // as Bounded, in a loop that does not end
)

// generator writes a program.
type generator struct {
	rng  *rand.Rand
	kind Kind
	proc int // the number of the present procedure
}

// procs are the names of the procedures; a callee of a Bounded program stands after its caller.
var procs = []string{"main", "p", "q"}

// Random returns the text of a random program.
func Random(rng *rand.Rand, kind Kind) string {
	g := &generator{rng: rng, kind: kind}
	var b strings.Builder
	b.WriteString("globals g, h; locals x, y; fields e, f;\n")
	for i, name := range procs {
		g.proc = i
		head := name
		if name == "q" {
			head = "q(z)"
		}
		body := g.body(2 + rng.IntN(5))
		switch {
		case kind == Hanging && name == "main":
			body = g.caller()
		case kind == Looping && name == "main":
			body = "g := new; x := new; g.e := x; h := x; while (nil = nil) do " + body + " od"
		case kind == Hanging && name == "p":
			body = g.hanging()
		}
		if name == "q" {
			body += "; return " + g.value()
		}
		fmt.Fprintf(&b, "%s :: %s\n", head, body)
	}
	return b.String()
}

// Load reads a text that must be correct.
func Load(text string) *shylock.Program {
	p, err := shylock.Load(source.NewFile("in.shy", []byte(text)))
	if err != nil {
		panic(fmt.Sprintf("shytest: %v\n%s", err, text))
	}
	return p
}

// pick returns one of some texts.
func (g *generator) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

// variable, value and field return names.
func (g *generator) variable() string {
	if g.proc == 2 && g.rng.IntN(4) == 0 {
		return "z"
	}
	return g.pick("g", "h", "x", "y")
}

func (g *generator) value() string {
	if g.rng.IntN(6) == 0 {
		return "nil"
	}
	return g.variable()
}

func (g *generator) field() string { return g.pick("e", "f") }

// cond returns a condition.
func (g *generator) cond() string {
	c := g.variable() + g.pick(" = ", " != ") + g.value()
	switch g.rng.IntN(6) {
	case 0:
		return c + g.pick(" & ", " | ") + g.variable() + g.pick(" = ", " != ") + g.value()
	case 1:
		return "!(" + c + ")"
	}
	return c
}

// body returns a sequence of n statements.
func (g *generator) body(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = g.statement(2)
	}
	return strings.Join(list, "; ")
}

// statement returns a statement of some depth.
func (g *generator) statement(depth int) string {
	if depth > 0 && g.rng.IntN(5) == 0 {
		inner := func() string { return g.statement(depth - 1) }
		switch g.rng.IntN(6) {
		case 0:
			return "(" + inner() + " + " + inner() + ")"
		case 1:
			return "([" + g.cond() + "] " + inner() + " + " + inner() + ")"
		case 2:
			return "if (" + g.cond() + ") then " + inner() + " else " + inner() + "; " + inner() + " fi"
		case 3:
			return "while (" + g.cond() + ") do " + inner() + "; " + inner() + " od"
		case 4:
			return "if (" + g.cond() + ") then " + inner() + " fi"
		}
		return "([" + g.cond() + "] " + inner() + " + [" + g.cond() + "] " + inner() + ")"
	}
	switch g.rng.IntN(12) {
	case 0, 1, 2:
		return g.variable() + " := new"
	case 3:
		return g.variable() + " := " + g.value()
	case 4, 5:
		return g.variable() + " := " + g.variable() + "." + g.field()
	case 6, 7:
		return g.variable() + "." + g.field() + " := " + g.value()
	case 8:
		if g.rng.IntN(4) == 0 {
			return g.variable() + " := " + g.variable() + "." + g.field() + "." + g.field()
		}
		return "assert(" + g.cond() + ")"
	case 9:
		return "skip"
	}
	return g.call()
}

// call returns a call, or another statement where none is allowed.
func (g *generator) call() string {
	callee := g.rng.IntN(len(procs))
	switch {
	case callee <= g.proc && (g.kind == Bounded || g.kind == Looping || g.rng.IntN(4) > 0):
		return g.variable() + " := new"
	case g.kind == Recursive && g.rng.IntN(2) == 0:
		return "([" + g.cond() + "] " + procs[g.rng.IntN(2)] + " + skip)"
	case callee == 2 && g.rng.IntN(2) == 0:
		return g.variable() + " := q(" + g.value() + ")"
	case callee == 2:
		return "q(" + g.value() + ")"
	}
	return procs[callee]
}

// caller returns the body of a main that links the objects of locals and globals, and calls.
func (g *generator) caller() string {
	list := []string{"g := new", "h := new"}
	for range 2 + g.rng.IntN(4) {
		list = append(list, g.link("x", "y"))
	}
	list = append(list, "p")
	for range 1 + g.rng.IntN(4) {
		list = append(list, g.pick(g.link("x", "y"), "p", "x := y.e", "y := x.f", "g := x", "h := y.e"))
	}
	return strings.Join(list, "; ")
}

// link returns a statement that makes or links objects of globals and two locals.
func (g *generator) link(x, y string) string {
	return g.pick(
		x+" := new", y+" := new", x+" := g", y+" := h", x+" := "+y, x+".e := g", y+".e := h", y+".f := "+x, "g.f := h",
		x+"."+g.field()+" := h", y+"."+g.field()+" := g")
}

// hanging returns the body of a callee that links new objects to those of globals, and forgets these.
func (g *generator) hanging() string {
	list := []string{}
	for range 1 + g.rng.IntN(5) {
		list = append(list, g.pick(
			"y := new; h."+g.field()+" := y", "x := new; g."+g.field()+" := x", "x := new; y := new; x.e := y; g.f := x",
			"y := h; x := new; y.e := x", "x := g."+g.field(), "y.f := x", "x := new"))
	}
	for range 1 + g.rng.IntN(3) {
		list = append(list, g.pick("h := nil", "g := nil", "g := h", "g := new", "h := new", "h := h.e"))
	}
	if g.rng.IntN(4) == 0 {
		list = append(list, "(q(x) + p + skip)")
	}
	return strings.Join(list, "; ")
}

// RandomExpr returns the text of a random expression Rite over the names of random programs.
func RandomExpr(rng *rand.Rand, size int) string {
	if size <= 1 {
		list := []string{"g", "h", "x", "y", "!g", "!h", "!x", "!y", "e", "f", "e", "f", "nil", "!nil", "ε"}
		return list[rng.IntN(len(list))]
	}
	left := 1 + rng.IntN(size-1)
	switch rng.IntN(4) {
	case 0:
		return "(" + RandomExpr(rng, size-1) + ")*"
	case 1:
		return "(" + RandomExpr(rng, left) + " + " + RandomExpr(rng, size-left) + ")"
	}
	return "(" + RandomExpr(rng, left) + ")." + RandomExpr(rng, size-left)
}

// RandomFormula returns the text of a random formula over some atoms.
func RandomFormula(rng *rand.Rand, size int, atoms []string) string {
	if size <= 1 {
		if rng.IntN(12) == 0 {
			return "true"
		}
		return "{" + atoms[rng.IntN(len(atoms))] + "}"
	}
	if rng.IntN(2) == 0 {
		return []string{"!", "X ", "F ", "G "}[rng.IntN(4)] + RandomFormula(rng, size-1, atoms)
	}
	left := 1 + rng.IntN(size-1)
	op := []string{" & ", " | ", " -> ", " <-> ", " U ", " R ", " W "}[rng.IntN(7)]
	return "(" + RandomFormula(rng, left, atoms) + op + RandomFormula(rng, size-left, atoms) + ")"
}

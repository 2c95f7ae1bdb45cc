package bpgen

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"c2bp/boolprog"
	"c2bp/source"
)

// This file generates small random programs with threads.

// Threads returns the random program with threads of a seed. There are two or three threads in most runs: main,
// those that it starts at labels or in procedures, and seldom some that these start. Procedures call later ones
// only, jumps go forward but for the loops, and no loop starts a thread, so that brute force can explore most
// programs.
func Threads(seed uint64) *boolprog.Program {
	g := &threadText{dice: dice{rand.New(rand.NewPCG(seed, 1))}}
	g.program()
	p, _, err := boolprog.Parse(source.NewFile(fmt.Sprintf("threads%d.bp", seed), []byte(g.String())), boolprog.ParseOptions{})
	if err == nil {
		_, err = boolprog.Check(p)
	}
	if err != nil {
		panic(fmt.Sprintf("bpgen: %v\n%s", err, g))
	}
	return p
}

// threadText writes a program.
type threadText struct {
	dice
	strings.Builder
	globals []string
	procs   []threadProc // main is the first

	at     int // the procedure that is written
	starts int // threads that may still be started
	atomic bool
	loops  int      // around the present place
	labels []string // that are still to be set, further down
	named  int      // labels so far
}

// threadProc is the head of a procedure.
type threadProc struct {
	name            string
	params, results int
	locals          []string // params among them
}

// program writes a program.
func (g *threadText) program() {
	for i := range 1 + g.IntN(3) {
		g.globals = append(g.globals, fmt.Sprintf("g%d", i))
	}
	fmt.Fprintf(g, "decl %s;\n", strings.Join(g.globals, ", "))
	g.procs = []threadProc{{name: "main"}}
	for i := range 1 + g.IntN(2) {
		g.procs = append(g.procs, threadProc{name: fmt.Sprintf("p%d", i), params: g.IntN(2), results: g.IntN(2)})
	}
	g.starts = 1 + g.IntN(2)
	for i := range g.procs {
		g.procedure(i)
	}
}

// procedure writes procedure i.
func (g *threadText) procedure(i int) {
	p := &g.procs[i]
	g.at, g.labels = i, nil
	for k := range p.params {
		p.locals = append(p.locals, fmt.Sprintf("a%d", k))
	}
	head := [...]string{"void", "bool"}[p.results]
	fmt.Fprintf(g, "%s %s(%s) begin\n", head, p.name, strings.Join(p.locals, ", "))
	if g.chance(50) || i == 0 && g.chance(50) {
		p.locals = append(p.locals, "l")
		fmt.Fprint(g, "decl l;\n")
	}
	if g.chance(10) {
		fmt.Fprintf(g, "enforce %s | %s;\n", g.variable(), g.expr(1))
	}
	// Main starts a thread soon, mostly with known globals, and sometimes another one.
	if i == 0 {
		if g.chance(60) {
			for _, v := range g.globals {
				fmt.Fprintf(g, "%s := %d;\n", v, g.IntN(2))
			}
		}
		g.control(false)
		g.block(g.IntN(2), 0)
		g.control(g.chance(50))
	}
	g.block(1+g.IntN(3), 0)
	// Labels that jumps and threads need stand at the end.
	for len(g.labels) > 0 {
		fmt.Fprintf(g, "%s: ", g.labels[0])
		g.labels = g.labels[1:]
		g.block(1+g.IntN(2), 0)
	}
	if p.results > 0 && g.chance(80) {
		fmt.Fprintf(g, "return %s;\n", g.expr(1))
	}
	fmt.Fprint(g, "end\n")
}

// block writes n statements.
func (g *threadText) block(n, depth int) {
	for range n {
		g.stmt(depth)
	}
}

// stmt writes a statement.
func (g *threadText) stmt(depth int) {
	switch k := g.IntN(100); {
	case k < 25:
		fmt.Fprintf(g, "%s := %s;\n", g.variable(), g.expr(2))
	case k < 33 && len(g.globals) > 1:
		x, y := g.globals[0], g.globals[1]
		fmt.Fprintf(g, "%s, %s := %s, %s", x, y, g.expr(1), g.expr(1))
		if g.chance(30) {
			fmt.Fprintf(g, " constrain '%s | %s", x, g.expr(1))
		}
		fmt.Fprint(g, ";\n")
	case k < 42:
		fmt.Fprintf(g, "assume(%s);\n", g.expr(1))
	case k < 52:
		fmt.Fprintf(g, "assert(%s | %s);\n", g.expr(1), g.expr(2))
	case k < 60 && depth < 2:
		fmt.Fprintf(g, "if (%s) then\n", g.expr(1))
		g.block(1+g.IntN(2), depth+1)
		if g.chance(40) {
			fmt.Fprint(g, "else\n")
			g.block(1, depth+1)
		}
		fmt.Fprint(g, "fi\n")
	case k < 64 && depth < 2:
		g.loops++
		fmt.Fprintf(g, "while (%s) do\n", g.expr(1))
		g.block(1+g.IntN(2), depth+1)
		fmt.Fprint(g, "od\n")
		g.loops--
	case k < 76 && !g.atomic:
		fmt.Fprint(g, "atomic_begin;\n")
		g.atomic = true
		g.block(1+g.IntN(3), depth+1)
		g.atomic = false
		fmt.Fprint(g, "atomic_end;\n")
	case k < 90:
		g.control(k < 82)
	case k < 93:
		fmt.Fprintf(g, "dead %s;\n", g.variable())
	case k < 95 && !g.atomic:
		fmt.Fprintf(g, "if (%s) then %s; fi\n", g.expr(1), g.leaving())
	default:
		fmt.Fprint(g, "skip;\n")
	}
}

// leaving returns a statement that leaves the procedure, or a part of it.
func (g *threadText) leaving() string {
	switch p := g.procs[g.at]; {
	case g.chance(30):
		return "end_thread"
	case g.chance(50) && g.loops == 0:
		return "goto " + g.label()
	case p.results > 0:
		return "return " + g.expr(1)
	}
	return "return"
}

// label returns a label that will be set at the end of the procedure.
func (g *threadText) label() string {
	if len(g.labels) == 0 || g.chance(30) {
		g.named++
		g.labels = append(g.labels, fmt.Sprintf("L%d", g.named))
	}
	return pick(g, g.labels)
}

// control writes a start of a thread, if there may be one, or a call.
func (g *threadText) control(call bool) {
	later := g.procs[g.at+1:]
	switch {
	case g.starts == 0 || g.loops > 0 || call:
		if len(later) == 0 {
			fmt.Fprint(g, "skip;\n")
			return
		}
		p := pick(g, later)
		if p.results > 0 && g.chance(70) {
			fmt.Fprintf(g, "%s := ", g.variable())
		}
		fmt.Fprintf(g, "%s;\n", g.call(p))
	case len(later) == 0 || g.chance(45):
		g.starts--
		fmt.Fprintf(g, "start_thread goto %s;\n", g.label())
	default:
		g.starts--
		word := pick(g, []string{"start_thread", "async"})
		fmt.Fprintf(g, "%s %s;\n", word, g.call(pick(g, later)))
	}
}

// call returns the call of a procedure.
func (g *threadText) call(p threadProc) string {
	args := make([]string, p.params)
	for i := range args {
		args[i] = g.expr(1)
	}
	return fmt.Sprintf("%s(%s)", p.name, strings.Join(args, ", "))
}

// variable returns a variable in scope, mostly a global.
func (g *threadText) variable() string {
	if locals := g.procs[g.at].locals; len(locals) > 0 && g.chance(40) {
		return pick(g, locals)
	}
	return pick(g, g.globals)
}

// expr returns an expression.
func (g *threadText) expr(depth int) string {
	switch k := g.IntN(10); {
	case k < 4 || depth == 0:
		return g.variable()
	case k < 6:
		return "!" + g.variable()
	case k < 7:
		return pick(g, []string{"0", "1", "*"})
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(depth-1), pick(g, []string{"&", "|", "^", "="}), g.expr(depth-1))
}

// Package bpgen generates Boolean programs for tests and measurements. They depend on the seed and
// the configuration, or the size, alone, and pass boolprog.Check.
//
//	Generate             small random programs without references, for differential tests
//	                     with bpexec: every construct of the language occurs, recursion,
//	                     calls with several results, gotos into blocks and variables that
//	                     hide others included
//	References           small random programs with references, for differential tests
//	                     with refexec, which can explore most of them completely
//	Threads              small random programs with threads, for differential tests with
//	                     threadexec
//	HardPrograms,        programs without references that are hard for decision diagrams
//	Multiplier
//	TransactionManager   a program with references, the size and shape of a real one
package bpgen

import (
	"fmt"
	"math/rand/v2"

	"c2bp/boolprog"
)

// This file generates small random programs without references.

// Config bounds the programs of Generate; a field that is 0 has the default in parentheses.
type Config struct {
	Procs   int // at most, main included (4)
	Globals int // at most (3)
	Params  int // at most, for each procedure (2)
	Locals  int // at most, for each procedure (2)
	Results int // at most, for each procedure (2)
	Stmts   int // at most, for each block (5)
	Depth   int // of blocks (2) and, one more, of expressions

	NoEnforce   bool // leave enforce clauses out
	NoConstrain bool // leave constrain clauses out
	NoRecursion bool // procedures call only later ones
}

// Shape returns the configuration of a seed, one of several, so that the seeds 0, 1, 2, … give
// programs of many kinds.
func Shape(seed uint64) Config {
	switch seed % 4 {
	case 1:
		return Config{NoRecursion: true}
	case 2:
		return Config{Procs: 3, Globals: 2, Params: 3, Locals: 3, Stmts: 3}
	case 3:
		return Config{Procs: 6, Globals: 2, Params: 1, Locals: 1, Stmts: 4}
	}
	return Config{}
}

// Generate returns the random program of a seed.
func Generate(seed uint64, c Config) *boolprog.Program {
	for field, value := range map[*int]int{&c.Procs: 4, &c.Globals: 3, &c.Params: 2, &c.Locals: 2, &c.Results: 2, &c.Stmts: 5, &c.Depth: 2} {
		if *field == 0 {
			*field = value
		}
	}
	g := &generator{dice: dice{rand.New(rand.NewPCG(seed, 0))}, Config: c, prog: &boolprog.Program{}}
	g.program()
	return g.prog
}

// dice is the source of all random choices.
type dice struct{ *rand.Rand }

// chance returns true in percent of 100 cases.
func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

// pick returns a random element.
func pick[T any](d interface{ IntN(int) int }, list []T) T { return list[d.IntN(len(list))] }

// generator is the state of Generate.
type generator struct {
	dice
	Config
	prog    *boolprog.Program
	current int              // index of the procedure
	scope   []string         // variables visible in it
	labels  []string         // labels set in it
	gotos   []*boolprog.Goto // made in it; they get their targets at its end
}

// ref returns a reference to a name.
func ref(name string) *boolprog.Ref { return &boolprog.Ref{Name: name} }

// program generates globals and the heads of procedures, then the bodies, which may call any.
func (g *generator) program() {
	for i := range g.IntN(g.Globals) + 1 {
		g.prog.Globals = append(g.prog.Globals, &boolprog.Var{Name: fmt.Sprintf("g%d", i)})
	}
	for i := range g.IntN(g.Procs) + 1 {
		// main may have parameters and results, too, which are arbitrary at the start;
		// mostly it has no parameters.
		p := &boolprog.Proc{Name: "main", Results: g.IntN(g.Results + 1), Dfs: g.chance(5)}
		params := g.IntN(g.Params + 1)
		if i > 0 {
			p.Name = fmt.Sprintf("f%d", i)
		} else if g.chance(70) {
			params = 0
		}
		p.Params = g.vars("p", params)
		p.Locals = g.vars("l", g.IntN(g.Locals+1))
		g.prog.Procs = append(g.prog.Procs, p)
	}
	for i := range g.prog.Procs {
		g.procedure(i)
	}
}

// vars returns n variables p0, p1, … or the like. Some have the name of a predicate, {p0 == 'p0 +
// 1}, whose quote and operator no reader may take for tokens; some locals hide a global.
func (g *generator) vars(prefix string, n int) (list []*boolprog.Var) {
	for i := range n {
		v := &boolprog.Var{Name: fmt.Sprintf("%s%d", prefix, i)}
		switch {
		case g.chance(10):
			v.Name = fmt.Sprintf("{%s%d == '%s%d + 1}", prefix, i, prefix, i)
		case prefix == "l" && i < len(g.prog.Globals) && g.chance(10):
			v.Name = g.prog.Globals[i].Name
		}
		list = append(list, v)
	}
	return list
}

// procedure generates the clauses and body of a procedure, with a label END before its end.
func (g *generator) procedure(i int) {
	p := g.prog.Procs[i]
	g.current, g.scope, g.labels, g.gotos = i, nil, nil, nil
	// 1. The scope: each name once.
	seen := map[string]bool{}
	for _, list := range [][]*boolprog.Var{p.Params, p.Locals, g.prog.Globals} {
		for _, v := range list {
			if !seen[v.Name] {
				g.scope = append(g.scope, v.Name)
			}
			seen[v.Name] = true
		}
	}
	// A clause without primes: it speaks of one state.
	if !g.NoEnforce && g.chance(25) {
		p.Enforce = g.clause(nil)
	}
	// 2. The body.
	p.Body = g.block(g.Depth)
	// END is a label that every goto can have. Mostly a return stands there; without one
	// control falls off the end, and the results are arbitrary.
	g.labels = append(g.labels, "END")
	end := &boolprog.Stmt{Labels: []string{"END"}, Op: &boolprog.Skip{}}
	if g.chance(80) {
		end.Op = g.returnOp()
	}
	p.Body = append(p.Body, end)
	// 3. The targets of gotos, now that all labels are known.
	for _, op := range g.gotos {
		for range g.IntN(2) + 1 {
			// A target may be drawn twice, and may lie inside a loop or branch, or
			// around the goto.
			op.Targets = append(op.Targets, ref(pick(g, g.labels)))
		}
	}
}

// block generates statements, in rare cases none.
func (g *generator) block(depth int) (list []*boolprog.Stmt) {
	n := g.IntN(g.Stmts) + 1
	if g.chance(5) {
		n = 0
	}
	// Labels are set after the statement is made, so an inner label has a smaller number than
	// an outer one.
	for range n {
		s := &boolprog.Stmt{Op: g.op(depth)}
		if g.chance(20) {
			s.Labels = append(s.Labels, fmt.Sprintf("L%d", len(g.labels)))
			g.labels = append(g.labels, s.Labels...)
		}
		list = append(list, s)
	}
	return list
}

// op generates a statement; depth is the number of levels of blocks that it may still contain. What
// an if or while cannot be at the innermost level, becomes one of the statements after it.
func (g *generator) op(depth int) boolprog.Op {
	switch n := g.IntN(100); {
	case n < 30:
		return g.assign()
	case n < 48:
		return g.call(depth)
	// Statements with blocks nest up to a depth.
	case n < 60 && depth > 0:
		return g.ifOp(depth)
	case n < 66 && depth > 0:
		return &boolprog.While{Cond: g.expr(g.Depth), Body: g.block(depth - 1)}
	case n < 70:
		// Its targets follow at the end of the procedure, when all labels are known.
		op := &boolprog.Goto{}
		g.gotos = append(g.gotos, op)
		return op
	case n < 80:
		return &boolprog.Assert{Cond: g.clause(nil)}
	case n < 84:
		return &boolprog.Assume{Cond: g.clause(nil)}
	// Negated, so that it blocks as seldom as an assume.
	case n < 87:
		return &boolprog.AbortIf{Cond: &boolprog.Not{X: g.clause(nil)}}
	case n < 90:
		return &boolprog.Dead{Vars: g.targets(g.IntN(2) + 1)}
	case n < 92:
		return &boolprog.Print{Args: g.exprs(g.IntN(3))}
	case n < 94:
		return g.returnOp()
	}
	return &boolprog.Skip{}
}

// returnOp generates a return of as many expressions as the procedure has results.
func (g *generator) returnOp() boolprog.Op {
	return &boolprog.Return{Values: g.exprs(g.prog.Procs[g.current].Results)}
}

// ifOp generates an if.
func (g *generator) ifOp(depth int) boolprog.Op {
	// One condition, and each further elsif with a probability of a quarter.
	op := &boolprog.If{}
	for len(op.Conds) == 0 || g.chance(25) {
		op.Conds = append(op.Conds, g.expr(g.Depth))
		op.Thens = append(op.Thens, g.block(depth-1))
	}
	if g.chance(50) {
		op.Else = g.block(depth - 1)
	}
	return op
}

// assign generates an assignment to up to three targets: all right sides are read before the first
// target is written, as a, b := b, a shows. A constrain clause speaks of old and new values.
func (g *generator) assign() boolprog.Op {
	op := &boolprog.Assign{Lhs: g.targets(g.IntN(3) + 1)}
	op.Rhs = g.exprs(len(op.Lhs))
	if !g.NoConstrain && g.chance(20) {
		op.Constrain = g.clause(op.Lhs)
	}
	return op
}

// targets returns at most n different variables in scope.
func (g *generator) targets(n int) (list []*boolprog.Ref) {
	for _, i := range g.Perm(len(g.scope))[:min(n, len(g.scope))] {
		list = append(list, ref(g.scope[i]))
	}
	return list
}

// call generates a call, mostly of a later procedure, and inside blocks of any, so that recursion
// often ends. The callees are all but main, except in rare cases: main can be called, too.
//
//	l0, _ := f2(g0 | !p1, *);
func (g *generator) call(depth int) boolprog.Op {
	callees := g.prog.Procs[1:]
	switch {
	// Later procedures cannot call this one, unless they recurse.
	case g.NoRecursion, depth == g.Depth && g.chance(95), g.chance(40):
		callees = g.prog.Procs[g.current+1:]
	case g.chance(10):
		callees = g.prog.Procs
	}
	// There may be none.
	if len(callees) == 0 {
		return &boolprog.Skip{}
	}
	callee := pick(g, callees)
	op := &boolprog.Call{Callee: ref(callee.Name), Args: g.exprs(len(callee.Params))}
	// A call may discard all results without "_".
	if g.chance(10) {
		return op
	}
	// Results go to different targets, and some are discarded.
	// If fewer variables are in scope than there are results, the rest is discarded.
	op.Lhs = g.targets(callee.Results)
	for len(op.Lhs) < callee.Results {
		op.Lhs = append(op.Lhs, ref("_"))
	}
	for i := range op.Lhs {
		if g.chance(15) {
			op.Lhs[i] = ref("_")
		}
	}
	return op
}

// clause returns a condition that holds more often than not. It may mention new values of targets:
// for the targets a and b the result is (('b => x) | !'a) != y or the like.
func (g *generator) clause(targets []*boolprog.Ref) boolprog.Expr {
	list := []boolprog.Expr{g.expr(1), g.expr(1)}
	for _, t := range targets {
		list = append(list, &boolprog.Ref{Name: t.Name, Next: true})
	}
	// Join the parts in random order, by operators that are often 1.
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	ops := []boolprog.BinOp{boolprog.Or, boolprog.Or, boolprog.Implies, boolprog.Ne, boolprog.Eq}
	e := list[0]
	for _, x := range list[1:] {
		if g.chance(30) {
			x = &boolprog.Not{X: x}
		}
		e = &boolprog.Binary{Op: pick(g, ops), X: e, Y: x}
	}
	return e
}

// exprs generates n expressions.
func (g *generator) exprs(n int) (list []boolprog.Expr) {
	for range n {
		list = append(list, g.expr(g.Depth))
	}
	return list
}

// expr generates an expression with at most depth levels of operators.
func (g *generator) expr(depth int) boolprog.Expr {
	// Of 100 numbers 48 stand for variables, 7 for *, 5 for constants, and the other 40 for
	// operators.
	n := g.IntN(100)
	// At the greatest depth, only leaves.
	if depth == 0 {
		n %= 60
	}
	switch {
	case n < 48:
		return ref(pick(g, g.scope))
	case n < 55:
		return &boolprog.Nondet{}
	case n < 60:
		return &boolprog.Const{Val: g.chance(50)}
	case n < 70:
		return &boolprog.Not{X: g.expr(depth - 1)}
	case n < 78:
		return &boolprog.Choose{P: g.expr(depth - 1), N: g.expr(depth - 1), Strict: g.chance(50)}
	}
	return &boolprog.Binary{Op: boolprog.BinOp(g.IntN(int(boolprog.Ne) + 1)), X: g.expr(depth - 1), Y: g.expr(depth - 1)}
}

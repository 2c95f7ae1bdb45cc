package bpgen

import (
	"fmt"
	"math/rand/v2"

	"c2bp/boolprog"
)

// This file generates the declarations of random programs with references.

// ReferenceConfig bounds the programs of References and sets their mix; a field that is 0 has the
// default in parentheses, and a negative one is 0.
type ReferenceConfig struct {
	Procs       int // at most, main included (4)
	Classes     int // at most (2)
	RefGlobals  int // at most (3)
	BoolGlobals int // at most (2)
	Stmts       int // at most, for each block (4)
	Depth       int // of blocks (2)

	// The rest are shares in percent.
	Cyclic    int // of programs: their classes may refer to themselves, so that no type bounds a path (40)
	Recursive int // of procedures: they call themselves, at most a bounded number of times (25)
	Endless   int // of procedures: they call themselves or earlier ones, any number of times (8)
	Unguarded int // of dereferences: without a guard against null (8)
	Pruned    int // of guards outside main: they are assumed, not branched on (15)
	CutPoints int // of calls: the caller keeps a cell and looks at it after the call (50)
	Arbitrary int // of globals: they start in several ways (35)
	Asserts   int // of statements (11)
	Optional  int // of assertions: only some runs reach them (50)
	Thin      int // of procedures: they only call others, or look at something (30)
	Twice     int // of the calls in main: the same call follows after a change of the state (40)
	Skipped   int // of the calls in main: only some runs reach them (35)
	Touches   int // of statements outside main: some runs write a global, then all look at it (8)
	Enforce   int // of procedures: they have an enforce clause (10)
	Any       int // of references that are assigned: they lead to any object (0)
}

// defaults returns c with the defaults of fields that are 0.
func (c ReferenceConfig) defaults() ReferenceConfig {
	for field, value := range map[*int]int{
		&c.Procs: 4, &c.Classes: 2, &c.RefGlobals: 3, &c.BoolGlobals: 2, &c.Stmts: 4, &c.Depth: 2,
		&c.Cyclic: 40, &c.Recursive: 25, &c.Endless: 8, &c.Unguarded: 8, &c.Pruned: 15,
		&c.CutPoints: 50, &c.Arbitrary: 35, &c.Asserts: 11, &c.Optional: 50, &c.Thin: 30, &c.Twice: 40, &c.Skipped: 35, &c.Touches: 8, &c.Enforce: 10,
	} {
		switch {
		case *field == 0:
			*field = value
		case *field < 0:
			*field = 0
		}
	}
	return c
}

// References returns the random program with references of a seed: one to four procedures besides
// main, which are called from several places with globals that point to the same and to other
// cells, with various contents.
func References(seed uint64, c ReferenceConfig) *boolprog.Program {
	g := &references{dice: dice{rand.New(rand.NewPCG(seed, 1))}, ReferenceConfig: c.defaults(), prog: &boolprog.Program{}}
	g.classes()
	g.globals()
	// main, and one procedure at least.
	for i := range 1 + g.IntN(max(1, g.Procs-1)) + 1 {
		g.prog.Procs = append(g.prog.Procs, g.declare(i))
	}
	for i := range g.prog.Procs {
		g.procedure(i)
	}
	return g.prog
}

// references is the state of References.
type references struct {
	dice
	ReferenceConfig
	prog   *boolprog.Program
	index  int // index of the procedure
	proc   *boolprog.Proc
	vars   []*boolprog.Var // visible in it
	guards []boolprog.Expr // conditions under which the present statement dereferences no null
	full   map[string]bool // variables that are not null here
	labels int             // set in it
	plain  bool            // nothing is dereferenced in expressions
}

// classes generates classes C0, C1, …, with a Boolean x each. Unless they are cyclic, fields refer
// to later classes:
//
//	class C0 { bool x; bool y := *; ref C0 next; ref C1 to; ref C1 too; }
//	class C1 { bool x; ref C1 next; }
func (g *references) classes() {
	cyclic := g.chance(g.Cyclic)
	for i := range g.IntN(g.Classes) + 1 {
		c := &boolprog.Class{Name: fmt.Sprint("C", i), Fields: []*boolprog.Field{{Name: "x"}}}
		if g.chance(35) {
			c.Fields = append(c.Fields, &boolprog.Field{Name: "y", Init: g.init()})
		}
		g.prog.Classes = append(g.prog.Classes, c)
	}
	// Fields that are references: all classes exist now.
	// next makes lists of any length; to and too let two paths lead to one cell.
	for i, c := range g.prog.Classes {
		if cyclic {
			c.Fields = append(c.Fields, &boolprog.Field{Name: "next", Class: c.Name})
		}
		for _, later := range g.prog.Classes[i+1:] {
			c.Fields = append(c.Fields, &boolprog.Field{Name: "to", Class: later.Name})
			if g.chance(30) {
				c.Fields = append(c.Fields, &boolprog.Field{Name: "too", Class: later.Name})
			}
		}
	}
}

// init returns the initial value of a Boolean field.
func (g *references) init() boolprog.Expr {
	switch {
	case g.chance(40):
		return &boolprog.Const{Val: true}
	case g.chance(40):
		return &boolprog.Nondet{}
	}
	return nil
}

// globals generates the globals: one of each kind at least, so that expressions of both types
// exist.
func (g *references) globals() {
	g.prog.Globals = g.declareVars("g", "r", g.IntN(g.BoolGlobals)+1, g.IntN(g.RefGlobals)+1)
}

// declareVars generates Booleans and references, in random order.
func (g *references) declareVars(booleanName, refName string, booleans, refs int) (list []*boolprog.Var) {
	for i := range booleans {
		list = append(list, &boolprog.Var{Name: fmt.Sprint(booleanName, i)})
	}
	// Most references are to one class, so that they can be aliases.
	for i := range refs {
		class := pick(g, g.prog.Classes).Name
		if g.chance(60) {
			class = g.prog.Classes[0].Name
		}
		list = append(list, &boolprog.Var{Name: fmt.Sprint(refName, i), Class: class})
	}
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// declare generates procedure i without its body.
func (g *references) declare(i int) *boolprog.Proc {
	if i == 0 {
		return &boolprog.Proc{Name: "main", Locals: g.declareVars("b", "k", g.IntN(2), g.IntN(3)+1)}
	}
	// A few parameters, locals and results of random types.
	p := &boolprog.Proc{Name: fmt.Sprint("f", i)}
	p.Params = g.declareVars("p", "q", g.IntN(2), g.IntN(3))
	p.Locals = g.declareVars("b", "k", g.IntN(3)/2, g.IntN(3))
	// The names do not matter: only the types of the results are taken.
	for _, v := range g.declareVars("", "", g.IntN(3)/2, g.IntN(3)/2) {
		p.Results++
		p.Returns = append(p.Returns, v.Class)
	}
	// The flag is the first parameter.
	if g.chance(g.Recursive) {
		p.Params = append([]*boolprog.Var{{Name: again}}, p.Params...)
	}
	return p
}

// again is the parameter of recursive procedures that says whether one may call itself.
const again = "again"

// isRecursive reports whether p has that parameter.
func isRecursive(p *boolprog.Proc) bool { return len(p.Params) > 0 && p.Params[0].Name == again }

// procedure generates the body of procedure i.
func (g *references) procedure(i int) {
	g.index, g.proc = i, g.prog.Procs[i]
	g.vars, g.full, g.labels = nil, map[string]bool{}, 0
	// The names of parameters, locals and globals differ, so nothing is hidden.
	for _, list := range [][]*boolprog.Var{g.proc.Params, g.proc.Locals, g.prog.Globals} {
		g.vars = append(g.vars, list...)
	}
	if g.chance(g.Enforce) {
		g.proc.Enforce = g.enforce()
	}
	// main calls the others; a thin procedure does little else.
	if i == 0 {
		g.proc.Body = g.main()
		return
	}
	if g.chance(g.Thin) {
		g.proc.Body = append(g.thin(), g.guarded(g.returnOp())...)
		return
	}
	// The ordinary body: statements, a recursive call, more statements, a return.
	g.proc.Body = append(g.fillLocals(), g.block(g.Depth)...)
	if isRecursive(g.proc) {
		g.proc.Body = append(g.proc.Body, g.recursion())
	}
	if g.chance(g.Endless) {
		g.proc.Body = append(g.proc.Body, g.endless())
	}
	g.proc.Body = append(g.proc.Body, g.block(0)...)
	if g.chance(90) {
		g.proc.Body = append(g.proc.Body, g.guarded(g.returnOp())...)
	}
}

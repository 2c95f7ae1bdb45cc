package coregen

import (
	"fmt"
	"math/rand/v2"

	"c2bp/frontend/core"
	"c2bp/frontend/core/unset"
	"c2bp/source"
)

// This file makes programs.

// Config bounds the generated program. The zero value of a field means its default.
type Config struct {
	Procs      int  // procedures with a body besides main, at most (3)
	Stmts      int  // statements of a block, at most (5)
	Nesting    int  // depth of blocks (2)
	Globals    int  // at most, not counting opaque and volatile ones (4)
	Preds      int  // predicates of each scope, at most (4)
	Simple     bool // int32 only, linear expressions only
	NoPointers bool // no address-taken variables, externals or region havocs
	// Memory makes programs with pointers, structs, arrays, a heap and calls through
	// pointers. Without it there is no memory but address-taken integers. It excludes
	// Simple and NoPointers.
	Memory bool
}

// withDefaults returns c with the defaults in the place of zeros.
func (c Config) withDefaults() Config {
	def := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	def(&c.Procs, 3)
	def(&c.Stmts, 5)
	def(&c.Nesting, 2)
	def(&c.Globals, 4)
	def(&c.Preds, 4)
	return c
}

// Pred is a predicate; Proc is nil for a global one.
type Pred struct {
	Proc *core.Proc
	Expr core.Expr
}

// Generate makes a valid program and predicates for it, global ones first, then
// procedure by procedure. Equal states of rng give equal results.
func Generate(rng *rand.Rand, c Config) (*core.Program, []Pred) {
	g := &generator{rng: rng, config: c.withDefaults(), prog: &core.Program{}}
	g.chooseConstants()
	// As the front end does in the end.
	defer unset.Mark(g.prog)
	if c.Memory {
		return g.generateMemory()
	}
	g.declareGlobals()
	g.declareProcs()
	for _, p := range g.prog.Procs {
		if !g.external[p] {
			g.body(p)
		}
	}
	g.prog.Extern = core.ExternAll
	return g.prog, g.predicates()
}

// generateMemory makes a program with memory.
func (g *generator) generateMemory() (*core.Program, []Pred) {
	g.world = g.newWorld()
	g.declareMemory()
	g.declareMemoryProcs()
	for _, p := range g.prog.Procs {
		if !g.external[p] {
			g.memoryBody(p)
		}
	}
	// The bodies have taken addresses; which variables have theirs taken is known only now.
	g.markTaken()
	g.prog.PtrBits = g.world.ptr.Bits
	return g.prog, g.memoryPredicates()
}

// generator makes one program.
type generator struct {
	rng       *rand.Rand
	config    Config
	prog      *core.Program
	constants []int64 // favourites of this program
	external  map[*core.Proc]bool
	world     *world // nil in programs without memory
}

// chance returns true with probability 1/n.
func (g *generator) chance(n int) bool { return g.rng.IntN(n) == 0 }

// pick returns an element of list.
func pick[T any](g *generator, list []T) T { return list[g.rng.IntN(len(list))] }

// chooseConstants picks the few constants that most of the program uses, so that its conditions,
// assignments and predicates are related.
func (g *generator) chooseConstants() {
	g.constants = []int64{0, 1}
	for range 3 {
		g.constants = append(g.constants, g.rng.Int64N(12)-3)
	}
}

// declareGlobals declares the globals of a program without memory.
func (g *generator) declareGlobals() {
	// A global whose address is taken may change in every write through a pointer.
	for i := range 1 + g.rng.IntN(g.config.Globals) {
		v := &core.Var{Name: fmt.Sprintf("g%d", i), Kind: core.Global, Type: g.intType()}
		v.AddrTaken = !g.config.NoPointers && g.chance(4)
		g.prog.Globals = append(g.prog.Globals, v)
	}
	if g.config.Simple {
		return
	}
	// A volatile variable, which is written but not read, and an opaque one.
	if g.chance(4) {
		g.prog.Globals = append(g.prog.Globals,
			&core.Var{Name: "port", Kind: core.Global, Type: g.intType(), Volatile: true})
	}
	if g.chance(4) {
		g.prog.Globals = append(g.prog.Globals,
			&core.Var{Name: "gp", Kind: core.Global, Type: pointer, AddrTaken: g.chance(2)})
	}
}

var pointer = core.Opaque{Name: "int *"}

// declareProcs declares main, the other procedures and the externals, so that every body can call every
// procedure.
func (g *generator) declareProcs() {
	main := g.declareProc("main")
	if g.chance(2) {
		main.Formals = nil
	}
	g.prog.Entry = main
	g.prog.Procs = append(g.prog.Procs, main)
	for i := range g.rng.IntN(g.config.Procs + 1) {
		g.prog.Procs = append(g.prog.Procs, g.declareProc(fmt.Sprintf("f%d", i)))
	}
	g.external = map[*core.Proc]bool{}
	if !g.config.NoPointers && g.chance(2) {
		p := g.declareProc("ext")
		g.external[p] = true
		g.prog.Procs = append(g.prog.Procs, p)
	}
}

// declareProc declares a procedure with formals and a result.
func (g *generator) declareProc(name string) *core.Proc {
	p := &core.Proc{Name: name, CName: name, RetType: core.Void{}}
	if !g.chance(4) {
		p.RetType = g.intType()
	}
	for i := range g.rng.IntN(4) {
		p.Formals = append(p.Formals, g.variable(p, core.Formal, fmt.Sprintf("x%d", i)))
	}
	// An opaque formal: its values are not represented.
	if !g.config.Simple && g.chance(8) {
		p.Formals = append(p.Formals, &core.Var{Name: "fp", Kind: core.Formal, Proc: p, Type: pointer})
	}
	return p
}

// variable makes a formal or local of p.
func (g *generator) variable(p *core.Proc, kind core.VarKind, name string) *core.Var {
	return &core.Var{
		Name: name, Kind: kind, Proc: p, Type: g.intType(),
		AddrTaken: !g.config.NoPointers && g.chance(5),
	}
}

// body gives p its locals, its result variable and its nodes.
func (g *generator) body(p *core.Proc) {
	// One local at least, so that there is something to assign to.
	for i := range 1 + g.rng.IntN(3) {
		p.Locals = append(p.Locals, g.variable(p, core.Local, fmt.Sprintf("v%d", i)))
	}
	if !g.config.Simple && g.chance(6) {
		p.Locals = append(p.Locals, &core.Var{Name: "q", Kind: core.Local, Proc: p, Type: pointer})
	}
	b := &builder{generator: g, proc: p}
	if p == g.prog.Entry {
		b.initialise()
	}
	b.chooseResult()
	b.block(g.config.Nesting)
	if b.calls == 0 && len(b.pending) > 0 && (p == g.prog.Entry || !g.chance(3)) {
		b.stmtCall() // most programs are to use most of their procedures
		b.block(1)
	}
	b.finish()
}

// chooseResult picks a formal or local as the variable that is returned, or
// makes \result.
func (b *builder) chooseResult() {
	p := b.proc
	if p.RetType == core.Type(core.Void{}) {
		return
	}
	// Ordinary statements write such a result, too.
	if b.chance(3) {
		for _, v := range b.ownVars() {
			if v.Type == p.RetType && !v.AddrTaken {
				p.Result = v
				return
			}
		}
	}
	p.Result = &core.Var{Name: `\result`, Kind: core.Local, Proc: p, Type: p.RetType}
	p.Locals = append(p.Locals, p.Result)
}

// initialise sets most globals, as the entry does for C's initialisers.
func (b *builder) initialise() {
	for _, v := range b.prog.Globals {
		if t, ok := v.Type.(core.Int); ok && !b.chance(4) {
			b.emit(assign(v, b.constant(t)))
		}
	}
}

// pos returns a made-up position that tells statements apart.
func pos(line int) source.Pos { return source.Pos{File: "gen.c", Line: line, Col: 1} }

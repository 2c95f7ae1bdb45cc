// Package cgen generates random C programs that compute with integers and mean the
// same to every compiler. It is test equipment of package frontend: a
// program is compiled by gcc and executed, and its lowering to the core language
// is executed by the core interpreter; both must observe the same values.
//
// What the programs are made of: all integer types with their promotions and
// conversions, every operator, side effects inside expressions, every control
// structure with goto and fall-through, calls and bounded recursion, globals,
// static locals, shadowing.
//
// With [Options.Memory] they also compute with pointers, structs, unions, bit-fields,
// arrays, pointers to functions and allocated memory; see memory.go.
//
// What they never contain: side effects whose order C leaves open, reads of
// uninitialised variables, unbounded loops, floating point, values that depend on
// addresses. What they may contain: undefined behaviour of arithmetic, rarely. A run
// that meets it is to be discarded (compile with -fsanitize=undefined).
//
// A program is a file-scope prefix away from standing beside others in one file:
// all its names start with Options.Prefix.
//
//	unsigned long p0_sum;
//	void p0_observe(long v) { p0_sum = p0_sum * 31 + (unsigned long)v; }
//	…
//	void p0_main(void) { … }
package cgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Options of a program.
type Options struct {
	Prefix    string // of every name; "" means "p_"
	Functions int    // number of functions besides the entry; 0 means 3
	Memory    bool   // pointers, structs, arrays and so on
}

// Entry and Sum are the names, without prefix, of the function to run and of the
// global that holds the checksum of all observed values afterwards.
const (
	Entry = "main"
	Sum   = "sum"
)

// Generate returns the program that seed stands for.
func Generate(seed uint64, o Options) string {
	if o.Prefix == "" {
		o.Prefix = "p_"
	}
	if o.Functions == 0 {
		o.Functions = 3
	}
	g := &generator{rng: newRand(seed), prefix: o.Prefix}
	if o.Memory {
		g.mem = &memory{}
	}
	g.program(o.Functions)
	return g.out.String()
}

// newRand returns the source of all choices for a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6367656e)) }

// ctype is an integer type.
type ctype struct {
	name   string
	bits   int // of its values; 1 for _Bool
	signed bool
}

// types are all integer types of the LP64 model.
var types = []ctype{
	{"_Bool", 1, false}, {"char", 8, true}, {"signed char", 8, true}, {"unsigned char", 8, false},
	{"short", 16, true}, {"unsigned short", 16, false}, {"int", 32, true}, {"unsigned", 32, false},
	{"long", 64, true}, {"unsigned long", 64, false}, {"long long", 64, true}, {"unsigned long long", 64, false},
	{"int", 32, true}, {"int", 32, true}, {"unsigned", 32, false},
}

// variable is a C variable in scope.
type variable struct {
	name   string
	typ    ctype
	global bool // functions may change it
	fixed  bool // a loop counter: not to be written
}

// fn is a function that can be called.
type fn struct {
	name   string
	result ctype
	params []ctype
	pure   bool     // touches no global and calls nothing
	fuel   bool     // its first parameter bounds its recursion
	memory []*mtype // parameters that are pointers, structs or unions, after the others
}

// generator makes one program.
type generator struct {
	rng    *rand.Rand
	prefix string
	out    strings.Builder // the program so far
	indent int

	vars   []variable // in scope, innermost last
	funcs  []fn       // defined so far
	self   *fn        // being generated
	labels int        // made so far; likewise names
	names  int
	loops  int // nesting depth of loops
	breaks int // nesting depth of loops and switches
	pure   bool
	mem    *memory // nil without Options.Memory
}

// n returns a random number below k.
func (g *generator) n(k int) int { return g.rng.IntN(k) }

// p is true with k chances in a hundred.
func (g *generator) p(k int) bool { return g.n(100) < k }

// size returns the number of statements of a body: at least low, and less than n more. Those of
// programs with memory are longer.
func (g *generator) size(low, n int) int {
	k := low + g.n(n)
	if g.mem != nil {
		k = (k + 1) / 2
	}
	return k
}

// typ returns a random integer type.
func (g *generator) typ() ctype { return types[g.n(len(types))] }

// pick returns a random element of list.
func pick[T any](g *generator, list []T) T { return list[g.n(len(list))] }

// line appends a line to the program, with the present indentation.
func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

// fresh returns a new name: the prefix, kind, which is mostly one letter, and a number.
func (g *generator) fresh(kind string) string {
	g.names++
	return fmt.Sprintf("%s%s%d", g.prefix, kind, g.names)
}

// program generates the types and globals, the functions, the first of them pure, and the entry.
// The variable fuel bounds the calls of all functions together, so that no program runs long.
func (g *generator) program(functions int) {
	g.line("enum %senum { %sA = -3, %sB, %sC = 70, %sD = 0x7fffffff };", g.prefix, g.prefix, g.prefix, g.prefix, g.prefix)
	g.line("unsigned long %ssum; int %sfuel = 400;", g.prefix, g.prefix)
	g.line("static void %sobserve(long v) { %ssum = %ssum * 31 + (unsigned long)v; }", g.prefix, g.prefix, g.prefix)
	for i := 2 + g.n(3); i > 0; i-- {
		// With an initialiser, or static and 0.
		v := variable{g.fresh("g"), g.typ(), true, false}
		if g.p(50) {
			g.line("%s %s = %s;", v.typ.name, v.name, g.constantExpr(2))
		} else {
			g.line("static %s %s;", v.typ.name, v.name)
		}
		g.vars = append(g.vars, v)
	}
	// Objects first: ordinary functions use them.
	if g.mem != nil {
		g.memoryGlobals()
	}
	for i := 0; i < functions; i++ {
		g.function(i == 0, nil)
	}
	if g.mem != nil {
		g.memoryFunctions()
	}
	g.entry()
}

// function generates a function and makes it callable. With sig it is one that the
// pointers of that signature may point to.
func (g *generator) function(pure bool, sig *signature) {
	f := fn{name: g.fresh("f")}
	if sig == nil {
		f.result, f.pure, f.fuel = g.typ(), pure, !pure && g.p(40)
	} else {
		f.name, f.result = sig.define(), sig.result
	}
	// Parameters and locals are in scope until the end of the function.
	scope, globals := len(g.vars), g.vars
	defer g.enterScope()()
	// A pure function sees its parameters and locals only.
	if pure {
		g.vars = nil
	}
	var params []string
	// The first parameter bounds the recursion of this function.
	if f.fuel {
		f.params = append(f.params, ctype{"int", 32, true})
		params = append(params, "int depth")
	}
	// 1. The parameters: those of the signature, or up to three random ones.
	var types []ctype
	if sig != nil {
		types = sig.params
	} else {
		for i := g.n(4); i > 0; i-- {
			types = append(types, ctype{})
		}
	}
	for _, t := range types {
		v := variable{g.fresh("a"), t, false, false}
		if sig == nil {
			v.typ = g.typ()
		}
		f.params = append(f.params, v.typ)
		params = append(params, v.typ.name+" "+v.name)
		g.vars = append(g.vars, v)
	}
	if g.mem != nil && !pure {
		params = append(params, g.memoryParams(&f, sig)...)
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	// 2. The head, and the bounds of calls and recursion.
	g.self, g.pure = &f, pure
	g.line("static %s %s(%s)", f.result.name, f.name, strings.Join(params, ", "))
	g.line("{")
	g.indent++
	if !pure {
		// An impure function ends at once when the program has called too many.
		g.line("if (--%sfuel < 0) return 1;", g.prefix)
	}
	if f.fuel {
		g.line("if (depth <= 0) return %s;", g.constantExpr(1))
	}
	// 3. Perhaps a static local; statements, and a return.
	if g.p(40) && !pure {
		v := variable{g.fresh("s"), g.typ(), true, false}
		g.line("static %s %s = %s;", v.typ.name, v.name, g.constantExpr(1))
		g.vars = append(g.vars, v)
	}
	g.body(g.size(3, 5))
	g.returnStatement()
	g.indent--
	g.line("}")
	g.vars = globals[:scope]
	g.self, g.pure = nil, false
	// Functions that follow can call it.
	g.funcs = append(g.funcs, f)
}

// returnStatement generates a return of a local variable or of a full expression.
func (g *generator) returnStatement() {
	if locals := g.locals(); g.p(30) && len(locals) > 0 {
		g.line("return %s;", pick(g, locals).name)
		return
	}
	g.line("return %s;", g.full(3))
}

// locals returns the automatic variables in scope.
func (g *generator) locals() (list []variable) {
	for _, v := range g.vars {
		if !v.global && !v.isPool() {
			list = append(list, v)
		}
	}
	return list
}

// entry generates the function that executes the program: statements, and then an observation of
// all objects and globals.
func (g *generator) entry() {
	g.line("void %smain(void)", g.prefix)
	g.line("{")
	g.indent++
	leave := g.enterScope()
	scope := len(g.vars)
	g.body(g.size(10, 8))
	// Observe all that the statements may have changed.
	g.dumpObjects()
	leave()
	g.vars = g.vars[:scope]
	for _, v := range g.vars {
		if !v.isPool() {
			g.line("%sobserve(%s);", g.prefix, v.name)
		}
	}
	g.indent--
	g.line("}")
}

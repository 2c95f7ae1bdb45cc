package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// This file generates random programs whose properties are worth deciding: a few
// variables of all widths that take few values, conditions that come back in other
// places and as assertions, calls whose results and side effects matter, inputs.
// Package cgen's programs, which are for the comparison with gcc, compute too much to
// be proved anything of.
//
// The assertions of a program are calls of macros A1, A2, …, so that a variant with
// one of them alone is made by a few lines in front.

// generated is a random program.
type generated struct {
	text    string
	asserts int
	preds   string
}

// variant is the program with assertion k alone, or with no assertion for k = 0. In
// half of the variants a failing assertion is a label ERROR that is reached.
func (g *generated) variant(k int, label bool) string {
	var b strings.Builder
	for i := 1; i <= g.asserts; i++ {
		switch {
		case i != k:
			fmt.Fprintf(&b, "#define A%d(e) ((void)0)\n", i)
		case label:
			fmt.Fprintf(&b, "#define A%d(e) do { if (!(e)) goto ERROR; } while (0)\n", i)
		default:
			fmt.Fprintf(&b, "#define A%d(e) assert(e)\n", i)
		}
	}
	return b.String() + g.text
}

// genType is an integer type.
type genType struct{ name, input string }

var genTypes = []genType{
	{"int", "int"}, {"int", "int"}, {"int", "int"}, {"int", "int"}, {"unsigned", "uint"},
	{"unsigned char", "uchar"}, {"signed char", "char"}, {"short", "short"}, {"unsigned short", "ushort"},
	{"long", "long"}, {"unsigned long", "ulong"}, {"_Bool", "bool"},
}

type genVar struct {
	name string
	genType
	local bool
}

type genFn struct {
	name   string
	void   bool
	result genType
	params []genVar
	fuel   bool // the first parameter bounds the recursion
}

// atom is a comparison: a condition, and a candidate for a predicate.
type atom struct {
	text  string
	local bool // mentions a local variable
}

type gen struct {
	rng    *rand.Rand
	out    strings.Builder
	indent int

	globals, locals []genVar
	counters        int
	fns             []*genFn
	self            *genFn
	labels, asserts int

	atoms    map[string][]atom   // by function, "" for those over globals alone
	others   map[string][]string // further candidates by function: 'x, \result
	first    map[string]bool     // atoms of assertions: wanted as predicates
	shadowed map[string][]string // by function, the globals that a block hides
}

func newGen(seed uint64) *gen {
	return &gen{
		rng:   rand.New(rand.NewPCG(seed, 0x653265)),
		atoms: map[string][]atom{}, others: map[string][]string{}, first: map[string]bool{}, shadowed: map[string][]string{},
	}
}

// generateProgram returns the program of a seed.
func generateProgram(seed uint64) *generated {
	g := newGen(seed)
	g.program()
	return &generated{text: g.out.String(), asserts: g.asserts, preds: g.predicates()}
}

func (g *gen) n(k int) int        { return g.rng.IntN(k) }
func (g *gen) p(percent int) bool { return g.n(100) < percent }

func pickOne[T any](g *gen, list ...T) T { return list[g.n(len(list))] }

func (g *gen) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("    ", g.indent))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

func (g *gen) program() {
	g.line("extern void assert(int);")
	g.line("extern void __VERIFIER_assume(int);")
	for i, t := range genTypes {
		if i == 0 || t.name != genTypes[i-1].name {
			g.line("extern %s __VERIFIER_nondet_%s(void);", t.name, t.input)
		}
	}
	for i := range 2 + g.n(2) {
		v := genVar{name: fmt.Sprintf("g%d", i), genType: pickOne(g, genTypes...)}
		g.line("%s%s %s = %s;", pickOne(g, "", "static "), v.name2(), v.name, g.constant())
		g.globals = append(g.globals, v)
	}
	for i := range 1 + g.n(3) {
		g.function(&genFn{name: fmt.Sprintf("f%d", i), void: g.p(20), result: pickOne(g, genTypes...), fuel: g.p(30)})
	}
	g.function(&genFn{name: "main", result: genTypes[0]})
}

// name2 is the spelling of v's type.
func (v genVar) name2() string { return v.genType.name }

func (g *gen) function(f *genFn) {
	g.self, g.locals = f, nil
	var params []string
	if f.fuel {
		params = append(params, "int d")
	}
	if f.name != "main" {
		for i := range g.n(3) {
			v := genVar{fmt.Sprintf("a%d", i), pickOne(g, genTypes...), true}
			f.params = append(f.params, v)
			params = append(params, v.name2()+" "+v.name)
			g.locals = append(g.locals, v)
		}
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	result := f.result.name
	if f.void {
		result = "void"
	}
	if f.fuel { // it may call itself
		g.fns = append(g.fns, f)
	}
	g.line("%s %s(%s)\n{", result, f.name, strings.Join(params, ", "))
	g.indent++
	g.declarations()
	if f.name == "main" {
		for _, v := range g.globals {
			if g.p(50) {
				g.line("%s = %s();", v.name, g.input(v))
			}
		}
		for range g.fns {
			g.callStatement(g.variable())
		}
	}
	g.body(3 + g.n(5))
	g.returns()
	g.indent--
	g.line("}")
	if !f.fuel {
		g.fns = append(g.fns, f)
	}
	g.entryValues(f)
}

func (g *gen) declarations() {
	for i := range 1 + g.n(3) {
		v := genVar{fmt.Sprintf("x%d", i), pickOne(g, genTypes...), true}
		switch {
		case g.p(15):
			g.line("%s %s;", v.name2(), v.name)
		case g.p(10):
			g.line("static %s %s = %s;", v.name2(), v.name, g.constant())
			g.shadowed[g.self.name] = append(g.shadowed[g.self.name], v.name) // predicates would write f::x
		case g.p(30):
			g.line("%s %s = %s();", v.name2(), v.name, g.input(v))
		default:
			g.line("%s %s = %s;", v.name2(), v.name, g.expr(1))
		}
		g.locals = append(g.locals, v)
	}
}

// returns ends a function. The label ERROR is reached by goto alone.
func (g *gen) returns() {
	value := ""
	if !g.self.void {
		value = " " + g.expr(1)
		if g.p(60) {
			value = " " + pickOne(g, g.leaf(), g.variable().name)
		}
		if g.p(40) { // often no value of the type that it is stored in
			c := pickOne(g, "255", "256", "300", "-1", "-1", "-128", "65535", "2")
			value = " " + c
			g.others[g.self.name] = append(g.others[g.self.name], `\result == `+c)
		}
	}
	g.line("return%s;", value)
	g.line("ERROR: return%s;", value)
}

// entryValues adds candidates that speak of the values on entry and of the result.
func (g *gen) entryValues(f *genFn) {
	add := func(format string, args ...any) {
		g.others[f.name] = append(g.others[f.name], fmt.Sprintf(format, args...))
	}
	for _, v := range f.params {
		if g.p(60) {
			add("%s == '%s", v.name, v.name)
		}
		if !f.void && g.p(60) {
			add(`\result == '%s`, v.name)
		}
	}
	if !f.void {
		add(`\result %s %s`, pickOne(g, "==", "==", "<", ">="), g.constant())
		add(`\result == %s`, pickOne(g, g.globals...).name)
	}
	if g.p(40) {
		v := pickOne(g, g.globals...)
		add("%s == '%s", v.name, v.name)
		add("%s == '%s + 1", v.name, v.name)
	}
}

// predicates chooses among the candidates, those of assertions first.
func (g *gen) predicates() string {
	var b strings.Builder
	choose := func(scope string, limit int) {
		var list []string
		for _, a := range g.atoms[scope] {
			list = append(list, a.text)
		}
		list = append(list, g.others[scope]...)
		g.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		slices.SortStableFunc(list, func(x, y string) int {
			switch {
			case g.first[x] == g.first[y]:
				return 0
			case g.first[x]:
				return -1
			}
			return 1
		})
		var kept []string
		for _, p := range list {
			if len(kept) < limit && !slices.Contains(kept, p) && !g.hides(scope, p) {
				kept = append(kept, p)
			}
		}
		header := scope
		if scope == "" {
			header = "global"
		}
		if len(kept) > 0 {
			fmt.Fprintf(&b, "%s:\n    %s\n", header, strings.Join(kept, ",\n    "))
		}
	}
	choose("", 4)
	for _, f := range g.fns {
		choose(f.name, 5)
	}
	return b.String()
}

// hides reports whether predicate p is ambiguous in a function, where a block hides
// one of its names.
func (g *gen) hides(scope, p string) bool {
	for _, name := range g.shadowed[scope] {
		if regexp.MustCompile(`\b` + name + `\b`).MatchString(p) {
			return true
		}
	}
	return false
}

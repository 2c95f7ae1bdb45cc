package wide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Program is a small C program whose runs can be enumerated.
type Program struct {
	Seed    uint64
	Classes []string // that its parts are of, sorted
	Forms   []string // likewise, with the form of the part: "carriers/double"
	Inputs  int      // each is 0, 1, 2 or 3
	Checks  []Check
	Lines   bool     // each statement of the program that is audited follows a #line
	Flags   Flags    // how it is to be read
	units   []unit   // translation units
	globals []string // names of file scope, which are renamed for the runs
	leaves  bool     // calls of functions that it does not define
	setup   string   // of the driver, before the entry is called
	driver  string   // C text for the runs alone: what the program leaves undefined
	call    string   // of the entry, for the runs: "main()"
}

// Flags say how a program is to be audited.
type Flags struct {
	Entry  string // the function where it starts; "" is main
	Open   bool   // globals have arbitrary values at the start
	Bits32 bool   // int, long and pointers of 32 bits
}

// unit is one translation unit.
type unit struct {
	includes []string
	text     string
}

// A Check is a place in a program where an expression is observed.
type Check struct {
	Allowed []int64 // values that C allows, whether or not a compiler has chosen them
	// Under is a part of the assumption that has to be printed with what is said of this
	// check, if it excludes some of the values; "" if nothing may.
	Under string
	// Known says that other files can know the object by name, and change it when they are
	// called: nothing is asserted of it if they are.
	Known bool
}

// Runs returns the number of runs there are.
func (p *Program) Runs() int { return 1 << (2 * p.Inputs) }

// Classes lists the names of all classes.
func Classes() (list []string) {
	for _, c := range classes {
		list = append(list, c.name)
	}
	return list
}

// class is a set of constructs that are likely to go wrong for one reason.
type class struct {
	name  string
	forms []form
}

// form is one kind of part.
type form struct {
	name  string
	write func(*generator)
}

// classes are all classes; the last four depend on the environment.
var classes = []class{
	carriers, integers, initialisers, stringsClass, blocks, empties, volatiles, floating, structs, control, files,
	callbacks, externals, arguments, entries,
}

// only64 are forms that need pointers of 64 bits, or that the coprocessor's registers, which
// gcc takes for floating point in 32-bit code, do not carry the bits of a pointer through.
var only64 = set("carriers/int128", "carriers/int128-shifted", "carriers/words-int128", "carriers/function-int128",
	"carriers/union-double", "carriers/union-double-variable", "carriers/union-floats", "carriers/complex-float",
	"carriers/double-lvalue", "carriers/float-lvalues", "carriers/memcpy-double", "carriers/words-double",
	"carriers/words-complex", "carriers/copier", "carriers/function-double", "carriers/function-union",
	"carriers/function-words", "carriers/vector-lvalue", "carriers/vector-union", "carriers/vector-lane",
	"integers/halves", "integers/bytes", "integers/bits", "integers/bits-table", "integers/guess-twice", "integers/product")

// set returns the set of names.
func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// Options restrict the parts of programs.
type Options struct {
	Classes []string // of parts; all if there are none
	Form    string   // of parts; "" is any
	Parts   int      // their number; 0 is two or three
	Bits32  bool     // int, long and pointers of 32 bits
}

// Generate returns the program that seed stands for.
func Generate(seed uint64, o Options) *Program {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 0x77696465)), program: &Program{Seed: seed, Inputs: 2, call: "main()"}, use: o.Classes, form: o.Form, wanted: o.Parts}
	if len(g.use) == 0 {
		g.use = Classes()
	}
	g.program.Flags.Bits32 = o.Bits32
	g.surroundings()
	p := g.program
	slices.Sort(p.Classes)
	p.Classes = slices.Compact(p.Classes)
	// Some programs repeat one line number, so that nothing can depend on lines being
	// different.
	p.Lines = g.p(12)
	includes := append([]string{"assert.h"}, g.includes...)
	p.units = []unit{{includes, "extern int __VERIFIER_nondet_int(void);\nextern long __VERIFIER_nondet_long(void);\n" + g.decls[0].String()}}
	if g.decls[1].Len() > 0 {
		p.units = append(p.units, unit{includes, g.decls[1].String()})
	}
	return p
}

// local lists the classes whose parts do not depend on the initial values of global variables, which are
// arbitrary if another function than main is the entry.
var local = []string{"entries", "carriers", "integers", "blocks", "floating"}

// surroundings writes the function where the program starts, which is main with or without
// arguments, or another.
func (g *generator) surroundings() {
	p := g.program
	// Parts about arguments of main or of an entry need their own surroundings.
	head, without := "int main(void)", []string{"arguments", "entries"}
	// chosen reports whether the surroundings are for a class: if it is the only one, or sometimes.
	chosen := func(class string, chance int) bool {
		return slices.Contains(g.use, class) && (len(g.use) == 1 || g.p(chance))
	}
	switch {
	case chosen("entries", 12):
		head, without = "int entry(int in1, int in2, int *pa, int *pb)", without[:1]
		// The third input chooses the pointees of pa and pb, the fourth the values of
		// globals.
		p.Inputs, p.call = 4, "wide_entry()"
		p.Flags.Entry, p.Flags.Open = "entry", g.p(50)
		p.globals = append(p.globals, "entry", "wide_entry")
	case chosen("arguments", 15):
		head, without = "int main(int argc, char **argv)", without[1:]
		p.Inputs, p.call, p.driver = 3, "wide_main()", argumentsDriver
		p.globals = append(p.globals, "main", "wide_main")
	default:
		p.globals = append(p.globals, "main")
	}
	// Leave out the classes that do not fit: all but those that need no initial values, if
	// another function than main is the entry.
	g.use = slices.DeleteFunc(slices.Clone(g.use), func(c string) bool {
		return slices.Contains(without, c) || p.Flags.Entry != "" && !slices.Contains(local, c)
	})
	g.inputs = []string{g.fresh("in"), g.fresh("in")}
	// The inputs come from outside, and are bounded: all runs can be enumerated.
	g.function(head, func() {
		for _, in := range g.inputs {
			if p.Flags.Entry == "" {
				g.line("int %s = __VERIFIER_nondet_int();", in)
			}
			g.line("if (%s < 0 || %s > 3) return 0;", in, in)
			g.keep(in)
		}
		if p.Flags.Entry != "" {
			g.line("if (!pa || !pb) return 0;")
		}
		// Two or three parts, or as many as wanted.
		n := 2 + g.n(2)
		if g.wanted > 0 {
			n = g.wanted
		}
		if i := slices.IndexFunc(g.use, func(c string) bool { return c == "entries" || c == "arguments" }); i >= 0 && g.p(70) {
			n-- // what the surroundings are for
			g.part(g.use[i])
		}
		g.parts(n)
		g.line("return 0;")
	})
	if p.Flags.Entry != "" {
		p.driver += p.entryDriver()
	}
}

// parts writes n parts, of any class.
func (g *generator) parts(n int) {
	for range n {
		g.part(pick(g, g.use...))
	}
}

// part writes a part of a class, perhaps under a condition or in a loop.
func (g *generator) part(name string) {
	c := classes[slices.IndexFunc(classes, func(c class) bool { return c.name == name })]
	f := pick(g, c.forms...)
	// Draw again while the form does not work in 32 bits.
	for g.program.Flags.Bits32 && only64[c.name+"/"+f.name] {
		f = pick(g, c.forms...)
	}
	if i := slices.IndexFunc(c.forms, func(f form) bool { return f.name == g.form }); i >= 0 {
		f = c.forms[i]
	}
	g.program.Classes = append(g.program.Classes, c.name)
	g.program.Forms = append(g.program.Forms, c.name+"/"+f.name)
	switch {
	// Under a condition, or in both rounds of a loop, whose counter is one more value.
	case g.depth < 2 && g.p(12):
		g.block("if ("+g.condition()+") ", func() { f.write(g) })
	case g.depth < 2 && g.p(6):
		i := g.fresh("i")
		g.block(fmt.Sprintf("for (int %s = 0; %s < 2; %s++) ", i, i, i), func() {
			g.keep(i)
			f.write(g)
		})
	default:
		f.write(g)
	}
}

// File is a C file.
type File struct {
	Name, Text string
	Checks     map[int]int // by line, the check whose assertion is there
}

// Files returns the program with assertions in place of checks: assertions[k] is a condition with %s for
// the value that check k observes; "" is no assertion.
func (p *Program) Files(assertions []string) (list []File) {
	// The files are a.c and, if there is a second unit, b.c.
	for i, u := range p.units {
		var b strings.Builder
		checks := map[int]int{}
		for _, h := range u.includes {
			fmt.Fprintf(&b, "#include <%s>\n", h)
		}
		for line := range strings.Lines(u.text) {
			b.WriteString(p.render(line, assertions))
			if k, _, ok := parseCheck(strings.TrimLeft(line, " ")); ok {
				// The line of the assertion is the one that was just written.
				checks[strings.Count(b.String(), "\n")] = k
			}
		}
		list = append(list, File{fmt.Sprintf("%c.c", 'a'+i), b.String(), checks})
	}
	return list
}

// render returns a line of the program that is audited.
func (p *Program) render(line string, assertions []string) string {
	code := strings.TrimLeft(line, " ")
	space := line[:len(line)-len(code)]
	if k, e, ok := parseCheck(code); ok {
		if assertions[k] == "" {
			return ""
		}
		// The value occurs twice in the assertion: keep it in a variable.
		if strings.Count(assertions[k], "%s") > 1 {
			code = fmt.Sprintf("{ long o = %s; assert(%s); }\n", e, strings.ReplaceAll(assertions[k], "%s", "o"))
		} else {
			code = fmt.Sprintf("assert(%s);\n", fmt.Sprintf(assertions[k], "("+e+")"))
		}
	}
	// In the audited program a guess is any number, and a function has its own name.
	code = guesses.ReplaceAllString(code, "__VERIFIER_nondet_long()")
	code = functionNames.ReplaceAllString(code, "__func__")
	// Statements are indented, declarations at file scope are not.
	if p.Lines && space != "" {
		return "#line 1 \"l.c\"\n" + space + code
	}
	return space + code
}

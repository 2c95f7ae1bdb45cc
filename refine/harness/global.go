package harness

import (
	"fmt"
	"math/big"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/stubs"
)

// This file decides which functions the harness defines, and writes variables and the start of the
// program.

// reserved has the functions that the harness itself calls, and exit, which it must not replace.
var reserved = map[string]bool{"dprintf": true, "_Exit": true, "main": true, "exit": true}

// environment has the library functions that the harness defines although they have models: their
// results depend on more than their arguments, or they return memory that another function takes.
var environment = map[string]bool{
	"malloc": true, "calloc": true, "realloc": true, "reallocarray": true, "aligned_alloc": true, "memalign": true, "valloc": true,
	"posix_memalign": true, "free": true, "rand": true, "random": true, "getchar": true, "fgetc": true, "getc": true,
	"getenv": true, "time": true, "read": true, "fgets": true, "fread": true,
}

// byLibrary reports whether the compiler or its library supplies f, which has a model.
func byLibrary(f *core.Proc) bool {
	return strings.HasPrefix(f.CName, "__builtin_") || stubs.Names()[f.CName] && !environment[f.CName]
}

// isIdentifier reports whether name can be defined in C. The stand-in for functions that a pointer
// from outside points to has another name.
func isIdentifier(name string) bool {
	for _, c := range []byte(name) {
		if !isWord(c) {
			return false
		}
	}
	return name != ""
}

// nameOf returns the name of f for people.
func nameOf(f *core.Proc) string {
	if !isIdentifier(f.CName) {
		return "an unknown function, called through a pointer,"
	}
	return f.CName
}

// byLibraryAlone reports whether the compiler or its library supplies f, which has no model:
// functions that compute, and threads.
func byLibraryAlone(f *core.Proc) bool {
	if f.Computes || strings.HasPrefix(f.CName, "__builtin_") || reserved[f.CName] || !isIdentifier(f.CName) {
		return true
	}
	switch t := f.RetType.(type) {
	case core.Opaque:
		return stubs.Names()[f.CName]
	case core.Int:
		if t.Float {
			return stubs.Names()[f.CName]
		}
	}
	return strings.HasPrefix(f.CName, "pthread_")
}

// undefined lists the functions of the program that the harness defines, in the order of their
// first use: those whose results are choices of nodes, those with models, those without a body.
// modelled contains those with models.
func (w *writer) undefined() (list []*core.Proc, modelled map[*core.Proc]bool) {
	// Several procedures of one C function count once.
	seen := map[string]bool{}
	modelled = map[*core.Proc]bool{}
	add := func(f *core.Proc, supplied bool) {
		if !seen[f.CName] && !supplied {
			list = append(list, f)
		}
		seen[f.CName] = true
	}
	// 1. Functions with nodes in the core program.
	for _, f := range w.rec.Program.Procs {
		for _, n := range f.Nodes {
			if n.Input != nil && !n.Input.Assembly {
				add(n.Input, byLibraryAlone(n.Input))
			}
			if n.Model != nil {
				modelled[n.Model.Func] = true
				add(n.Model.Func, byLibrary(n.Model.Func))
			}
		}
	}
	// 2. Functions without bodies.
	for _, f := range w.rec.Program.Procs {
		if !f.HasBody() && !f.Assembly {
			add(f, byLibraryAlone(f) && !w.rec.supplied(f))
		}
	}
	return list, modelled
}

// start writes the function main if the program starts elsewhere.
//
//	extern int handle(void *a1, short a2);
//
//	/* The run starts at handle. */
//	int main(void)
//	{
//		handle(c2bp_environment1, 10020);
//		return 0;
//	}
func (w *writer) start() {
	f := EntryFunction(w.rec.Program)
	if f.CName == "main" {
		return
	}
	// 1. The program's own main, if any, is renamed.
	w.harness.defines = append(w.harness.defines, "main="+mainName)
	// 2. The arguments that the run has chosen.
	var args []string
	for _, v := range f.Formals {
		x := w.rec.arguments[v]
		args = append(args, constant(x, v.Type, w.outside(x)))
	}
	call := fmt.Sprintf("%s(%s)", f.CName, strings.Join(args, ", "))
	// 3. A static entry function is called from a copy of its file.
	if w.harness.placeStart(f, call, w.rec.outsideDeclarations()) {
		call = startName + "()"
		w.printf("\nextern void %s(void);\n", startName)
	} else {
		w.printf("\nextern %s(%s);\n", declaration(f.RetType, f.CName), parameters(f, false))
	}
	w.printf("\n/* The run starts at %s. */\nint main(void)\n{\n\t%s;\n\treturn 0;\n}\n", f.CName, call)
}

// outside returns the place of x in memory that the program does not define, or a number.
func (w *writer) outside(x *big.Int) place {
	for _, l := range w.rec.outside {
		if o := l.object; l.seen && x != nil && x.IsUint64() && x.Uint64()-o.Start() <= uint64(o.Size()) {
			return l.at(x)
		}
	}
	return place{}
}

// variables writes the variables that the program only declares, and memory outside of the program.
//
//	__attribute__((weak)) int ready = 2;
//
//	__attribute__((weak, aligned(16))) unsigned char table[256] = { [8] = 5 };
func (w *writer) variables() {
	for _, g := range w.rec.Program.Globals {
		// Variables of the C library are defined there.
		if !g.Foreign || stubs.Names()[g.Name] {
			continue
		}
		// A scalar has its first value; other objects are bytes, 256 at least, since their sizes
		// may be unknown.
		if v, ok := w.rec.foreign[g]; ok {
			at := place{}
			if _, pointer := g.Type.(core.Ptr); pointer {
				at = w.outside(v)
			}
			w.printf("\n%s%s = %s;\n", weak, declaration(g.Type, g.Name), constant(v, g.Type, at))
			continue
		}
		w.printf("\n__attribute__((weak, aligned(16))) unsigned char %s[%d]%s;\n", g.Name, max(core.Bytes(g.Type), 256), w.rec.images[g].initialiser())
	}
	// Memory outside of the program, as far as the run has used it.
	first := true
	for _, l := range w.rec.outside {
		if !l.seen {
			continue
		}
		if first {
			w.printf("\n/* Memory that the program does not define. */\n")
			first = false
		}
		l.define(w)
	}
	w.addresses()
}

// addresses writes code that stores addresses of memory outside of the program in objects before
// the program starts: bytes cannot be initialised by them.
//
//	__attribute__((constructor(101))) static void c2bp_addresses(void)
//	{
//		*(void **)(c2bp_memory1 + 8) = c2bp_environment1;
//	}
func (w *writer) addresses() {
	var lines []string
	store := func(name string, img *image) {
		for _, off := range img.addresses() {
			lines = append(lines, fmt.Sprintf("\t*(void **)(%s + %d) = %s;\n", name, off, img.pointers[off]))
		}
	}
	for _, g := range w.rec.Program.Globals {
		if g.Foreign && w.rec.foreign[g] == nil && !stubs.Names()[g.Name] {
			store(g.Name, w.rec.images[g])
		}
	}
	for i, o := range w.rec.objects {
		store(place{base: made, index: i}.String(), o.image)
	}
	for _, l := range w.rec.outside {
		if l.seen {
			store(l.name, l.image.part(l.from, l.to))
		}
	}
	if len(lines) > 0 {
		w.printf("\n__attribute__((constructor(101))) static void c2bp_addresses(void)\n{\n%s}\n", strings.Join(lines, ""))
	}
}

package harness

import (
	"fmt"
	"math/big"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/stubs"
)

// This file decides what the harness defines, and writes variables and the start.

// reserved are functions that the harness itself calls.
var reserved = map[string]bool{"dprintf": true, "_Exit": true, "main": true}

// environment are functions of the library that the harness defines although a model
// stands for them: their results depend on more than their arguments, or memory that one
// of them returns is given to another.
var environment = map[string]bool{
	"malloc": true, "calloc": true, "realloc": true, "reallocarray": true, "aligned_alloc": true, "memalign": true, "valloc": true,
	"posix_memalign": true, "free": true, "rand": true, "random": true, "getchar": true, "fgetc": true, "getc": true,
	"getenv": true, "time": true, "read": true, "fgets": true, "fread": true,
}

// byLibrary reports whether the compiler or its library supplies f, for which a model
// stands.
func byLibrary(f *core.Proc) bool {
	return strings.HasPrefix(f.CName, "__builtin_") || stubs.Names()[f.CName] && !environment[f.CName]
}

// isIdentifier reports whether name can be defined in C: it is no stand-in for functions
// that a pointer from outside leads to.
func isIdentifier(name string) bool {
	for _, c := range []byte(name) {
		if !isWord(c) {
			return false
		}
	}
	return name != ""
}

// nameOf is f for people.
func nameOf(f *core.Proc) string {
	if !isIdentifier(f.CName) {
		return "an unknown function, called through a pointer,"
	}
	return f.CName
}

// byLibraryAlone reports whether f, which has no model, is not for the harness to define:
// the compiler or its library supplies what returns floating-point numbers, and threads.
func byLibraryAlone(f *core.Proc) bool {
	if strings.HasPrefix(f.CName, "__builtin_") || reserved[f.CName] || !isIdentifier(f.CName) {
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
// first use: those whose results nodes choose, those with models, those without a body.
// modelled holds those with models.
func (w *writer) undefined() (list []*core.Proc, modelled map[*core.Proc]bool) {
	seen := map[string]bool{}
	modelled = map[*core.Proc]bool{}
	add := func(f *core.Proc, supplied bool) {
		if !seen[f.CName] && !supplied {
			list = append(list, f)
		}
		seen[f.CName] = true
	}
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
	for _, f := range w.rec.Program.Procs {
		if !f.HasBody() && !f.Assembly {
			add(f, byLibraryAlone(f) && !w.rec.supplied(f))
		}
	}
	return list, modelled
}

// start writes the function main if the program starts elsewhere.
func (w *writer) start() {
	f := EntryFunction(w.rec.Program)
	if f.CName == "main" {
		return
	}
	w.harness.defines = append(w.harness.defines, "main="+mainName)
	var args []string
	for _, v := range f.Formals {
		x := w.rec.arguments[v]
		args = append(args, constant(x, v.Type, w.outside(x)))
	}
	call := fmt.Sprintf("%s(%s)", f.CName, strings.Join(args, ", "))
	if w.harness.placeStart(f, call, w.rec.outsideDeclarations()) {
		call = startName + "()"
		w.printf("\nextern void %s(void);\n", startName)
	} else {
		w.printf("\nextern %s(%s);\n", declaration(f.RetType, f.CName), parameters(f, false))
	}
	w.printf("\n/* The run starts at %s. */\nint main(void)\n{\n\t%s;\n\treturn 0;\n}\n", f.CName, call)
}

// outside is where x leads in memory that the program does not define, or a number.
func (w *writer) outside(x *big.Int) place {
	for _, l := range w.rec.outside {
		if o := l.object; l.seen && x != nil && x.IsUint64() && x.Uint64()-o.Start() <= uint64(o.Size()) {
			return l.at(x)
		}
	}
	return place{}
}

// variables writes what the program only declares, and memory outside of it.
func (w *writer) variables() {
	for _, g := range w.rec.Program.Globals {
		if !g.Foreign || stubs.Names()[g.Name] {
			continue
		}
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

// addresses stores the addresses of memory outside of the program in objects, before the
// program starts: bytes cannot be initialised by them.
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

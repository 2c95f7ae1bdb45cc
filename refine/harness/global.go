package harness

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"c2bp/frontend/core"
	"c2bp/frontend/stubs"
)

// This file decides what the harness defines, and writes variables and the start.

// reserved are functions that the harness itself calls.
var reserved = map[string]bool{"dprintf": true, "_Exit": true, "main": true}

// libraryNames are the identifiers in the headers of the C library.
var libraryNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	// The headers are part of the program: reading them does not fail.
	_ = fs.WalkDir(stubs.Include, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := stubs.Include.ReadFile(path)
		for t := range tokens(text) {
			names[t.text] = true
		}
		return err
	})
	return names
})

// undefined lists the functions of p that the harness defines: those without a body, and
// those whose results nodes choose, in the order of their first use.
func undefined(p *core.Program) (list []*core.Proc) {
	seen := map[string]bool{}
	add := func(f *core.Proc) {
		if !seen[f.CName] && !supplied(f) {
			list = append(list, f)
		}
		seen[f.CName] = true
	}
	for _, f := range p.Procs {
		for _, n := range f.Nodes {
			if n.Input != nil {
				add(n.Input)
			}
		}
	}
	for _, f := range p.Procs {
		if !f.HasBody() {
			add(f)
		}
	}
	return list
}

// supplied reports whether f comes from the compiler or its library, so that the harness
// does not define it.
func supplied(f *core.Proc) bool {
	if strings.HasPrefix(f.CName, "__builtin_") || reserved[f.CName] {
		return true
	}
	switch f.RetType.(type) {
	case core.Int, core.Ptr, core.Void:
	default:
		return libraryNames()[f.CName]
	}
	return strings.HasPrefix(f.CName, "pthread_")
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
		inside := false
		if o := w.rec.outside; o != nil && x != nil && x.IsUint64() {
			off := x.Uint64() - o.Start()
			inside = x.Uint64() >= o.Start() && off <= uint64(o.Size())
		}
		args = append(args, constant(x, v.Type, w.outside(inside)))
	}
	call := fmt.Sprintf("%s(%s)", f.CName, strings.Join(args, ", "))
	if w.harness.placeStart(f, call, w.rec.outside != nil) {
		call = startName + "()"
		w.printf("\nextern void %s(void);\n", startName)
	} else {
		w.printf("\nextern %s(%s);\n", declaration(f.RetType, f.CName), parameters(f))
	}
	w.printf("\n/* The run starts at %s. */\nint main(void)\n{\n\t%s;\n\treturn 0;\n}\n", f.CName, call)
}

// variables writes what the program only declares, and memory outside of it.
func (w *writer) variables() {
	for _, g := range w.rec.Program.Globals {
		if !g.Foreign || libraryNames()[g.Name] {
			continue
		}
		if v, ok := w.rec.foreign[g]; ok {
			w.printf("\n%s%s = %s;\n", weak, declaration(g.Type, g.Name), constant(v, g.Type, nil))
			continue
		}
		w.printf("\n__attribute__((weak, aligned(16))) unsigned char %s[%d]%s;\n", g.Name, max(core.Bytes(g.Type), 256), w.image(g))
	}
	if w.rec.outside != nil {
		w.printf("\n/* Memory that the program does not define. */\n__attribute__((aligned(16))) unsigned char c2bp_outside[256]%s;\n", w.image(nil))
	}
}

// image is the initialiser of the memory of g, or of what the program does not define.
func (w *writer) image(g *core.Var) string {
	for o, bytes := range w.rec.images {
		if o.Var() != g {
			continue
		}
		var list []string
		for i, b := range bytes {
			if b.known && b.value != 0 {
				list = append(list, fmt.Sprintf("[%d] = %d", i, b.value))
			}
		}
		if len(list) > 0 {
			return " = { " + strings.Join(list, ", ") + " }"
		}
	}
	return ""
}

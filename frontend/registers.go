package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds the functions of headers that read and write registers of devices by assembly. Their models
// stand for them: a register is in no object of the program, and reading it is an input. Assembly would be one
// of its outputs that nobody can supply, and a write through a pointer to anything.
//
//	static inline unsigned readl(const volatile void *at)
//	{ unsigned x; asm volatile("movl %1, %0" : "=r" (x) : "m" (*(volatile unsigned *)at) : "memory"); return x; }

// registerFunctions are those that have such models. The last ones are what readl_relaxed and the like are defined as.
var registerFunctions = []string{
	"readb", "readw", "readl", "readq", "writeb", "writew", "writel", "writeq",
	"__readb", "__readw", "__readl", "__readq", "__writeb", "__writew", "__writel", "__writeq",
}

// dropModelledBodies takes the bodies from functions of headers for which models stand: accesses of registers, and
// allocators.
func (l *program) dropModelledBodies() {
	if l.opts.NoModels {
		return
	}
	// All are found before the first body goes, since some call others.
	dropped := map[*function]bool{}
	for _, f := range l.defined {
		if l.isGiven(f.pos.File) {
			continue
		}
		dropped[f] = slices.Contains(registerFunctions, f.name) && hasAssembly(f.def) || l.isHeaderAllocator(f)
	}
	l.defined = slices.DeleteFunc(l.defined, func(f *function) bool {
		if dropped[f] {
			f.def = nil
		}
		return dropped[f]
	})
}

// isGiven reports whether file is one of the C files of the program, not a header.
func (l *sources) isGiven(file string) bool {
	return slices.ContainsFunc(l.tus, func(tu *translationUnit) bool { return tu.file.Name == file })
}

// hasAssembly reports whether n has an assembly statement.
func hasAssembly(n cc.Node) (yes bool) {
	ctree.Walk(n, func(n cc.Node) bool {
		_, is := n.(*cc.AsmStatement)
		yes = yes || is
		return !yes
	})
	return yes
}

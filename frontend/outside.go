package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file handles names to which other files or the linker give a meaning.
//
//	weak declarations    the function or object may be missing: its address is null or not
//	weak definitions     may give way to a definition outside: in the ledger
//	inline definitions   may be used instead of the external one: in the ledger
//	several names        may denote one object for the linker, as __start_s denotes the section s,
//	                     and environ denotes __environ: in the ledger

// isWeak reports whether d is declared weak, by an attribute or #pragma weak.
func (l *sources) isWeak(d *cc.Declarator) bool {
	a := d.Type().Attributes()
	return a != nil && a.Weak() || ctree.HasAttribute(a, "weakref") || l.Weak[d.Name()]
}

// perhapsMissing returns the address x. If it is in a variable that is declared weak and that the program
// does not define, the address of the variable may also be null.
func (b *frame) perhapsMissing(x core.Expr) core.Expr {
	v := objectOf(x)
	if v == nil || !v.Foreign || !b.weakVars[v] {
		return x
	}
	return rebased(x, b.perhapsNull(b.addressOf(v)).expr)
}

// rebased returns the address x in a variable, with base instead of the address of the variable.
func rebased(x, base core.Expr) core.Expr {
	switch a := x.(type) {
	case *core.Offset:
		return &core.Offset{X: rebased(a.X, base), Off: a.Off, Field: a.Field, Of: a.Of, Member: a.Member}
	case *core.Index:
		return &core.Index{X: rebased(a.X, base), I: a.I, Size: a.Size, Row: a.Row}
	}
	return base
}

// isExternalInline reports whether d is an inline definition that is not static: a call may
// use it or an external definition (C17 6.7.4p7).
func isExternalInline(d *cc.Declarator) bool { return d.IsInline() && !d.IsStatic() }

// emitted reports whether a compiler emits the definition of f, so that other files and assembler names can refer to it
// (C17 6.7.4p7, and "An Inline Function is As Fast As a Macro" in the manual of gcc).
//
//	inline int f(void) { … }              not emitted, unless another declaration is not inline, or extern
//	extern inline int f(void) { … }       emitted, but not with gnu_inline or -fgnu89-inline
func (f *function) emitted() bool {
	d := f.def.Declarator
	switch {
	case !isExternalInline(d):
		return true
	case f.gnuInline || f.tu.ast != nil && f.tu.ast.Macros["__GNUC_GNU_INLINE__"] != nil:
		return !d.IsExtern()
	}
	return f.notInline
}

// inlineBeside puts the assumption into the ledger that the inline definition d of f, which is not used,
// means the same as the other one. Those of a header that several files include are one.
func (l *sources) inlineBeside(f *function, d *cc.Declarator) {
	pos := ccfix.At(d.NameTok().Position())
	if isExternalInline(d) && pos != f.pos {
		l.ledger.add("inline %s: what is defined at %s:%d means the same as at %s:%d", f.name, pos.File, pos.Line, f.pos.File, f.pos.Line)
	}
}

// assumeNames puts the assumptions about the linker's treatment of names into the ledger; taken are the
// procedures whose addresses procs use.
func (l *program) assumeNames(procs []*core.Proc, taken map[*core.Proc]bool) {
	var weak, foreign, functions []string
	// 1. Objects: weak definitions, and those that are only declared.
	objects := 0
	for _, o := range l.ordered {
		switch {
		case !l.present(o):
			continue
		case o.v.Foreign:
			foreign = append(foreign, o.v.Name)
		case l.weakVars[o.v]:
			weak = append(weak, o.v.Name)
		}
		objects++
	}
	// 2. Functions.
	for _, f := range l.order {
		switch {
		case f.def == nil && taken[f.proc]:
			functions = append(functions, f.name)
		case f.def != nil && f.weak && f.called && slices.Contains(procs, f.proc):
			weak = append(weak, f.name)
		}
	}
	// 3. The lines. A second name matters only if there is another object or function.
	if len(weak) > 0 {
		l.ledger.add("weak definitions: none gives way to one that is not in the files given: %s", strings.Join(weak, ", "))
	}
	if len(foreign) > 0 && objects > 1 {
		l.ledger.add("external variables: none is another variable, or a part of one, under a second name: %s", strings.Join(foreign, ", "))
	}
	if len(functions) > 1 && comparesPointers(procs) {
		l.ledger.add("external functions: no two of these names mean one function: %s", strings.Join(functions, ", "))
	}
}

// comparesPointers reports whether procs compare pointers, neither of them null.
func comparesPointers(procs []*core.Proc) (found bool) {
	for _, p := range procs {
		for _, n := range p.Nodes {
			for _, e := range expressions(n.Stmt) {
				core.Walk(e, func(e core.Expr) bool {
					// Comparisons with null tell nothing of second names.
					c, ok := e.(*core.Binary)
					if ok && c.Op.IsComparison() && !core.IsNull(c.X) && !core.IsNull(c.Y) {
						_, isPtr := c.X.Type().(core.Ptr)
						found = found || isPtr
					}
					return !found
				})
			}
		}
	}
	return found
}

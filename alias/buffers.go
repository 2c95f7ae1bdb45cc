package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the private structs (hidden.go) that the program passes as bytes to functions without a body, by their address and a
// size: all members of these are known outside.
//
//	read(file, d, sizeof *d)            all of struct dev
//	read_u32(node, &d->rate, 1)         its rate only, since no access leaves an array, or a number that is none

// showBuffers shows the structs that the program passes as bytes.
func (r *Result) showBuffers(h *hidden) {
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok {
				r.showPassed(h, c)
			}
		}
	}
}

// showPassed shows the structs that c passes as bytes to a function without a body: by an argument that is
// not declared to point to a struct, if a later argument may be a size, or an earlier one is theirs. Of the address of a number no
// more than that is known.
func (r *Result) showPassed(h *hidden, c *core.Call) {
	list, unknown := r.targets(c)
	args := append(slices.Clone(c.Args), c.Extra...)
	for i, e := range args {
		passed := unknown || slices.ContainsFunc(list, func(p *core.Proc) bool {
			return !p.HasBody() && !p.Limited && (i >= len(p.Formals) || p.Formals[i].To == nil)
		})
		if !passed || e == nil {
			continue
		}
		all := !r.prog.ArraysApart || len(r.passed().numbers(e)) == 0
		for n := range r.solver.sets.all(r.eval(e)) {
			a := r.solver.addresses[n]
			for j, size := range args {
				if size == nil || j == i {
					continue
				}
				if t, isInt := size.Type().(core.Int); isInt && t.Bits > 8 && (j > i || h.isSize(a, size)) {
					h.show(a, all)
				}
			}
		}
	}
}

// isSize reports whether e is the constant size of a private struct that a leads to, or a multiple of it.
func (h *hidden) isSize(a address, e core.Expr) bool {
	n, ok := core.ConstantOf(e)
	return ok && n > 0 && slices.ContainsFunc(h.private, func(t *core.Record) bool { return n%t.Size == 0 })
}

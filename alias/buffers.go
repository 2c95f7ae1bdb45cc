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

// buffers is the calls that may pass memory.
type buffers struct {
	result *Result
	hidden *hidden
	passed *passed
}

// showBuffers shows the structs that the program passes as bytes.
func (r *Result) showBuffers(h *hidden) {
	b := &buffers{result: r, hidden: h, passed: r.passed()}
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok {
				b.show(c)
			}
		}
	}
}

// show shows the structs that c passes as bytes to a function without a body: by an argument that is
// not declared to point to a struct, if a later argument may be a size, or an earlier one is theirs.
func (b *buffers) show(c *core.Call) {
	r, h := b.result, b.hidden
	list, unknown := r.targets(c)
	args := append(slices.Clone(c.Args), c.Extra...)
	for i, e := range args {
		passed := unknown || slices.ContainsFunc(list, func(p *core.Proc) bool {
			return !p.HasBody() && !p.Limited && (i >= len(p.Formals) || p.Formals[i].To == nil)
		})
		if !passed || e == nil {
			continue
		}
		whole := !b.isNumber(e)
		for n := range r.solver.sets.all(r.eval(e)) {
			a := r.solver.addresses[n]
			for j, size := range args {
				if size == nil || j == i {
					continue
				}
				if t, isInt := size.Type().(core.Int); isInt && t.Bits > 8 && (j > i || h.isSize(a, size)) {
					h.show(a, whole)
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

// isNumber reports whether e is the address of a member that is a number, an array of these or a pointer, where no access leaves
// a member: &d->rate, or an argument that is one in each call.
func (b *buffers) isNumber(e core.Expr) bool {
	list := b.passed.members(e)
	return b.result.prog.ArraysApart && len(list) > 0 && !slices.ContainsFunc(list, func(o *core.Offset) bool {
		in := func(m core.Member) bool { return m.Off <= o.Member && o.Member < m.Off+span(m) }
		return !slices.ContainsFunc(o.Of.Members, in) ||
			slices.ContainsFunc(o.Of.Members, func(m core.Member) bool { return in(m) && (m.Record != nil || m.Count == 0) })
	})
}

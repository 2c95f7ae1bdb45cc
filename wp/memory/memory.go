// Package memory adapts the results of package alias to package wp: it implements [wp.Aliases] for
// abstraction, refinement and validation.
package memory

import (
	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/wp"
)

// Memory is the memory of a program. It is read-only.
type Memory struct {
	result    *alias.Result
	regions   *alias.Regions
	unaligned map[int]bool       // regions with places that need not be aligned
	packed    map[core.Type]bool // types as which such places are read, wherever they are
	pointer   core.Ptr
}

var _ wp.Aliases = (*Memory)(nil)

// New returns the memory of prog, which result is about, with regions for the places that the
// program and exprs mention.
func New(prog *core.Program, result *alias.Result, exprs []core.Expr) *Memory {
	m := &Memory{result: result, regions: result.Regions(exprs), unaligned: map[int]bool{}, packed: map[core.Type]bool{}, pointer: prog.Pointer()}
	// A scalar that prog or exprs mention need not be aligned if it is in a packed struct. (What is no
	// scalar is written as a range of bytes, wherever it lies, and may be in several regions.)
	look := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, ok := e.(*core.Mem); ok && l.Packed {
				if _, scalar := core.Word(l.Typ); scalar {
					m.unaligned[m.regions.Of(l)], m.packed[m.regions.Stored(l)] = true, true
				}
			}
			return true
		})
	}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, look)
		}
	}
	for _, e := range exprs {
		look(e)
	}
	return m
}

// Region implements wp.Aliases.
func (m *Memory) Region(l core.Loc) int { return m.regions.Of(l) }

// Stored implements wp.Aliases.
func (m *Memory) Stored(l core.Loc) core.Type { return m.regions.Stored(l) }

// Nowhere implements wp.Aliases.
func (m *Memory) Nowhere(l core.Loc) bool { return m.result.PointsTo(m.place(l).Addr).IsEmpty() }

// Unaligned implements wp.Aliases. A copy of a struct is read where it was copied from, so that a type counts that is read
// in a packed struct anywhere.
func (m *Memory) Unaligned(l core.Loc, t core.Type) bool {
	return m.packed[t] && m.unaligned[m.regions.Of(l)]
}

// Followed implements wp.Aliases.
func (m *Memory) Followed(address core.Expr) core.Expr { return m.result.Followed(address) }

// Kept implements wp.Aliases.
func (m *Memory) Kept(l core.Loc, declared core.Range, s *core.Alloc) core.Range {
	return m.result.Kept(l, declared, s)
}

// KeptEver implements wp.Aliases.
func (m *Memory) KeptEver(l core.Loc, declared core.Range, s *core.Alloc) core.Range {
	return m.result.KeptEver(l, declared, s)
}

// KeptFrom implements wp.Aliases.
func (m *Memory) KeptFrom(l core.Loc, v *core.Var) core.Range { return m.result.KeptFrom(l, v) }

// MayAlias implements wp.Aliases.
func (m *Memory) MayAlias(a, b core.Loc) bool { return m.result.MayAlias(m.place(a), m.place(b)) }

// Distance implements wp.Aliases.
func (m *Memory) Distance(l, w core.Loc) (int64, bool) {
	return m.result.Distance(m.place(l), m.place(w))
}

// Open reports whether the bounds of arrays exclude no access in the region of l, see
// [alias.Regions.Open].
func (m *Memory) Open(l core.Loc) bool { return m.regions.Open(l) }

// place returns l as a place at an address.
func (m *Memory) place(l core.Loc) *core.Mem {
	if r, ok := l.(*core.VarRef); ok {
		return &core.Mem{Addr: &core.AddrOf{Var: r.Var, Typ: m.pointer}, Typ: r.Var.Type}
	}
	return l.(*core.Mem)
}

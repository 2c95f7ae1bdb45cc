package abstract

import (
	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/wp"
)

// This file asks package alias what package wp needs to know of memory.

// memory implements wp.Aliases. It is read-only.
type memory struct {
	result    *alias.Result
	regions   *alias.Regions
	unaligned map[int]bool // regions with places of packed structs
	mutate    mutations
}

// Aliases is what package wp needs to know of the memory of prog, which package alias
// has analysed: of the places that the program itself mentions.
func Aliases(prog *core.Program, result *alias.Result) wp.Aliases {
	m := &memory{result: result, regions: result.Regions(nil), unaligned: map[int]bool{}}
	m.findUnaligned(prog, nil)
	return m
}

// newMemory divides memory into regions, for all places that the program or a predicate
// mentions, or that a predicate of a callee mentions with actuals for formals.
func (a *abstraction) newMemory() *memory {
	var exprs []core.Expr
	add := func(list []*Predicate) {
		for _, p := range list {
			exprs = append(exprs, p.Expr)
		}
	}
	add(a.set.global)
	for _, p := range a.procs {
		add(a.set.local[p])
		for _, g := range a.ifaces[p].Ghosts {
			exprs = append(exprs, g.Init)
		}
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee.HasBody() {
				exprs = append(exprs, a.withActuals(c)...)
			}
		}
	}
	m := &memory{result: a.alias, regions: a.alias.Regions(exprs), unaligned: map[int]bool{}, mutate: a.opts.mutate}
	m.findUnaligned(a.prog, exprs)
	return m
}

// withActuals lists what the predicates of a callee say of the caller's memory.
func (a *abstraction) withActuals(c *core.Call) (out []core.Expr) {
	f := a.ifaces[c.Callee]
	for _, p := range f.Formals {
		out = append(out, wp.Actual(c, p.Expr))
	}
	for _, g := range f.Ghosts {
		out = append(out, wp.Actual(c, g.Init))
	}
	return out
}

// findUnaligned finds the regions in which a scalar that prog or an expression of extra
// mentions need not be aligned. (What is no scalar is written as a range of bytes, wherever it
// lies, and may be in several regions.)
func (m *memory) findUnaligned(prog *core.Program, extra []core.Expr) {
	look := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, ok := e.(*core.Mem); ok && l.Packed && isScalar(l.Typ) {
				m.unaligned[m.regions.Of(l)] = true
			}
			return true
		})
	}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, look)
		}
	}
	for _, e := range extra {
		look(e)
	}
}

// Region implements wp.Aliases.
func (m *memory) Region(l core.Loc) int {
	if m.mutate.separateFields && isMember(l) {
		return -1 - m.regions.Of(l)
	}
	return m.regions.Of(l)
}

func isMember(l core.Loc) bool {
	m, ok := l.(*core.Mem)
	if !ok {
		return false
	}
	_, ok = m.Addr.(*core.Offset)
	return ok
}

// Unaligned implements wp.Aliases.
func (m *memory) Unaligned(l core.Loc) bool {
	return len(m.unaligned) > 0 && m.unaligned[m.regions.Of(l)]
}

// Followed implements wp.Aliases.
func (m *memory) Followed(address core.Expr) core.Expr {
	if m.mutate.followFirst {
		if places, ok := m.result.Places(address, 2); ok {
			return places[0]
		}
	}
	return m.result.Followed(address)
}

// Kept implements wp.Aliases.
func (m *memory) Kept(l core.Loc, s *core.Alloc) bool { return m.result.Kept(l, s) }

// Stored implements wp.Aliases.
func (m *memory) Stored(l core.Loc) core.Type { return m.regions.Stored(l) }

// MayAlias implements wp.Aliases.
func (m *memory) MayAlias(a, b core.Loc) bool {
	if m.mutate.pruneAlias && isVariable(a) != isVariable(b) || m.mutate.separateFields && isMember(a) != isMember(b) {
		return false
	}
	return m.result.MayAlias(asMem(a), asMem(b))
}

func isScalar(t core.Type) bool {
	_, ok := core.Word(t)
	return ok
}

func isVariable(l core.Loc) bool {
	_, ok := l.(*core.VarRef)
	return ok
}

// asMem is the place l as one at an address.
func asMem(l core.Loc) *core.Mem {
	if r, ok := l.(*core.VarRef); ok {
		return &core.Mem{Addr: &core.AddrOf{Var: r.Var, Typ: core.Ptr{Bits: 64}}, Typ: r.Var.Type}
	}
	return l.(*core.Mem)
}

func (a *abstraction) pointerBits() int {
	if a.prog.PtrBits == 0 {
		return 64
	}
	return a.prog.PtrBits
}

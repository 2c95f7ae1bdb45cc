package abstract

import (
	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/wp"
	"c2bp/wp/memory"
)

// This file asks package alias what package wp needs to know of memory.

// mutatedMemory is memory of which a test has broken a rule.
type mutatedMemory struct {
	*memory.Memory
	result *alias.Result
	mutate mutations
}

// newMemory divides memory into regions, for all places that the program or a predicate
// mentions, or that a predicate of a callee mentions with actuals for formals.
func (a *abstraction) newMemory() wp.Aliases {
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
	m := memory.New(a.prog, a.alias, exprs)
	if a.opts.mutate == (mutations{}) {
		return m
	}
	return &mutatedMemory{m, a.alias, a.opts.mutate}
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

// Region implements wp.Aliases.
func (m *mutatedMemory) Region(l core.Loc) int {
	if m.mutate.separateFields && isMember(l) {
		return -1 - m.Memory.Region(l)
	}
	return m.Memory.Region(l)
}

func isMember(l core.Loc) bool {
	m, ok := l.(*core.Mem)
	if !ok {
		return false
	}
	_, ok = m.Addr.(*core.Offset)
	return ok
}

// Followed implements wp.Aliases.
func (m *mutatedMemory) Followed(address core.Expr) core.Expr {
	if m.mutate.followFirst {
		if places, ok := m.result.Places(address, 2); ok {
			return places[0]
		}
	}
	return m.Memory.Followed(address)
}

// MayAlias implements wp.Aliases.
func (m *mutatedMemory) MayAlias(a, b core.Loc) bool {
	if m.mutate.pruneAlias && isVariable(a) != isVariable(b) || m.mutate.separateFields && isMember(a) != isMember(b) {
		return false
	}
	return m.Memory.MayAlias(a, b)
}

func isVariable(l core.Loc) bool {
	_, ok := l.(*core.VarRef)
	return ok
}

package abstract

import (
	"c2bp/abstract/refs"
	"c2bp/frontend/core"
	"c2bp/wp"
	"c2bp/wp/memory"
)

// This file divides memory into regions, for package wp. A formula has a map from addresses to
// values for each region, and a write to a scalar changes the map of its region alone.

// newMemory divides memory into regions, for all places that the program or a predicate mentions,
// or that a predicate of a callee mentions with actuals substituted for formals.
func (a *abstraction) newMemory() wp.Aliases {
	var exprs []core.Expr
	add := func(list []*Predicate) {
		for _, p := range list {
			exprs = append(exprs, p.Expr)
		}
	}
	// 1. Predicates, and the initial values of symbolic constants.
	add(a.set.global)
	for _, p := range a.procs {
		add(a.set.local[p])
		for _, g := range a.ifaces[p].Ghosts {
			exprs = append(exprs, g.Init)
		}
		for _, n := range p.Nodes {
			// 2. Predicates of callees, as their callers read them.
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee.HasBody() {
				exprs = append(exprs, a.withActuals(c)...)
			}
		}
	}
	// 3. Predicates of objects, as the nodes read them.
	if a.heap != nil {
		exprs = append(exprs, a.heap.places(a.procs)...)
	}
	if a.heap != nil {
		return heapMemory{a.regions(exprs), a.heap.plan}
	}
	return a.regions(exprs)
}

// regions divides the memory that the program and some expressions read.
func (a *abstraction) regions(exprs []core.Expr) wp.Aliases {
	return memory.New(a.prog, a.alias, exprs)
}

// heapMemory is the memory of a program with references. A pointer in an object that is kept stands for
// itself, even if it has a single target (see wp.Aliases): a predicate that follows it is one Boolean
// variable for the object, and must mean the same for each pointer that leads there. The single
// target of p->box need not be that of q->box, and where p and q are one object that holds null, the
// predicate would have two values.
type heapMemory struct {
	wp.Aliases
	plan *refs.Plan
}

// Followed implements wp.Aliases.
func (m heapMemory) Followed(address core.Expr) core.Expr {
	if l, ok := core.Base(address).(*core.Mem); ok && m.plan.Leads(l.Addr) {
		return address
	}
	return m.Aliases.Followed(address)
}

// withActuals lists the expressions of a callee's predicates in terms of the caller's memory.
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

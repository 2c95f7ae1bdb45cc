package certificate

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/wp"
	"c2bp/wp/memory"
)

// This file asks package alias what package wp needs to know of memory.

// newMemory divides memory into regions, for all places that the program or a predicate
// mentions, or that a predicate of a callee mentions with actuals for formals.
func (v *validator) newMemory() *memory.Memory {
	var exprs []core.Expr
	for _, p := range v.cert.Globals {
		exprs = append(exprs, p.Expr)
	}
	for _, p := range v.cert.Procedures {
		for _, q := range p.Predicates {
			exprs = append(exprs, q.Expr)
		}
		for _, g := range p.Ghosts {
			exprs = append(exprs, g.Init)
		}
		for _, n := range p.Proc.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil && c.Callee.HasBody() {
				exprs = append(exprs, withActuals(c, v.procs[c.Callee])...)
			}
		}
	}
	return memory.New(v.prog, v.alias, exprs)
}

// withActuals lists what the predicates of a callee say of the caller's memory.
func withActuals(c *core.Call, callee *Procedure) (out []core.Expr) {
	for _, p := range callee.Predicates {
		if AtEntry(p.Expr) {
			out = append(out, wp.Actual(c, p.Expr))
		}
	}
	for _, g := range callee.Ghosts {
		out = append(out, wp.Actual(c, g.Init))
	}
	return out
}

// programExprs visits the expressions of the program and their operands.
func (v *validator) programExprs(visit func(core.Expr)) {
	for _, p := range v.prog.Procs {
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					visit(e)
					return true
				})
			})
		}
	}
}

// array is what an Index says of the array that it is applied to.
type array struct{ size, count int64 }

// isWithin reports whether the index of x is a constant, one of those that x.Count allows.
func isWithin(x *core.Index) bool {
	i, ok := x.I.(*core.Const)
	return ok && i.Val.Sign() >= 0 && i.Val.IsInt64() && i.Val.Int64() < x.Count
}

// includes reports whether all the addresses t are among the addresses u, of an array in each
// element of another array perhaps.
func includes(u, t alias.Target) bool {
	if u == t {
		return true
	}
	if u.Object != t.Object || u.Stride == 0 || t.Stride%u.Stride != 0 || (t.Off-u.Off)%u.Stride != 0 {
		return false
	}
	if u.Count == 0 {
		return true
	}
	bounded := t.Stride == 0 || t.Count > 0
	last := func(t alias.Target) int64 { return t.Off + max(t.Count-1, 0)*t.Stride }
	return bounded && t.Off >= u.Off && last(t) <= last(u)
}

// checkArrays checks what predicates say of the lengths of arrays: that the program says
// the same. Package alias relies on it: were a[i] said to have one element, to change a[5]
// would not change it. Of a constant index within the array the place is known without it;
// and it does not matter where no access is excluded by it (see [alias.Regions.Open]).
func (v *validator) checkArrays() error {
	known := map[array][]alias.Target{}
	v.programExprs(func(e core.Expr) {
		x, ok := e.(*core.Index)
		if !ok || x.Count == 0 {
			return
		}
		k := array{x.Size, x.Count}
		for _, t := range v.alias.PointsTo(x.X).Targets() {
			if !slices.Contains(known[k], t) {
				known[k] = append(known[k], t)
			}
		}
	})
	// In an address, what is said may be open; elsewhere it has to be known.
	said := func(x *core.Index) bool {
		for _, t := range v.alias.PointsTo(x.X).Targets() {
			if !slices.ContainsFunc(known[array{x.Size, x.Count}], func(u alias.Target) bool { return includes(u, t) }) {
				return false
			}
		}
		return true
	}
	check := func(where, name string, e core.Expr) (err error) {
		var in *core.Mem // the place that is looked at
		var look func(core.Expr) bool
		look = func(e core.Expr) bool {
			switch x := e.(type) {
			case *core.Mem:
				outer := in
				in = x
				core.Walk(x.Addr, look)
				in = outer
				return false
			case *core.Index:
				if x.Count != 0 && !isWithin(x) && !said(x) && (in == nil || !v.mem.Open(in)) {
					err = mismatch(where, "%s: the program does not say that %s has %d elements", name, core.ExprString(x.X), x.Count)
				}
			}
			return true
		}
		core.Walk(e, look)
		return err
	}
	for _, p := range v.cert.Globals {
		if err := check("", p.Name, p.Expr); err != nil {
			return err
		}
	}
	for _, p := range v.cert.Procedures {
		for _, q := range p.Predicates {
			if err := check(p.Proc.Name, q.Name, q.Expr); err != nil {
				return err
			}
		}
		for _, g := range p.Ghosts {
			if err := check(p.Proc.Name, g.Name, g.Init); err != nil {
				return err
			}
		}
	}
	return nil
}

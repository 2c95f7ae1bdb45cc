package certificate

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/wp"
	"c2bp/wp/memory"
)

// This file divides memory into regions for the validation, and checks the claims of predicates about
// arrays.

// newMemory divides memory into regions. The places are those that the program or a predicate
// mentions, and those that a predicate of a callee mentions with actuals for formals.
func (v *validator) newMemory() *memory.Memory {
	var exprs []core.Expr
	for _, p := range v.cert.Globals {
		// Places in predicates and in symbolic constants.
		exprs = append(exprs, p.Expr)
	}
	for _, p := range v.cert.Procedures {
		for _, q := range p.Predicates {
			exprs = append(exprs, q.Expr)
		}
		for _, g := range p.Ghosts {
			exprs = append(exprs, g.Init)
		}
		// Callers read the entry predicates of their callees: these places are theirs, too.
		for _, n := range p.Proc.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil && c.Callee.HasBody() {
				exprs = append(exprs, withActuals(c, v.procs[c.Callee])...)
			}
		}
	}
	return memory.New(v.prog, v.alias, exprs)
}

// withActuals returns the callee's predicates and constants over its entry, with actuals for
// formals.
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

// programExprs visits all expressions of the program, and their operands.
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

// array is the shape that an Index claims for the array it is applied to: bytes an element, and
// elements.
type array struct{ size, count int64 }

// isWithin reports whether the index of x is a constant within the bound x.Count.
func isWithin(x *core.Index) bool {
	i, ok := x.I.(*core.Const)
	return ok && i.Val.Sign() >= 0 && i.Val.IsInt64() && i.Val.Int64() < x.Count
}

// includes reports whether all addresses t are among the addresses u. The addresses of u may be
// those of an array in each element of another array.
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
	// t has to lie between the first and the last address of u.
	bounded := t.Stride == 0 || t.Count > 0
	last := func(t alias.Target) int64 { return t.Off + max(t.Count-1, 0)*t.Stride }
	return bounded && t.Off >= u.Off && last(t) <= last(u)
}

// checkArrays checks that the array bounds in predicates are bounds of the program. Package alias
// relies on it: if a[i] claimed a bound of one element, a write to a[5] would not change it. For a
// constant index within the bound, the place is known without it; and a bound does not matter where
// no access is excluded by it (see [alias.Regions.Open]).
func (v *validator) checkArrays() error {
	// 1. Collect the bounds in the program, and the targets that each is claimed for.
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
	// 2. A bound in a predicate needs one of the program that includes all its targets.
	// In an address the bound may be open; elsewhere it has to be one of the program.
	said := func(x *core.Index) bool {
		for _, t := range v.alias.PointsTo(x.X).Targets() {
			if !slices.ContainsFunc(known[array{x.Size, x.Count}], func(u alias.Target) bool { return includes(u, t) }) {
				return false
			}
		}
		return true
	}
	// 3. Find the indices in an expression, with the innermost place that each is the address of.
	check := func(where, name string, e core.Expr) (err error) {
		var in *core.Mem // the place that is looked at
		var look func(core.Expr) bool
		look = func(e core.Expr) bool {
			switch x := e.(type) {
			case *core.Mem:
				outer := in
				in = x
				// Indices in the address belong to this place.
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
	// 4. Check all predicates and all initial values of constants.
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

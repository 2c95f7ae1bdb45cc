// Package assigned makes it a property that variables are read only after they were set (C11 6.3.2.1p2): it puts
// assertions into the core program, in front of the reads.
//
//	int r;                   x$set := 0
//	if (k) r = 1;            …  r := 1;  r$set := 1
//	return r;                assert r$set != 0;  \result := r          uninitialised variable: r
//
// Trade-offs. Only variables are covered whose address is not taken: each has a ghost that tells whether a store has
// reached it, and needs one only where some path to a read has none, by a forward data-flow analysis. Of memory, where
// a store may be anywhere, nothing is said, and the ledger says so: of variables with an address, of structures and
// arrays, and of objects of the heap. A value that nobody uses is not read, and one that a function without a
// return statement yields is not that of a variable.
//
//	assigned.go  Check, and the ghosts
//	paths.go     the variables that may not have been set at a node
package assigned

import (
	"slices"

	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
)

// inMemory is the line of the ledger about what is not covered.
const inMemory = "values: what is read from memory was set before; of variables whose address is not taken that is a property"

// Check makes it a property of p that its variables are read only after they were set, if s has
// [checks.Uninitialised].
func Check(p *core.Program, s checks.Set) error {
	if !s.Has(checks.Uninitialised) {
		return nil
	}
	found := false
	for _, q := range p.Procs {
		found = instrument(p, q) || found
	}
	if !found {
		q := p.Entry
		var e splice.Edit
		e.Before(q.Exit(), checks.Of(checks.Uninitialised).Nowhere(func(string) bool { return false }, q.Pos, q.CName), nil)
		e.Apply(q)
	}
	if readsMemory(p) {
		p.Ledger = append(p.Ledger, inMemory)
	}
	return core.Validate(p)
}

// readsMemory reports whether p has local variables in memory, or objects of the heap.
func readsMemory(p *core.Program) bool {
	return slices.ContainsFunc(p.Procs, func(q *core.Proc) bool {
		return slices.ContainsFunc(q.Locals, func(v *core.Var) bool { return v.Kind == core.Local && (v.InMemory() || v.Volatile) }) ||
			slices.ContainsFunc(q.Nodes, func(n *core.Node) bool { _, is := n.Stmt.(*core.Alloc); return is })
	})
}

// followed reports whether reads of v are checked: a local variable of the C program that is not in memory.
func followed(v *core.Var) bool {
	return v.Kind == core.Local && !v.InMemory() && !v.Volatile && v.Name != `\result`
}

// instrument puts the assertions into q, and reports whether there are any.
func instrument(p *core.Program, q *core.Proc) bool {
	if !q.HasBody() {
		return false
	}
	// 1. The reads that some path reaches without a store, and a ghost for each of their variables.
	unset := maybeUnset(q)
	ghosts := map[*core.Var]*core.Var{}
	before := map[int][]*core.Node{}
	ask := func(i int, n *core.Node, seen map[*core.Var]bool) {
		for _, v := range reads(n.Stmt) {
			if !unset[i][v] || seen[v] {
				continue
			}
			seen[v] = true
			if ghosts[v] == nil {
				ghosts[v] = &core.Var{Name: fresh(p, q, v.Name+"$set"), Type: core.Int32, Kind: core.Local, Proc: q, Pos: v.Pos}
				q.Locals = append(q.Locals, ghosts[v])
			}
			cond := &core.Binary{Op: core.Ne, X: ghosts[v].Ref(), Y: core.NewConst(0, core.Int32)}
			c := &core.Check{Name: checks.Unset, Pos: n.Pos, Text: v.Name}
			list := splice.Line(n.Pos, &core.Assert{Cond: cond, Check: c})
			list[0].Text = n.Text
			before[i] = splice.Chain(before[i], list)
		}
	}
	for i, n := range q.Nodes {
		seen := map[*core.Var]bool{}
		// What a condition reads is read before the branch.
		switch {
		case q.IsTest(i):
			for _, s := range n.Succ {
				if unset[s] != nil {
					ask(i, q.Nodes[s], seen)
				}
			}
		case testedBefore(q, i):
		default:
			ask(i, n, seen)
		}
	}
	if len(ghosts) == 0 {
		return false
	}
	// 2. Their values: 0 at the start and where the variable begins, 1 after a store.
	var e splice.Edit
	first := &core.Assign{}
	for _, v := range q.Locals {
		if g := ghosts[v]; g != nil {
			first.Lhs, first.Rhs = append(first.Lhs, g.Ref()), append(first.Rhs, core.NewConst(0, core.Int32))
		}
	}
	for i, n := range q.Nodes {
		if list := before[i]; len(list) > 0 {
			for _, x := range list {
				x.Model = n.Model
			}
			list[0].First, n.First = n.First, false
			e.Before(i, list, nil)
		}
		for _, l := range core.Destinations(n.Stmt) {
			v, ok := l.(*core.VarRef)
			if !ok || ghosts[v.Var] == nil {
				continue
			}
			value := int64(1)
			if begins(n.Stmt) {
				value = 0
			}
			list := splice.Line(n.Pos, &core.Assign{Lhs: []core.Loc{ghosts[v.Var].Ref()}, Rhs: []core.Expr{core.NewConst(value, core.Int32)}})
			list[0].Text, list[0].Model = n.Text, n.Model
			e.After(i, list)
		}
	}
	e.Apply(q)
	var start splice.Edit // the first node may be the head of a loop
	start.Before(0, splice.Line(q.Pos, first), func(from int) bool { return from < 0 })
	start.Apply(q)
	return true
}

// fresh returns a name like name that no variable of q or global one has.
func fresh(p *core.Program, q *core.Proc, name string) string {
	for slices.ContainsFunc(slices.Concat(p.Globals, q.Formals, q.Locals), func(v *core.Var) bool { return v.Name == name }) {
		name += "$"
	}
	return name
}

package assigned

import (
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file follows the paths of a procedure.

// maybeUnset returns, for each node of q that control may reach, the variables that some path there has not set since
// they began.
func maybeUnset(q *core.Proc) []map[*core.Var]bool {
	at := make([]map[*core.Var]bool, len(q.Nodes))
	// 1. At the start, all.
	start := map[*core.Var]bool{}
	for _, v := range q.Locals {
		if followed(v) {
			start[v] = true
		}
	}
	at[0] = start
	// 2. Forward, until nothing changes: the sets grow.
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		s := q.Nodes[i].Stmt
		after := maps.Clone(at[i])
		for _, l := range core.Destinations(s) {
			if v, ok := l.(*core.VarRef); ok && followed(v.Var) {
				delete(after, v.Var)
				if begins(s) {
					after[v.Var] = true
				}
			}
		}
		for _, k := range q.Nodes[i].Succ {
			if at[k] == nil {
				at[k] = maps.Clone(after)
				work = append(work, k)
				continue
			}
			n := len(at[k])
			if maps.Copy(at[k], after); len(at[k]) > n {
				work = append(work, k)
			}
		}
	}
	return at
}

// begins reports whether the variables that s names begin to live.
func begins(s core.Stmt) bool {
	h, ok := s.(*core.Havoc)
	return ok && h.Begin
}

// reads lists the followed variables whose values s reads, in order. A destination is not read, but its address is.
func reads(s core.Stmt) (list []*core.Var) {
	from := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if v, ok := e.(*core.VarRef); ok && followed(v.Var) && !slices.Contains(list, v.Var) {
				list = append(list, v.Var)
			}
			return true
		})
	}
	// Where an arbitrary value comes from is not executed.
	if h, ok := s.(*core.Havoc); ok {
		bare := *h
		bare.From = nil
		s = &bare
	}
	written := core.Destinations(s)
	core.StmtExprs(s, func(e core.Expr) {
		if l, ok := e.(core.Loc); ok && slices.Contains(written, l) {
			if m, ok := l.(*core.Mem); ok {
				from(m.Addr)
			}
			return
		}
		from(e)
	})
	return list
}

// testedBefore reports whether node i of q is a condition that only branches by conditions lead to.
func testedBefore(q *core.Proc, i int) bool {
	if _, ok := q.Nodes[i].Stmt.(*core.Assume); !ok {
		return false
	}
	found := false
	for k, n := range q.Nodes {
		if slices.Contains(n.Succ, i) {
			if found = true; !q.IsTest(k) {
				return false
			}
		}
	}
	return found
}

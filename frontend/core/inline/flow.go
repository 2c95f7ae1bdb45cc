package inline

import "c2bp/frontend/core"

// This file determines which variables and memory the statements of a body read and write, and in
// which order.

// written lists the variables that s writes by name, not those that a call or a store through a
// pointer may change.
func written(s core.Stmt) (vars []*core.Var) {
	for _, l := range core.Destinations(s) {
		if v, ok := l.(*core.VarRef); ok {
			vars = append(vars, v.Var)
		}
	}
	return vars
}

// writesMemory reports whether s may change the contents of memory, or which memory may be
// accessed. It is true for every call, whatever the callee does.
func writesMemory(s core.Stmt) bool {
	switch s := s.(type) {
	case *core.Copy, *core.Fill, *core.Data, *core.Free, *core.Call:
		return true
	case *core.Havoc:
		if s.Region {
			return true
		}
	}
	for _, l := range core.Destinations(s) {
		if v, ok := l.(*core.VarRef); !ok || v.Var.InMemory() {
			return true
		}
	}
	return false
}

// reads lists the expressions whose values s uses: all except the variables that it writes. A
// written place in memory is in the list, since its address is evaluated.
func reads(s core.Stmt) (out []core.Expr) {
	isLhs := map[core.Expr]bool{}
	for _, l := range core.Destinations(s) {
		isLhs[l] = true
	}
	core.StmtExprs(s, func(e core.Expr) {
		if _, isVar := e.(*core.VarRef); isVar && isLhs[e] {
			return
		}
		out = append(out, e)
	})
	return out
}

// uses reports whether s reads v or uses its address.
func uses(s core.Stmt, v *core.Var) bool {
	for _, e := range reads(s) {
		if core.Mentions(e, func(w *core.Var) bool { return v == w }) {
			return true
		}
	}
	return false
}

// reachableFrom returns the set of nodes that are reachable from the successors of node i: element
// n for node n, and the last element for the end of nodes. Node i is in it only if it is in a loop.
func reachableFrom(nodes []*core.Node, i int) []bool {
	seen := make([]bool, len(nodes)+1)
	work := append([]int(nil), nodes[i].Succ...)
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if n < len(nodes) {
			work = append(work, nodes[n].Succ...)
		}
	}
	return seen
}

// usedUnset reports whether there is a path from node 0 to a use of v on which nothing sets v
// before; if atEnd, the end of the body is a use. Conditions are ignored: every path counts.
func usedUnset(nodes []*core.Node, v *core.Var, atEnd bool) bool {
	seen := make([]bool, len(nodes)+1)
	for work := []int{0}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		// The end.
		if n == len(nodes) || isReturn(nodes[n]) {
			if atEnd {
				return true
			}
			continue
		}
		// A use before any assignment.
		if uses(nodes[n].Stmt, v) {
			return true
		}
		// Paths through an assignment need not be followed further.
		sets := false
		for _, w := range written(nodes[n].Stmt) {
			sets = sets || w == v
		}
		if !sets {
			work = append(work, nodes[n].Succ...)
		}
	}
	return false
}

// isReturn reports whether n is the return.
func isReturn(n *core.Node) bool {
	_, ok := n.Stmt.(*core.Return)
	return ok
}

// Writes reports whether p may change memory other than that of objects that it makes.
func Writes(p *core.Proc) bool {
	made := newObjects(p)
	for _, n := range p.Nodes {
		if writesMemory(n.Stmt) && !writesOnly(n.Stmt, made) {
			return true
		}
	}
	return false
}

// setsNull reports whether s is v := null.
func setsNull(s core.Stmt) bool {
	a, ok := s.(*core.Assign)
	if !ok || len(a.Rhs) != 1 {
		return false
	}
	p, isPtr := a.Rhs[0].(*core.ToPtr)
	if !isPtr {
		return false
	}
	c, isConst := p.X.(*core.Const)
	return isConst && c.Val.Sign() == 0
}

// newObjects returns the set of local variables of p that only ever point to objects which p has
// made, or are null. Where they lead, there was nothing before the call: no argument of the caller
// depends on it.
func newObjects(p *core.Proc) map[*core.Var]bool {
	made := map[*core.Var]bool{}
	// 1. Start from the variables that are always set before they are read.
	for _, v := range p.Locals {
		made[v] = !v.InMemory() && !usedUnset(p.Nodes, v, false)
	}
	// 2. Drop those that are set to anything but a new object or null.
	for _, n := range p.Nodes {
		if _, isAlloc := n.Stmt.(*core.Alloc); isAlloc || setsNull(n.Stmt) {
			continue
		}
		// This drops p := q, too, where q is in the set.
		for _, v := range written(n.Stmt) {
			made[v] = false
		}
	}
	return made
}

// writesOnly reports whether s writes, of all memory, only objects that variables in made point to.
// If it writes no memory at all, that holds, too; it does not hold for a Free or a Call.
func writesOnly(s core.Stmt, made map[*core.Var]bool) bool {
	// A place at an offset or index from such a variable is in the same object.
	into := func(e core.Expr) bool {
		p, ok := core.Base(e).(*core.VarRef)
		return ok && made[p.Var]
	}

	switch s := s.(type) {
	case *core.Copy:
		return into(s.Dst)
	case *core.Fill:
		return into(s.Dst)
	case *core.Data:
		return into(s.Dst)
	case *core.Free, *core.Call:
		return false
	case *core.Havoc:
		if s.Region {
			return false
		}
	}
	for _, l := range core.Destinations(s) {
		switch l := l.(type) {
		case *core.VarRef:
			if l.Var.InMemory() {
				return false
			}
		case *core.Mem:
			if !into(l.Addr) {
				return false
			}
		}
	}
	return true
}

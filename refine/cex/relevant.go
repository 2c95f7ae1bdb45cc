package cex

import (
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file finds the variables that matter to a part of a path that is repeated for ever: those of which conditions,
// places in memory or given expressions depend on the value before the part, or before a later round of it. The others may
// have any values there (strong liveness).
//
//	round   assume n != 0      n matters, as it is not set before
//	        total := total + n     total does not: it is read for itself alone
//	        c := get()
//	        assume c != 7      c does not: it is set before
//
// An expression that may be undefined matters in any case.

// Relevant returns the variables outside of memory that matter before a step of a path, if the steps from there up to
// another one repeat: it is at the same node, in the same activations or in others of the same procedures. read returns
// expressions that are read before a step besides.
func Relevant(p *Path, from, to int, read func(step int) []core.Expr) map[Slot]bool {
	before, after := Stack(p.Steps[from].Frame), Stack(p.Steps[to].Frame)
	matter := map[Slot]bool{}
	for {
		// 1. What matters before the next round, matters after this one.
		x := &relevance{path: p, slots: map[Slot]bool{}}
		for at := range matter {
			if at.Frame != nil {
				at.Frame = after[slices.Index(before, at.Frame)]
			}
			x.slots[at] = true
		}
		// 2. One round back.
		for i := to - 1; i >= from; i-- {
			x.back(p.Steps[i])
			for _, e := range read(i) {
				x.add(p.Steps[i].Frame, e)
			}
		}
		// 3. Until there is nothing new.
		n := len(matter)
		for at := range x.slots {
			if at.Frame == nil || slices.Contains(before, at.Frame) {
				matter[at] = true
			}
		}
		if len(matter) == n {
			return matter
		}
	}
}

// Stack returns the activations around f and f, that of the entry first.
func Stack(f *Frame) (list []*Frame) {
	for ; f != nil; f = f.Caller {
		list = append(list, f)
	}
	slices.Reverse(list)
	return list
}

// relevance is the variables that matter at some step, as the path is gone back.
type relevance struct {
	path  *Path
	slots map[Slot]bool
}

// add adds the variables that expressions read.
func (x *relevance) add(f *Frame, list ...core.Expr) {
	for _, e := range list {
		if e == nil {
			continue
		}
		core.Walk(e, func(e core.Expr) bool {
			if r, ok := e.(*core.VarRef); ok {
				x.slots[SlotOf(f, r.Var)] = true
			}
			return true
		})
	}
}

// set removes the variable that is assigned to, and reports whether it mattered: a place in memory always does, and so do
// the variables of its address.
func (x *relevance) set(f *Frame, l core.Loc) (matters bool) {
	r, ok := l.(*core.VarRef)
	if !ok || r.Var.InMemory() {
		x.add(f, l)
		return true
	}
	at := SlotOf(f, r.Var)
	matters = x.slots[at]
	delete(x.slots, at)
	return matters
}

// back goes back over a step.
func (x *relevance) back(s Step) {
	f := s.Frame
	switch st := s.Stmt().(type) {
	case *core.Assign:
		// All values are read before any is assigned.
		matters := make([]bool, len(st.Lhs))
		for i, l := range st.Lhs {
			matters[i] = x.set(f, l)
		}
		for i, e := range st.Rhs {
			if matters[i] || !isDefined(e) {
				x.add(f, e)
			}
		}
	case *core.Havoc:
		for _, l := range st.Locs {
			x.set(f, l)
		}
		if st.Reads != nil {
			x.add(f, st.Reads)
		}
	case *core.Alloc:
		x.set(f, st.Lhs)
		x.add(f, st.Size)
	case *core.Branch:
		for _, w := range s.CoreNode().Succ {
			if c := core.Condition(f.Proc.Nodes[w].Stmt); c != nil {
				x.add(f, c)
			}
		}
	case *core.Call:
		x.call(s, st)
	case *core.Return:
		if f.Caller == nil {
			return
		}
		c := x.path.Steps[f.Call].Stmt().(*core.Call)
		if c.Lhs != nil && x.set(f.Caller, c.Lhs) {
			x.slots[Slot{f, f.Proc.Result}] = true
		}
	default:
		core.StmtExprs(st, func(e core.Expr) { x.add(f, e) })
	}
}

// call goes back over a call, of a procedure with a body to before its activation.
func (x *relevance) call(s Step, c *core.Call) {
	if s.Enter == nil && c.Lhs != nil {
		x.set(s.Frame, c.Lhs)
	}
	maps.DeleteFunc(x.slots, func(at Slot, _ bool) bool { return s.Enter != nil && at.Frame == s.Enter })
	// The address of the destination is taken before.
	if m, ok := c.Lhs.(*core.Mem); ok {
		x.add(s.Frame, m.Addr)
	}
	x.add(s.Frame, c.Target)
	x.add(s.Frame, c.Args...)
	x.add(s.Frame, c.Extra...)
}

// isDefined reports whether an expression has a value, whatever those of its variables are.
func isDefined(e core.Expr) bool {
	ok := true
	core.Walk(e, func(e core.Expr) bool {
		switch e := e.(type) {
		case *core.Const, *core.VarRef, *core.Conv:
		case *core.Unary:
			t, isInt := e.Type().(core.Int)
			ok = ok && (e.Op != core.Neg || isInt && !t.Signed)
		case *core.Binary:
			ok = ok && isTotal(e)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// isTotal reports whether a binary operation is defined for all operands: those on bits, comparisons of numbers, and the
// unsigned ones but for division and shifts.
func isTotal(e *core.Binary) bool {
	t, isInt := e.X.Type().(core.Int)
	switch {
	case !isInt:
		return false
	case e.Op.IsComparison(), e.Op == core.And, e.Op == core.Or, e.Op == core.Xor, e.Op == core.LAnd, e.Op == core.LOr:
		return true
	}
	return !t.Signed && (e.Op == core.Add || e.Op == core.Sub || e.Op == core.Mul)
}

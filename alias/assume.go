package alias

import (
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file finds the assumptions about addresses and about memory outside that the program depends
// on: lines for the ledger.

// Lines of the ledger. docs/soundness.md explains each.
const (
	assumeOutside = "pointers from outside: they lead to no object of the program whose address was not given away"
	assumeTypes   = "environment: pointers from outside are null, invalid, or lead to places of their types"
	assumeNesting = "environment: objects outside that are not nested by their types do not overlap"
	assumeChars   = "environment: characters to which pointers from outside lead are in no number and no pointer"
	assumeHidden  = "environment: functions without a body do not change members of structs that only the given files define, but those whose addresses they get: "
	assumeKept    = "environment: functions without a body do not change the contexts that drivers keep in "
	assumeConst   = "environment: functions without a body change nothing through pointers to const that lead to numbers, and follow no number there as a pointer"
	assumeNumber  = "environment: functions without a body find nothing by numbers from outside that they are given as numbers"
	assumeAlive   = "environment: no new object is where one was to which a pointer from outside still leads, or that a function without a body has freed and a pointer still leads to"
	assumePages   = "addresses: no object lies in the first or last page of the address space"
	assumeBlocks  = "addresses: a variable is at one place each time its block is executed in one call"
	assumeNumbers = "pointers made of numbers: they lead to no object of the program whose address was neither used as a number nor given away"
)

// Assumptions lists what the analysis, and analyses based on it, assume of r's program, one line
// each.
func (r *Result) Assumptions() (lines []string) {
	if r.solver.guesses {
		lines = append(lines, assumeNumbers)
	}
	// 1. Find statements whose meaning depends on an assumption.
	var outside, pages, blocks, back bool
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			pages = pages || r.testsComputed(core.Condition(n.Stmt))
			for _, a := range followed(n.Stmt) {
				outside = outside || r.leadsOutside(a)
			}
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					outside = outside || r.followsOutside(e)
					pages = pages || r.comparesNumber(e)
					back = back || r.movesBack(e)
					blocks = blocks || r.numbersVariable(e)
					return true
				})
			})
		}
	}
	// 2. State the assumptions that some statement depends on.
	if outside && !r.solver.openWorld { // where every address is known outside
		lines = append(lines, assumeOutside)
	}
	if r.follows != nil {
		types, nesting := r.follows.excludes()
		if types || r.follows.places {
			lines = append(lines, assumeTypes)
		}
		if nesting {
			lines = append(lines, assumeNesting)
		}
		if r.prog.CharsApart && r.follows.dependsOnCharacters() {
			lines = append(lines, assumeChars)
		}
	}
	private, others := r.hidden.names()
	if len(private) > 0 {
		lines = append(lines, assumeHidden+strings.Join(private, ", "))
	}
	if len(others) > 0 {
		lines = append(lines, assumeKept+strings.Join(others, ", "))
	}
	if r.numbers {
		lines = append(lines, assumeNumber)
	}
	if r.readOnly {
		lines = append(lines, assumeConst)
	}
	if r.prog.Unreused && (outside || r.getsPointers()) && r.allocates() {
		lines = append(lines, assumeAlive)
	}
	if back {
		lines = append(lines, core.AssumePointers)
	}
	if pages || back {
		lines = append(lines, assumePages)
	}
	if blocks {
		lines = append(lines, assumeBlocks)
	}
	if names := r.notCalledBack(); len(names) > 0 {
		given := "what is stored outside of the program, or was given earlier"
		if r.prog.Callbacks == core.CallbacksLater {
			given = "what they are given"
		}
		lines = append(lines, "callbacks: functions without a body do not call "+given+": "+strings.Join(names, ", "))
	}
	return lines
}

// getsPointers reports whether the program gets pointers from outside, or gives away objects that it makes: it may compare
// such a pointer although it does not follow it.
func (r *Result) getsPointers() bool {
	for _, o := range r.solver.objects {
		if o.Kind == Allocation && o.Escaped {
			return true
		}
	}
	for _, at := range r.solver.origins {
		if r.givesPointers(r.solver.addresses[at].object) {
			return true
		}
	}
	return false
}

// allocates reports whether the program makes objects while it runs.
func (r *Result) allocates() bool {
	return slices.ContainsFunc(r.prog.Procs, func(p *core.Proc) bool {
		return slices.ContainsFunc(p.Nodes, func(n *core.Node) bool {
			s, ok := n.Stmt.(*core.Alloc)
			return ok && !s.Stack
		})
	})
}

// followed lists the pointers that s dereferences besides those in its expressions.
func followed(s core.Stmt) []core.Expr {
	switch s := s.(type) {
	case *core.Copy:
		return []core.Expr{s.Dst, s.Src}
	case *core.Fill:
		return []core.Expr{s.Dst}
	case *core.Call:
		if s.Target != nil {
			return []core.Expr{s.Target}
		}
	}
	return nil
}

// followsOutside reports whether e reads or writes through a pointer from outside.
func (r *Result) followsOutside(e core.Expr) bool {
	m, ok := e.(*core.Mem)
	return ok && r.leadsOutside(m.Addr)
}

// leadsOutside reports whether the pointer e comes from outside and was not made of a number. That
// argv does is no assumption.
func (r *Result) leadsOutside(e core.Expr) (outside bool) {
	// The arguments of main come from the system.
	if p, ok := core.Base(e).(*core.VarRef); ok && p.Var.Kind == core.Formal && p.Var.Proc.CName == "main" {
		return false
	}
	for n := range r.solver.sets.all(r.eval(e)) {
		if n == guessAddress {
			return false
		}
		outside = outside || r.solver.isOutside(r.solver.addresses[n])
	}
	return outside
}

// movesBack reports whether e is the address of a place less than a page before the target of a pointer that may lead elsewhere
// than into an object of the program: such a pointer is taken to lead into no first page, so that e is not null.
//
//	container_of(node, struct item, node)
func (r *Result) movesBack(e core.Expr) bool {
	p := core.MovedBack(e)
	return p != nil && r.solver.sets.contains(r.eval(p), func(n int32) bool {
		k := r.solver.objects[r.solver.addresses[n].object].Kind
		return k != Variable && k != Allocation && k != zero
	})
}

// comparesNumber reports whether e compares an address with a number other than null, or a value
// computed from an address with null.
func (r *Result) comparesNumber(e core.Expr) bool {
	switch e := e.(type) {
	case *core.Unary:
		return e.Op == core.Not && r.testsComputed(e.X)
	case *core.Binary:
		if !e.Op.IsComparison() || r.solver.narrow(e.X.Type()) {
			return false
		}
		// An address against a number, or a computed one against null.
		objects, numbers := r.isObject(e.X) || r.isObject(e.Y), r.isNumber(e.X) || r.isNumber(e.Y)
		return objects && numbers || r.testsComputed(e.X) || r.testsComputed(e.Y)
	}
	return false
}

// testsComputed reports whether e, which is compared with null, was computed from an address:
// (unsigned long)&x >> 12 is null in the first page.
func (r *Result) testsComputed(e core.Expr) bool {
	// Skip conversions.
	for {
		c, ok := e.(*core.Conv)
		if !ok {
			break
		}
		e = c.X
	}
	b, ok := e.(*core.Binary)
	return ok && !b.Op.IsComparison() && !b.Op.IsLogical() && !r.solver.narrow(b.Type()) && r.isObject(b)
}

// isObject reports whether e may be the address of an object of the program.
func (r *Result) isObject(e core.Expr) bool {
	return r.solver.sets.contains(r.eval(e), func(n int32) bool {
		return r.solver.objects[r.solver.addresses[n].object].Kind < number
	})
}

// isNumber reports whether e may be a number other than null.
func (r *Result) isNumber(e core.Expr) bool {
	return r.solver.sets.contains(r.eval(e), func(n int32) bool {
		k := r.solver.objects[r.solver.addresses[n].object].Kind
		return k == number || k == small
	})
}

// numbersVariable reports whether e converts the address of a variable to a number, and the block
// of the variable may be executed again in the same call.
func (r *Result) numbersVariable(e core.Expr) bool {
	c, ok := e.(*core.ToInt)
	if !ok {
		return false
	}
	return r.solver.sets.contains(r.eval(c.X), func(n int32) bool {
		v := r.solver.objects[r.solver.addresses[n].object].Var
		return v != nil && v.Block != "" && isRepeated(v)
	})
}

// isRepeated reports whether some node that mentions the local variable v is on a cycle.
func isRepeated(v *core.Var) bool {
	nodes := v.Proc.Nodes
	for i, n := range nodes {
		mentions := false
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			core.WalkVars(e, func(w *core.Var) { mentions = mentions || w == v })
		})
		if mentions && onCycle(nodes, i) {
			return true
		}
	}
	return false
}

// onCycle reports whether node i can be reached from itself.
func onCycle(nodes []*core.Node, i int) bool {
	seen := make([]bool, len(nodes))
	work := slices.Clone(nodes[i].Succ)
	for len(work) > 0 {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		if j == i {
			return true
		}
		if !seen[j] {
			seen[j] = true
			work = append(work, nodes[j].Succ...)
		}
	}
	return false
}

// notCalledBack names the procedures that are known outside but that no procedure without a body is
// seen to call back.
func (r *Result) notCalledBack() (names []string) {
	// 1. Collect the procedures that are called back, and whether there are calls of externals at
	// all.
	called := map[*core.Proc]bool{}
	external := false
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			c, ok := n.Stmt.(*core.Call)
			switch {
			case !ok:
			case c.Callee != nil:
				external = external || !c.Callee.HasBody()
			case c.By != nil:
				for a := range r.solver.sets.all(r.eval(c.Target)) {
					if q := r.solver.objects[r.solver.addresses[a].object].Proc; q != nil {
						called[q] = true
					}
				}
			}
		}
	}
	// 2. The rest of the procedures that are known outside.
	for _, q := range r.solver.escapedProcs {
		if external && q.HasBody() && !called[q] {
			names = append(names, q.Name)
		}
	}
	slices.Sort(names)
	return names
}

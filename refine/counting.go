package refine

import (
	"maps"
	"slices"

	"c2bp/abstract"
	"c2bp/frontend/core"
)

// This file finds the conditions that ask how far a loop has counted:
//
//	for (i = 0; i < 256; i++)         !(i < 256), behind the loop
//	    if (i == 60) …                i == 60
//
// and what is asked of such a number that a callee returned. That such a loop cannot end so soon makes many paths impossible, and is seldom why a
// property holds. Reasons of another kind are preferred. That the loop goes on, i < 256, and
// what is asked before it is something else.

// counted are the conditions of p that ask how far its loops have counted, by node.
func (w *world) counted(p *core.Proc) map[int]bool {
	if w.without.NoCounting {
		return nil
	}
	if out, ok := w.counts[p]; ok {
		return out
	}
	out := map[int]bool{}
	for _, body := range abstract.Loops(p) {
		counters := countersOf(p, body)
		goesOn := goingOn(p, body)
		for n := range reached(p, body) {
			if e := core.Condition(p.Nodes[n].Stmt); e != nil && !goesOn[n] && core.Mentions(e, func(v *core.Var) bool { return counters[v] }) {
				out[n] = true
			}
		}
	}
	for n, node := range p.Nodes {
		s, isCall := node.Stmt.(*core.Call)
		if !isCall || s.Callee == nil || s.Lhs == nil || variable(s.Lhs) == nil || !w.returnsCount(s.Callee) {
			continue
		}
		for m := range reached(p, map[int]bool{n: true}) {
			if e := core.Condition(p.Nodes[m].Stmt); e != nil && core.Mentions(e, func(v *core.Var) bool { return v == variable(s.Lhs) }) {
				out[m] = true
			}
		}
	}
	w.counts[p] = out
	return out
}

// returnsCount reports whether p returns how far a loop of it has counted.
func (w *world) returnsCount(p *core.Proc) bool {
	if p.Result == nil {
		return false
	}
	for _, body := range abstract.Loops(p) {
		counters := countersOf(p, body)
		if counters[p.Result] {
			return true
		}
		for n := range reached(p, body) {
			s, ok := p.Nodes[n].Stmt.(*core.Assign)
			for i := 0; ok && i < len(s.Lhs); i++ {
				if r, isRef := s.Rhs[i].(*core.VarRef); isRef && variable(s.Lhs[i]) == p.Result && counters[r.Var] {
					return true
				}
			}
		}
	}
	return false
}

// goingOn are the nodes in a loop by which it goes on where it could be left.
func goingOn(p *core.Proc, body map[int]bool) map[int]bool {
	out := map[int]bool{}
	for n := range body {
		for _, m := range p.Nodes[n].Succ {
			if !body[m] {
				for _, stay := range p.Nodes[n].Succ {
					out[stay] = out[stay] || body[stay]
				}
			}
		}
	}
	return out
}

// reached are the nodes that a loop leads to, its own among them.
func reached(p *core.Proc, body map[int]bool) map[int]bool {
	out := maps.Clone(body)
	work := slices.Collect(maps.Keys(body))
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range p.Nodes[n].Succ {
			if !out[m] {
				out[m] = true
				work = append(work, m)
			}
		}
	}
	return out
}

// countedSteps are the steps of p with such conditions.
func (w *world) countedSteps(p *Path) map[int]bool {
	out := map[int]bool{}
	for i, s := range p.Steps {
		if w.counted(s.Frame.Proc)[s.Node] {
			out[i] = true
		}
	}
	return out
}

// countersOf lists the variables of p that a loop changes only by adding constants.
func countersOf(p *core.Proc, body map[int]bool) map[*core.Var]bool {
	steps, others := map[*core.Var]bool{}, map[*core.Var]bool{}
	for n := range body {
		s, isAssign := p.Nodes[n].Stmt.(*core.Assign)
		if isAssign {
			for i, l := range s.Lhs {
				if v := variable(l); v != nil && isStep(s.Rhs[i], v) {
					steps[v] = true
				} else if v != nil {
					others[v] = true
				}
			}
			continue
		}
		for _, l := range core.Destinations(p.Nodes[n].Stmt) {
			if v := variable(l); v != nil {
				others[v] = true
			}
		}
	}
	for v := range steps {
		if others[v] || v.Kind == core.Global || v.InMemory() {
			delete(steps, v)
		}
	}
	return steps
}

// isStep reports whether e is v and a constant more or less.
func isStep(e core.Expr, v *core.Var) bool {
	for {
		k, ok := e.(*core.Conv)
		if !ok {
			break
		}
		e = k.X
	}
	b, ok := e.(*core.Binary)
	if !ok || b.Op != core.Add && b.Op != core.Sub {
		return false
	}
	mentions := func(e core.Expr) bool { return core.Mentions(e, func(u *core.Var) bool { return u == v }) }
	return isConst(b.Y) && mentions(b.X) || b.Op == core.Add && isConst(b.X) && mentions(b.Y)
}

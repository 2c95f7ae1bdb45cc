package refine

import (
	"c2bp/abstract"
	"c2bp/frontend/core"
)

// This file finds the conditions that ask how far a loop has counted:
//
//	for (i = 0; i < 256; i++)         i < 256, and !(i < 256) behind the loop
//	    if (i == 60) …                i == 60
//
// That such a loop cannot end so soon makes many paths impossible, and is seldom why a
// property holds. Reasons of another kind are preferred.

// counted are the conditions of p that mention what its loops count, by node.
func (w *world) counted(p *core.Proc) map[int]bool {
	if w.without.NoCounting {
		return nil
	}
	if out, ok := w.counts[p]; ok {
		return out
	}
	counters := map[*core.Var]bool{}
	for _, body := range abstract.Loops(p) {
		for v := range countersOf(p, body) {
			counters[v] = true
		}
	}
	out := map[int]bool{}
	for i, n := range p.Nodes {
		if e := core.Condition(n.Stmt); e != nil && core.Mentions(e, func(v *core.Var) bool { return counters[v] }) {
			out[i] = true
		}
	}
	w.counts[p] = out
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

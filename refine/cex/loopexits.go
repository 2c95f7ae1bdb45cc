package cex

import (
	"maps"
	"slices"

	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/technique"
)

// This file finds the conditions that ask how far a loop has counted:
//
//	for (i = 0; i < 256; i++)         !(i < 256), behind the loop
//	    if (i == 60) …                i == 60
//
// and what is asked of such a number that a callee returned. That such a loop cannot end so
// soon makes many paths impossible, and is seldom why a property holds. Reasons of another kind
// are preferred. That the loop goes on, i < 256, and what is asked before it is something else;
// so is an assertion in the loop: that is what is to be found out.

// loopExits are the conditions of p that ask how far its loops have counted, by node.
func (facts *Facts) loopExits(p *core.Proc) map[int]bool {
	if facts.Without[technique.LoopExits] {
		return nil
	}
	if out, ok := facts.exits[p]; ok {
		return out
	}
	out := map[int]bool{}
	for _, body := range abstract.Loops(p) {
		counters := countersOf(p, body)
		goesOn := stayingIn(p, body)
		for n := range reached(p, body) {
			if _, isAssert := p.Nodes[n].Stmt.(*core.Assert); isAssert && body[n] || goesOn[n] {
				continue
			}
			if e := core.Condition(p.Nodes[n].Stmt); e != nil && mentionsPlace(e, counters) {
				out[n] = true
			}
		}
	}
	for n, node := range p.Nodes {
		s, isCall := node.Stmt.(*core.Call)
		if !isCall || s.Callee == nil || s.Lhs == nil || algebra.Variable(s.Lhs) == nil || !facts.returnsCount(s.Callee) {
			continue
		}
		for m := range reached(p, map[int]bool{n: true}) {
			if e := core.Condition(p.Nodes[m].Stmt); e != nil && core.Mentions(e, func(v *core.Var) bool { return v == algebra.Variable(s.Lhs) }) {
				out[m] = true
			}
		}
	}
	facts.exits[p] = out
	return out
}

// returnsCount reports whether p returns how far a loop of it has counted.
func (facts *Facts) returnsCount(p *core.Proc) bool {
	if p.Result == nil {
		return false
	}
	for _, body := range abstract.Loops(p) {
		counters := countersOf(p, body)
		if counters[algebra.PlaceName(p.Result.Ref())] {
			return true
		}
		for n := range reached(p, body) {
			s, ok := p.Nodes[n].Stmt.(*core.Assign)
			for i := 0; ok && i < len(s.Lhs); i++ {
				if r, isRef := s.Rhs[i].(*core.VarRef); isRef && algebra.Variable(s.Lhs[i]) == p.Result && counters[algebra.PlaceName(r)] {
					return true
				}
			}
		}
	}
	return false
}

// goingOn are the nodes in a loop by which it goes on where it could be left.
func stayingIn(p *core.Proc, body map[int]bool) map[int]bool {
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

// LoopExitSteps are the steps of p with such conditions.
func (facts *Facts) LoopExitSteps(p *Path) map[int]bool {
	out := map[int]bool{}
	for i, s := range p.Steps {
		if facts.loopExits(s.Frame.Proc)[s.Node] {
			out[i] = true
		}
	}
	return out
}

// countersOf lists what a loop of p changes only by adding constants, by name: variables of p,
// and what its pointers lead to.
func countersOf(p *core.Proc, body map[int]bool) map[string]bool {
	steps, others := map[string]bool{}, map[string]bool{}
	for n := range body {
		s, isAssign := p.Nodes[n].Stmt.(*core.Assign)
		if isAssign {
			for i, l := range s.Lhs {
				if v := algebra.Variable(l); v != nil && (v.Kind == core.Global || v.InMemory()) {
					continue
				}
				if isStep(s.Rhs[i], l) {
					steps[algebra.PlaceName(l)] = true
				} else {
					others[algebra.PlaceName(l)] = true
				}
			}
			continue
		}
		for _, l := range core.Destinations(p.Nodes[n].Stmt) {
			others[algebra.PlaceName(l)] = true
		}
	}
	for name := range others {
		delete(steps, name)
	}
	return steps
}

// mentionsPlace reports whether e reads one of the places with these names.
func mentionsPlace(e core.Expr, names map[string]bool) bool {
	return slices.ContainsFunc(core.Locs(e), func(l core.Loc) bool { return names[algebra.PlaceName(l)] })
}

// isStep reports whether e is what l holds and a constant more or less.
func isStep(e core.Expr, l core.Loc) bool {
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
	itself := map[string]bool{algebra.PlaceName(l): true}
	return algebra.IsConst(b.Y) && mentionsPlace(b.X, itself) || b.Op == core.Add && algebra.IsConst(b.X) && mentionsPlace(b.Y, itself)
}

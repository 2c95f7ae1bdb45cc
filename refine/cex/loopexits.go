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
//	for (i = 0; i < 256; i++)         !(i < 256), after the loop
//	    if (i == 60) …                i == 60
//
// and those that ask this of a number which a callee returned. Many paths are impossible because such a
// loop cannot end so soon, and that is seldom why a property holds: cores without these conditions are
// preferred. Not among them are conditions by which a loop is continued, such as i < 256, conditions
// before the loop, and assertions in a loop, which are to be decided.

// loopExits returns the conditions of p that ask how far its loops have counted, by node.
func (facts *Facts) loopExits(p *core.Proc) map[int]bool {
	if facts.Without.Has(technique.LoopExits) {
		return nil
	}
	if out, ok := facts.exits[p]; ok {
		return out
	}
	out := map[int]bool{}
	// 1. Conditions in and after a loop that read one of its counters.
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
	// 2. Conditions after a call that read the count which it returned.
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

// returnsCount reports whether p returns how far one of its loops has counted.
func (facts *Facts) returnsCount(p *core.Proc) bool {
	if p.Result == nil {
		return false
	}
	// The result is a counter itself, or is assigned one in or after the loop.
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

// stayingIn returns the nodes in a loop to which control goes where it could have left the loop.
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

// reached returns the nodes that can be reached from a set of nodes, and these.
func reached(p *core.Proc, body map[int]bool) map[int]bool {
	return reach(slices.Collect(maps.Keys(body)), successors(p), -1)
}

// LoopExitSteps returns the steps of p whose conditions ask how far a loop has counted.
func (facts *Facts) LoopExitSteps(p *Path) map[int]bool {
	out := map[int]bool{}
	for i, s := range p.Steps {
		if facts.loopExits(s.Frame.Proc)[s.Node] {
			out[i] = true
		}
	}
	return out
}

// countersOf returns the places that a loop of p changes, and only by steps of a constant, by name: local
// variables of p outside of memory, and targets of pointers.
func countersOf(p *core.Proc, body map[int]bool) map[string]bool {
	// The places that change by steps, and those that change in other ways, too.
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

// isStep reports whether e is the value of l plus or minus a constant, or shifted by one: for (m = 0x80; m; m >>= 1)
// counts, too.
func isStep(e core.Expr, l core.Loc) bool {
	for {
		k, ok := e.(*core.Conv)
		if !ok {
			break
		}
		e = k.X
	}
	// l + k, l - k, l << k, l >> k, or k + l.
	b, ok := e.(*core.Binary)
	if !ok {
		return false
	}
	itself := map[string]bool{algebra.PlaceName(l): true}
	switch b.Op {
	case core.Add, core.Sub, core.Shl, core.Shr:
		return algebra.IsConst(b.Y) && mentionsPlace(b.X, itself) || b.Op == core.Add && algebra.IsConst(b.X) && mentionsPlace(b.Y, itself)
	}
	return false
}

package refine

import "c2bp/frontend/core"

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
	for _, body := range naturalLoops(p) {
		for v := range countersOf(p, body) {
			counters[v] = true
		}
	}
	out := map[int]bool{}
	for i, n := range p.Nodes {
		var e core.Expr
		switch s := n.Stmt.(type) {
		case *core.Assume:
			e = s.Cond
		case *core.Assert:
			e = s.Cond
		}
		if e != nil && core.Mentions(e, func(v *core.Var) bool { return counters[v] }) {
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
		for _, l := range destinations(p.Nodes[n].Stmt) {
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

// destinations lists what a statement other than an assignment gives new values to, by name.
func destinations(s core.Stmt) []core.Loc {
	switch s := s.(type) {
	case *core.Havoc:
		return s.Locs
	case *core.Alloc:
		return []core.Loc{s.Lhs}
	case *core.Call:
		if s.Lhs != nil {
			return []core.Loc{s.Lhs}
		}
	}
	return nil
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

// naturalLoops lists the loops of p as sets of nodes: one for each node that a retreating
// edge leads to.
func naturalLoops(p *core.Proc) (loops []map[int]bool) {
	preds := make([][]int, len(p.Nodes))
	latches := map[int][]int{}
	var heads []int
	state := make([]int, len(p.Nodes)) // 1: on the way, 2: done
	type visit struct{ node, next int }
	stack := []visit{{0, 0}}
	state[0] = 1
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		n := top.node
		if top.next == len(p.Nodes[n].Succ) {
			state[n] = 2
			stack = stack[:len(stack)-1]
			continue
		}
		m := p.Nodes[n].Succ[top.next]
		top.next++
		preds[m] = append(preds[m], n)
		switch state[m] {
		case 0:
			state[m] = 1
			stack = append(stack, visit{m, 0})
		case 1:
			if latches[m] == nil {
				heads = append(heads, m)
			}
			latches[m] = append(latches[m], n)
		}
	}
	for _, h := range heads {
		loops = append(loops, loopOf(h, latches[h], preds))
	}
	return loops
}

// loopOf is the nodes from which a latch of the head h is reached without passing h.
func loopOf(h int, latches []int, preds [][]int) map[int]bool {
	body := map[int]bool{h: true}
	for work := latches; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !body[n] {
			body[n] = true
			work = append(work[:len(work):len(work)], preds[n]...)
		}
	}
	return body
}

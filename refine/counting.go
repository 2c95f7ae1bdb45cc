package refine

import "c2bp/frontend/core"

// This file finds where loops end because they have counted enough:
//
//	for (i = 0; i < 256; i++) …       the assumption !(i < 256) behind it
//
// That such a loop cannot end so soon makes many paths impossible, and is seldom why a
// property holds. Reasons of another kind are preferred.

// countedExits are the assumptions of p by which counting loops end, by node.
func (w *world) countedExits(p *core.Proc) map[int]bool {
	if out, ok := w.exits[p]; ok {
		return out
	}
	out := map[int]bool{}
	for _, body := range naturalLoops(p) {
		counters := countersOf(p, body)
		for n := range body {
			for _, next := range p.Nodes[n].Succ {
				a, ok := p.Nodes[next].Stmt.(*core.Assume)
				if ok && !body[next] && core.Mentions(a.Cond, func(v *core.Var) bool { return counters[v] }) {
					out[next] = true
				}
			}
		}
	}
	w.exits[p] = out
	return out
}

// countersOf lists the variables to which the nodes of a loop add constants.
func countersOf(p *core.Proc, body map[int]bool) map[*core.Var]bool {
	out := map[*core.Var]bool{}
	for n := range body {
		s, ok := p.Nodes[n].Stmt.(*core.Assign)
		if !ok {
			continue
		}
		for i, l := range s.Lhs {
			if v := variable(l); v != nil && isStep(s.Rhs[i], v) {
				out[v] = true
			}
		}
	}
	return out
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

package chc

import (
	"slices"

	"c2bp/boolprog"
)

// This file computes live variables: those whose values at a node something depends on.

// bits is a set of arguments, by their index in proc.vars.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 == 1 }
func (b bits) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) remove(i int)   { b[i/64] &^= 1 << (i % 64) }

// liveness computes p.live backwards from the exit, until it is stable.
func (p *proc) liveness(procs []*proc) {
	nodes := p.graph.Nodes
	p.live = make([]bits, len(nodes))
	before := make([][]int, len(nodes))
	// 1. All reached nodes wait at first; each knows its predecessors.
	var work []int
	waiting := make([]bool, len(nodes))
	for i, n := range nodes {
		p.live[i] = make(bits, (len(p.vars)+63)/64)
		if !p.reached[i] {
			continue
		}
		work, waiting[i] = append(work, i), true
		// 1. Live at a successor.
		for _, e := range edges(n) {
			before[e.to] = append(before[e.to], i)
		}
	}
	p.liveAtExit(p.live[p.graph.Exit])
	// 2. Recompute a node; if its set changes, its predecessors wait.
	for len(work) > 0 {
		i := work[len(work)-1]
		work, waiting[i] = work[:len(work)-1], false
		if i == p.graph.Exit {
			continue
		}
		live := p.liveBefore(procs, nodes[i])
		if slices.Equal(live, p.live[i]) {
			continue
		}
		p.live[i] = live
		for _, j := range before[i] {
			if !waiting[j] {
				work, waiting[j] = append(work, j), true
			}
		}
	}
}

// liveAtExit adds the variables of the summary: globals that the callers see changed, and inputs
// whose value at the entry is their present value.
func (p *proc) liveAtExit(live bits) {
	if len(p.callers) == 0 {
		return
	}
	// An input without an entry copy is its own; a global that f writes is an output.
	for i, v := range p.vars {
		if _, copied := p.in[v]; p.isInput(v) && !copied || isGlobal(v) && p.writes[v] {
			live.add(i)
		}
	}
}

// liveBefore returns the variables that are live at a node, given those at its successors.
func (p *proc) liveBefore(procs []*proc, n *boolprog.Node) bits {
	live := make(bits, (len(p.vars)+63)/64)
	for _, e := range edges(n) {
		for k, word := range p.live[e.to] {
			live[k] |= word
		}
	}
	use := func(e boolprog.Expr) {
		boolprog.InspectRefs(e, func(r *boolprog.Ref) {
			if !r.Next {
				live.add(p.at[p.find(r)])
			}
		})
	}
	var values []boolprog.Expr // the expressions that are read
	// The expressions that the node reads; right sides only if their targets are live.
	switch n.Kind {
	case boolprog.NodeAssign:
		for k, r := range n.Assign.Lhs {
			if p.needs(n, p.find(r)) {
				values = append(values, n.Assign.Rhs[k])
			}
		}
		values = append(values, n.Assign.Constrain)
	case boolprog.NodeCall:
		values = n.Call.Args
	case boolprog.NodeReturn:
		values = n.Values
	default:
		values = []boolprog.Expr{n.Cond}
	}
	// 2. The enforce clause is read after the node if it mentions a changed variable; then changed
	// variables die.
	changed := p.changes(procs, n)
	if slices.ContainsFunc(changed, func(v int) bool { return p.enforce[v] }) {
		use(p.graph.Proc.Enforce)
	}
	for _, v := range changed {
		if i, ok := p.at[v]; ok {
			live.remove(i)
		}
	}
	// 3. The node reads its expressions, and a callee the globals that it mentions.
	for _, e := range values {
		use(e)
	}
	if n.Kind == boolprog.NodeCall {
		for _, v := range procs[n.Callee.Index].vars {
			if isGlobal(v) {
				live.add(p.at[v])
			}
		}
	}
	return live
}

// needs reports whether something depends on the value that an assignment stores in v.
func (p *proc) needs(n *boolprog.Node, v int) bool {
	i, ok := p.at[v]
	return ok && (p.live[n.Succ[0]].has(i) || p.enforce[v] || n.Assign.Constrain != nil)
}

// changes returns the variables that a node changes.
func (p *proc) changes(procs []*proc, n *boolprog.Node) (list []int) {
	var targets []*boolprog.Ref
	switch n.Kind {
	case boolprog.NodeAssign:
		targets = n.Assign.Lhs
	case boolprog.NodeDead:
		targets = n.Dead.Vars
	case boolprog.NodeCall:
		targets = n.Call.Lhs
		list = procs[n.Callee.Index].outputs()
	}
	// A discarded result changes nothing.
	for _, r := range targets {
		if r.Name != "_" {
			list = append(list, p.find(r))
		}
	}
	return list
}

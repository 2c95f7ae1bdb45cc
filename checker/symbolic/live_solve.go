package symbolic

import (
	"slices"

	"c2bp/boolprog"
)

// This file computes the sets of liveness: the least that satisfy what live.go says.

// solve lets the sets grow until nothing changes: procedure by procedure, callees
// before callers, and in each backwards.
func (l *liveness) solve(order *worklist) {
	nodes := order.byProc(len(l.graph.Procs))
	var queue []int
	queued := make([]bool, len(l.graph.Procs))
	push := func(i int) {
		if !queued[i] && len(nodes[i]) > 0 {
			queued[i] = true
			queue = append(queue, i)
		}
	}
	for _, id := range order.node {
		push(int(order.proc[id]))
	}
	w := sweeper{l, order.heads(l.graph, l.first), l.newSet(), l.newSet()}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		queued[i] = false
		if w.sweep(i, nodes[i], push) {
			for _, c := range l.calls.callers.of(i) {
				push(int(c))
			}
		}
	}
}

// sweeper solves procedures one by one.
type sweeper struct {
	*liveness
	heads     []bool // by node number: control goes back there
	in, after bitset // for its use
}

// sweep solves procedure i. It reports whether the set of the entry grew, and pushes
// callees whose set at the exit grew. Only what is live at the heads of loops was asked for
// before it is known.
func (l *sweeper) sweep(i int, nodes []int32, push func(int)) (grew bool) {
	p := l.graph.Procs[i]
	for again := true; again; {
		again = false
		for _, id := range slices.Backward(nodes) {
			v := int(id) - l.first[i]
			clear(l.in)
			if callee := l.transfer(l.in, l.after, i, v); callee >= 0 {
				push(callee)
				again = again || callee == i
			}
			if l.at(i, v).union(l.in) {
				again = again || l.heads[id]
				grew = grew || v == p.Entry
			}
		}
	}
	return grew
}

// transfer makes in what is live before node v, with after for its use. If what is live
// at the exit of a callee grew, it is that procedure's number, else -1.
func (l *liveness) transfer(in, after bitset, i, v int) (exit int) {
	n := l.graph.Procs[i].Nodes[v]
	flows := l.flows.at(l.first[i] + v)
	for _, w := range n.Succ {
		in.union(l.at(i, w))
	}
	exit = -1
	if n.Kind == boolprog.NodeCall {
		exit = l.call(in, after, n.Callee, flows)
	} else {
		l.assigned(in, after, flows)
	}
	for _, f := range flows {
		if f.kind == tested && (l.mutation != deafConditions || n.Kind != boolprog.NodeAssume) {
			l.putAll(in, l.flows.read(f))
		}
	}
	return exit
}

// assigned turns what is live behind a parallel assignment into what is live before it;
// after is for its use.
func (l *liveness) assigned(in, after bitset, flows []flow) {
	copy(after, in)
	for _, f := range flows {
		if f.kind == asked {
			l.putAll(after, l.flows.read(f))
		}
	}
	for _, f := range flows {
		if f.kind == stored {
			l.drop(in, group(f.target))
		}
	}
	for _, f := range flows {
		if f.kind == stored && l.in(after, group(f.target)) {
			l.putAll(in, l.flows.read(f))
		}
	}
}

// call does so for a call; out is for its use, and the result as that of transfer.
func (l *liveness) call(in, out bitset, callee *boolprog.ProcGraph, flows []flow) (exit int) {
	q := callee.Index
	clear(out) // what is live at the exit of the callee
	results := 0
	for _, f := range flows {
		if f.kind != stored {
			continue
		}
		if l.in(in, group(f.target)) {
			l.put(out, l.lay.result(results))
			l.drop(in, group(f.target))
		}
		results++
	}
	for k, m := range l.mods[q] {
		out[k] |= in[k] & m
		in[k] &^= m
	}
	exit = -1
	if l.mutation != deafExits && l.at(q, callee.Exit).union(out) {
		exit = q
	}
	entry := l.at(q, callee.Entry)
	for k, g := range l.shared {
		in[k] |= entry[k] & g
	}
	for _, f := range flows {
		if f.kind == passed && l.in(entry, group(f.target)) {
			l.putAll(in, l.flows.read(f))
		}
	}
	return exit
}

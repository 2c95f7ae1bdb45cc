package symbolic

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/symbolic/flow"
)

// This file solves the equations of live.go: it computes the least sets that satisfy them.

// solve lets the sets grow until they are stable: procedure by procedure, callees before callers,
// and each procedure backwards.
func (l *liveness) solve(order *flow.Schedule) {
	nodes := order.ByProc(len(l.graph.Procs))
	// 1. All procedures wait at first, in the order of the schedule.
	var queue []int
	queued := make([]bool, len(l.graph.Procs))
	push := func(i int) {
		if !queued[i] && len(nodes[i]) > 0 {
			queued[i] = true
			queue = append(queue, i)
		}
	}
	for _, id := range order.Node {
		push(int(order.Proc[id]))
	}
	w := sweeper{l, order.Heads(l.graph, l.first), l.newSet(), l.newSet()}
	// 2. Solve the next procedure. Its callers depend on the set at its entry, its callees on the
	// sets after their calls.
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		queued[i] = false
		if w.sweep(i, nodes[i], push) {
			for _, c := range l.calls.Callers.Of(i) {
				push(int(c))
			}
		}
	}
}

// sweeper solves one procedure at a time.
type sweeper struct {
	*liveness
	heads     []bool   // by node number: is it a loop head?
	in, after flow.Set // memory
}

// sweep solves procedure i. It reports whether the set of its entry grew, and pushes the callees
// whose set at the exit grew. A backward sweep uses a set before it is final only at loop heads, so
// another one is needed only if the set of a loop head grew.
func (l *sweeper) sweep(i int, nodes []int32, push func(int)) (grew bool) {
	p := l.graph.Procs[i]
	for again := true; again; {
		again = false
		// Backwards, so that most successors are up to date.
		for _, id := range slices.Backward(nodes) {
			v := int(id) - l.first[i]
			clear(l.in)
			if callee := l.transfer(l.in, l.after, i, v); callee >= 0 {
				push(callee)
				again = again || callee == i
			}
			if l.at(i, v).Union(l.in) {
				again = again || l.heads[id]
				grew = grew || v == p.Entry
			}
		}
	}
	return grew
}

// transfer makes in the set of variables that are live before node v; after is memory. It returns
// the number of the callee if the set at the callee's exit grew, else -1.
func (l *liveness) transfer(in, after flow.Set, i, v int) (exit int) {
	n := l.graph.Procs[i].Nodes[v]
	flows := l.flows.At(l.first[i] + v)
	// 1. Live after the node: live before a successor.
	for _, w := range n.Succ {
		in.Union(l.at(i, w))
	}
	exit = -1
	// 2. The targets die, and what they are computed from becomes live if they were live.
	if n.Kind == boolprog.NodeCall {
		exit = l.call(in, after, n.Callee, flows)
	} else {
		l.assigned(in, after, flows)
	}
	// 3. Conditions are always read.
	for _, f := range flows {
		if f.Kind == flow.Tested {
			l.putAll(in, l.flows.Read(f))
		}
	}
	return exit
}

// assigned turns the variables that are live after a parallel assignment into those that are live
// before it; after is memory.
func (l *liveness) assigned(in, after flow.Set, flows []flow.Flow) {
	// 1. New values that the constrain clause mentions are live, too.
	copy(after, in)
	for _, f := range flows {
		if f.Kind == flow.Asked {
			l.putAll(after, l.flows.Read(f))
		}
	}
	// 2. All targets die, since all are written together …
	for _, f := range flows {
		if f.Kind == flow.Stored {
			l.drop(in, flow.Group(f.Target))
		}
	}
	// … and then the right sides of live targets become live.
	for _, f := range flows {
		if f.Kind == flow.Stored && l.in(after, flow.Group(f.Target)) {
			l.putAll(in, l.flows.Read(f))
		}
	}
}

// call is assigned for a call; out is memory, and the result is that of transfer.
func (l *liveness) call(in, out flow.Set, callee *boolprog.ProcGraph, flows []flow.Flow) (exit int) {
	q := callee.Index
	clear(out) // becomes the set at the exit of the callee
	// 1. Targets that are live make the result slots live.
	results := 0
	for _, f := range flows {
		if f.Kind != flow.Stored {
			continue
		}
		if l.in(in, flow.Group(f.Target)) {
			l.put(out, l.lay.Result(results))
			l.drop(in, flow.Group(f.Target))
		}
		results++
	}
	// 2. Globals that the callee may modify are live at its exit instead of before the call.
	for k, m := range l.mods[q] {
		out[k] |= in[k] & m
		in[k] &^= m
	}
	// 3. Add to the set of the exit.
	exit = -1
	if l.at(q, callee.Exit).Union(out) {
		exit = q
	}
	// 4. Globals that the callee reads are live before the call, and arguments whose parameters it
	// reads.
	entry := l.at(q, callee.Entry)
	for k, g := range l.shared {
		in[k] |= entry[k] & g
	}
	for _, f := range flows {
		if f.Kind == flow.Passed && l.in(entry, flow.Group(f.Target)) {
			l.putAll(in, l.flows.Read(f))
		}
	}
	return exit
}

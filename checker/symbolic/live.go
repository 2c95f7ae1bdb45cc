package symbolic

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"c2bp/boolprog"
)

// This file computes which variables the engine keeps track of at each node
// (checker-algorithm: live ranges, mod/ref sets, interprocedural liveness).
//
// A variable is live at a node if its value may still decide something: a condition,
// an enforce or constrain clause, or the value of a variable that is live where it is
// stored. This is strong liveness: x := y alone does not make y live. What is not
// live is forgotten, so the states of a node are over its live variables only.
//
// Calls are not told apart: a global is live at the exit of a procedure if it is
// behind one of its calls. A global that a procedure cannot modify is live in it only
// if it is read there; its callers keep the value across the call.
//
// An enforce clause reads all its variables at the entry, and at every node behind a
// statement that writes one of them, so all are live there. At other nodes it held
// already where control comes from.

// liveness is the result, in bitsets over groups.
type liveness struct {
	graph *boolprog.Graph
	calls *callGraph
	lay   *layout
	mutation

	words  int    // of a bitset
	shared bitset // the globals
	sets   []uint64
	first  []int    // by procedure: number of its first node
	mods   []bitset // by procedure: globals that a call may modify
	uses   [][]clauseUse
	flows  *flows

	members [][]group        // of the sets that were asked for; the first is that of none
	number  map[string]int32 // of those sets: index in members
	atNode  []int32          // by node number: of its set, 0 if it was not asked for
	key     []byte           // for number
}

// clauseUse is the variables of one clause of an enforce.
type clauseUse struct {
	expr boolprog.Expr
	vars bitset
}

func newLiveness(g *boolprog.Graph, calls *callGraph, lay *layout, f *flows, mods []bitset, first []int, order *worklist, opts Options) *liveness {
	l := &liveness{graph: g, calls: calls, lay: lay, flows: f, mods: mods, first: first, mutation: opts.mutation}
	l.members, l.number, l.atNode = [][]group{nil}, map[string]int32{}, make([]int32, len(order.rank))
	l.words = (lay.groups() + 63) / 64
	l.shared = l.newSet()
	for g := range lay.globals {
		l.put(l.shared, group(g))
	}
	l.sets = make([]uint64, len(order.rank)*l.words)
	l.uses = make([][]clauseUse, len(g.Procs))
	for i, p := range g.Procs {
		l.uses[i] = l.clausesOf(p)
	}
	l.seed()
	if opts.forgetNever {
		l.keepAll()
	}
	l.solve(order)
	l.keepInputs()
	return l
}

func (l *liveness) newSet() bitset { return make(bitset, l.words) }

func (l *liveness) put(b bitset, g group) {
	if g != noGroup {
		b.add(int(g))
	}
}

func (l *liveness) putAll(b bitset, groups []int32) {
	for _, g := range groups {
		b.add(int(g))
	}
}

func (l *liveness) drop(b bitset, g group) {
	if g != noGroup {
		b.remove(int(g))
	}
}

func (l *liveness) in(b bitset, g group) bool {
	return g != noGroup && b.has(int(g))
}

// at is the set of node v of p; it is shared.
func (l *liveness) at(p, v int) bitset {
	i := (l.first[p] + v) * l.words
	return bitset(l.sets[i : i+l.words])
}

// list is the members of a set, in the order of the groups. Equal sets share one list.
func (l *liveness) list(b bitset) []group { return l.members[l.numberOf(b)] }

// listAt is list of the set of node v of p, which may no longer change.
func (l *liveness) listAt(p, v int) []group {
	id := l.first[p] + v
	if l.atNode[id] == 0 {
		l.atNode[id] = l.numberOf(l.at(p, v))
	}
	return l.members[l.atNode[id]]
}

// numberOf is the index in l.members of the members of a set.
func (l *liveness) numberOf(b bitset) int32 {
	if b.empty() {
		return 0
	}
	l.key = l.key[:0]
	for _, w := range b {
		l.key = binary.LittleEndian.AppendUint64(l.key, w)
	}
	n, ok := l.number[string(l.key)]
	if !ok {
		var list []group
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				list = append(list, group(64*i+bits.TrailingZeros64(w)))
			}
		}
		n = int32(len(l.members))
		l.members = append(l.members, slices.Clip(list))
		l.number[string(l.key)] = n
	}
	return n
}

// clausesOf splits the enforce of p at its conjunctions: that X & Y can be 1 means
// that X can and that Y can.
func (l *liveness) clausesOf(p *boolprog.ProcGraph) []clauseUse {
	if p.Proc.Enforce == nil || l.mutation == noEnforce {
		return nil
	}
	var out []clauseUse
	conjuncts(p.Proc.Enforce, func(e boolprog.Expr) {
		u := clauseUse{e, l.newSet()}
		boolprog.InspectRefs(e, func(r *boolprog.Ref) { l.put(u.vars, l.lay.groupOf(p, r.Name)) })
		out = append(out, u)
	})
	return out
}

// writes makes b the variables that node v of procedure i may write, its results excepted.
func (l *liveness) writes(b bitset, i, v int) bitset {
	clear(b)
	n := l.graph.Procs[i].Nodes[v]
	if n.Kind != boolprog.NodeReturn {
		for _, f := range l.flows.at(l.first[i] + v) {
			if f.kind == stored {
				l.put(b, group(f.target))
			}
		}
	}
	if n.Kind == boolprog.NodeCall {
		b.union(l.mods[n.Callee.Index])
	}
	return b
}

// touched adds the variables of the clauses of p that are about one of writes.
func (l *liveness) touched(to bitset, p int, writes bitset) {
	for _, c := range l.uses[p] {
		if c.vars.meets(writes) {
			to.union(c.vars)
		}
	}
}

// seed puts what enforce clauses read into the sets.
func (l *liveness) seed() {
	w := l.newSet()
	for i, p := range l.graph.Procs {
		for _, c := range l.uses[i] {
			l.at(i, p.Entry).union(c.vars)
		}
		if len(l.uses[i]) == 0 || l.mutation == deafClauses {
			continue
		}
		for v, n := range p.Nodes {
			if !l.writes(w, i, v).empty() {
				l.touched(l.at(i, n.Succ[0]), i, w)
			}
		}
	}
}

// keepAll makes everything live that is in scope.
func (l *liveness) keepAll() {
	for i, p := range l.graph.Procs {
		for v := range p.Nodes {
			set := l.at(i, v)
			set.union(l.shared)
			for k := range p.Vars {
				if v != p.Exit {
					l.put(set, l.lay.local(k))
				}
			}
			for k := range p.Proc.Results {
				if v == p.Exit {
					l.put(set, l.lay.result(k))
				}
			}
		}
	}
}

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

// keepInputs makes the inputs of each procedure that it cannot modify live in all of
// it: their current copy says at the exit what they were at the entry.
func (l *liveness) keepInputs() {
	for i, p := range l.graph.Procs {
		fixed := l.fixed(i)
		if fixed.empty() {
			continue
		}
		for v := range p.Nodes {
			l.at(i, v).union(fixed)
		}
	}
}

// inputs is the globals and parameters that are live at the entry of a procedure.
func (l *liveness) inputs(i int) bitset {
	p := l.graph.Procs[i]
	b := slices.Clone(l.at(i, p.Entry))
	for k := len(p.Proc.Params); k < l.lay.locals; k++ {
		l.drop(b, l.lay.local(k))
	}
	return b
}

// fixed is the inputs that a procedure does not modify.
func (l *liveness) fixed(i int) bitset {
	p := l.graph.Procs[i]
	b, w := l.inputs(i), l.newSet()
	for v := range p.Nodes {
		if b.empty() {
			break
		}
		b.minus(l.writes(w, i, v))
	}
	return b
}

package symbolic

import (
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
	lay   *layout
	mutation

	words  int    // of a bitset
	shared bitset // the globals
	sets   []uint64
	first  []int    // by procedure: number of its first node
	mods   []bitset // by procedure: relevant globals that a call may modify
	uses   [][]clauseUse
}

// clauseUse is the variables of one clause of an enforce.
type clauseUse struct {
	expr boolprog.Expr
	vars bitset
}

func newLiveness(g *boolprog.Graph, lay *layout, first []int, order *worklist, opts Options) *liveness {
	l := &liveness{graph: g, lay: lay, first: first, mutation: opts.mutation}
	l.words = (lay.groups() + 63) / 64
	l.shared = l.newSet()
	for g := range lay.globals {
		l.put(l.shared, group(g))
	}
	l.sets = make([]uint64, len(order.rank)*l.words)
	for _, m := range modified(g, opts.mutation != shallowMods) {
		set := l.newSet()
		for i := range g.Globals {
			if m.has(i) {
				l.put(set, lay.global[i])
			}
		}
		l.mods = append(l.mods, set)
	}
	for _, p := range g.Procs {
		l.uses = append(l.uses, l.clausesOf(p))
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

// list is the members of a set, in the order of the groups.
func (l *liveness) list(b bitset) []group {
	var out []group
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			out = append(out, group(64*i+bits.TrailingZeros64(w)))
		}
	}
	return out
}

// group is the variable that a name denotes in p.
func (l *liveness) group(p *boolprog.ProcGraph, r *boolprog.Ref) group {
	s, ok := p.Slot(r.Name)
	if !ok {
		panic(broken("undeclared variable " + r.Name)) // Check has passed
	}
	return l.lay.slot(s)
}

// reads adds the variables of e to b.
func (l *liveness) reads(b bitset, p *boolprog.ProcGraph, e boolprog.Expr) {
	boolprog.InspectRefs(e, func(r *boolprog.Ref) { l.put(b, l.group(p, r)) })
}

// clausesOf splits the enforce of p at its conjunctions: that X & Y can be 1 means
// that X can and that Y can.
func (l *liveness) clausesOf(p *boolprog.ProcGraph) []clauseUse {
	if p.Proc.Enforce == nil || l.mutation == noEnforce {
		return nil
	}
	var out []clauseUse
	work := []boolprog.Expr{p.Proc.Enforce}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		if b, ok := e.(*boolprog.Binary); ok && b.Op == boolprog.And {
			work = append(work, b.Y, b.X)
			continue
		}
		u := clauseUse{e, l.newSet()}
		l.reads(u.vars, p, e)
		out = append(out, u)
	}
	return out
}

// writes is the variables that n may write.
func (l *liveness) writes(p *boolprog.ProcGraph, n *boolprog.Node) bitset {
	b := l.newSet()
	for _, r := range written(n) {
		if r.Name != "_" {
			l.put(b, l.group(p, r))
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
	for i, p := range l.graph.Procs {
		for _, c := range l.uses[i] {
			l.at(i, p.Entry).union(c.vars)
		}
		if len(l.uses[i]) == 0 || l.mutation == deafClauses {
			continue
		}
		for _, n := range p.Nodes {
			if w := l.writes(p, n); !w.empty() {
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
	callers := make([][]int, len(l.graph.Procs))
	for i, p := range l.graph.Procs {
		for _, n := range p.Nodes {
			if n.Kind == boolprog.NodeCall {
				callers[n.Callee.Index] = append(callers[n.Callee.Index], i)
			}
		}
	}
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
	in := l.newSet()
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		queued[i] = false
		if l.sweep(in, i, nodes[i], push) {
			for _, c := range callers[i] {
				push(c)
			}
		}
	}
}

// sweep solves one procedure. It reports whether the set of the entry grew, and pushes
// callees whose set at the exit grew.
func (l *liveness) sweep(in bitset, i int, nodes []int, push func(int)) (grew bool) {
	p := l.graph.Procs[i]
	for changed := true; changed; {
		changed = false
		for _, id := range slices.Backward(nodes) {
			v := id - l.first[i]
			clear(in)
			if callee := l.transfer(in, i, p.Nodes[v]); callee >= 0 {
				push(callee)
				changed = changed || callee == i
			}
			if l.at(i, v).union(in) {
				changed = true
				grew = grew || v == p.Entry
			}
		}
	}
	return grew
}

// transfer adds to in what is live before n. If what is live at the exit of a callee
// grew, it is that procedure's number, else -1.
func (l *liveness) transfer(in bitset, i int, n *boolprog.Node) (exit int) {
	p := l.graph.Procs[i]
	for _, w := range n.Succ {
		in.union(l.at(i, w))
	}
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		if l.mutation != deafConditions || n.Kind != boolprog.NodeAssume {
			l.reads(in, p, n.Cond)
		}
	case boolprog.NodeAssign:
		l.assign(in, p, n.Assign)
	case boolprog.NodeDead:
		for _, r := range n.Dead.Vars {
			l.drop(in, l.group(p, r))
		}
	case boolprog.NodeReturn:
		after := l.at(i, p.Exit)
		for k, e := range n.Values {
			l.drop(in, l.lay.result(k))
			if l.in(after, l.lay.result(k)) {
				l.reads(in, p, e)
			}
		}
	case boolprog.NodeCall:
		return l.call(in, p, n)
	}
	return -1
}

// assign turns what is live behind a into what is live before it.
func (l *liveness) assign(in bitset, p *boolprog.ProcGraph, a *boolprog.Assign) {
	after := slices.Clone(in)
	if a.Constrain != nil {
		boolprog.InspectRefs(a.Constrain, func(r *boolprog.Ref) {
			if r.Next {
				l.put(after, l.group(p, r))
			}
		})
	}
	for _, x := range a.Lhs {
		l.drop(in, l.group(p, x))
	}
	for i, x := range a.Lhs {
		if l.in(after, l.group(p, x)) {
			l.reads(in, p, a.Rhs[i])
		}
	}
	if a.Constrain != nil {
		boolprog.InspectRefs(a.Constrain, func(r *boolprog.Ref) {
			if !r.Next {
				l.put(in, l.group(p, r))
			}
		})
	}
}

// call does so for a call; exit is as in transfer.
func (l *liveness) call(in bitset, p *boolprog.ProcGraph, n *boolprog.Node) (exit int) {
	q := n.Callee.Index
	out := l.newSet() // what is live at the exit of the callee
	for k, r := range n.Call.Lhs {
		if r.Name == "_" {
			continue
		}
		if g := l.group(p, r); l.in(in, g) {
			l.put(out, l.lay.result(k))
			l.drop(in, g)
		}
	}
	for k, m := range l.mods[q] {
		out[k] |= in[k] & m
		in[k] &^= m
	}
	exit = -1
	if l.mutation != deafExits && l.at(q, n.Callee.Exit).union(out) {
		exit = q
	}
	entry := l.at(q, n.Callee.Entry)
	for k, g := range l.shared {
		in[k] |= entry[k] & g
	}
	for k, e := range n.Call.Args {
		if l.in(entry, l.lay.local(k)) {
			l.reads(in, p, e)
		}
	}
	return exit
}

// keepInputs makes the inputs of each procedure that it cannot modify live in all of
// it: their current copy says at the exit what they were at the entry.
func (l *liveness) keepInputs() {
	for i, p := range l.graph.Procs {
		fixed := l.fixed(i)
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
	b := l.inputs(i)
	for _, n := range p.Nodes {
		b.minus(l.writes(p, n))
	}
	return b
}

// predecessors lists the nodes before each node, the calls that return to it included.
func predecessors(p *boolprog.ProcGraph) [][]int {
	before := make([][]int, len(p.Nodes))
	for u, n := range p.Nodes {
		for i, w := range n.Succ {
			if !slices.Contains(n.Succ[:i], w) {
				before[w] = append(before[w], u)
			}
		}
	}
	return before
}

package symbolic

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/symbolic/flow"
	"c2bp/checker/symbolic/varorder"
)

// This file computes the variables that the engine keeps track of at each node: strong liveness
// across calls, with the MOD sets of procedures (Ball–Rajamani 2000, §3.3).
//
// A variable is live at a node if its value may still decide something: a condition, an enforce or
// constrain clause, or the value of a variable that is live where it is stored. This is strong
// liveness: x := y alone does not make y live. Variables that are not live are forgotten, so the
// states of a node are over its live variables only.
//
// The analysis does not distinguish calls: a global is live at the exit of a procedure if it is live
// after one of its calls. A global that a procedure cannot modify is live inside only if it is read
// there; the callers keep its value across the call.
//
// An enforce clause reads its variables at the entry, and at every node after a statement that writes
// one of them, so all of them are live there. At other nodes it held already at the predecessor.

// liveness is the result: one set of groups for each node.
type liveness struct {
	graph *boolprog.Graph
	calls *flow.CallGraph
	lay   *varorder.Layout

	words  int           // uint64s of a set
	shared flow.Set      // the globals
	sets   []uint64      // the sets of all nodes, one after the other
	first  []int         // by procedure: number of its first node
	mods   []flow.Set    // by procedure: globals that a call may modify
	uses   [][]ClauseUse // by procedure
	flows  *flow.Flows

	members [][]flow.Group   // members of the sets that were listed; the first is the empty set
	number  map[string]int32 // by set: index in members
	atNode  []int32          // by node number: index in members of its set, 0 if it was not listed
	key     []byte           // for number
}

// ClauseUse is one conjunct of an enforce clause with its variables.
type ClauseUse struct {
	Expr boolprog.Expr
	Vars flow.Set
}

// newLiveness computes the live variables of g.
func newLiveness(g *boolprog.Graph, calls *flow.CallGraph, lay *varorder.Layout, f *flow.Flows, mods []flow.Set, first []int, order *flow.Schedule, opts Options) *liveness {
	l := &liveness{graph: g, calls: calls, lay: lay, flows: f, mods: mods, first: first}
	l.members, l.number, l.atNode = [][]flow.Group{nil}, map[string]int32{}, make([]int32, len(order.Rank))
	l.words = (lay.Groups() + 63) / 64
	l.shared = l.newSet()
	for g := range lay.Globals {
		l.put(l.shared, flow.Group(g))
	}
	l.sets = make([]uint64, len(order.Rank)*l.words)
	l.uses = make([][]ClauseUse, len(g.Procs))
	// 1. Put the variables of enforce clauses into the sets.
	for i, p := range g.Procs {
		l.uses[i] = l.clausesOf(p)
	}
	l.seed()
	if opts.ForgetNever {
		l.keepAll()
	}
	// 2. Solve the equations; then add the inputs that must survive to the exit.
	l.solve(order)
	l.keepInputs()
	return l
}

// clausesOf splits the enforce clause of p at its conjunctions: X & Y can be 1 if and only if X can
// and Y can.
func (l *liveness) clausesOf(p *boolprog.ProcGraph) []ClauseUse {
	if p.Proc.Enforce == nil {
		return nil
	}
	var out []ClauseUse
	flow.Conjuncts(p.Proc.Enforce, func(e boolprog.Expr) {
		u := ClauseUse{e, l.newSet()}
		boolprog.InspectRefs(e, func(r *boolprog.Ref) { l.put(u.Vars, l.lay.GroupOf(p, r.Name)) })
		out = append(out, u)
	})
	return out
}

// writes makes b the set of variables that node v of procedure i may write, results excepted, and
// returns it.
func (l *liveness) writes(b flow.Set, i, v int) flow.Set {
	clear(b)
	n := l.graph.Procs[i].Nodes[v]
	if n.Kind != boolprog.NodeReturn {
		for _, f := range l.flows.At(l.first[i] + v) {
			if f.Kind == flow.Stored {
				l.put(b, flow.Group(f.Target))
			}
		}
	}
	// A call writes its targets, and the globals in the MOD set.
	if n.Kind == boolprog.NodeCall {
		b.Union(l.mods[n.Callee.Index])
	}
	return b
}

// touched adds to the set to the variables of the clauses of p that mention one of writes.
func (l *liveness) touched(to flow.Set, p int, writes flow.Set) {
	for _, c := range l.uses[p] {
		if c.Vars.Meets(writes) {
			to.Union(c.Vars)
		}
	}
}

// seed puts the variables that enforce clauses read into the sets.
func (l *liveness) seed() {
	w := l.newSet()
	for i, p := range l.graph.Procs {
		// All clauses are checked at the entry.
		for _, c := range l.uses[i] {
			l.at(i, p.Entry).Union(c.Vars)
		}
		if len(l.uses[i]) == 0 {
			continue
		}
		// After a statement, those clauses are checked that mention a variable that it writes.
		for v, n := range p.Nodes {
			if !l.writes(w, i, v).Empty() {
				l.touched(l.at(i, n.Succ[0]), i, w)
			}
		}
	}
}

// keepAll makes all variables in scope live.
func (l *liveness) keepAll() {
	for i, p := range l.graph.Procs {
		for v := range p.Nodes {
			set := l.at(i, v)
			set.Union(l.shared)
			// Locals are in scope before the exit, results at it.
			for k := range p.Vars {
				if v != p.Exit {
					l.put(set, l.lay.Local(k))
				}
			}
			for k := range p.Proc.Results {
				if v == p.Exit {
					l.put(set, l.lay.Result(k))
				}
			}
		}
	}
}

// keepInputs makes the inputs that a procedure cannot modify live in the whole procedure: at the
// exit, their current copy is their value at the entry.
func (l *liveness) keepInputs() {
	for i, p := range l.graph.Procs {
		fixed := l.fixed(i)
		if fixed.Empty() {
			continue
		}
		for v := range p.Nodes {
			l.at(i, v).Union(fixed)
		}
	}
}

// inputs returns the globals and parameters that are live at the entry of procedure i.
func (l *liveness) inputs(i int) flow.Set {
	p := l.graph.Procs[i]
	b := slices.Clone(l.at(i, p.Entry))
	for k := len(p.Proc.Params); k < l.lay.Locals; k++ {
		l.drop(b, l.lay.Local(k))
	}
	return b
}

// fixed returns the inputs that procedure i does not modify.
func (l *liveness) fixed(i int) flow.Set {
	p := l.graph.Procs[i]
	b, w := l.inputs(i), l.newSet()
	for v := range p.Nodes {
		if b.Empty() {
			break
		}
		b.Minus(l.writes(w, i, v))
	}
	return b
}

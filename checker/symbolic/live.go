package symbolic

import (
	"slices"

	"c2bp/boolprog"
)

// This file computes which variables the engine keeps track of at each node: live ranges, sets of
// what procedures modify and refer to, and liveness across calls (Ball–Rajamani 2000, §3.3).
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

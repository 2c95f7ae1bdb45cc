package flow

import (
	"slices"

	"c2bp/boolprog"
)

// This file defines relations between small numbers, and two that hold of a graph: calls between
// procedures, and the predecessors of nodes.

// Relation lists, for each number from 0 on, the numbers related to it. All lists are segments of
// one slice.
type Relation struct {
	first []int32 // where each list begins; there is one more for the end
	list  []int32
}

// Of returns the numbers related to i. The slice is shared.
func (r *Relation) Of(i int) []int32 { return r.list[r.first[i]:r.first[i+1]] }

// relate returns the relation of pairs of numbers whose first members are below n. Each list has
// the order of the pairs. pairs is called twice: to count and to fill the lists.
func relate(n int, pairs func(yield func(i, j int))) *Relation {
	r := &Relation{first: make([]int32, n+2)}
	// 1. Count the pairs of i in first[i+2], and sum up: then first[i+1] is where the list of i
	// begins.
	pairs(func(i, _ int) { r.first[i+2]++ })
	for i := 2; i < len(r.first); i++ {
		r.first[i] += r.first[i-1]
	}
	r.list = make([]int32, r.first[n+1])
	// 2. Fill the lists. first[i+1] moves to the end of the list of i, which is where that of i+1
	// begins.
	pairs(func(i, j int) {
		r.list[r.first[i+1]] = int32(j)
		r.first[i+1]++
	})
	r.first = r.first[:n+1]
	return r
}

// Call is a call statement: the calling procedure, its node, and the procedure called.
type Call struct{ Caller, Node, Callee int32 }

// CallGraph is the calls of a program, in program order.
type CallGraph struct {
	Calls   []Call
	Callers *Relation // the callers of each procedure, once per call
	Callees *Relation // the callees of each procedure, once per call
}

// NewCallGraph collects the calls of g.
func NewCallGraph(g *boolprog.Graph) *CallGraph {
	c := &CallGraph{}
	for i, p := range g.Procs {
		for v, n := range p.Nodes {
			if n.Kind == boolprog.NodeCall {
				c.Calls = append(c.Calls, Call{int32(i), int32(v), int32(n.Callee.Index)})
			}
		}
	}
	// Both directions, in program order.
	c.Callers = relate(len(g.Procs), func(yield func(i, j int)) {
		for _, x := range c.Calls {
			yield(int(x.Callee), int(x.Caller))
		}
	})
	c.Callees = relate(len(g.Procs), func(yield func(i, j int)) {
		for _, x := range c.Calls {
			yield(int(x.Caller), int(x.Callee))
		}
	})
	return c
}

// Predecessors lists the predecessors of each node within its procedure, once each; a call precedes
// the node that it returns to. Numbers of nodes run through all procedures, and there are nodes of
// them.
func Predecessors(g *boolprog.Graph, nodes int) *Relation {
	return relate(nodes, func(yield func(i, j int)) {
		first := 0
		for _, p := range g.Procs {
			for u, n := range p.Nodes {
				for i, w := range n.Succ {
					// A branch may have the same successor twice.
					if !slices.Contains(n.Succ[:i], w) {
						yield(first+w, first+u)
					}
				}
			}
			first += len(p.Nodes)
		}
	})
}

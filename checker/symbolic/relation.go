package symbolic

import (
	"slices"

	"c2bp/boolprog"
)

// This file defines relations between small numbers, and those that hold of the graph:
// who calls whom, what is before what.

// relation lists for each number from 0 on those that are related to it. All lists are
// stretches of one.
type relation struct {
	first []int32 // where each list begins; there is one more for the end
	list  []int32
}

// of is the numbers related to i. It is shared.
func (r *relation) of(i int) []int32 { return r.list[r.first[i]:r.first[i+1]] }

// relate makes the relation of pairs of numbers, the first of each below n. The lists are
// in the order of the pairs, which are visited twice: to be counted, and to be listed.
func relate(n int, pairs func(yield func(i, j int))) *relation {
	r := &relation{first: make([]int32, n+2)}
	pairs(func(i, _ int) { r.first[i+2]++ })
	for i := 2; i < len(r.first); i++ {
		r.first[i] += r.first[i-1]
	}
	r.list = make([]int32, r.first[n+1])
	pairs(func(i, j int) { // first[i+1] is where the next of i goes
		r.list[r.first[i+1]] = int32(j)
		r.first[i+1]++
	})
	r.first = r.first[:n+1]
	return r
}

// call is a call statement: a node of a procedure, and which one it calls.
type call struct{ caller, node, callee int32 }

// callGraph is the calls of a program, in its order.
type callGraph struct {
	calls   []call
	callers *relation // of each procedure, once for each call
	callees *relation // likewise
}

func newCallGraph(g *boolprog.Graph) *callGraph {
	c := &callGraph{}
	for i, p := range g.Procs {
		for v, n := range p.Nodes {
			if n.Kind == boolprog.NodeCall {
				c.calls = append(c.calls, call{int32(i), int32(v), int32(n.Callee.Index)})
			}
		}
	}
	c.callers = relate(len(g.Procs), func(yield func(i, j int)) {
		for _, x := range c.calls {
			yield(int(x.callee), int(x.caller))
		}
	})
	c.callees = relate(len(g.Procs), func(yield func(i, j int)) {
		for _, x := range c.calls {
			yield(int(x.caller), int(x.callee))
		}
	})
	return c
}

// predecessorsOf lists the nodes of its procedure before each node, once each, the calls
// that return to it included. Nodes are numbered through all procedures.
func predecessorsOf(g *boolprog.Graph, nodes int) *relation {
	return relate(nodes, func(yield func(i, j int)) {
		first := 0
		for _, p := range g.Procs {
			for u, n := range p.Nodes {
				for i, w := range n.Succ {
					if !slices.Contains(n.Succ[:i], w) {
						yield(first+w, first+u)
					}
				}
			}
			first += len(p.Nodes)
		}
	})
}

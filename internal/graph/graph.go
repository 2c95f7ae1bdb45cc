// Package graph has the algorithms on directed graphs that the analyses share: postorder, immediate
// dominators, strongly connected components.
//
// Nodes are the numbers from 0 to n-1, and a function lists the successors of each. All algorithms
// keep stacks of their own: a path can be as long as the program that the graph was made of.
//
//	0 -> 1    1 -> 2 3    2 -> 1    3           a loop, and its exit
//
//	Postorder           2 3 1 0
//	ReversePostorder    0 1 3 2
//	Dominators          None 0 1 1
//	Components          {3} {1 2} {0}
package graph

import "slices"

// Node is the type of the numbers of nodes.
type Node interface{ ~int | ~int32 }

// None stands for no node.
const None = -1

// visit is a node on the path of a depth-first search.
type visit[N Node] struct {
	node N
	todo []N // successors that have not been looked at
}

// Postorder lists the nodes that roots reach, in postorder of a depth-first search that tries roots
// in the order given: each after its successors, but for those that a retreating edge leads to. n is
// the number of nodes of the graph.
func Postorder[N Node](n int, roots []N, succ func(N) []N) []N {
	seen := make([]bool, n)
	var order []N
	var path []visit[N]
	enter := func(v N) {
		if !seen[v] {
			seen[v] = true
			path = append(path, visit[N]{v, succ(v)})
		}
	}
	for _, root := range roots {
		enter(root)
		for len(path) > 0 {
			top := &path[len(path)-1]
			// All successors of the node are in order.
			if len(top.todo) == 0 {
				order = append(order, top.node)
				path = path[:len(path)-1]
				continue
			}
			next := top.todo[0]
			top.todo = top.todo[1:]
			enter(next)
		}
	}
	return order
}

// ReversePostorder lists the nodes that root reaches, in reverse postorder of a depth-first search:
// each before its successors, but for those that a retreating edge leads to. n is the number of nodes
// of the graph.
func ReversePostorder[N Node](n int, root N, succ func(N) []N) []N {
	order := Postorder(n, []N{root}, succ)
	slices.Reverse(order)
	return order
}

// Dominators returns the immediate dominator of each node with respect to root, None for the root and
// for nodes that it does not reach (Cooper–Harvey–Kennedy 2001). pred is the inverse of succ. With both
// exchanged, and the exit for root, the result is the immediate postdominators.
func Dominators[N Node](n int, root N, succ, pred func(N) []N) []N {
	order := ReversePostorder(n, root, succ)
	position := make([]int, n) // in order
	idom := make([]N, n)
	for i := range idom {
		idom[i], position[i] = None, None
	}
	// 1. Number the nodes.
	for i, v := range order {
		position[v] = i
	}
	idom[root] = root
	// 2. Improve the dominators until nothing changes.
	for changed := true; changed; {
		changed = false
		for _, v := range order[1:] {
			// The immediate dominator of v is the last node that is on the paths to all of those
			// predecessors that have a dominator already.
			best := N(None)
			for _, u := range pred(v) {
				if position[u] == None || idom[u] == None {
					continue
				}
				if best == None {
					best = u
					continue
				}
				// Climb from the later one of the two until they meet.
				for best != u {
					for position[best] > position[u] {
						best = idom[best]
					}
					for position[u] > position[best] {
						u = idom[u]
					}
				}
			}
			if best != idom[v] {
				idom[v] = best
				changed = true
			}
		}
	}
	idom[root] = None
	return idom
}

package splice

import (
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file makes segments.

// Line returns nodes that execute statements in order.
func Line(pos source.Pos, list ...core.Stmt) (nodes []*core.Node) {
	for i, s := range list {
		nodes = append(nodes, &core.Node{Stmt: s, Succ: []int{i + 1}, Pos: pos})
	}
	return nodes
}

// Either returns nodes that execute any of some lists, or nothing.
func Either(pos source.Pos, lists ...[]*core.Node) []*core.Node {
	branch := &core.Node{Stmt: &core.Branch{}, Pos: pos, Free: true}
	nodes := []*core.Node{branch}
	n := 1
	for _, l := range lists {
		n += len(l)
	}
	// The last way is a skip, at index n.
	for _, l := range lists {
		base := len(nodes)
		branch.Succ = append(branch.Succ, base)
		for _, x := range l {
			for i, s := range x.Succ {
				if x.Succ[i] = base + s; s == len(l) {
					x.Succ[i] = n + 1
				}
			}
			nodes = append(nodes, x)
		}
	}
	branch.Succ = append(branch.Succ, n)
	return append(nodes, &core.Node{Stmt: &core.Skip{}, Succ: []int{n + 1}, Pos: pos})
}

// OneOf returns nodes that execute one of some lists.
func OneOf(pos source.Pos, lists ...[]*core.Node) []*core.Node {
	nodes := Either(pos, lists...)
	// Without the last way, which executes nothing.
	nodes[0].Succ = nodes[0].Succ[:len(lists)]
	nodes = nodes[:len(nodes)-1]
	for _, x := range nodes {
		for i, s := range x.Succ {
			if s == len(nodes)+1 {
				x.Succ[i] = len(nodes)
			}
		}
	}
	return nodes
}

// If returns nodes that execute list where cond holds, and nothing elsewhere.
func If(pos source.Pos, cond core.Expr, list []*core.Node) []*core.Node {
	n := 3 + len(list)
	nodes := []*core.Node{
		{Stmt: &core.Branch{}, Succ: []int{1, n - 1}, Pos: pos},
		{Stmt: &core.Assume{Cond: cond}, Succ: []int{2}, Pos: pos},
	}
	for _, x := range list {
		for i, s := range x.Succ {
			if x.Succ[i] = 2 + s; s == len(list) {
				x.Succ[i] = n
			}
		}
		nodes = append(nodes, x)
	}
	return append(nodes, &core.Node{Stmt: &core.Assume{Cond: core.Negate(cond)}, Succ: []int{n}, Pos: pos})
}

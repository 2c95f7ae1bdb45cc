package extract

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/core"
)

// This file finds the core nodes in the Boolean program.

// startsOf finds where each core node starts. For most it is one node, the first of those
// that abstract it.
//
// What stands before the first node of a procedure is what predicates imply about each
// other, an assumption, and the values of symbolic constants. The assumption is what the
// procedure can tell by itself, and its callers perhaps not:
//
//	static void fill(struct request *u) { … }        u == &port.out implies u->status == port.out.status
//	static void submit(struct port *p) { fill(&p->in); }
//
// If p may only point to port, p->in.status is port.in.status; but that &p->in is not
// &port.out is known of no p that is not followed. So the procedure starts before the
// assumption, if that is all that there is, and if control comes back to its first node,
// there, too.
func startsOf(prog *core.Program, g *boolprog.Graph) map[string][]checker.Point {
	starts := map[string][]checker.Point{}
	for id, at := range firstNodes(g) {
		starts[id] = []checker.Point{at}
	}
	for _, q := range prog.Procs {
		if !q.HasBody() {
			continue
		}
		if at, ok := beforeAssumption(g, q.Name+":entry"); ok {
			first := starts[q.NodeID(0)]
			if starts[q.NodeID(0)] = []checker.Point{at}; isReturnedTo(q, 0) {
				starts[q.NodeID(0)] = append(starts[q.NodeID(0)], first...)
			}
		}
	}
	return starts
}

// beforeAssumption is the entry of a procedure that starts with an assumption of that id,
// and with nothing else of that id.
func beforeAssumption(g *boolprog.Graph, id string) (at checker.Point, ok bool) {
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			if n.Stmt == nil || n.Stmt.Annot == nil || n.Stmt.Annot.Node != id {
				continue
			}
			if n.Kind != boolprog.NodeAssume {
				return at, false
			}
			if j == p.Entry {
				at, ok = checker.Point{Proc: i, Node: j}, true
			}
		}
	}
	return at, ok
}

// isReturnedTo reports whether node i of q is the successor of one.
func isReturnedTo(q *core.Proc, i int) bool {
	return slices.ContainsFunc(q.Nodes, func(n *core.Node) bool { return slices.Contains(n.Succ, i) })
}

// firstNodes finds the first node of those that abstract each core node. A goto with the
// id of a core node leads to it and is not the first.
func firstNodes(g *boolprog.Graph) map[string]checker.Point {
	first := map[string]checker.Point{}
	for i, p := range g.Procs {
		for j, n := range p.Nodes {
			if n.Stmt == nil || n.Stmt.Annot == nil {
				continue
			}
			if _, isGoto := n.Stmt.Op.(*boolprog.Goto); isGoto {
				continue
			}
			id := n.Stmt.Annot.Node
			if _, ok := first[id]; !ok {
				first[id] = checker.Point{Proc: i, Node: j}
			}
		}
	}
	return first
}

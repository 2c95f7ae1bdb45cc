package symbolic

import "c2bp/boolprog"

// This file resolves the names in a program to groups, once and for all passes of
// liveness: a node becomes the flows of values that it causes.

// flow is a use of values at a node.
type flow struct {
	kind   flowKind
	target int32   // the group that is written, perhaps noGroup
	reads  []int32 // the groups that are read
}

// flowKind says what becomes of the values read.
type flowKind int32

const (
	stored flowKind = iota // in the target; nothing is read for an arbitrary value or a callee's result
	passed                 // to the parameter that is the target
	tested                 // they decide: conditions, present values in a constrain clause
	asked                  // likewise, but by their new values
)

// flowsOf resolves p, by node. The slices of all nodes are parts of few large ones.
func (l *liveness) flowsOf(p *boolprog.ProcGraph) [][]flow {
	r := &resolver{l: l, p: p}
	ends := make([]int, len(p.Nodes))
	for v, n := range p.Nodes {
		r.node(n)
		ends[v] = len(r.flows)
	}
	list := make([][]flow, len(p.Nodes))
	start := 0
	for v, end := range ends {
		list[v] = r.flows[start:end:end]
		start = end
	}
	return list
}

// resolver collects the flows of a procedure.
type resolver struct {
	l      *liveness
	p      *boolprog.ProcGraph
	flows  []flow
	groups []int32
}

// add appends a flow of the values in e of which of holds.
func (r *resolver) add(kind flowKind, target group, e boolprog.Expr, of func(*boolprog.Ref) bool) {
	start := len(r.groups)
	boolprog.InspectRefs(e, func(x *boolprog.Ref) {
		if g := r.l.group(r.p, x); g != noGroup && (of == nil || of(x)) {
			r.groups = append(r.groups, int32(g))
		}
	})
	r.flows = append(r.flows, flow{kind, int32(target), r.groups[start:len(r.groups):len(r.groups)]})
}

func (r *resolver) node(n *boolprog.Node) {
	l, p := r.l, r.p
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		r.add(tested, noGroup, n.Cond, nil)
	case boolprog.NodeAssign:
		for i, x := range n.Assign.Lhs {
			r.add(stored, l.group(p, x), n.Assign.Rhs[i], nil)
		}
		if c := n.Assign.Constrain; c != nil {
			r.add(tested, noGroup, c, func(x *boolprog.Ref) bool { return !x.Next })
			r.add(asked, noGroup, c, func(x *boolprog.Ref) bool { return x.Next })
		}
	case boolprog.NodeDead:
		for _, x := range n.Dead.Vars {
			r.add(stored, l.group(p, x), nil, nil)
		}
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			r.add(stored, l.lay.result(i), e, nil)
		}
	case boolprog.NodeCall:
		for i, e := range n.Call.Args {
			r.add(passed, l.lay.local(i), e, nil)
		}
		for _, x := range n.Call.Lhs {
			g := noGroup
			if x.Name != "_" {
				g = l.group(p, x)
			}
			r.add(stored, g, nil, nil)
		}
	}
}

package symbolic

import "c2bp/boolprog"

// This file resolves the names in a program to groups, once and for all passes of
// liveness: a node becomes the flows of values that it causes.

// nodeFlows is what a node does with values.
type nodeFlows struct {
	reads []group // what decides: conditions, and the present values in a constrain clause
	asked []group // targets whose new values a constrain clause asks for
	into  []flow  // what is stored where; without reads, if an arbitrary value or a callee's result
	args  []flow  // of a call: into the callee's parameters
}

// flow is the storing of a value: target, which may be noGroup, becomes an expression
// over reads.
type flow struct {
	target group
	reads  []group
}

// flowsOf resolves p. The slices of all nodes are parts of few large ones.
func (l *liveness) flowsOf(p *boolprog.ProcGraph) []nodeFlows {
	list := make([]nodeFlows, len(p.Nodes))
	var groups []group
	reads := func(e boolprog.Expr, of func(*boolprog.Ref) bool) []group {
		start := len(groups)
		boolprog.InspectRefs(e, func(r *boolprog.Ref) {
			if g := l.group(p, r); g != noGroup && (of == nil || of(r)) {
				groups = append(groups, g)
			}
		})
		return groups[start:len(groups):len(groups)]
	}
	var flows []flow
	cut := func(start int) []flow { return flows[start:len(flows):len(flows)] }
	for v, n := range p.Nodes {
		f, start := &list[v], len(flows)
		switch n.Kind {
		case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
			f.reads = reads(n.Cond, nil)
		case boolprog.NodeAssign:
			for i, r := range n.Assign.Lhs {
				flows = append(flows, flow{l.group(p, r), reads(n.Assign.Rhs[i], nil)})
			}
			if c := n.Assign.Constrain; c != nil {
				f.reads = reads(c, func(r *boolprog.Ref) bool { return !r.Next })
				f.asked = reads(c, func(r *boolprog.Ref) bool { return r.Next })
			}
		case boolprog.NodeDead:
			for _, r := range n.Dead.Vars {
				flows = append(flows, flow{target: l.group(p, r)})
			}
		case boolprog.NodeReturn:
			for i, e := range n.Values {
				flows = append(flows, flow{l.lay.result(i), reads(e, nil)})
			}
		case boolprog.NodeCall:
			for i, e := range n.Call.Args {
				flows = append(flows, flow{l.lay.local(i), reads(e, nil)})
			}
			f.args, start = cut(start), len(flows)
			for _, r := range n.Call.Lhs {
				g := noGroup
				if r.Name != "_" {
					g = l.group(p, r)
				}
				flows = append(flows, flow{target: g})
			}
		}
		f.into = cut(start)
	}
	return list
}

package flow

import "c2bp/boolprog"

// This file resolves the names in a program to groups: every node becomes a list of flows.

// Flow is one use of values at a node: the values that are read, and the group they go to.
type Flow struct {
	Kind     flowKind
	Target   int32 // the group that is written, perhaps NoGroup
	from, to int32 // the groups read: a segment of Flows.reads
}

// flowKind is the use that is made of the values read.
type flowKind int32

const (
	Stored flowKind = iota // stored in the target; nothing is read for an arbitrary value or a callee's result
	Passed                 // passed to the parameter that is the target
	Tested                 // they decide something: a conjunct of a condition, present values in a constrain clause
	Asked                  // likewise, but by their new values
)

// Flows holds the flows of all nodes.
type Flows struct {
	list  []Flow
	first []int32 // by node number: where its flows begin in list; there is one more for the end
	reads []int32 // groups
}

// At returns the flows of the node with this number. For an assignment they begin with one Stored
// flow for each target.
func (f *Flows) At(id int) []Flow { return f.list[f.first[id]:f.first[id+1]] }

// Read returns the groups that x reads. The slice is shared.
func (f *Flows) Read(x Flow) []int32 { return f.reads[x.from:x.to] }

// NewFlows resolves the names in g.
func NewFlows(g *boolprog.Graph, lay *Numbering) *Flows {
	nodes := 0
	for _, p := range g.Procs {
		nodes += len(p.Nodes)
	}
	f := &Flows{
		list: make([]Flow, 0, nodes), first: make([]int32, 0, nodes+1), reads: make([]int32, 0, nodes),
	}
	// Node by node, in the order of their numbers.
	r := &resolver{Flows: f, lay: lay}
	for _, p := range g.Procs {
		r.p = p
		for _, n := range p.Nodes {
			f.first = append(f.first, int32(len(f.list)))
			r.node(n)
		}
	}
	f.first = append(f.first, int32(len(f.list)))
	return f
}

// resolver collects the flows of a procedure.
type resolver struct {
	*Flows
	lay *Numbering
	p   *boolprog.ProcGraph
}

// add appends a flow of the variables in e for which of holds; nil is all of them.
func (r *resolver) add(kind flowKind, target Group, e boolprog.Expr, of func(*boolprog.Ref) bool) {
	from := int32(len(r.reads))
	boolprog.InspectRefs(e, func(x *boolprog.Ref) {
		if g := r.lay.GroupOf(r.p, x.Name); g != NoGroup && (of == nil || of(x)) {
			r.reads = append(r.reads, int32(g))
		}
	})
	r.list = append(r.list, Flow{kind, int32(target), from, int32(len(r.reads))})
}

// node appends the flows of n.
func (r *resolver) node(n *boolprog.Node) {
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		// Each conjunct of a condition decides separately.
		Conjuncts(n.Cond, func(e boolprog.Expr) { r.add(Tested, NoGroup, e, nil) })
	case boolprog.NodeAssign:
		// All right sides are read before any target is written. The constrain clause reads present
		// values and, primed, new ones.
		for i, x := range n.Assign.Lhs {
			r.add(Stored, r.lay.GroupOf(r.p, x.Name), n.Assign.Rhs[i], nil)
		}
		if c := n.Assign.Constrain; c != nil {
			r.add(Tested, NoGroup, c, func(x *boolprog.Ref) bool { return !x.Next })
			r.add(Asked, NoGroup, c, func(x *boolprog.Ref) bool { return x.Next })
		}
	case boolprog.NodeDead:
		// A dead variable becomes arbitrary: it is written and nothing is read.
		for _, x := range n.Dead.Vars {
			r.add(Stored, r.lay.GroupOf(r.p, x.Name), nil, nil)
		}
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			r.add(Stored, r.lay.Result(i), e, nil)
		}
	case boolprog.NodeCall:
		// Arguments go to the callee's parameters. Results are read from the callee's result slots,
		// which hyperedges and liveness add; a result that is discarded has no target.
		for i, e := range n.Call.Args {
			r.add(Passed, r.lay.Local(i), e, nil)
		}
		for _, x := range n.Call.Lhs {
			g := NoGroup
			if x.Name != "_" {
				g = r.lay.GroupOf(r.p, x.Name)
			}
			r.add(Stored, g, nil, nil)
		}
	}
}

// Conjuncts splits e at its conjunctions and visits the parts from left to right; nil has none. It
// keeps its own stack, since conjunctions can be long.
func Conjuncts(e boolprog.Expr, visit func(boolprog.Expr)) {
	if e == nil {
		return
	}
	var room [8]boolprog.Expr // enough for most clauses
	for work := append(room[:0], e); len(work) > 0; {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		if b, ok := e.(*boolprog.Binary); ok && b.Op == boolprog.And {
			// Push the right part first, so that the left one is visited first.
			work = append(work, b.Y, b.X)
			continue
		}
		visit(e)
	}
}

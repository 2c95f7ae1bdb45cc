package symbolic

import "c2bp/boolprog"

// This file resolves the names in a program to groups, once and for all passes over it:
// every node becomes the flows of values that it causes.

// flow is a use of values at a node.
type flow struct {
	kind     flowKind
	target   int32 // the group that is written, perhaps noGroup
	from, to int32 // what is read is a stretch of flows.reads
}

// flowKind says what becomes of the values read.
type flowKind int32

const (
	stored flowKind = iota // in the target; nothing is read for an arbitrary value or a callee's result
	passed                 // to the parameter that is the target
	tested                 // they decide: a conjunct of a condition, present values in a constrain clause
	asked                  // likewise, but by their new values
)

// flows are those of all nodes.
type flows struct {
	list  []flow
	first []int32 // by node number: where its flows begin in list; there is one more for the end
	reads []int32 // groups
}

// at is the flows of a node, by its number.
func (f *flows) at(id int) []flow { return f.list[f.first[id]:f.first[id+1]] }

// read is the groups that x reads.
func (f *flows) read(x flow) []int32 { return f.reads[x.from:x.to] }

// newFlows resolves g.
func newFlows(g *boolprog.Graph, lay *layout) *flows {
	nodes := 0
	for _, p := range g.Procs {
		nodes += len(p.Nodes)
	}
	f := &flows{
		list: make([]flow, 0, nodes), first: make([]int32, 0, nodes+1), reads: make([]int32, 0, nodes),
	}
	r := &resolver{flows: f, lay: lay}
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
	*flows
	lay *layout
	p   *boolprog.ProcGraph
}

// groupOf is the variable that a name denotes in p.
func (l *layout) groupOf(p *boolprog.ProcGraph, name string) group {
	s, ok := p.Slot(name)
	if !ok {
		panic(broken("undeclared variable " + name)) // Check has passed
	}
	return l.slot(s)
}

// add appends a flow of the values in e of which of holds.
func (r *resolver) add(kind flowKind, target group, e boolprog.Expr, of func(*boolprog.Ref) bool) {
	from := int32(len(r.reads))
	boolprog.InspectRefs(e, func(x *boolprog.Ref) {
		if g := r.lay.groupOf(r.p, x.Name); g != noGroup && (of == nil || of(x)) {
			r.reads = append(r.reads, int32(g))
		}
	})
	r.list = append(r.list, flow{kind, int32(target), from, int32(len(r.reads))})
}

func (r *resolver) node(n *boolprog.Node) {
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		conjuncts(n.Cond, func(e boolprog.Expr) { r.add(tested, noGroup, e, nil) })
	case boolprog.NodeAssign:
		for i, x := range n.Assign.Lhs {
			r.add(stored, r.lay.groupOf(r.p, x.Name), n.Assign.Rhs[i], nil)
		}
		if c := n.Assign.Constrain; c != nil {
			r.add(tested, noGroup, c, func(x *boolprog.Ref) bool { return !x.Next })
			r.add(asked, noGroup, c, func(x *boolprog.Ref) bool { return x.Next })
		}
	case boolprog.NodeDead:
		for _, x := range n.Dead.Vars {
			r.add(stored, r.lay.groupOf(r.p, x.Name), nil, nil)
		}
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			r.add(stored, r.lay.result(i), e, nil)
		}
	case boolprog.NodeCall:
		for i, e := range n.Call.Args {
			r.add(passed, r.lay.local(i), e, nil)
		}
		for _, x := range n.Call.Lhs {
			g := noGroup
			if x.Name != "_" {
				g = r.lay.groupOf(r.p, x.Name)
			}
			r.add(stored, g, nil, nil)
		}
	}
}

// conjuncts splits e, which may be nil, at its conjunctions and visits the parts from left
// to right.
func conjuncts(e boolprog.Expr, visit func(boolprog.Expr)) {
	if e == nil {
		return
	}
	var room [8]boolprog.Expr // for most
	for work := append(room[:0], e); len(work) > 0; {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		if b, ok := e.(*boolprog.Binary); ok && b.Op == boolprog.And {
			work = append(work, b.Y, b.X)
			continue
		}
		visit(e)
	}
}

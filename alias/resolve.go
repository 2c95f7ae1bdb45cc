package alias

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// Resolve replaces the calls through pointers in p by direct ones: a branch with, for
// each procedure that the pointer may point to, an assumption that it does and a call.
//
//	0: x := (ops->get)(d)  -> 1        0: branch                       -> 2 4
//	                                   2: assume ops->get == &get_a    -> 3
//	                                   3: x := get_a(d)                -> 1
//	                                   4: assume ops->get == &get_b    -> 5
//	                                   5: x := get_b(d)                -> 1
//
// An argument or result whose type is not the one expected is converted, or, where C
// knows no conversion, made arbitrary. A procedure that takes another number of
// arguments is no candidate: to call it is undefined. If the pointer comes from
// outside, it may also point to an external procedure that the program does not
// name; one is added, named ?unknown and the signature.
//
// Resolve changes p: it replaces nodes, adds temporaries $r0, $r1, ... and lines to the
// ledger, and returns p. Variables and procedures stay the same; in procedures with
// such calls, node numbers change.
func Resolve(p *core.Program) *core.Program {
	if !hasIndirectCalls(p) {
		return p
	}
	r := &resolver{prog: p, result: Analyze(p), unknown: map[string]*core.Proc{}}
	for _, q := range p.Procs {
		r.procedure(q)
	}
	p.Procs = append(p.Procs, r.added...)
	p.Ledger = append(p.Ledger, "calls through pointers: none through a null or invalid pointer")
	p.Ledger = append(p.Ledger, r.ledger...)
	return p
}

func hasIndirectCalls(p *core.Program) bool {
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee == nil {
				return true
			}
		}
	}
	return false
}

// resolver rewrites one procedure after the other.
type resolver struct {
	prog    *core.Program
	result  *Result
	unknown map[string]*core.Proc // by name
	added   []*core.Proc
	ledger  []string

	proc  *core.Proc
	taken map[string]bool // names of variables that proc sees
	temps int
	nodes []*core.Node // of proc; successors have their new numbers
}

// procedure rewrites the calls in q. The nodes made for a call follow it, so that the
// return node stays the last.
func (r *resolver) procedure(q *core.Proc) {
	r.proc, r.nodes, r.taken, r.temps = q, nil, nil, 0
	plans := make([]*expansion, len(q.Nodes))
	place := make([]int, len(q.Nodes)) // new numbers
	count := 0
	for i, n := range q.Nodes {
		place[i] = count
		count++
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee == nil {
			plans[i] = r.expand(n, c)
			count += plans[i].count()
		}
	}
	if count == len(q.Nodes) {
		return
	}
	for i, n := range q.Nodes {
		next := slices.Clone(n.Succ)
		for j, m := range n.Succ {
			n.Succ[j] = place[m]
			next[j] = place[m]
		}
		r.nodes = append(r.nodes, n)
		if plans[i] != nil {
			r.splice(n, plans[i], next)
		}
	}
	q.Nodes = r.nodes
}

// expansion is what replaces a call. Node 0 is a branch that takes the place of the
// call; successors are counted from there, and leave stands for what comes after it.
type expansion struct {
	nodes []*core.Node
}

const leave = -1

// count is the number of nodes besides the branch.
func (x *expansion) count() int { return len(x.nodes) - 1 }

// arm adds a chain of statements as a successor of node from, and returns the index
// of the last.
func (x *expansion) arm(from int, stmts ...core.Stmt) int {
	for _, s := range stmts {
		m := &core.Node{Stmt: s, Succ: []int{leave}}
		if f := x.nodes[from]; len(f.Succ) == 1 && f.Succ[0] == leave {
			f.Succ[0] = len(x.nodes)
		} else {
			f.Succ = append(f.Succ, len(x.nodes))
		}
		from = len(x.nodes)
		x.nodes = append(x.nodes, m)
	}
	return from
}

// splice puts x in the place of the call in n, the last of r.nodes.
func (r *resolver) splice(n *core.Node, x *expansion, next []int) {
	base := len(r.nodes) - 1
	text := n.Text
	n.Stmt, n.Succ, n.Text = x.nodes[0].Stmt, x.nodes[0].Succ, ""
	for _, m := range x.nodes[1:] {
		m.Pos, m.Model = n.Pos, n.Model
		if _, ok := m.Stmt.(*core.Call); ok {
			m.Text = text
		}
		r.nodes = append(r.nodes, m)
	}
	for _, m := range r.nodes[base:] {
		for i, to := range m.Succ {
			if to == leave {
				m.Succ = slices.Clone(next)
				break
			}
			m.Succ[i] = base + to
		}
	}
}

// expand makes the expansion of call c in node n: an arm for each procedure that it
// may call. If it may also call an unknown one, the arms are a cascade, so that the
// conditions exclude each other.
func (r *resolver) expand(n *core.Node, c *core.Call) *expansion {
	list, unknown := r.result.Callees(c)
	x := &expansion{nodes: []*core.Node{{Stmt: &core.Branch{}}}}
	from := 0
	for i, f := range list {
		x.arm(from, append([]core.Stmt{targets(c, core.Eq, f)}, r.direct(c, f)...)...)
		if !unknown {
			continue
		}
		from = x.arm(from, targets(c, core.Ne, f))
		if i < len(list)-1 {
			from = x.arm(from, &core.Branch{})
		}
	}
	switch {
	case unknown:
		x.arm(from, r.direct(c, r.unknownProc(c))...)
		r.ledger = append(r.ledger, fmt.Sprintf(
			"calls through pointers: what %s calls at %s may be defined outside of the program; it is taken for an external function",
			core.CString(c.Target), r.where(n)))
	case len(list) == 0:
		x.arm(0, &core.Assume{Cond: core.NewConst(0, core.Int32)})
		r.ledger = append(r.ledger, fmt.Sprintf(
			"calls through pointers: nothing is known that %s could call at %s, so no run gets past it",
			core.CString(c.Target), r.where(n)))
	}
	return x
}

// where is the position of n, for people.
func (r *resolver) where(n *core.Node) string {
	if n.Pos.IsValid() {
		return n.Pos.String()
	}
	return r.proc.Name
}

// targets assumes that the target of c is, or is not, f.
func targets(c *core.Call, op core.BinaryOp, f *core.Proc) core.Stmt {
	t := c.Target.Type().(core.Ptr)
	return &core.Assume{Cond: &core.Binary{Op: op, X: c.Target, Y: &core.FuncAddr{Proc: f, Typ: t}}}
}

// unknownProc is an external procedure with the signature of c.
func (r *resolver) unknownProc(c *core.Call) *core.Proc {
	p := &core.Proc{RetType: c.RetType}
	if p.RetType == nil {
		p.RetType = core.Void{}
	}
	var types []string
	for i, e := range c.Args {
		v := &core.Var{Name: fmt.Sprintf("a%d", i), Kind: core.Formal, Proc: p, Type: core.Opaque{Name: "?"}}
		if e != nil {
			v.Type = e.Type()
		}
		p.Formals = append(p.Formals, v)
		types = append(types, v.Type.String())
	}
	p.Name = fmt.Sprintf("?unknown(%s) %s", strings.Join(types, ", "), p.RetType)
	p.CName = p.Name
	if q, ok := r.unknown[p.Name]; ok {
		return q
	}
	r.unknown[p.Name] = p
	r.added = append(r.added, p)
	return p
}

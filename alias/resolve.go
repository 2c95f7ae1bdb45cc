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
		for j, m := range n.Succ {
			n.Succ[j] = place[m]
		}
		r.nodes = append(r.nodes, n)
		if plans[i] != nil {
			r.splice(n, plans[i])
		}
	}
	q.Nodes = r.nodes
}

// expansion is what replaces a call: chains of statements to choose from.
type expansion struct {
	arms [][]core.Stmt
}

func (x *expansion) count() int {
	n := 0
	for _, arm := range x.arms {
		n += len(arm)
	}
	return n
}

// splice makes n a branch and appends the nodes of x.
func (r *resolver) splice(n *core.Node, x *expansion) {
	next := n.Succ
	n.Stmt, n.Succ = &core.Branch{}, nil
	text := n.Text
	n.Text = ""
	for _, arm := range x.arms {
		n.Succ = append(n.Succ, len(r.nodes))
		for i, s := range arm {
			m := &core.Node{Stmt: s, Succ: []int{len(r.nodes) + 1}, Pos: n.Pos}
			if _, ok := s.(*core.Call); ok {
				m.Text = text
			}
			if i == len(arm)-1 {
				m.Succ = slices.Clone(next)
			}
			r.nodes = append(r.nodes, m)
		}
	}
}

// expand makes the arms for call c in node n.
func (r *resolver) expand(n *core.Node, c *core.Call) *expansion {
	list, unknown := r.result.Callees(c)
	x := &expansion{}
	for _, f := range list {
		arm := []core.Stmt{&core.Assume{Cond: targets(c, core.Eq, f)}}
		x.arms = append(x.arms, append(arm, r.direct(c, f)...))
	}
	if unknown {
		x.arms = append(x.arms, r.unknownArm(c, list))
	}
	if len(x.arms) == 0 {
		x.arms = [][]core.Stmt{{&core.Assume{Cond: core.NewConst(0, core.Int32)}}}
		where := r.proc.Name
		if n.Pos.IsValid() {
			where = n.Pos.String()
		}
		r.ledger = append(r.ledger, fmt.Sprintf(
			"calls through pointers: nothing is known that %s could call at %s, so no run gets past it",
			core.CString(c.Target), where))
	}
	return x
}

// targets is the condition that the target of c is, or is not, f.
func targets(c *core.Call, op core.BinaryOp, f *core.Proc) core.Expr {
	t := c.Target.Type().(core.Ptr)
	return &core.Binary{Op: op, X: c.Target, Y: &core.FuncAddr{Proc: f, Typ: t}}
}

// unknownArm calls a procedure outside of the program, which is none of list.
func (r *resolver) unknownArm(c *core.Call, list []*core.Proc) []core.Stmt {
	var conds []core.Expr
	for _, f := range list {
		conds = append(conds, targets(c, core.Ne, f))
	}
	arm := []core.Stmt{&core.Skip{}}
	if len(conds) > 0 {
		arm = []core.Stmt{&core.Assume{Cond: conjunction(conds)}}
	}
	return append(arm, r.direct(c, r.unknownProc(c))...)
}

// conjunction joins list, which is not empty, to a tree of little depth.
func conjunction(list []core.Expr) core.Expr {
	if len(list) == 1 {
		return list[0]
	}
	m := len(list) / 2
	return &core.Binary{Op: core.LAnd, X: conjunction(list[:m]), Y: conjunction(list[m:])}
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

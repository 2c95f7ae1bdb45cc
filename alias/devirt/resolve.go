package devirt

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/unset"
)

// This file replaces calls through pointers by branches over direct calls.

// Resolve replaces the calls through pointers in p by direct ones: a branch with, for each procedure
// that the pointer may point to, an assumption that it does and a call.
//
//	0: x := (ops->get)(d)  -> 1        0: branch                       -> 2 4
//	                                   2: assume ops->get == &get_a    -> 3
//	                                   3: x := get_a(d)                -> 1
//	                                   4: assume ops->get == &get_b    -> 5
//	                                   5: x := get_b(d)                -> 1
//
// An argument or result whose type is not the one expected is converted or, where C has no conversion,
// made arbitrary. A procedure that takes another number of arguments is no candidate: calling it is
// undefined. If the pointer comes from outside, it may also point to an external procedure that the
// program does not name; one is added, named ?unknown and the signature.
//
// Reads of constant tables are replaced by their contents (tables.go), so that the assumptions above
// say which table ops is. Calls from outside are added (callbacks.go). Variable arguments become
// objects whose addresses the callers pass (varargs.go). Finally, the places that may be read before
// they are set are determined again, now that all calls are known (package unset).
//
// Resolve changes p in place: it replaces nodes, adds temporaries $r0, $r1, ... and lines to the
// ledger. Procedures and other variables stay the same; in procedures with such calls or reads, node
// numbers change.
func Resolve(p *core.Program) { resolve(p, true) }

// Calls is [Resolve], but for the reads of constant tables: they stay accesses of memory, for checks that are about
// accesses.
func Calls(p *core.Program) { resolve(p, false) }

// resolve is Resolve, or Calls if reads of constants stay.
func resolve(p *core.Program, reads bool) {
	// 1. Analyse the program, before it changes.
	result, callbacks := alias.AnalyzeCallbacks(p)
	r := &resolver{prog: p, result: result, callbacks: callbacks, constants: constants{result.Constants(), result}, unknown: map[string]*core.Proc{}}
	indirect := hasIndirectCalls(p)
	assumed := result.Assumptions()
	// 2. Rewrite reads of volatile places, calls, and reads of constants.
	for _, q := range p.Procs {
		r.volatiles(q)
		r.procedure(q, r.calls)
		if reads {
			r.procedure(q, r.reads)
		}
	}
	p.Procs, p.CallsBack = append(p.Procs, r.added...), true
	// 3. All calls are direct now: pass variable arguments as objects.
	r.passExtra()
	// 4. Add lines to the ledger.
	if indirect {
		p.Ledger = append(p.Ledger, "calls through pointers: none through a null or invalid pointer")
	}
	p.Ledger = append(p.Ledger, r.ledger...)
	for _, line := range assumed {
		if !slices.Contains(p.Ledger, line) { // p may have been resolved before
			p.Ledger = append(p.Ledger, line)
		}
	}
	unset.Mark(p) // what is called is known now
}

const assumeSteady = "volatile: objects of the program that are read through pointers to volatile keep what was last written to them"

// volatiles replaces reads of volatile places of q that nobody but the program can change by reads
// of ordinary ones.
func (r *resolver) volatiles(q *core.Proc) {
	for _, n := range q.Nodes {
		h, ok := n.Stmt.(*core.Havoc)
		// Only a read that is declared steady, at a place that nobody else knows.
		if !ok || h.Reads == nil || !h.Steady || !r.result.IsOwn(h.Reads) {
			continue
		}
		n.Stmt = &core.Assign{Lhs: h.Locs, Rhs: []core.Expr{h.Reads}}
		if !slices.Contains(r.ledger, assumeSteady) {
			r.ledger = append(r.ledger, assumeSteady)
		}
	}
}

// hasIndirectCalls reports whether p has a call through a pointer.
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
	prog      *core.Program
	result    *alias.Result
	callbacks alias.Callbacks
	constants constants
	unknown   map[string]*core.Proc // by name
	added     []*core.Proc
	ledger    []string

	proc  *core.Proc
	taken map[string]bool // names of variables that proc sees
	temps int
	nodes []*core.Node // of proc; successors have their new numbers
}

// procedure rewrites the nodes of q for which plan returns an expansion. The nodes of an expansion
// follow the node that it replaces, so that the return node stays the last.
func (r *resolver) procedure(q *core.Proc, plan func(*core.Node) *expansion) {
	r.proc, r.nodes, r.taken, r.temps = q, nil, nil, 0
	// 1. Plan all expansions, which gives the new numbers of nodes.
	plans := make([]*expansion, len(q.Nodes))
	place := make([]int, len(q.Nodes)) // new numbers
	count := 0
	for i, n := range q.Nodes {
		place[i] = count
		count++
		if plans[i] = plan(n); plans[i] != nil {
			count += plans[i].count()
		}
	}
	// 2. Renumber the successors, and insert the expansions.
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

// expansion replaces a node. Its node 0 takes the place of that node; successors are counted from
// there, and leave stands for the successors of the node replaced.
type expansion struct {
	nodes []*core.Node
}

const leave = -1

// count returns the number of nodes besides the first.
func (x *expansion) count() int { return len(x.nodes) - 1 }

// arm adds a chain of statements as a successor of node from, and returns the index of the last.
func (x *expansion) arm(from int, stmts ...core.Stmt) int {
	var list []*core.Node
	for _, s := range stmts {
		list = append(list, &core.Node{Stmt: s})
	}
	return x.chain(from, list...)
}

// chain adds nodes, one after the other, as a successor of node from, and returns the index of the
// last. The first of all nodes is no successor.
func (x *expansion) chain(from int, list ...*core.Node) int {
	for _, m := range list {
		m.Succ = []int{leave}
		// The first node of all.
		if len(x.nodes) == 0 {
			x.nodes = append(x.nodes, m)
			continue
		}
		// The first successor takes the place of leaving the expansion, others are added.
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

// splice replaces n, the last of r.nodes, by x; next is the successors of n by their new numbers.
func (r *resolver) splice(n *core.Node, x *expansion, next []int) {
	// 1. n becomes the first node of x, and the others follow.
	base := len(r.nodes) - 1
	first := x.nodes[0]
	_, assumed := n.Stmt.(*core.Assume)
	n.Decides = n.Decides || assumed
	n.Stmt, n.Succ, n.Text, n.Origin = first.Stmt, first.Succ, first.Text, first.Origin
	n.Free, n.Caller = n.Free || first.Free, first.Caller
	for _, m := range x.nodes[1:] {
		m.Pos, m.Model = n.Pos, n.Model
		r.nodes = append(r.nodes, m)
	}
	// 2. Renumber the successors.
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

// calls returns the expansion of node n, nil if it is neither a call through a pointer nor one that
// calls back.
func (r *resolver) calls(n *core.Node) *expansion {
	c, ok := n.Stmt.(*core.Call)
	if !ok || c.Callee != nil && len(r.callbacks[c]) == 0 {
		return nil
	}
	// 1. A call through a pointer, or one of a procedure that calls back.
	x := &expansion{}
	if c.Callee == nil {
		x = r.expand(n, c)
	} else {
		x.arm(r.callBack(x, 0, c, c), c)
	}
	// 2. Calls keep the text of the statement.
	for _, m := range x.nodes {
		if _, ok := m.Stmt.(*core.Call); ok || m.Caller != nil {
			m.Text = n.Text
		}
	}
	return x
}

// expand returns the expansion of call c in node n: an arm for each procedure that it may call. If
// it may also call an unknown one, the arms are a cascade, so that the conditions exclude each
// other.
func (r *resolver) expand(n *core.Node, c *core.Call) *expansion {
	// 1. An arm for each callee.
	list, unknown := r.result.Callees(c)
	x := &expansion{nodes: []*core.Node{{Stmt: &core.Branch{}}}}
	from := 0
	for i, f := range list {
		r.call(x, x.arm(from, targets(c, core.Eq, f)), c, f)
		if !unknown {
			continue
		}
		from = x.arm(from, targets(c, core.Ne, f))
		if i < len(list)-1 {
			from = x.arm(from, &core.Branch{})
		}
	}
	// 2. Note the procedures that are left out.
	for _, f := range r.result.Misfits(c) {
		r.ledger = append(r.ledger, fmt.Sprintf(
			"calls through pointers: %s is not what %s calls at %s, which is given another number of arguments",
			f.Name, core.CString(c.Target), r.where(n)))
	}
	others, harnessed := r.result.Strangers(c)
	r.leadsToNone(n, c, others, "whose types are others")
	r.leadsToNone(n, c, harnessed, "which the harness calls")
	// 3. The last arm: an unknown procedure; or no run gets past a call without callees.
	switch {
	case unknown:
		r.call(x, from, c, r.unknownProc(c))
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

// leadsToNone adds to the ledger that the target of c, in node n, leads to none of list, for a reason.
func (r *resolver) leadsToNone(n *core.Node, c *core.Call, list []*core.Proc, why string) {
	if len(list) == 0 {
		return
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	r.ledger = append(r.ledger, fmt.Sprintf(
		"calls through pointers: %s, which comes from outside, leads at %s to none of these, %s: %s",
		core.CString(c.Target), r.where(n), why, strings.Join(names, ", ")))
}

// call adds to x, after its node from, a call of f in the place of c, with the calls that f makes
// of procedures of the program.
func (r *resolver) call(x *expansion, from int, c *core.Call, f *core.Proc) {
	for _, s := range r.direct(c, f) {
		if d, ok := s.(*core.Call); ok {
			from = r.callBack(x, from, c, d)
		}
		from = x.arm(from, s)
	}
}

// where returns the position of n for people.
func (r *resolver) where(n *core.Node) string {
	if n.Pos.IsValid() {
		return n.Pos.String()
	}
	return r.proc.Name
}

// targets returns the assumption that the target of c is f, if op is Eq, or is not, if op is Ne.
// The target is an expression, which is evaluated again in each arm; the call itself has not
// happened yet.
func targets(c *core.Call, op core.BinaryOp, f *core.Proc) core.Stmt {
	t := c.Target.Type().(core.Ptr)
	return &core.Assume{Cond: &core.Binary{Op: op, X: c.Target, Y: &core.FuncAddr{Proc: f, Typ: t}}}
}

// unknownProc returns an external procedure with the signature of c.
func (r *resolver) unknownProc(c *core.Call) *core.Proc {
	p := &core.Proc{RetType: c.RetType}
	if p.RetType == nil {
		p.RetType = core.Void{}
	}
	// 1. Make it, with a formal for each argument.
	var types []string
	for i, e := range c.Args {
		v := &core.Var{Name: fmt.Sprintf("a%d", i), Kind: core.Formal, Proc: p, Type: core.Opaque{Name: "?"}}
		if e != nil {
			v.Type = e.Type()
		}
		p.Formals = append(p.Formals, v)
		types = append(types, v.Type.String())
	}
	// 2. Calls with one signature share one procedure.
	p.Name = fmt.Sprintf("?unknown(%s) %s", strings.Join(types, ", "), p.RetType)
	p.CName = p.Name
	if q, ok := r.unknown[p.Name]; ok {
		return q
	}
	r.unknown[p.Name] = p
	r.added = append(r.added, p)
	return p
}

package interp

import (
	"slices"

	"c2bp/frontend/core"
)

// This file prepares a program for its runs: each variable gets its slot, and the nodes of
// each procedure are compiled when it is first called.

// Prepared is a program with all that its runs share. It is for one goroutine at a time.
type Prepared struct {
	usage
	prog        *core.Program
	slots       map[*core.Var]slot
	routines    map[*core.Proc]*routine
	functions   map[*core.Proc]int // numbers of procedures
	comparisons int                // numbered so far
	statics     []*Machine         // at their start, before anything was asked for; see static
	forced      bool               // some structs have members that are forced to stay, see core.Record.Forced
}

// routine is a procedure with all that its activations share.
type routine struct {
	proc            *core.Proc
	values, objects int         // how many variables of each kind a frame has
	memory          []*core.Var // those that are objects, in the order of their slots
	locals          []variable  // that are scalars
	ghosts          []*core.Var
	nodes           []instruction // nil until it is called
	result          *code
	codes           map[core.Expr]*code // of expressions of other nodes than those that are compiled at once
}

// variable is a scalar variable and its slot.
type variable struct {
	slot
	v       *core.Var
	typ     core.Int
	pointer bool
}

// instruction is a compiled node.
type instruction struct {
	stmt    core.Stmt
	next    int   // the first successor
	cond    *code // of an Assume or Assert
	asserts bool  // of an Assert
	// The sides of an Assign.
	lhs, rhs []*code
	// Of a Branch to two Assumes, the second of which is the negation of the first.
	either bool
}

// Prepare makes p, which must be valid, ready to be run many times.
func Prepare(p *core.Program) *Prepared { return prepare(p, nil) }

// prepare assigns slots to all variables, ghosts among them. Nodes are compiled when a procedure is
// first called.
func prepare(p *core.Program, ghosts []*core.Var) *Prepared {
	r := &Prepared{
		usage: *usageOf(p), prog: p, slots: map[*core.Var]slot{},
		routines: map[*core.Proc]*routine{}, functions: map[*core.Proc]int{},
		forced: slices.ContainsFunc(p.Records(), func(r *core.Record) bool { return r.Forced }),
	}
	// 1. Globals.
	for i, g := range p.Globals {
		r.slots[g] = slot{index: i, memory: g.InMemory()}
	}
	// 2. Formals and locals of each procedure.
	for i, q := range p.Procs {
		r.functions[q] = i
		t := &routine{proc: q}
		r.routines[q] = t
		for _, list := range [][]*core.Var{q.Formals, q.Locals} {
			for _, v := range list {
				r.addSlot(t, v)
			}
		}
		for _, v := range q.Locals {
			if typ, ok := core.Word(v.Type); ok {
				t.locals = append(t.locals, variable{r.slots[v], v, typ, pointerType(v.Type)})
			}
		}
	}
	// 3. Ghosts.
	for _, v := range ghosts {
		t := r.routines[v.Proc]
		r.addSlot(t, v)
		t.ghosts = append(t.ghosts, v)
	}
	return r
}

// addSlot gives v the next slot of t: variables in memory are numbered on their own.
func (p *Prepared) addSlot(t *routine, v *core.Var) {
	if _, ok := p.slots[v]; ok { // a ghost may be among the locals as well
		return
	}
	if v.InMemory() {
		p.slots[v] = slot{index: t.objects, memory: true}
		t.objects++
		t.memory = append(t.memory, v)
	} else {
		p.slots[v] = slot{index: t.values}
		t.values++
	}
}

// routine returns q, which has a body, compiled.
func (p *Prepared) routine(q *core.Proc) *routine {
	t := p.routines[q]
	if t.nodes != nil {
		return t
	}
	// Compile the conditions and assignments; other nodes are compiled when executed first.
	t.nodes, t.codes = make([]instruction, len(q.Nodes)), map[core.Expr]*code{}
	if q.Result != nil {
		t.result = p.compile(q, q.Result.Ref())
	}
	for i, n := range q.Nodes {
		// The return has no successor.
		ins := instruction{stmt: n.Stmt, next: -1}
		if len(n.Succ) > 0 {
			ins.next = n.Succ[0]
		}
		switch s := n.Stmt.(type) {
		case *core.Branch:
			ins.either = len(n.Succ) == 2 && opposite(q.Nodes[n.Succ[0]].Stmt, q.Nodes[n.Succ[1]].Stmt)
		case *core.Assume:
			ins.cond = p.compile(q, s.Cond)
		case *core.Assert:
			ins.cond, ins.asserts = p.compile(q, s.Cond), true
		case *core.Assign:
			for j := range s.Lhs {
				ins.lhs = append(ins.lhs, p.compile(q, s.Lhs[j]))
				ins.rhs = append(ins.rhs, p.compile(q, s.Rhs[j]))
			}
		}
		t.nodes[i] = ins
	}
	return t
}

// opposite reports whether b assumes the negation of the condition that a assumes, on the same
// operands.
func opposite(a, b core.Stmt) bool {
	x, ok := a.(*core.Assume)
	y, also := b.(*core.Assume)
	if !ok || !also {
		return false
	}
	if c, ok := x.Cond.(*core.Binary); ok && c.Op.IsComparison() {
		d, ok := y.Cond.(*core.Binary)
		n := core.Negate(c).(*core.Binary)
		return ok && d.Op == n.Op && d.X == n.X && d.Y == n.Y
	}
	return isNot(x.Cond, y.Cond) || isNot(y.Cond, x.Cond)
}

// isNot reports whether n is !e, of the same e.
func isNot(n, e core.Expr) bool {
	u, ok := n.(*core.Unary)
	return ok && u.Op == core.Not && u.X == e
}

// codeOf returns e, an expression of a node of t, compiled. It is kept by its pointer: expressions
// of nodes do not change.
func (p *Prepared) codeOf(t *routine, e core.Expr) *code {
	c := t.codes[e]
	if c == nil {
		c = p.compile(t.proc, e)
		t.codes[e] = c
	}
	return c
}

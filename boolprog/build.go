package boolprog

import (
	"fmt"
	"slices"
)

// This file builds control-flow graphs: the successor function of Ball–Rajamani 2000, §2.3, with
// gotos into and out of blocks.

// BuildGraph returns the control-flow graph of a program that passed Check; it panics for another
// program. Nodes are in program order.
func BuildGraph(p *Program) *Graph {
	g, b := outline(p)
	for _, pg := range g.Procs {
		b.build(pg)
		if g.Threads == nil {
			g.Threads = b.thread
		}
		if b.atomic {
			pg.sections(func(*Node, string) {})
		}
	}
	return g
}

// outline returns the graph of p without its nodes, and a builder for these.
func outline(p *Program) (*Graph, *builder) {
	g := &Graph{Prog: p, Globals: p.Globals}
	globals := slotsOf(p.Globals, true)
	byName := make(map[string]*ProcGraph, len(p.Procs))
	procs := make([]ProcGraph, len(p.Procs))
	for i, proc := range p.Procs {
		// A map pays only for procedures with many variables.
		// Parameters come first: an argument of a call has the index of its slot.
		vars := slices.Concat(proc.Params, proc.Locals)
		pg := &procs[i]
		*pg = ProcGraph{Proc: proc, Index: i, Vars: vars, globals: globals}
		if len(vars) > fewVars {
			pg.locals = slotsOf(vars, false)
		}
		g.Procs = append(g.Procs, pg)
		byName[proc.Name] = pg
	}
	g.Main = byName["main"]
	return g, &builder{procs: byName, labels: map[string]int{}}
}

// slotsOf returns the slots of variables by their names.
func slotsOf(vars []*Var, global bool) map[string]Slot {
	slots := make(map[string]Slot, len(vars))
	for i, v := range vars {
		slots[v.Name] = Slot{Global: global, Index: i}
	}
	return slots
}

// builder builds the graphs of procedures, each from its end to its start, so that the successors
// of a statement exist when it is built. Until a graph is complete, its nodes are numbered from the
// end: the exit is node 0. The head of a loop is built after its body, so inside the body it has a
// number below 0, an index into heads. For while (e) do s; od t; the nodes are
//
//	0 exit    1 t → 0    2 s → -1    3 branch e → 2, 1, with heads[0] = 3
//
// and in the graph, from the start, 0 branch, 1 s, 2 t, 3 exit.
type builder struct {
	procs map[string]*ProcGraph
	nodes slab[Node] // memory for the graphs
	succ  slab[int]
	lists slab[*Node]

	proc     *ProcGraph
	backward []*Node // the nodes, last first
	labels   map[string]int
	gotos    []int // nodes whose labels are not resolved yet
	heads    []int // heads of loops: -1-i stands for heads[i]
	thread   *Stmt // the first statement about threads, or nil
	atomic   bool  // the procedure has atomic sections
}

// exit is the last node of a procedure; falling is the return before it, if there is one.
const (
	exit    = 0
	falling = 1
)

// build builds the graph of one procedure.
func (b *builder) build(pg *ProcGraph) {
	p := pg.Proc
	b.proc = pg
	b.backward, b.gotos, b.heads = b.backward[:0], b.gotos[:0], b.heads[:0]
	b.labels = emptied(b.labels)
	b.thread, b.atomic = nil, false
	// 1. Build the exit, the return at the end, and the statements.
	// Node 0 is the exit; node 1, if there is one, the return at the end.
	b.add(NodeExit, nil)
	end := exit
	if p.Results > 0 {
		end = b.fallOff(p)
	}
	entry := b.stmts(p.Body, end)
	// 2. Resolve gotos, since all labels are known now.
	for _, v := range b.gotos {
		b.jump(b.backward[v])
	}
	// 3. Drop the return at the end if control cannot fall off, and number the nodes from the
	// start.
	if end != exit && entry != end && !b.used(end) {
		b.backward[falling] = nil
	}
	b.turn(entry)
}

// turn numbers the nodes from the start and stores them in the graph, without those that are nil.
func (b *builder) turn(entry int) {
	// The return at the end may have been dropped; nodes before it move up by one.
	dropped := 0
	if len(b.backward) > falling && b.backward[falling] == nil {
		dropped = 1
	}
	last := len(b.backward) - 1
	// number turns a number from the end into one from the start; -1-i is that of heads[i].
	number := func(v int) int {
		switch {
		case v < 0:
			v = b.heads[-1-v]
		case v == exit:
			// The exit is the last node; without the return there is one node less
			// before it.
			return last - dropped
		}
		return last - v
	}
	b.proc.Nodes = b.lists.list(len(b.backward) - dropped)
	// Renumber the successors, and place each node.
	for v, n := range b.backward {
		if n == nil {
			continue
		}
		for i, s := range n.Succ {
			n.Succ[i] = number(s)
		}
		b.proc.Nodes[number(v)] = n
	}
	b.proc.Entry, b.proc.Exit = number(entry), number(exit)
}

// fallOff adds the return at the end of a procedure: of null for references, of arbitrary values
// for Booleans.
func (b *builder) fallOff(p *Proc) int {
	// It has no statement: traces do not show it.
	values := make([]Expr, p.Results)
	for i := range values {
		values[i] = &Nondet{}
		if p.Result(i).Ref {
			values[i] = &Null{Pos: p.Pos}
		}
	}
	v := b.add(NodeReturn, nil, exit)
	b.backward[v].Values = values
	return v
}

// used reports whether v is a successor of some node, which need not be reachable itself.
func (b *builder) used(v int) bool {
	return slices.ContainsFunc(b.backward, func(n *Node) bool { return slices.Contains(n.Succ, v) })
}

// jump sets the successors of a goto, or the second one of a thread's start.
func (b *builder) jump(n *Node) {
	if start, is := n.Stmt.Op.(*StartThread); is {
		n.Succ[1] = b.labelled(start.Target)
		return
	}
	targets := n.Stmt.Op.(*Goto).Targets
	n.Succ = b.succ.list(len(targets))
	for i, l := range targets {
		n.Succ[i] = b.labelled(l)
	}
}

// labelled returns the node of a label, which Check has found.
func (b *builder) labelled(l *Ref) int {
	v, ok := b.labels[l.Name]
	if !ok {
		panic(fmt.Sprintf("boolprog: BuildGraph of an unchecked program: no label %q in %s", l.Name, b.proc.Proc.Name))
	}
	return v
}

// add appends a node and returns its number.
func (b *builder) add(kind NodeKind, s *Stmt, succ ...int) int {
	n := b.nodes.new()
	n.Kind, n.Stmt, n.Succ = kind, s, b.succ.copyOf(succ)
	b.backward = append(b.backward, n)
	return len(b.backward) - 1
}

// branch appends a node with two successors.
func (b *builder) branch(s *Stmt, cond Expr, then, otherwise int) int {
	v := b.add(NodeBranch, s, then, otherwise)
	b.backward[v].Cond = cond
	return v
}

// stmts builds a block that continues at next and returns its first node.
func (b *builder) stmts(list []*Stmt, next int) int {
	// From the last statement to the first, each continuing at the one before.
	for _, s := range slices.Backward(list) {
		next = b.stmt(s, next)
		// Labels lead to the first node of their statement: of a while the head, of an if
		// the first branch.
		b.backward[next].Labels = s.Labels
		for _, l := range s.Labels {
			b.labels[l] = next
		}
	}
	return next
}

// stmt builds a statement that continues at next and returns its first node, which is always a new
// one.
func (b *builder) stmt(s *Stmt, next int) int {
	switch op := s.Op.(type) {
	// Statements that do not continue at next, or have blocks.
	case *Goto:
		v := b.add(NodeSkip, s)
		// Labels may follow: the successors are set at the end of the procedure.
		b.gotos = append(b.gotos, v)
		return v
	case *Return:
		v := b.add(NodeReturn, s, exit)
		b.backward[v].Values = op.Values
		return v
	case *If:
		return b.branches(s, op, next)
	case *While:
		return b.loop(s, op, next)
	}
	// All others are one node with one successor.
	v := b.add(NodeSkip, s, next)
	n := b.backward[v]
	switch op := s.Op.(type) {
	case *Skip, *Print:
	case *Assume:
		n.Kind, n.Cond = NodeAssume, op.Cond
	case *AbortIf:
		// The condition is a new expression; the program is not changed.
		n.Kind, n.Cond = NodeAssume, &Not{X: op.Cond}
	case *Assert:
		n.Kind, n.Cond = NodeAssert, op.Cond
	case *Assign:
		n.Kind, n.Assign = NodeAssign, op
	case *Dead:
		n.Kind, n.Dead = NodeDead, op
	case *Call:
		n.Kind, n.Callee = NodeCall, b.procs[op.Callee.Name]
		n.Call = withTargets(op, n.Callee.Proc.Results)
	default:
		b.threads(s, v)
	}
	return v
}

// loop builds a while: a branch after its body.
func (b *builder) loop(s *Stmt, op *While, next int) int {
	// The body continues at the head, which is built after it: reserve its number.
	h := len(b.heads)
	// Nothing reads the placeholder before it is set.
	b.heads = append(b.heads, exit)
	b.heads[h] = b.branch(s, op.Cond, b.stmts(op.Body, -1-h), next)
	return b.heads[h]
}

// branches builds an if: a chain of branch nodes.
func (b *builder) branches(s *Stmt, op *If, next int) int {
	// From the else-part upwards, each condition branching to the next one.
	otherwise := b.stmts(op.Else, next)
	for i, cond := range slices.Backward(op.Conds) {
		then := b.stmts(op.Thens[i], next)
		otherwise = b.branch(s, cond, then, otherwise)
	}
	return otherwise
}

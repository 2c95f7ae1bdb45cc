package boolprog

import (
	"fmt"
	"slices"
)

// This file defines the construction of control-flow graphs: the successor
// function of seed 001, section 2.3, with gotos into and out of blocks.

// BuildGraph returns the control-flow graph of a program that passed Check; for
// another it panics. Nodes are in program order.
func BuildGraph(p *Program) *Graph { return buildGraph(p, false) }

// buildGraph can, for tests, forget the back edges of loops.
func buildGraph(p *Program, loseLoops bool) *Graph {
	g := &Graph{Prog: p, Globals: p.Globals}
	globals := slotsOf(p.Globals, true)
	byName := make(map[string]*ProcGraph, len(p.Procs))
	for i, proc := range p.Procs {
		vars := slices.Concat(proc.Params, proc.Locals)
		pg := &ProcGraph{Proc: proc, Index: i, Vars: vars, globals: globals}
		if len(vars) > fewVars {
			pg.locals = slotsOf(vars, false)
		}
		g.Procs = append(g.Procs, pg)
		byName[proc.Name] = pg
	}
	g.Main = byName["main"]
	for _, pg := range g.Procs {
		b := &builder{proc: pg, procs: byName, labels: map[string]*vertex{}, loseLoops: loseLoops}
		b.build()
	}
	return g
}

func slotsOf(vars []*Var, global bool) map[string]Slot {
	slots := make(map[string]Slot, len(vars))
	for i, v := range vars {
		slots[v.Name] = Slot{Global: global, Index: i}
	}
	return slots
}

// builder makes the graph of one procedure from its end to its start, so that the
// successors of a statement exist when it is built.
type builder struct {
	proc     *ProcGraph
	procs    map[string]*ProcGraph
	vertices []*vertex // last first
	labels   map[string]*vertex
	exit     *vertex

	loseLoops bool
}

// vertex is a node during construction.
type vertex struct {
	node  *Node
	index int
	succ  []*vertex
	gotos []*Ref // labels still to be found
}

func (b *builder) build() {
	p := b.proc.Proc
	b.exit = b.add(&Node{Kind: NodeExit})
	end := b.exit
	if p.Results > 0 {
		end = b.fallOff(p.Results)
	}
	entry := b.stmts(p.Body, end)
	if end != b.exit && entry != end && !b.used(end) {
		b.vertices = slices.Delete(b.vertices, 1, 2)
	}
	slices.Reverse(b.vertices)
	for i, v := range b.vertices {
		v.index = i
	}
	for _, v := range b.vertices {
		for _, l := range v.gotos {
			v.succ = append(v.succ, b.label(l))
		}
		for _, s := range v.succ {
			v.node.Succ = append(v.node.Succ, s.index)
		}
		b.proc.Nodes = append(b.proc.Nodes, v.node)
	}
	b.proc.Entry, b.proc.Exit = entry.index, b.exit.index
}

// fallOff adds the return of arbitrary results at the end of a procedure.
func (b *builder) fallOff(results int) *vertex {
	values := make([]Expr, results)
	for i := range values {
		values[i] = &Nondet{}
	}
	return b.add(&Node{Kind: NodeReturn, Values: values}, b.exit)
}

// used reports whether control reaches v from some node.
func (b *builder) used(v *vertex) bool {
	return slices.ContainsFunc(b.vertices, func(u *vertex) bool { return slices.Contains(u.succ, v) })
}

func (b *builder) label(l *Ref) *vertex {
	v, ok := b.labels[l.Name]
	if !ok {
		panic(fmt.Sprintf("boolprog: BuildGraph of an unchecked program: no label %q in %s", l.Name, b.proc.Proc.Name))
	}
	return v
}

func (b *builder) add(n *Node, succ ...*vertex) *vertex {
	v := &vertex{node: n, succ: succ}
	b.vertices = append(b.vertices, v)
	return v
}

// stmts builds a block that continues at next and returns where it starts.
func (b *builder) stmts(list []*Stmt, next *vertex) *vertex {
	for _, s := range slices.Backward(list) {
		next = b.stmt(s, next)
		next.node.Labels = s.Labels
		for _, l := range s.Labels {
			b.labels[l] = next
		}
	}
	return next
}

// stmt builds a statement that continues at next and returns the node where it
// starts, which is always a new one.
func (b *builder) stmt(s *Stmt, next *vertex) *vertex {
	n := &Node{Stmt: s}
	switch op := s.Op.(type) {
	case *Skip, *Print:
		n.Kind = NodeSkip
	case *Goto:
		v := b.add(n)
		v.gotos = op.Targets
		return v
	case *Assume:
		n.Kind, n.Cond = NodeAssume, op.Cond
	case *AbortIf:
		n.Kind, n.Cond = NodeAssume, &Not{X: op.Cond}
	case *Assert:
		n.Kind, n.Cond = NodeAssert, op.Cond
	case *Return:
		n.Kind, n.Values = NodeReturn, op.Values
		return b.add(n, b.exit)
	case *Assign:
		n.Kind, n.Assign = NodeAssign, op
	case *Dead:
		n.Kind, n.Dead = NodeDead, op
	case *Call:
		n.Kind, n.Callee = NodeCall, b.procs[op.Callee.Name]
		n.Call = withTargets(op, n.Callee.Proc.Results)
	case *If:
		return b.branches(s, op, next)
	case *While:
		head := &vertex{node: n}
		n.Kind, n.Cond = NodeBranch, op.Cond
		back := head
		if b.loseLoops {
			back = next
		}
		head.succ = []*vertex{b.stmts(op.Body, back), next}
		b.vertices = append(b.vertices, head)
		return head
	default:
		panic(fmt.Sprintf("boolprog: statement of type %T", s.Op))
	}
	return b.add(n, next)
}

// branches builds an if: a chain of branch nodes.
func (b *builder) branches(s *Stmt, op *If, next *vertex) *vertex {
	otherwise := b.stmts(op.Else, next)
	for i, cond := range slices.Backward(op.Conds) {
		then := b.stmts(op.Thens[i], next)
		otherwise = b.add(&Node{Kind: NodeBranch, Stmt: s, Cond: cond}, then, otherwise)
	}
	return otherwise
}

// withTargets makes the targets of a call that discards all results explicit.
func withTargets(op *Call, results int) *Call {
	if len(op.Lhs) == results {
		return op
	}
	c := *op
	c.Lhs = make([]*Ref, results)
	for i := range c.Lhs {
		c.Lhs[i] = &Ref{Name: "_", Pos: op.Callee.Pos}
	}
	return &c
}

// reachable returns the nodes that control can reach from the entry if branches
// on constants go one way only, in no particular order.
func (p *ProcGraph) reachable() []int {
	seen := make([]bool, len(p.Nodes))
	seen[p.Entry] = true
	list := []int{p.Entry}
	for i := 0; i < len(list); i++ {
		n := p.Nodes[list[i]]
		succ := n.Succ
		if c, ok := n.Cond.(*Const); ok {
			switch {
			case n.Kind == NodeBranch && c.Val:
				succ = succ[:1]
			case n.Kind == NodeBranch:
				succ = succ[1:]
			case !c.Val:
				succ = nil
			}
		}
		for _, s := range succ {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}

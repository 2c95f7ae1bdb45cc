package lower

import (
	"c2bp/boolprog"
	"c2bp/checker/zom"
)

// This file translates programs, procedures and control.

// Program translates g. Classes, globals and procedures keep their indices, parameters and
// locals their slots; instructions name nodes of g.
func Program(g *boolprog.Graph) *zom.Program {
	b := &builder{g: g, out: &zom.Program{Main: g.Main.Index}, classes: map[string]int{}}
	// Fields may refer to any class: number them first.
	for i, c := range g.Prog.Classes {
		b.classes[c.Name] = i
	}
	for _, c := range g.Prog.Classes {
		b.out.Classes = append(b.out.Classes, b.class(c))
	}
	for _, v := range g.Globals {
		b.out.Globals = append(b.out.Globals, b.variable(v))
	}
	for _, p := range g.Procs {
		b.out.Procs = append(b.out.Procs, b.proc(p))
	}
	live(b.out)
	return b.out
}

// builder translates a program.
type builder struct {
	g       *boolprog.Graph
	out     *zom.Program
	classes map[string]int
}

// class translates a class.
func (b *builder) class(c *boolprog.Class) *zom.Class {
	out := &zom.Class{Name: c.Name}
	for _, f := range c.Fields {
		slot := b.slot(f.Name, f.Type(), 0)
		// A field without an initial value is 0 or null.
		switch e := f.Init.(type) {
		case *boolprog.Const:
			if e.Val {
				slot.Init = 1
			}
		case *boolprog.Nondet:
			slot.Init = zom.Unknown
		}
		out.Fields = append(out.Fields, slot)
	}
	return out
}

// variable returns the slot of a variable: Booleans start arbitrary, references null.
func (b *builder) variable(v *boolprog.Var) zom.Slot { return b.slot(v.Name, v.Type(), zom.Unknown) }

// slot returns a slot of a type; init is the initial value of a Boolean.
func (b *builder) slot(name string, t boolprog.Type, init zom.Word) zom.Slot {
	if !t.Ref {
		return zom.Slot{Name: name, Kind: zom.Bool, Class: -1, Init: init}
	}
	// Null belongs to no class.
	class, ok := b.classes[t.Class]
	if !ok {
		class = -1
	}
	return zom.Slot{Name: name, Kind: zom.Ref, Class: class, Init: zom.Null}
}

// procBuilder translates one procedure.
type procBuilder struct {
	*builder
	p     *boolprog.ProcGraph
	out   *zom.Proc
	node  int32            // number of the node that is translated
	start []int32          // by node: the pc of its piece of code
	areas map[string]int32 // first slot of arguments or results, by their kinds
	temps [2][]int32       // scratch slots for Booleans and for references
	used  [2]int           // number of them that the node has taken
	next  map[string]int32 // in a constrain clause: the slots of 'v
}

// proc translates a procedure.
func (b *builder) proc(p *boolprog.ProcGraph) *zom.Proc {
	out := &zom.Proc{Name: p.Proc.Name, Params: len(p.Proc.Params), Results: p.Proc.Results}
	c := &procBuilder{builder: b, p: p, out: out, areas: map[string]int32{}, start: make([]int32, len(p.Nodes))}
	// 1. Allot slots: parameters and locals, results, arguments and results of calls; scratch slots
	// come last.
	for _, v := range p.Vars {
		out.Slots = append(out.Slots, b.variable(v))
	}
	out.Result = int(c.results(p))
	for _, n := range p.Nodes {
		if n.Callee != nil {
			c.args(n.Callee)
		}
		if n.Kind == boolprog.NodeCall {
			c.results(n.Callee)
		}
	}
	out.Scratch = len(out.Slots)
	// 2. Translate the nodes one by one.
	for i, n := range p.Nodes {
		c.node, c.used = int32(i), [2]int{}
		c.start[i] = int32(len(out.Code))
		c.piece(n)
	}
	c.finish()
	return out
}

// finish replaces nodes by the pcs of their pieces, and marks where steps begin: at each piece, and
// after each call.
func (c *procBuilder) finish() {
	out := c.out
	out.Entry = c.start[c.p.Entry]
	out.Starts = make([]bool, len(out.Code))
	for _, pc := range c.start {
		out.Starts[pc] = true
	}
	// Replace the targets; the results of a call are taken by a step of its own.
	for pc := range out.Code {
		in := &out.Code[pc]
		for i, n := range in.Targets {
			in.Targets[i] = c.start[n]
		}
		if in.Op == zom.Call {
			out.Starts[pc+1] = true
		}
	}
}

// args returns the first of the slots that carry the arguments of a call of p.
func (c *procBuilder) args(p *boolprog.ProcGraph) int32 {
	var slots []zom.Slot
	for _, v := range p.Vars[:len(p.Proc.Params)] {
		slots = append(slots, c.slot("argument", v.Type(), 0))
	}
	return c.area(slots)
}

// results returns the first of the slots that carry its results.
func (c *procBuilder) results(p *boolprog.ProcGraph) int32 {
	var slots []zom.Slot
	for i := range p.Proc.Results {
		slots = append(slots, c.slot("result", p.Proc.Result(i), 0))
	}
	return c.area(slots)
}

// area returns slots of the given kinds. Calls share them, since nothing stays in them.
func (c *procBuilder) area(slots []zom.Slot) int32 {
	kinds := make([]byte, len(slots))
	for i, s := range slots {
		kinds[i] = byte(s.Kind)
		slots[i].Class = -1
	}
	// One area for each sequence of kinds.
	key := string(kinds)
	first, ok := c.areas[key]
	if !ok {
		first = int32(len(c.out.Slots))
		c.out.Slots = append(c.out.Slots, slots...)
		c.areas[key] = first
	}
	return first
}

// temp returns a scratch slot that the node has not used yet.
func (c *procBuilder) temp(kind zom.Kind) int32 {
	// Booleans and references have scratch slots of their own.
	k := 0
	if kind == zom.Ref {
		k = 1
	}
	if c.used[k] == len(c.temps[k]) {
		c.temps[k] = append(c.temps[k], int32(len(c.out.Slots)))
		c.out.Slots = append(c.out.Slots, zom.Slot{Name: "scratch", Kind: kind, Class: -1})
	}
	c.used[k]++
	return c.temps[k][c.used[k]-1]
}

// emit appends an instruction.
func (c *procBuilder) emit(op zom.Op, x, y, z int32) *zom.Instr {
	c.out.Code = append(c.out.Code, zom.Instr{Op: op, A: x, B: y, C: z, Node: c.node})
	return &c.out.Code[len(c.out.Code)-1]
}

// leads ends a piece: control goes to the successors of n.
func (c *procBuilder) leads(op zom.Op, cond int32, n *boolprog.Node) {
	if len(n.Succ) == 0 {
		op = zom.Assume // a goto without targets
		cond = c.constant(false)
	}
	in := c.emit(op, cond, 0, 0)
	// Targets are nodes until finish translates them.
	for _, s := range n.Succ {
		in.Targets = append(in.Targets, int32(s))
	}
}

// piece translates a node: the enforce clause, the visit, the statement, and the jump to its
// successors.
func (c *procBuilder) piece(n *boolprog.Node) {
	// A state that the clause forbids is not visited.
	if e := c.p.Proc.Enforce; e != nil {
		c.emit(zom.Assume, c.expr(e), 0, 0)
	}
	c.emit(zom.Visit, 0, 0, 0)
	switch n.Kind {
	case boolprog.NodeExit:
		c.emit(zom.Return, 0, 0, 0)
		return
	case boolprog.NodeBranch:
		c.leads(zom.Branch, c.expr(n.Cond), n)
		return
	// Statements that fall through to the jump below.
	case boolprog.NodeAssume:
		c.emit(zom.Assume, c.expr(n.Cond), 0, 0)
	case boolprog.NodeAssert:
		c.emit(zom.Assert, c.expr(n.Cond), 0, 0)
	case boolprog.NodeAssign:
		c.assign(n.Assign)
	case boolprog.NodeDead:
		for _, r := range n.Dead.Vars {
			t := c.temp(zom.Bool)
			c.emit(zom.Any, t, 0, 0)
			c.store(target{ref: r}, t)
		}
		for _, r := range n.Dead.Fields {
			_, i := c.g.Prog.Class(r.Name).Field(r.Field)
			c.emit(zom.AnyField, int32(c.classes[r.Name]), int32(i), 0)
		}
	case boolprog.NodeCall:
		c.call(n)
	case boolprog.NodeReturn:
		for i, t := range c.values(n.Values) {
			c.emit(zom.Move, int32(c.out.Result+i), t, 0)
		}
	case boolprog.NodeStart:
		if n.Callee == nil {
			c.leads(zom.Fork, 0, n)
			return
		}
		args := c.passed(n)
		c.emit(zom.Spawn, args, int32(n.Callee.Index), 0)
	case boolprog.NodeEnd:
		c.emit(zom.Halt, 0, 0, 0)
		return
	}
	c.leads(zom.Jump, 0, n)
}

package coregen

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file makes the nodes of a procedure.

// builder appends nodes to a procedure.
type builder struct {
	*generator
	proc    *core.Proc
	pending []int // nodes that go on at the next node
	returns []int // nodes that go on at the return node
	heads   []int // first nodes of statements, targets of backward jumps
	temps   int   // number of the next temporary
	line    int   // of the made-up position of the latest statement
	first   bool  // the next node starts a C statement
	calls   int   // made so far
}

// node appends a node after the pending ones and returns its index.
func (b *builder) node(s core.Stmt) int {
	i := len(b.proc.Nodes)
	if b.first {
		b.line++
		b.heads = append(b.heads, i)
		// A jump back leads to the start of a statement only, as in C.
	}
	n := &core.Node{Stmt: s, First: b.first, Pos: pos(b.line)}
	if _, ok := s.(*core.Branch); !ok {
		n.Text = core.StmtString(s) + ";"
	}
	b.first = false
	b.proc.Nodes = append(b.proc.Nodes, n)
	b.arrive(i)
	b.pending = []int{i}
	return i
}

// arrive makes node i the successor of the pending nodes.
func (b *builder) arrive(i int) {
	for _, p := range b.pending {
		b.proc.Nodes[p].Succ = append(b.proc.Nodes[p].Succ, i)
	}
	b.pending = nil
}

// emit appends a statement of one node.
func (b *builder) emit(s core.Stmt) {
	b.first = true
	b.node(s)
}

// finish appends the return node.
func (b *builder) finish() {
	if len(b.pending) > 0 {
		b.setResult()
	}
	// Returns in the middle have set the result already.
	b.pending = append(b.pending, b.returns...)
	b.first = true
	b.node(&core.Return{})
}

// setResult emits an assignment to the result variable if there is one.
func (b *builder) setResult() {
	if b.world != nil && b.proc.Result != nil && !b.world.bindings[b.proc.Result].shape.isInt() {
		b.setMemoryResult()
		return
	}
	if r := b.proc.Result; r != nil {
		b.emit(assign(r, b.terms().expr(r.Type.(core.Int), 1)))
	}
}

// assign returns v := e.
func assign(v *core.Var, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}}
}

// ownVars returns the formals and locals that expressions can use.
func (b *builder) ownVars() []*core.Var {
	var out []*core.Var
	for _, list := range [][]*core.Var{b.proc.Formals, b.proc.Locals} {
		for _, v := range list {
			if _, ok := v.Type.(core.Int); ok && v.Kind != core.Temp {
				out = append(out, v)
			}
		}
	}
	return out
}

// readable returns the globals that expressions can use.
func (g *generator) readable() []*core.Var {
	var out []*core.Var
	for _, v := range g.prog.Globals {
		if _, ok := v.Type.(core.Int); ok && !v.Volatile {
			out = append(out, v)
		}
	}
	return out
}

// terms returns terms over all variables that the procedure can use; in programs with memory, over
// places that need no guards, too.
func (b *builder) terms() terms {
	if b.world != nil {
		t := b.unguarded().terms()
		t.vars = append(b.ownVars(), b.readable()...)
		return t
	}
	return terms{generator: b.generator, vars: append(b.ownVars(), b.readable()...)}
}

// target returns a variable to write, of any kind that has integers; volatile ones, which terms do
// not read, are among them.
func (b *builder) target() *core.Var {
	vars := b.terms().vars
	for _, g := range b.prog.Globals {
		if _, ok := g.Type.(core.Int); ok && g.Volatile {
			vars = append(vars, g)
		}
	}
	return pick(b.generator, vars)
}

// block emits a block of statements, nested at most depth deep.
func (b *builder) block(depth int) {
	for range 1 + b.rng.IntN(b.config.Stmts) {
		if len(b.pending) == 0 && len(b.proc.Nodes) > 0 {
			return // dead code
		}
		b.stmt(depth)
	}
}

// stmt emits a random statement, nested at most depth deep.
func (b *builder) stmt(depth int) {
	b.first = true
	if b.world != nil && !b.chance(3) {
		b.memoryStmt()
		return
	}
	n := b.rng.IntN(24)
	switch {
	case n < 3 && depth > 0:
		b.ifElse(depth)
	case n < 5 && depth > 0:
		b.while(depth)
	case n < 8:
		b.call()
	case n == 8:
		b.parallel()
	case n == 9:
		b.havoc()
	case n == 10:
		b.node(&core.Assert{Cond: b.terms().cond(1)})
	case n == 11 && b.chance(2):
		// Few assumptions, because runs block there.
		b.node(&core.Assume{Cond: b.terms().cond(1)})
	case n == 12 && depth < b.config.Nesting:
		b.jump()
	case n == 13:
		b.node(&core.Skip{})
	case n < 17: // a counter or a flag
		v := b.target()
		t := v.Type.(core.Int)
		if v.Volatile || b.chance(2) {
			b.node(assign(v, b.constant(t)))
			return
		}
		b.node(assign(v, convert(b.step(v, t), t)))
	default:
		v := b.target()
		b.node(assign(v, b.terms().expr(v.Type.(core.Int), 2)))
	}
}

// step returns v + 1 or the like, computed as C does: for a narrow v in int, so that unsigned char
// counters wrap by the conversion to their type.
func (b *builder) step(v *core.Var, t core.Int) core.Expr {
	if t.Bool || t.Bits < 32 {
		t = core.Int32
	}
	op := pick(b.generator, []core.BinaryOp{core.Add, core.Add, core.Sub})
	return &core.Binary{Op: op, X: convert(v.Ref(), t), Y: core.NewConst(1+b.rng.Int64N(2), t)}
}

// condition emits the nodes that run before a condition, and returns the condition, or nil for an
// arbitrary choice.
func (b *builder) condition() core.Expr {
	switch b.rng.IntN(8) {
	case 0:
		return nil
	// int t = x < y; if (t) … keeps the condition in a variable.
	case 1: // the value of a comparison, kept
		t := b.temp(core.Int32)
		t.Logical = true
		b.node(assign(t, b.terms().cond(1)))
		return t.Ref()
	case 2: // the result of a call
		if t := b.callResult(); t != nil {
			if b.chance(2) {
				return &core.Binary{Op: core.Gt, X: t.Ref(), Y: b.constant(t.Type.(core.Int))}
			}
			return t.Ref()
		}
	}
	return b.terms().cond(1)
}

// temp declares a temporary of type t.
func (b *builder) temp(t core.Int) *core.Var {
	v := &core.Var{Name: fmt.Sprintf("$%d", b.temps), Kind: core.Temp, Proc: b.proc, Type: t}
	b.temps++
	b.proc.Locals = append(b.proc.Locals, v)
	return v
}

// branch emits a branch on the next condition and leaves the node of one outcome
// pending; it returns the pending nodes of the other outcome.
func (b *builder) branch() (other []int) {
	return b.fork(b.condition())
}

// fork is branch on c, or on an arbitrary choice if c is nil.
func (b *builder) fork(c core.Expr) (other []int) {
	at := b.node(&core.Branch{})
	if c == nil {
		b.node(&core.Skip{})
	} else {
		b.proc.Nodes[b.node(&core.Assume{Cond: c})].Origin = core.BranchTrue
	}
	// Keep the nodes of this outcome; the other one starts at the branch again.
	yes := b.pending
	b.pending = []int{at}
	if c == nil {
		b.node(&core.Skip{})
	} else {
		b.proc.Nodes[b.node(&core.Assume{Cond: core.Negate(c)})].Origin = core.BranchFalse
	}
	other = b.pending
	b.pending = yes
	return other
}

// ifElse emits a conditional statement, with an else-part in half of the cases and an early return
// in some then-parts:
//
//	if (c) { …; return e; } else { … }
func (b *builder) ifElse(depth int) {
	other := b.branch()
	b.block(depth - 1)
	if len(b.pending) > 0 && b.chance(4) { // return e;
		b.setResult()
		b.returns = append(b.returns, b.pending...)
		b.pending = nil
	}
	after := b.pending
	b.pending = other
	if b.chance(2) {
		b.block(depth - 1)
	}
	b.pending = append(b.pending, after...)
}

// while emits a loop. The condition is computed at the head in each round, calls included. If the
// loop is the first statement, its head is node 0.
//
//	while (c) { … }
func (b *builder) while(depth int) {
	head := len(b.proc.Nodes)
	other := b.branch()
	b.block(depth - 1)
	b.arrive(head)
	b.pending = other
}

// jump ends a block with a jump back, a jump out of the procedure, or a choice between one and
// continuing.
func (b *builder) jump() {
	// One outcome of an arbitrary choice leads back or out, the other one goes on.
	at := b.node(&core.Branch{})
	if len(b.heads) > 1 && b.chance(2) {
		// Back to the start of an earlier statement.
		b.arrive(pick(b.generator, b.heads[:len(b.heads)-1]))
		if b.chance(8) {
			return // no way on: an endless loop
		}
		b.pending = []int{at}
		return
	}
	b.returns = append(b.returns, at)
}

// parallel emits an assignment of several variables at once: all right sides are read before the
// first variable is written.
func (b *builder) parallel() {
	s := &core.Assign{}
	seen := map[*core.Var]bool{}
	for range 2 + b.rng.IntN(2) {
		v := b.target()
		// The targets of one assignment are different variables.
		if seen[v] {
			continue
		}
		seen[v] = true
		s.Lhs = append(s.Lhs, v.Ref())
		s.Rhs = append(s.Rhs, b.terms().expr(v.Type.(core.Int), 1))
	}
	b.node(s)
}

// havoc emits a Havoc: of a variable, of all variables whose addresses are taken, as a write
// through a pointer of unknown target is, or of both; and of some opaque variables, which have no
// other assignments.
func (b *builder) havoc() {
	s := &core.Havoc{Region: !b.config.NoPointers && b.chance(2)}
	if s.Region {
		s.Why = "write through a pointer"
	}
	if !s.Region || b.chance(2) {
		s.Locs = append(s.Locs, b.target().Ref())
	}
	for _, list := range [][]*core.Var{b.prog.Globals, b.proc.Formals, b.proc.Locals} {
		for _, v := range list {
			if v.Type == core.Type(pointer) && b.chance(2) {
				s.Locs = append(s.Locs, v.Ref())
			}
		}
	}
	b.node(s)
}

package spurious

import (
	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/cex"
)

// This file makes the Boolean path formula: it executes a segment of a path symbolically as the
// Boolean program does. Values of its variables become formulas over open truth values; assumptions
// and enforce clauses become conditions. The path is one of the Boolean program iff the conditions
// are satisfiable together.

// pathFormula is the state of such an execution.
type pathFormula struct {
	r       *abstract.Result
	t       *logic.Table
	globals map[string]*logic.Term                // the values of variables, by name
	locals  map[*cex.Frame]map[string]*logic.Term // those of each activation
	global  map[string]bool                       // the variables that are global
	open    int                                   // open truth values made so far
	conds   []*logic.Term
	isCond  map[*logic.Term]bool // the set of conds
	inv     map[*core.Proc][]invariant
	stmts   map[abstract.Move][]*boolprog.Stmt
	moves   []instance // along the path
	facts   int        // of all moves

	possible map[query]bool // moves that the program can make
}

// invariant is a conjunct of an enforce clause, with the variables that it reads.
type invariant struct {
	expr  boolprog.Expr
	reads map[string]bool
}

// instance is a move on the path, with the values of its facts: the predicates before and after it.
type instance struct {
	abstract.Move
	values map[abstract.Fact]*logic.Term
}

// newPathFormula returns the formula of the steps from … to-1 of a path, from any state.
func newPathFormula(r *abstract.Result, p *cex.Path, from, to int) *pathFormula {
	x := &pathFormula{
		r: r, t: logic.NewTable(), isCond: map[*logic.Term]bool{}, possible: map[query]bool{},
		globals: map[string]*logic.Term{}, locals: map[*cex.Frame]map[string]*logic.Term{}, global: map[string]bool{},
		inv: map[*core.Proc][]invariant{}, stmts: map[abstract.Move][]*boolprog.Stmt{},
	}
	for _, q := range r.Predicates {
		if q.Proc == nil {
			x.global[q.Var()] = true
		}
	}
	// At the start of the path, the statements before the entry's first node are executed, too. Elsewhere
	// all that is known of the state is that it satisfies the enforce clause.
	first := p.Steps[from].Frame
	if from == 0 {
		x.enter(first)
	}
	x.enforce(first, nil)
	for i := from; i < to; i++ {
		x.step(p, i)
	}
	return x
}

// step executes the Boolean statements of step i.
func (x *pathFormula) step(p *cex.Path, i int) {
	s := p.Steps[i]
	f := s.Frame
	stmts := x.statements(f.Proc, s.Node)
	m := abstract.Move{Proc: f.Proc, Node: s.Node}
	// Which of the node's statements does the path take, and which move do they make?
	switch st := s.Stmt().(type) {
	case *core.Skip, *core.Branch:
		return
	case *core.Return:
		if f.Caller != nil && i+1 < len(p.Steps) {
			x.leave(p, f)
		}
		return
	case *core.Assert:
		test := stmts[0].Op.(*boolprog.If)
		stmts = stmts[1:]
		if p.Fails && i == len(p.Steps)-1 {
			m.Part = abstract.Fails
			stmts = test.Thens[0]
			stmts = stmts[:len(stmts)-1] // assert(0)
		}
	case *core.Call:
		if st.Callee.HasBody() {
			if s.Enter != nil {
				x.call(f, s.Enter, m, stmts)
			}
			return
		}
	}
	x.execute(f, m, stmts)
}

// statements returns the Boolean statements that a node has become; node -1 stands for those before the
// first node.
func (x *pathFormula) statements(p *core.Proc, node int) []*boolprog.Stmt {
	k := abstract.Move{Proc: p, Node: node}
	if _, known := x.stmts[k]; !known {
		x.stmts[k] = x.r.Statements(p, node)
	}
	return x.stmts[k]
}

// enter executes the statements before the first node of an activation.
func (x *pathFormula) enter(f *cex.Frame) {
	x.execute(f, abstract.Move{Proc: f.Proc, Node: -1, Part: abstract.Enters}, x.statements(f.Proc, -1))
}

// call executes a call from activation f up to the first node of the activation g.
func (x *pathFormula) call(f, g *cex.Frame, m abstract.Move, stmts []*boolprog.Stmt) {
	// 1. The statements before the Boolean call: they pass values to the callee.
	n := 0
	for isCall := false; !isCall; n++ {
		_, isCall = stmts[n].Op.(*boolprog.Call)
	}
	call := stmts[n-1].Op.(*boolprog.Call)
	m.Part = abstract.Passes
	x.execute(f, m, stmts[:n-1])
	// 2. Formals get the values of the arguments.
	inside := map[string]*logic.Term{}
	for i, q := range x.r.Interface(g.Proc).Formals {
		inside[q.Var()] = x.may(f, call.Args[i], nil)
	}
	// 3. The callee begins in a state that satisfies its enforce clause.
	x.locals[g] = inside
	x.enforce(g, nil)
	x.enter(g)
}

// leave executes the return from activation g, and the statements after the call in its caller.
func (x *pathFormula) leave(p *cex.Path, g *cex.Frame) {
	at := p.Steps[g.Call]
	f := at.Frame
	// 1. Skip to the statements after the Boolean call.
	rest := x.statements(f.Proc, at.Node)
	for isCall := false; !isCall; rest = rest[1:] {
		_, isCall = rest[0].Op.(*boolprog.Call)
	}
	// 2. Give the caller the values that the callee returns.
	m := abstract.Move{Proc: f.Proc, Node: at.Node, Part: abstract.Returns}
	for _, q := range x.r.Interface(g.Proc).Returns {
		name := x.r.Variable(m, abstract.Fact{Side: abstract.Returned, Pred: q.Var()})
		x.set(f, name, x.value(g, q.Var()))
	}
	// 3. Execute them.
	x.enforce(f, nil)
	x.execute(f, m, rest)
}

// execute executes statements without calls, which make move m, and records the facts of the move.
func (x *pathFormula) execute(f *cex.Frame, m abstract.Move, stmts []*boolprog.Stmt) {
	out := instance{m, map[abstract.Fact]*logic.Term{}}
	x.note(f, out, abstract.Before, abstract.Returned)
	for _, s := range stmts {
		switch op := s.Op.(type) {
		case *boolprog.Assume:
			x.requireAll(f, op.Cond, nil)
		case *boolprog.Assign:
			x.assign(f, op)
			x.enforce(f, op.Lhs)
		}
	}
	x.note(f, out, abstract.After, abstract.Passed)
	x.moves = append(x.moves, out)
	x.facts += len(out.values)
}

// note records the values of the facts of a move at two of its sides.
func (x *pathFormula) note(f *cex.Frame, m instance, sides ...abstract.Side) {
	for _, k := range x.r.Facts(m.Move) {
		if k.Side == sides[0] || k.Side == sides[1] {
			m.values[k] = x.value(f, x.r.Variable(m.Move, k))
		}
	}
}

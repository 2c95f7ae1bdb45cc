package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers statements and the declarations of blocks.

// lowerBody lowers the body of the function into the nodes of its procedure. declareBody has made
// the lowerer, with all variables and labels of the body; it is called once for each body that is
// reached.
func (b *functionLowerer) lowerBody() {
	if b.isEnding(b.fn) { // it makes no assumptions
		defer func(before ledger) { b.ledger = before }(b.ledger)
		b.ledger = ledger{}
	}
	// 1. Before the body: the variable of the result, and the sizes of array parameters.
	b.findRestrict(b.fn.def)
	b.chooseResult()
	b.pos = b.fn.pos
	for _, p := range parameters(b.fn.typ) {
		if p.Declarator != nil {
			b.arraySizes(p.Declarator)
		}
	}
	if isMuteFailure(b.fn) {
		b.muteFailure()
	}
	// 2. The body, and the return at its end.
	b.statements(b.fn.def.CompoundStatement)
	if b.reachable() {
		b.fallOff()
	}
	b.jump(b.exit)
	b.pos = ccfix.At(b.fn.def.CompoundStatement.Token2.Position())
	b.text, b.first = "}", true
	b.proc.Nodes = b.finish(b.exit)
}

// fallOff lowers the return at the end of the body: 0 from C's main (C23 5.1.2.2.3), an arbitrary
// value from another function. (The caller may not use it, C23 6.9.2; if it does all the same, the
// value must not seem to be that of a local variable.)
func (b *frame) fallOff() {
	r := b.proc.Result
	switch {
	case r == nil:
	case b.fn.name == "main" && isScalarType(r.Type):
		b.assign(r.Ref(), to(truth(false), r.Type))
	default:
		end := ccfix.At(b.fn.def.CompoundStatement.Token2.Position())
		b.note(source.Warning, end, "control reaches the end of %s, which returns a value: the value is arbitrary", b.fn.name)
		b.arbitraryVariable(r, "no value returned")
	}
}

// begin starts the lifetime of v with an arbitrary value. A value that is not represented needs no
// node, unless its bytes can be read through its address.
func (b *frame) begin(v *core.Var) {
	if _, opaque := v.Type.(core.Opaque); !opaque || v.AddrTaken {
		b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Begin: true})
	}
}

// arbitraryVariable makes v arbitrary.
func (b *frame) arbitraryVariable(v *core.Var, why string) {
	// A Havoc for scalars, a Fill for aggregates; values that are not represented matter only in memory.
	switch t := v.Type.(type) {
	case core.Int, core.Ptr:
		b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: why})
	case core.Agg:
		b.emit(&core.Fill{Dst: b.addressOf(v), Size: b.sizeOfAgg(t), Why: why})
	case core.Opaque:
		if v.AddrTaken {
			b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: why})
		}
	}
}

// chooseResult sets the variable that the procedure returns: the one local or formal that every
// return statement names, else a fresh \result. With int f(int x) { … return x; … return x; } no
// copy to \result is needed: predicates about x hold of the result.
//
//	int f(void) { int r = g(); r++; return r; }     the result is r
//	int f(int x) { return x + 1; }                  \result := x + 1
func (b *frame) chooseResult() {
	if b.proc.RetType == core.Type(core.Void{}) {
		return
	}
	var only *core.Var
	same := true
	// 1. Does every return name one variable?
	ctree.Walk(b.fn.def.CompoundStatement, func(n cc.Node) bool {
		if j, ok := n.(*cc.JumpStatement); ok && j.Case == cc.JumpStatementReturn {
			v := b.returned(j)
			same = same && v != nil && (only == nil || only == v)
			only = v
		}
		return true
	})
	// Without any return statement only is nil, and the variable is made below. A check asks for the read of a local one.
	if same && only != nil && !(only.Kind == core.Local && b.opts.Checks.Has(checks.Uninitialised)) {
		b.proc.Result = only
		return
	}
	// 2. If not, a variable for the result.
	r := &core.Var{Name: `\result`, Type: b.proc.RetType, Kind: core.Local, Proc: b.proc, Pos: b.fn.pos}
	b.proc.Locals = append(b.proc.Locals, r)
	b.proc.Result = r
}

// returned returns the variable that a return statement names, if it can serve as the result of the
// procedure; else nil. v must be a local or formal of this procedure whose type is that of the
// result, and that no pointer leads to.
func (b *frame) returned(j *cc.JumpStatement) *core.Var {
	if ctree.IsNil(j.ExpressionList) {
		return nil
	}
	id := identifier(j.ExpressionList)
	if id == nil {
		return nil
	}
	d, _ := id.ResolvedTo().(*cc.Declarator)
	// Its value must be that of the result, without conversion, and nobody else may change it before the
	// return.
	v := b.vars[d]
	if v == nil || v.Kind == core.Global || v.AddrTaken || v.Volatile || b.kept[v] || v.Type != b.proc.RetType || !isScalarType(v.Type) {
		return nil
	}
	if d.Type().Kind() == cc.Array && !d.IsParam() { // of variable length
		return nil
	}
	return v
}

// skip emits a node that does nothing.
func (b *frame) skip() { b.emit(&core.Skip{}) }

// statements lowers a block, with the cleanups at its end.
func (b *functionLowerer) statements(s *cc.CompoundStatement) {
	b.inBlock(func() {
		n := len(b.owed)
		for l := s.BlockItemList; l != nil; l = l.BlockItemList {
			b.blockItem(l.BlockItem)
		}
		b.endBlock(s, n)
	})
}

// blockItem lowers a declaration or statement of a block.
func (b *functionLowerer) blockItem(item *cc.BlockItem) {
	switch item.Case {
	case cc.BlockItemDecl:
		b.declaration(item.Declaration)
	case cc.BlockItemStmt:
		b.statement(item.Statement)
	}
}

// statement lowers s. One that is never reached, as in if (0), is left out with its diagnostics and
// assumptions. A statement with a label is lowered in any case, because a jump may lead into it, as
// in switch (x) { case 1: f(); return; default: g(); }.
func (b *functionLowerer) statement(s *cc.Statement) {
	if b.dead() && !hasLabels(s) {
		return
	}
	switch s.Case {
	case cc.StatementLabeled:
		b.labeled(s.LabeledStatement)
	case cc.StatementCompound:
		b.statements(s.CompoundStatement)
	case cc.StatementExpr:
		b.expressionStatement(s.ExpressionStatement)
	case cc.StatementSelection:
		b.selection(s.SelectionStatement)
	case cc.StatementIteration:
		b.iteration(s.IterationStatement)
	case cc.StatementJump:
		b.jumpStatement(s.JumpStatement)
	case cc.StatementAsm:
		b.asm(s.AsmStatement)
	}
}

// hasLabels reports whether a jump may lead into s.
func hasLabels(s *cc.Statement) (found bool) {
	ctree.Walk(s, func(n cc.Node) bool {
		// case and default are labels, too.
		_, is := n.(*cc.LabeledStatement)
		found = found || is
		return !found
	})
	return found
}

// expressionStatement lowers an expression for its effects.
func (b *functionLowerer) expressionStatement(s *cc.ExpressionStatement) {
	if ctree.IsNil(s.ExpressionList) {
		return
	}
	b.step(ccfix.At(s.Position()), b.TextOf(s), func() { b.effect(s.ExpressionList) })
}

// condition lowers the evaluation of a controlling expression as a step. It emits a node in any
// case, so a trace shows the condition also if it is constant.
func (b *functionLowerer) condition(e cc.ExpressionNode, yes, no *label) {
	b.step(ccfix.At(e.Position()), b.TextOf(e), func() { b.cond(e, yes, no) })
}

// selection lowers if and switch; a chain of else if is a loop here, not a recursion.
//
//	if (a) x(); else if (b) y(); else z();
//
//	branch; assume a -> 1;  assume !a -> 2
//	1: call x -> end
//	2: branch; assume b -> 3;  assume !b -> 4
//	3: call y -> end
//	4: call z -> end
//	end:
func (b *functionLowerer) selection(s *cc.SelectionStatement) {
	if s.Case == cc.SelectionStatementSwitch {
		b.switchStatement(s)
		return
	}
	end := newLabel()
	for {
		// One if of the chain: its then leads to the end, its else is the next one.
		yes, no := newLabel(), newLabel()
		b.condition(s.ExpressionList, yes, no)
		// The condition is lowered: if (0) leaves yes without an edge, and its statement is dead.
		yes.closed, no.closed = true, true
		b.place(yes)
		b.inBlock(func() { b.statement(s.Statement) })
		b.jump(end)
		b.place(no)
		if s.Case == cc.SelectionStatementIf {
			break
		}
		next := s.Statement2
		if next.Case != cc.StatementSelection || next.SelectionStatement.Case == cc.SelectionStatementSwitch {
			b.inBlock(func() { b.statement(next) })
			break
		}
		s = next.SelectionStatement // else if
	}
	b.place(end)
}

// iteration lowers a loop; it is a block of its own.
func (b *functionLowerer) iteration(s *cc.IterationStatement) {
	b.inBlock(func() { b.loop(s) })
}

// loop lowers
//
//	for (init; cond; step) body      init; head: cond; body; cont: step; goto head; end:
//	while (cond) body                head: cond; body; goto head; end:
//	do body while (cond)             body; cont: cond; end:
//
// The condition of a for may be missing; then only break, goto and return leave the loop.
func (b *functionLowerer) loop(s *cc.IterationStatement) {
	head, body, cont, end := newLabel(), newLabel(), newLabel(), newLabel()
	// 1. The parts of the loop; continue in a while leads to its head.
	cond, step := s.ExpressionList, cc.ExpressionNode(nil)
	owed := len(b.owed)
	switch s.Case {
	case cc.IterationStatementFor:
		b.optional(s.ExpressionList)
		cond, step = s.ExpressionList2, s.ExpressionList3
	case cc.IterationStatementForDecl:
		b.declaration(s.Declaration)
		step = s.ExpressionList2
	case cc.IterationStatementWhile:
		cont = head
	}
	// 2. The body, before or after the condition.
	// break and continue run the cleanups of the body; that of the head of a for runs after the
	// loop.
	b.loops = append(b.loops, loop{end, cont, len(b.owed)})
	if s.Case == cc.IterationStatementDo {
		b.place(body)
		b.inBlock(func() { b.statement(s.Statement) })
		b.place(cont)
		b.condition(cond, body, end)
	} else {
		b.place(head)
		if !ctree.IsNil(cond) {
			b.condition(cond, body, end)
		}
		body.closed = true
		b.place(body)
		b.inBlock(func() { b.statement(s.Statement) })
		// Only a for has a step; continue leads to it.
		if cont != head {
			b.place(cont)
			b.optional(step)
		}
		b.jump(head)
	}
	// 3. After the loop.
	b.loops = b.loops[:len(b.loops)-1]
	b.place(end)
	b.leave(ccfix.At(s.Position()), owed) // what is declared in the head of a for
	b.owed = b.owed[:owed]
}

// optional lowers an expression of a for statement for its effects.
func (b *functionLowerer) optional(e cc.ExpressionNode) {
	if !ctree.IsNil(e) {
		b.step(ccfix.At(e.Position()), b.TextOf(e), func() { b.effect(e) })
	}
}

// jumpStatement lowers goto, break, continue and return, with the cleanups of the blocks that they
// leave.
//
//	{ __attribute__((cleanup(done))) int x = 1; return x; }
//
//	x := 1; \result := x; call done(&x); return
func (b *functionLowerer) jumpStatement(s *cc.JumpStatement) {
	b.step(ccfix.At(s.Position()), b.TextOf(s), func() {
		switch s.Case {
		case cc.JumpStatementGoto:
			b.gotoStatement(s)
		case cc.JumpStatementGotoExpr:
			b.computedGoto(s)
		case cc.JumpStatementBreak:
			// A break leads out of the innermost loop or switch.
			b.skip()
			l := b.loops[len(b.loops)-1]
			// The skip has the text of the statement; the cleanups come after it.
			b.leave(ccfix.At(s.Position()), l.owed)
			b.jump(l.brk)
		case cc.JumpStatementContinue:
			b.skip()
			// A continue skips switches.
			for i := len(b.loops) - 1; i >= 0; i-- {
				if l := b.loops[i]; l.cont != nil {
					b.leave(ccfix.At(s.Position()), l.owed)
					b.jump(l.cont)
					break
				}
			}
		case cc.JumpStatementReturn:
			b.returnStatement(s)
		}
	})
}

// returnStatement lowers return: the value goes to the variable of the result.
func (b *functionLowerer) returnStatement(s *cc.JumpStatement) {
	if e := s.ExpressionList; !ctree.IsNil(e) {
		r := b.proc.Result
		// The value goes to \result; a variable that is the result itself has it.
		switch {
		case r == nil:
			b.effect(e)
		case r.Name != `\result`:
		case isScalarType(r.Type):
			b.into(r.Ref(), e)
		default:
			b.returnObject(r, e)
		}
	}
	// The return emitted no node yet: a skip stands for it in traces.
	if b.first {
		b.skip()
	}
	b.leave(ccfix.At(s.Position()), 0)
	b.jump(b.exit)
}

// returnObject stores e, a struct, a union or a value that is not represented, as the result r.
func (b *functionLowerer) returnObject(r *core.Var, e cc.ExpressionNode) {
	if _, isAgg := r.Type.(core.Agg); isAgg {
		b.copyInto(place{addr: b.addressOf(r), typ: r.Type, ctype: b.fn.typ.Result()}, e)
		return
	}
	b.lose(e)
}

// declaration lowers a declaration of a block: initialisers run, and a variable without one starts
// with an arbitrary value each time. In a loop the declaration is executed in each round, so a
// variable does not keep the value of the round before (C11 6.2.4p6).
func (b *functionLowerer) declaration(d *cc.Declaration) {
	defer b.begun(d)
	ids := initDeclarators(d)
	for _, id := range ids {
		b.arraySizes(id.Declarator)
		v := b.vars[id.Declarator]
		if v == nil || v.Kind != core.Local { // of static storage duration, or a function
			continue
		}
		v.Block = b.ownedBlock()
		// Of several declarators each is a statement of its own in traces.
		pos, text := ccfix.At(id.Declarator.NameTok().Position()), b.TextOf(id)
		if len(ids) == 1 && !isPrelude(d) {
			pos, text = ccfix.At(d.Position()), b.TextOf(d)
		}
		switch {
		case id.Initializer != nil:
			b.step(pos, text, func() { b.initialiseVariable(v, id) })
		case isVariableArray(id.Declarator.Type()):
			// Its variable holds the address of new memory.
			b.step(pos, text, func() {
				b.emit(&core.Alloc{Lhs: v.Ref(), Size: b.sizeExpr(id.Declarator.Type()), Stack: true})
			})
		case isScalar(v) && b.inits[id.Declarator]:
			// It is executed at most once, and the variable is arbitrary at first.
		case isScalarType(v.Type) || isAggregate(v):
			b.step(pos, text, func() { b.begin(v) })
		}
	}
}

// isAggregate reports whether v is a struct, union or array.
func isAggregate(v *core.Var) bool {
	_, ok := v.Type.(core.Agg)
	return ok
}

// initialiseVariable lowers the initialiser of an automatic variable. If it reads the variable
// itself, as int x = x does, the variable is made arbitrary first.
func (b *functionLowerer) initialiseVariable(v *core.Var, id *cc.InitDeclarator) {
	if b.directEffects(id.Initializer).reads[v] {
		b.begin(v)
	}
	// The place: aggregates are in memory.
	p := place{v: v, typ: v.Type, ctype: id.Declarator.Type()}
	if isAggregate(v) {
		p.v, p.addr = nil, b.addressOf(v)
	}
	b.initialise(p, id.Initializer, false)
}

// arraySizes evaluates the sizes of the arrays of variable length in a declarator. For int a[n] the
// length is kept in a temporary, since n may change later; sizeof a and the Alloc read the
// temporary.
func (b *functionLowerer) arraySizes(d *cc.Declarator) {
	if t := d.Type(); t != nil {
		b.typeSizes(t, d)
	}
	// Effects in the sizes of array parameters, which are pointers.
	for dd := d.DirectDeclarator; dd != nil; dd = dd.DirectDeclarator {
		if e := dd.AssignmentExpression; !ctree.IsNil(e) && b.lengths[e] == nil && b.hasEffects(e) {
			b.step(ccfix.At(e.Position()), b.TextOf(e), func() { b.effect(e) })
		}
	}
}

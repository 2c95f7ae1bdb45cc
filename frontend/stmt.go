package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers statements.

// lowerBody lowers the whole function.
func (b *functionLowerer) lowerBody() {
	b.chooseResult()
	b.pos = b.fn.pos
	for _, p := range parameters(b.fn.typ) {
		if p.Declarator != nil {
			b.arraySizes(p.Declarator)
		}
	}
	b.statements(b.fn.def.CompoundStatement)
	if b.reachable() {
		b.fallOff()
	}
	b.jump(b.exit)
	b.pos = at(b.fn.def.CompoundStatement.Token2.Position())
	b.text, b.first = "}", true
	b.proc.Nodes = b.finish(b.exit)
}

// fallOff returns at the end of the body: 0 from C's main (C23 5.1.2.2.3), an
// arbitrary value from another function. (The caller may not use it, C23 6.9.2; if it
// does all the same, it must not seem to be what some local variable holds.)
func (b *functionLowerer) fallOff() {
	t, ok := b.proc.RetType.(core.Int)
	switch {
	case !ok:
	case b.fn.name == "main":
		b.assign(b.proc.Result, core.NewConst(0, t))
	default:
		end := at(b.fn.def.CompoundStatement.Token2.Position())
		b.note(source.Warning, end, "control reaches the end of %s, which returns a value: the value is arbitrary", b.fn.name)
		b.emit(&core.Havoc{Locs: []core.Loc{b.proc.Result.Ref()}, Why: "no value returned"})
	}
}

// chooseResult finds the variable that the procedure returns: the one local or
// formal that every return statement names, else a fresh \result.
func (b *functionLowerer) chooseResult() {
	if b.proc.RetType == core.Type(core.Void{}) {
		return
	}
	var only *core.Var
	same := true
	walk(b.fn.def.CompoundStatement, func(n cc.Node) bool {
		if j, ok := n.(*cc.JumpStatement); ok && j.Case == cc.JumpStatementReturn {
			v := b.returned(j)
			same = same && v != nil && (only == nil || only == v)
			only = v
		}
		return true
	})
	if same && only != nil {
		b.proc.Result = only
		return
	}
	r := &core.Var{Name: `\result`, Type: b.proc.RetType, Kind: core.Local, Proc: b.proc, Pos: b.fn.pos}
	b.proc.Locals = append(b.proc.Locals, r)
	b.proc.Result = r
}

// returned is the variable that a return statement names, if it can serve as the
// procedure's result.
func (b *functionLowerer) returned(j *cc.JumpStatement) *core.Var {
	if isNil(j.ExpressionList) {
		return nil
	}
	id := identifier(j.ExpressionList)
	if id == nil {
		return nil
	}
	d, _ := id.ResolvedTo().(*cc.Declarator)
	v := b.vars[d]
	if v == nil || v.Kind == core.Global || v.AddrTaken || v.Volatile || v.Type != b.proc.RetType {
		return nil
	}
	return v
}

func (b *functionLowerer) skip() { b.emit(&core.Skip{}) }

// statements lowers a block and returns its last expression statement, which is
// the value of a statement expression.
func (b *functionLowerer) statements(s *cc.CompoundStatement) {
	for l := s.BlockItemList; l != nil; l = l.BlockItemList {
		b.blockItem(l.BlockItem)
	}
}

func (b *functionLowerer) blockItem(item *cc.BlockItem) {
	switch item.Case {
	case cc.BlockItemDecl:
		b.declaration(item.Declaration)
	case cc.BlockItemStmt:
		b.statement(item.Statement)
	}
}

// statement lowers s. A statement behind labels is a loop, not a recursion.
func (b *functionLowerer) statement(s *cc.Statement) {
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

func (b *functionLowerer) expressionStatement(s *cc.ExpressionStatement) {
	if isNil(s.ExpressionList) {
		return
	}
	b.step(at(s.Position()), b.textOf(s), func() { b.effect(s.ExpressionList) })
}

// condition lowers the evaluation of a controlling expression as a step.
func (b *functionLowerer) condition(e cc.ExpressionNode, yes, no *label) {
	b.step(at(e.Position()), b.textOf(e), func() { b.cond(e, yes, no) })
}

func (b *functionLowerer) selection(s *cc.SelectionStatement) {
	if s.Case == cc.SelectionStatementSwitch {
		b.switchStatement(s)
		return
	}
	end := newLabel()
	for {
		yes, no := newLabel(), newLabel()
		b.condition(s.ExpressionList, yes, no)
		b.place(yes)
		b.statement(s.Statement)
		b.jump(end)
		b.place(no)
		if s.Case == cc.SelectionStatementIf {
			break
		}
		next := s.Statement2
		if next.Case != cc.StatementSelection || next.SelectionStatement.Case == cc.SelectionStatementSwitch {
			b.statement(next)
			break
		}
		s = next.SelectionStatement // else if
	}
	b.place(end)
}

func (b *functionLowerer) iteration(s *cc.IterationStatement) {
	head, body, cont, end := newLabel(), newLabel(), newLabel(), newLabel()
	cond, step := s.ExpressionList, cc.ExpressionNode(nil)
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
	b.loops = append(b.loops, loop{brk: end, cont: cont})
	if s.Case == cc.IterationStatementDo {
		b.place(body)
		b.statement(s.Statement)
		b.place(cont)
		b.condition(cond, body, end)
	} else {
		b.place(head)
		if !isNil(cond) {
			b.condition(cond, body, end)
		}
		b.place(body)
		b.statement(s.Statement)
		if cont != head {
			b.place(cont)
			b.optional(step)
		}
		b.jump(head)
	}
	b.loops = b.loops[:len(b.loops)-1]
	b.place(end)
}

// optional lowers an expression of a for statement for its effects.
func (b *functionLowerer) optional(e cc.ExpressionNode) {
	if !isNil(e) {
		b.step(at(e.Position()), b.textOf(e), func() { b.effect(e) })
	}
}

func (b *functionLowerer) jumpStatement(s *cc.JumpStatement) {
	b.step(at(s.Position()), b.textOf(s), func() {
		switch s.Case {
		case cc.JumpStatementGoto:
			b.gotoStatement(s)
		case cc.JumpStatementGotoExpr:
			b.computedGoto(s)
		case cc.JumpStatementBreak:
			b.skip()
			b.jump(b.loops[len(b.loops)-1].brk)
		case cc.JumpStatementContinue:
			b.skip()
			for i := len(b.loops) - 1; i >= 0; i-- {
				if b.loops[i].cont != nil {
					b.jump(b.loops[i].cont)
					break
				}
			}
		case cc.JumpStatementReturn:
			b.returnStatement(s)
		}
	})
}

func (b *functionLowerer) returnStatement(s *cc.JumpStatement) {
	if e := s.ExpressionList; !isNil(e) {
		r := b.proc.Result
		switch {
		case r == nil:
			b.effect(e)
		case r.Name == `\result`:
			b.into(r, e)
		}
	}
	if b.first {
		b.skip()
	}
	b.jump(b.exit)
}

// declaration lowers the declarations of a block: initialisers run, and what has
// none starts with an arbitrary value each time.
func (b *functionLowerer) declaration(d *cc.Declaration) {
	ids := initDeclarators(d)
	for _, id := range ids {
		b.arraySizes(id.Declarator)
		v := b.vars[id.Declarator]
		if v == nil || v.Kind != core.Local {
			continue
		}
		pos, text := at(id.Declarator.NameTok().Position()), b.textOf(id)
		if len(ids) == 1 && !isPrelude(d) {
			pos, text = at(d.Position()), b.textOf(d)
		}
		_, isInt := v.Type.(core.Int)
		switch {
		case id.Initializer != nil:
			b.step(pos, text, func() {
				if isInt && b.directEffects(id.Initializer).reads[v] { // int x = x;
					b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}})
				}
				b.initialise(v, id.Initializer)
			})
		case isInt && !b.inits[id.Declarator] && b.opts.mutation != noEntryHavoc:
			b.step(pos, text, func() { b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}}) })
		}
	}
}

// arraySizes evaluates the sizes of a variable-length array.
func (b *functionLowerer) arraySizes(d *cc.Declarator) {
	for dd := d.DirectDeclarator; dd != nil; dd = dd.DirectDeclarator {
		if e := dd.AssignmentExpression; !isNil(e) && b.hasEffects(e) {
			b.step(at(e.Position()), b.textOf(e), func() { b.effect(e) })
		}
	}
}

// initialise lowers the initialiser of an automatic variable.
func (b *functionLowerer) initialise(v *core.Var, init *cc.Initializer) {
	if _, isInt := v.Type.(core.Int); isInt {
		for init.Case == cc.InitializerInitList {
			if init.InitializerList == nil { // = {}
				b.assign(v, core.NewConst(0, v.Type.(core.Int)))
				return
			}
			init = init.InitializerList.Initializer
		}
		b.into(v, init.AssignmentExpression)
		return
	}
	b.initEffects(init)
}

// initEffects evaluates the expressions of an initialiser of an opaque object.
func (b *functionLowerer) initEffects(init *cc.Initializer) {
	if init.Case == cc.InitializerExpr {
		b.effect(init.AssignmentExpression)
		return
	}
	for l := init.InitializerList; l != nil; l = l.InitializerList {
		b.initEffects(l.Initializer)
	}
}

// asm over-approximates an assembly statement: its outputs and everything whose
// address is taken become arbitrary.
func (b *functionLowerer) asm(s *cc.AsmStatement) {
	pos := at(s.Position())
	b.step(pos, b.textOf(s), func() {
		for q := s.Asm.AsmQualifierList; q != nil; q = q.AsmQualifierList {
			if q.AsmQualifier.Case == cc.AsmQualifierGoto {
				b.error(pos, "asm goto is not supported: its control flow is not known")
			}
		}
		for l := s.Asm.AsmArgList; l != nil; l = l.AsmArgList {
			for x := l.AsmExpressionList; x != nil; x = x.AsmExpressionList {
				b.asmOperand(x.AssignmentExpression)
			}
		}
		havoc := &core.Havoc{Region: true, Why: "assembly"}
		seen := map[*core.Var]bool{}
		if args := s.Asm.AsmArgList; args != nil {
			for l := args.AsmExpressionList; l != nil; l = l.AsmExpressionList {
				b.asmOutput(l, havoc, seen)
			}
		}
		b.emit(havoc)
		b.note(source.Warning, pos, "assembly: its outputs and all address-taken variables become arbitrary")
		b.ledger.add("asm at %s:%d havocked: it changes its outputs and address-taken variables only", pos.File, pos.Line)
	})
}

// asmOperand evaluates an operand, which cc parses as a call: "=r"(x).
func (b *functionLowerer) asmOperand(e cc.ExpressionNode) {
	c, ok := e.(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionCall {
		return
	}
	for _, a := range arguments(c) {
		b.effect(a)
	}
}

func (b *functionLowerer) asmOutput(l *cc.AsmExpressionList, havoc *core.Havoc, seen map[*core.Var]bool) {
	walk(l.AssignmentExpression, func(n cc.Node) bool {
		if id, ok := n.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
			d, _ := id.ResolvedTo().(*cc.Declarator)
			if v := b.vars[d]; v != nil && !seen[v] {
				if _, isInt := v.Type.(core.Int); isInt {
					seen[v] = true
					havoc.Locs = append(havoc.Locs, v.Ref())
				}
			}
		}
		return true
	})
}

package frontend

import (
	"sort"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers labels, goto and switch. A jump into a block starts the lifetime of the block's
// variables without executing their declarations (C23 6.2.4): it makes them arbitrary.

// target is a label of the function. It may be the destination of goto, of a computed goto and of
// asm goto; case and default are no targets.
type target struct {
	stmt *cc.LabeledStatement
	l    *label
}

// findJumps collects the labels of the body in source order, the labels whose address is taken, and
// the declarations that are executed at most once. Every LabeledStatement gets its label here, case
// and default too, so that a goto or switch that comes before can name it.
func (b *functionLowerer) findJumps() {
	// 1. Labels, and the names in &&label.
	var first int // sequence number of the first label, 0 without one
	addresses := map[string]bool{}
	ctree.Walk(b.fn.def.CompoundStatement, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.LabeledStatement:
			l := newLabel()
			b.labels[n] = l
			if seq := n.Token.Seq(); n.Case == cc.LabeledStatementLabel {
				if first == 0 || seq < first {
					first = seq
				}
				b.targets = append(b.targets, target{n, l})
			}
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionLabelAddr {
				addresses[n.Token2.SrcStr()] = true
			}
		}
		return true
	})
	// The walk does not follow the order of the text; Seq numbers the tokens in this order.
	sort.SliceStable(b.targets, func(i, j int) bool {
		p, q := b.targets[i].stmt.Token, b.targets[j].stmt.Token
		return p.Seq() < q.Seq()
	})
	// 2. Labels that a computed goto may lead to.
	b.checkLabels()
	for _, t := range b.targets {
		if addresses[t.stmt.Token.SrcStr()] {
			b.taken = append(b.taken, t)
		}
	}
	// 3. A declaration in the outermost block, before any label, is executed at most once.
	body := b.fn.def.CompoundStatement.LexicalScope()
	for _, id := range b.locals {
		tok := id.Declarator.NameTok()
		once := id.Declarator.LexicalScope() == body && (first == 0 || tok.Seq() < first)
		b.inits[id.Declarator] = once
	}
}

// enter makes arbitrary the variables whose lifetime begins with a jump to label s, past their
// declarations. The jump is in scope from, at sequence number seq. In
//
//	goto in; … { int x = 1; in: y = x; }
//
// x is alive at in and was not at the goto, so x becomes arbitrary. After a goto backwards the
// declaration is executed again, which does the same.
func (b *frame) enter(from *cc.Scope, seq int, s *cc.LabeledStatement) {
	// 1. The scopes around the jump, and around the label.
	outer := map[*cc.Scope]bool{}
	for sc := from; sc != nil; sc = sc.Parent {
		outer[sc] = true
	}
	inner := map[*cc.Scope]bool{}
	for sc := s.LexicalScope(); sc != nil; sc = sc.Parent {
		inner[sc] = true
	}
	// 2. Variables that are declared before the label in a scope around it, and alive there but not
	// at the jump.
	var locs []core.Loc
	for _, id := range b.locals {
		d := id.Declarator
		v, tok := b.vars[d], d.NameTok()
		sc := d.LexicalScope()
		if v == nil || v.Kind != core.Local || !inner[sc] || tok.Seq() > s.Token.Seq() {
			continue
		}
		// It is alive at the jump already, and keeps its value.
		if outer[sc] && tok.Seq() < seq {
			continue
		}
		if isScalarType(v.Type) || isAggregate(v) {
			locs = append(locs, v.Ref())
		}
	}
	if len(locs) > 0 {
		b.emit(&core.Havoc{Locs: locs, Begin: true, Why: "a jump past a declaration"})
	}
}

// labeled lowers a statement with its labels; many labels in a row are a loop, not a recursion.
func (b *functionLowerer) labeled(s *cc.LabeledStatement) {
	for {
		b.labelOnly(s)
		if s.Statement == nil {
			return
		}
		if s.Statement.Case != cc.StatementLabeled {
			break
		}
		s = s.Statement.LabeledStatement
	}
	b.statement(s.Statement)
}

// labelOnly lowers the label of s. A named label gets a node of its own, which has the name in
// Labels; case and default get none.
func (b *functionLowerer) labelOnly(s *cc.LabeledStatement) {
	b.place(b.labels[s])
	if s.Case == cc.LabeledStatementLabel {
		name := s.Token.SrcStr()
		b.step(ccfix.At(s.Position()), name+":", func() {
			b.skip()
			last := b.nodes[len(b.nodes)-1]
			last.Labels = append(last.Labels, name)
		})
	}
}

// gotoStatement lowers goto name.
func (b *functionLowerer) gotoStatement(s *cc.JumpStatement) {
	name := s.Token2.SrcStr()
	t := b.findLabel(s.LexicalScope(), name)
	if t == nil {
		b.error(ccfix.At(s.Token2.Position()), "undefined label: %s", name)
		return
	}
	b.skip()
	b.leaveFor(ccfix.At(s.Position()), t.stmt)
	b.enter(s.LexicalScope(), s.Token.Seq(), t.stmt)
	b.jump(t.l)
}

// findLabel returns the label that name denotes in scope: that of the innermost block around that
// declares it by __label__, or else that of the function; nil if there is none.
func (b *functionLowerer) findLabel(scope *cc.Scope, name string) *target {
	owner := labelOwner(scope, name)
	for i := range b.targets {
		t := &b.targets[i]
		if t.stmt.Token.SrcStr() == name && labelOwner(t.stmt.LexicalScope(), name) == owner {
			return t
		}
	}
	return nil
}

// labelOwner returns the innermost scope, from scope outwards, that declares the label name by
// __label__; nil stands for the function.
func labelOwner(scope *cc.Scope, name string) *cc.Scope {
	for ; scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[name] {
			if _, ok := n.(*cc.LabelDeclaration); ok {
				return scope
			}
		}
	}
	return nil
}

// checkLabels reports an error about a second label of one name in one scope.
func (b *functionLowerer) checkLabels() {
	for i, t := range b.targets {
		name := t.stmt.Token.SrcStr()
		if first := b.findLabel(t.stmt.LexicalScope(), name); first != &b.targets[i] {
			b.error(ccfix.At(t.stmt.Position()), "label %s is there twice, first at %s", name, ccfix.At(first.stmt.Position()))
		}
	}
}

// computedGoto branches to every label whose address is taken.
//
//	void *p = &&in; goto *p; in: … out: …
//
//	branch -> in, if only its address is taken in the function
func (b *functionLowerer) computedGoto(s *cc.JumpStatement) {
	pos := ccfix.At(s.Position())
	b.effect(s.ExpressionList)
	b.note(source.Note, pos, "computed goto: any label whose address is taken may be next")
	b.refuseJump(pos, "a computed goto")
	// The value of the expression is not followed: a label is no value of the core.
	// One arm for each label; which one is arbitrary.
	br := b.branch()
	for _, t := range b.taken {
		b.arm(br)
		b.skip()
		b.enter(s.LexicalScope(), s.Token.Seq(), t.stmt)
		b.jump(t.l)
	}
	// A branch needs an arm, so that the graph stays well formed after the error.
	if len(b.taken) == 0 {
		b.error(pos, "computed goto, but no label has its address taken")
		b.arm(br)
	}
}

// switchStatement lowers a switch to a chain of branches, one for each case in source order; the
// end of the chain leads to the default, or after the switch.
//
//	switch (x) { case 1: a(); case 2 ... 4: b(); default: c(); }
//
//	branch; assume x == 1 -> L1
//	else assume x != 1; branch; assume x >= 2 && x <= 4 -> L2
//	else assume x < 2 || x > 4 -> LD
//	L1: call a;  L2: call b;  LD: call c
//
// The body follows the dispatch and is reached by its labels only: control falls from case to case
// there.
func (b *functionLowerer) switchStatement(s *cc.SelectionStatement) {
	end := newLabel()
	// 1. The cases in source order.
	cases := append([]*cc.LabeledStatement(nil), s.LabeledStatements()...)
	sort.SliceStable(cases, func(i, j int) bool {
		p, q := cases[i].Token, cases[j].Token
		return p.Seq() < q.Seq()
	})
	// 2. The branches, then the body with the labels: no other jumps lead to them.
	b.step(ccfix.At(s.ExpressionList.Position()), "switch ("+b.TextOf(s.ExpressionList)+")", func() {
		b.dispatch(s, cases, end)
	})
	for _, c := range cases {
		b.labels[c].closed = true
	}
	// Without cont: a continue in the body belongs to the loop around the switch.
	b.loops = append(b.loops, loop{brk: end, owed: len(b.owed)})
	b.inBlock(func() { b.statement(s.Statement) })
	b.loops = b.loops[:len(b.loops)-1]
	b.place(end)
}

// dispatch lowers the evaluation of the controlling expression of s, and the chain of branches to
// its cases. After it, errors aside, no end is open: each way has jumped to a case, the default or
// end.
func (b *functionLowerer) dispatch(s *cc.SelectionStatement, cases []*cc.LabeledStatement, end *label) {
	v := b.value(s.ExpressionList)
	if _, isInt := v.typ.(core.Int); !isInt || isFloat(v.typ) {
		b.error(ccfix.At(s.ExpressionList.Position()), "the expression of a switch must have integer type")
		return
	}
	// 1. The value, promoted: the labels are converted to its type.
	x := b.scrutinee(promote(b.force(v)), cases)
	t := x.Type().(core.Int)
	var deflt *cc.LabeledStatement
	seen := caseLabels{}
	// 2. A branch for each case. Of a constant value only the matching case is reached.
	for _, c := range cases {
		switch c.Case {
		case cc.LabeledStatementDefault:
			deflt = c
		case cc.LabeledStatementCaseLabel, cc.LabeledStatementRange:
			match := b.caseCondition(c, x, t, seen)
			if match == nil {
				continue
			}
			switch holds, known := caseValue(match); {
			// A constant that does not match: no branch.
			case known && !holds:
				continue
			// The constant matches, so no later case, nor the default, is reached from here.
			case known:
				b.skip()
				b.enter(s.LexicalScope(), s.Token.Seq(), c)
				b.jump(b.labels[c])
				return
			}
			br := b.branch()
			b.arm(br)
			b.emit(&core.Assume{Cond: match}).Origin = core.BranchTrue
			b.enter(s.LexicalScope(), s.Token.Seq(), c)
			b.jump(b.labels[c])
			b.arm(br)
			b.emit(&core.Assume{Cond: negated(match)}).Origin = core.BranchFalse
		}
	}
	// 3. No case matches.
	if b.first {
		b.skip()
	}
	if deflt == nil {
		b.jump(end)
		return
	}
	b.enter(s.LexicalScope(), s.Token.Seq(), deflt)
	b.jump(b.labels[deflt])
}

// scrutinee returns x in a form that both bounds of a case range can be compared with: a temporary
// with its value, unless x is a variable or no case is a range. A variable needs no copy, since the
// chain of branches changes none.
func (b *frame) scrutinee(x core.Expr, cases []*cc.LabeledStatement) core.Expr {
	y := x
	if c, ok := y.(*core.Conv); ok {
		y = c.X
	}
	if _, simple := y.(*core.VarRef); simple {
		return x
	}
	// A range compares the value twice.
	for _, c := range cases {
		if c.Case == cc.LabeledStatementRange {
			t := b.temp(x.Type())
			b.assign(t.Ref(), x)
			return t.Ref()
		}
	}
	return x
}

// caseCondition returns the condition on x, of type t, under which case label c matches; nil for an
// empty range, or after an error. Labels of single values must differ; ranges are not compared. A
// label counts modulo the type of the promoted value: of an unsigned char value case 256 stays 256
// and never matches, of an unsigned one case -1 is UINT_MAX (C11 6.8.4.2p5).
func (l *program) caseCondition(c *cc.LabeledStatement, x core.Expr, t core.Int, seen caseLabels) core.Expr {
	lo := l.constant(c.ConstantExpression)
	if lo == nil {
		return nil
	}
	// 1. The value, or the lower end of a range.
	low := convert(lo, t)
	if k, ok := low.(*core.Const); ok && c.Case == cc.LabeledStatementCaseLabel {
		if first, isNew := seen.add(k, ccfix.At(c.Position())); !isNew {
			l.error(ccfix.At(c.Position()), "case %s is there twice, first at %s", k.Val, first)
			return nil
		}
	}
	if c.Case == cc.LabeledStatementCaseLabel {
		return binary(core.Eq, x, low)
	}
	// 2. The upper end; a range the wrong way around is empty.
	hi := l.constant(c.ConstantExpression2)
	if hi == nil {
		return nil
	}
	high := convert(hi, t)
	if low.(*core.Const).Val.Cmp(high.(*core.Const).Val) > 0 {
		return nil
	}
	return &core.Binary{Op: core.LAnd, X: binary(core.Ge, x, low), Y: binary(core.Le, x, high)}
}

// caseValue returns the value of a case condition; ok is false if it is not constant.
func caseValue(e core.Expr) (holds, ok bool) {
	if r, is := e.(*core.Binary); is && r.Op == core.LAnd {
		x, known := caseValue(r.X)
		y, also := caseValue(r.Y)
		return x && y, known && also
	}
	c, ok := e.(*core.Const)
	return ok && c.Val.Sign() != 0, ok
}

// negated returns the negation of a case condition. For a range it is x < low || x > high, by de
// Morgan.
func negated(e core.Expr) core.Expr {
	if r, ok := e.(*core.Binary); ok && r.Op == core.LAnd {
		return &core.Binary{Op: core.LOr, X: core.Negate(r.X), Y: core.Negate(r.Y)}
	}
	return core.Negate(e)
}

// constant returns the value of an integer constant expression; nil after an error. Enumerators are
// known in it, and no variables.
func (l *program) constant(e cc.ExpressionNode) *core.Const {
	if x, err := l.pure(e, nil); err == nil {
		if c, ok := x.(*core.Const); ok {
			return c
		}
	}
	l.error(ccfix.At(e.Position()), "not an integer constant expression: %s", l.TextOf(e))
	return nil
}

package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers the attribute cleanup of local variables:
//
//	void done(int *p);
//	__attribute__((cleanup(done))) int x;
//
// calls done(&x) wherever control leaves the part of the block after the declaration, or the for with
// the declaration in its head: at the end of the block, and before break, continue, goto and return,
// there after the result is evaluated. It is not called when the program ends. Variables are cleaned
// up in the opposite order of their declarations.

// cleanup is a variable with the attribute, and its function.
type cleanup struct {
	declarator *cc.Declarator
	v          *core.Var
	f          *function
}

// findCleanups finds the variables of the body with the attribute cleanup. It marks the attributes
// that are supported; checkAttribute refuses the others: those of variables that are not automatic,
// of arrays of variable length, or after more than one declarator. It runs before lowering, because
// effects of a block include those of its cleanups.
func (b *functionLowerer) findCleanups() {
	// The scope of a for belongs to its head; a variable there is cleaned up after the loop.
	blocks := map[*cc.Scope]bool{}
	ctree.Walk(b.fn.def.CompoundStatement, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.CompoundStatement:
			blocks[n.LexicalScope()] = true
		case *cc.IterationStatement:
			blocks[n.LexicalScope()] = true
		case *cc.Declaration:
			b.cleanupsOf(n, blocks)
		}
		return true
	})
}

// cleanupsOf finds the cleanups of a declaration; blocks are the scopes of the blocks of the body.
// The address of the variable is taken by the call, so AddrTaken is set.
func (b *functionLowerer) cleanupsOf(n *cc.Declaration, blocks map[*cc.Scope]bool) {
	// 1. Attributes for all declarators.
	var all []*cc.AttributeValue
	for s := n.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		switch s.Case {
		case cc.DeclarationSpecifiersAttr:
			all = append(all, cleanupAttributes(s.AttributeSpecifierList)...)
		case cc.DeclarationSpecifiersTypeQual:
			all = append(all, cleanupAttributes(s.TypeQualifier.AttributeSpecifierList)...)
		}
	}
	if n.InitDeclaratorList != nil && n.InitDeclaratorList.InitDeclaratorList == nil {
		all = append(all, cleanupAttributes(n.AttributeSpecifierList)...)
	}
	// 2. Those of each.
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		own := slices.Concat(all, cleanupAttributes(l.AttributeSpecifierList), cleanupAttributes(l.InitDeclarator.AttributeSpecifierList))
		if len(own) != 1 {
			continue
		}
		d := l.InitDeclarator.Declarator
		v, f := b.vars[d], b.cleanupFunction(own[0])
		if f == nil || v == nil || v.Kind != core.Local || isVariableArray(d.Type()) || !blocks[d.LexicalScope()] {
			continue
		}
		v.AddrTaken = true
		b.cleanups[d] = &cleanup{d, v, f}
		b.understood[own[0]] = true
	}
}

// cleanupAttributes returns the attributes cleanup in a list.
func cleanupAttributes(l *cc.AttributeSpecifierList) (found []*cc.AttributeValue) {
	for ; l != nil; l = l.AttributeSpecifierList {
		for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			if ctree.AttributeName(v.AttributeValue.Token.SrcStr()) == "cleanup" {
				found = append(found, v.AttributeValue)
			}
		}
	}
	return found
}

// cleanupName returns the name in a, an attribute cleanup; nil if it has none.
func cleanupName(a *cc.AttributeValue) *cc.PrimaryExpression {
	if l := a.ArgumentExpressionList; l != nil && l.ArgumentExpressionList == nil {
		return identifier(l.AssignmentExpression)
	}
	return nil
}

// cleanupFunction returns the function that a names, or nil if it cannot be called with a pointer.
func (b *frame) cleanupFunction(a *cc.AttributeValue) *function {
	id := cleanupName(a)
	if id == nil {
		return nil
	}
	f := b.byKey[b.functionKey(b.fn.tu, id.Token.SrcStr())]
	if f == nil || f.proc == nil {
		return nil
	}
	f = b.resolveAlias(f)
	// It must take one pointer.
	types := b.formalTypes(f.typ)
	if len(types) != 1 || types[0] != core.Type(b.pointer()) || f.typ.IsVariadic() {
		return nil
	}
	if f.def == nil && (isIntrinsic(f.name) || isStoring(f.name)) {
		return nil
	}
	return f
}

// begun adds the cleanups of the variables of d to those owed: their lifetime has begun. Calls in
// owed are in the order of the declarations; leave goes through them from the end.
func (b *functionLowerer) begun(d *cc.Declaration) {
	for _, id := range initDeclarators(d) {
		if c := b.cleanups[id.Declarator]; c != nil {
			b.owed = append(b.owed, c)
		}
	}
}

// endBlock emits the cleanups of the block, those beyond the first n, at its end.
func (b *functionLowerer) endBlock(s *cc.CompoundStatement, n int) {
	b.leave(ccfix.At(s.Token2.Position()), n)
	b.owed = b.owed[:n]
}

// leave emits the cleanups beyond the first n, at pos, where control leaves their blocks. It does
// not shorten owed: after a break the block is still being lowered.
func (b *functionLowerer) leave(pos source.Pos, n int) {
	for i := len(b.owed) - 1; i >= n; i-- {
		b.clean(pos, b.owed[i])
	}
}

// leaveFor emits the cleanups that are owed here but not at label t. A goto out of a block, or
// backwards past the declaration, leaves the part where the variable lives.
func (b *functionLowerer) leaveFor(pos source.Pos, t *cc.LabeledStatement) {
	around := map[*cc.Scope]bool{}
	for s := t.LexicalScope(); s != nil; s = s.Parent {
		around[s] = true
	}
	// Variables that are out of scope at the label, or declared after it.
	for i := len(b.owed) - 1; i >= 0; i-- {
		name := b.owed[i].declarator.NameTok()
		if !around[b.owed[i].declarator.LexicalScope()] || name.Seq() > t.Token.Seq() {
			b.clean(pos, b.owed[i])
		}
	}
}

// clean emits the call of the function of c.
func (b *frame) clean(pos source.Pos, c *cleanup) {
	if !b.reachable() {
		return
	}
	b.step(pos, fmt.Sprintf("%s(&%s)", c.f.name, c.declarator.Name()), func() {
		// The call, which may end the program.
		b.emit(&core.Call{Callee: c.f.proc, Args: []core.Expr{b.addressOf(c.v)}})
		if c.f.def == nil && c.f.noreturn {
			b.perhapsExit()
			b.emit(&core.Assume{Cond: truth(false)})
		}
	})
}

// refuseJump refuses a jump, called what, that may or may not leave the scope of a variable with a
// cleanup. One arm of it might have to call the function and another not.
func (b *functionLowerer) refuseJump(pos source.Pos, what string) {
	if len(b.owed) > 0 {
		b.error(pos, "%s is not supported among variables with the attribute cleanup", what)
	}
}

// hasCleanups reports whether a variable of the block has a cleanup.
func (b *functionLowerer) hasCleanups(block *cc.CompoundStatement) bool {
	for l := block.BlockItemList; l != nil; l = l.BlockItemList {
		if d := l.BlockItem.Declaration; d != nil {
			for _, id := range initDeclarators(d) {
				if b.cleanups[id.Declarator] != nil {
					return true
				}
			}
		}
	}
	return false
}

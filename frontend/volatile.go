package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file finds the volatile objects, whose reads yield arbitrary values. cc drops the qualifiers of
// pointees in members and casts,
//
//	struct dev { volatile unsigned *regs; };   *(volatile int *)p
//
// so they are looked for in the declarations themselves.

// isVolatile reports whether reads of the object d may yield any value. For volatile int *p of a
// parameter cc sets the qualifier of the pointer where the pointee has it.
func isVolatile(d *cc.Declarator) bool {
	if t := d.Type(); t != nil && t.Kind() == cc.Ptr && d.IsParam() {
		return isVolatileType(t) // cc means the pointee
	}
	return d.IsVolatile() || isVolatileType(d.Type())
}

// isVolatileType reports whether reads of objects of type t may yield any value.
func isVolatileType(t cc.Type) bool {
	for depth := 0; t != nil && depth < 16; depth++ {
		if a := t.Attributes(); a != nil && a.IsVolatile() {
			return true
		}
		// The qualifiers of an array are those of its elements.
		array, ok := t.(*cc.ArrayType)
		if !ok {
			return false
		}
		t = array.Elem()
	}
	return false
}

// findVolatileMembers marks the members below n, a declaration, that point to volatile objects.
// They are keyed by the positions of their names.
func (l *program) findVolatileMembers(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		d, ok := n.(*cc.StructDeclaration)
		if !ok || d.SpecifierQualifierList == nil || !hasVolatile(d.SpecifierQualifierList) {
			return true
		}
		// Only members with a star: volatile before it belongs to the pointee.
		for s := d.StructDeclaratorList; s != nil; s = s.StructDeclaratorList {
			if x := s.StructDeclarator.Declarator; x != nil && x.Pointer != nil {
				l.pointees[ccfix.RawAt(x.NameTok().Position())] = true
			}
		}
		return true
	})
}

// hasVolatile reports whether volatile is among the specifiers.
func hasVolatile(l *cc.SpecifierQualifierList) bool {
	for ; l != nil; l = l.SpecifierQualifierList {
		if q := l.TypeQualifier; q != nil && q.Case == cc.TypeQualifierVolatile {
			return true
		}
	}
	return false
}

// pointsToVolatile reports whether the pointer n points to a volatile object although its type in
// cc does not say so: it looks at the casts and members in the text of n. A pointer that is loaded
// from a variable has the qualifier in its type, which at looks at.
func (l *program) pointsToVolatile(n cc.ExpressionNode) bool {
	for {
		n = ctree.Strip(n)
		switch e := n.(type) {
		case *cc.CastExpression:
			// (volatile T *)p
			if e.TypeName.Type() == nil || e.TypeName.Type().Kind() != cc.Ptr {
				return false
			}
			return hasVolatile(e.TypeName.SpecifierQualifierList) && e.TypeName.AbstractDeclarator != nil
		case *cc.AdditiveExpression:
			// p + i, i + p, p - i
			if ctree.IsPointer(e.MultiplicativeExpression) {
				n = e.MultiplicativeExpression
			} else {
				n = e.AdditiveExpression
			}
		case *cc.AssignmentExpression:
			// The value of p = q has the type of p.
			n = e.UnaryExpression
		case *cc.ConditionalExpression:
			// Either operand may be one.
			if !ctree.IsNil(e.ExpressionList) && l.pointsToVolatile(e.ExpressionList) {
				return true
			}
			n = e.ConditionalExpression
		case *cc.UnaryExpression:
			switch e.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				n = e.UnaryExpression
			case cc.UnaryExpressionDeref:
				n = e.CastExpression
			default:
				return false
			}
		case *cc.PostfixExpression:
			switch e.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec, cc.PostfixExpressionIndex:
				n = e.PostfixExpression
			case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				// A member that is declared as a pointer to volatile.
				f := e.Field()
				return f != nil && f.Declarator() != nil && l.pointees[ccfix.RawAt(f.Declarator().NameTok().Position())]
			default:
				return false
			}
		default:
			return false
		}
	}
}

// isVolatileVar reports whether reads of v may yield any value.
func (l *program) isVolatileVar(v *core.Var) bool { return v.Volatile || l.volatiles[v] }

// volatileRead returns the value read from the volatile place p in memory, a scalar. Whether that is the
// value that the program has stored there depends on the object at p, see core.Havoc.
//
//	*REG        $1 := havoc, with Reads = *REG
func (b *frame) volatileRead(n cc.ExpressionNode, p place) value {
	what := "a read of the volatile " + b.TextOf(n)
	if v, ok := p.loc().(*core.VarRef); ok && !v.Var.InMemory() && !b.isVolatileVar(v.Var) {
		if b.opts.Assume.VolatileArbitrary {
			return b.arbitraryOf(n, p.typ, "%s", what)
		}
		return known(v) // *(volatile int *)&x, and nobody else has its address
	}
	b.note(source.Note, ccfix.At(n.Position()), "%s is an arbitrary value, unless only the program can change it", what)
	if p.isBool {
		return value{typ: p.typ, why: what}
	}
	steady := !b.concurrent && !b.interrupted && !b.opts.Assume.VolatileArbitrary
	// The havoc names the place, so that an analysis may take the stored value if only the program can
	// change it.
	t := b.temp(p.typ)
	b.emit(&core.Havoc{Locs: []core.Loc{t.Ref()}, Reads: p.loc(), Steady: steady, Why: what})
	return known(t.Ref())
}

// volatilePointer returns the value read from the volatile place p, a pointer: a branch between the
// value that was stored there last and any other one. The branch keeps the way apart on which the
// pointer is the stored one: an arbitrary pointer may lead to any object.
func (b *frame) volatilePointer(n cc.ExpressionNode, p place) value {
	if v, ok := p.loc().(*core.VarRef); !ok || v.Var.InMemory() {
		return b.volatileRead(n, p)
	}
	b.note(source.Note, ccfix.At(n.Position()), "a read of the volatile pointer %s is what was stored in it or an arbitrary value", b.TextOf(n))
	t := b.temp(p.typ)
	end := newLabel()
	br := b.branch()
	b.arm(br)
	b.assign(t.Ref(), p.loc())
	b.jump(end)
	b.arm(br)
	b.emit(&core.Havoc{Locs: []core.Loc{t.Ref()}, Why: "a read of the volatile " + b.TextOf(n)})
	b.place(end)
	return known(t.Ref())
}

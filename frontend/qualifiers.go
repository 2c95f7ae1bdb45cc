package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds the qualifiers of types in the syntax of declarations: cc's types have lost some.
// Those of
//
//	const char *const *p
//
// are none for p, const for *p, and const for **p. The elements of an array are one level below it,
// like the pointee of a pointer.

// qualifier is a set of qualifiers.
type qualifier uint

const (
	constant qualifier = 1 << iota
	volatile
	restricted
	atomic
)

// levels holds the qualifiers of an object, of its pointee, and so on. Those of levels beyond the list
// are not known, so nil is the list of a type that is not understood.
type levels []qualifier

// inner returns the levels of the pointee of a pointer with levels q.
func (q levels) inner() levels {
	if len(q) == 0 {
		return nil
	}
	return q[1:]
}

// pointer returns the levels of a pointer with qualifiers own to an object with levels q. &x of an
// object with levels q has levels 0, q.
func (q levels) pointer(own qualifier) levels {
	if q == nil {
		return nil
	}
	return append(levels{own}, q...)
}

// and returns q with further qualifiers at the top. q is not changed.
func (q levels) and(more qualifier) levels {
	if q == nil {
		return nil
	}
	return append(levels{q[0] | more}, q[1:]...)
}

// declared returns the specifiers in the declaration of d, nil if there are none. The map is filled
// at the first call, for all files at once.
func (l *typing) declared(d *cc.Declarator) cc.Node {
	if l.specifiers == nil {
		l.specifiers = map[*cc.Declarator]cc.Node{}
		for _, tu := range l.tus {
			l.findSpecifiers(tu.ast.TranslationUnit)
		}
	}
	return l.specifiers[d]
}

// findSpecifiers notes the specifiers of all declarators below n.
func (l *typing) findSpecifiers(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.Declaration:
			// __auto_type has none.
			for _, id := range initDeclarators(n) {
				if n.Case != cc.DeclarationAuto {
					l.specifiers[id.Declarator] = n.DeclarationSpecifiers
				}
			}
		case *cc.FunctionDefinition:
			l.specifiers[n.Declarator] = n.DeclarationSpecifiers
		case *cc.ParameterDeclaration:
			l.specifiers[n.Declarator] = n.DeclarationSpecifiers
		case *cc.StructDeclaration:
			for s := n.StructDeclaratorList; s != nil; s = s.StructDeclaratorList {
				l.specifiers[s.StructDeclarator.Declarator] = n.SpecifierQualifierList
			}
		}
		return true
	})
}

// levelsOf returns the levels of the object or type that d declares.
func (l *typing) levelsOf(d *cc.Declarator) levels {
	if d == nil {
		return nil
	}
	return around(l.levelsOfSpecifiers(l.declared(d)), d)
}

// around returns the levels of the object that d declares with specifiers of levels q.
//
//	const int *volatile a[2]     from the specifiers: const
//	                             after the star: volatile, const
//	                             after the brackets: none, volatile, const
func around(q levels, d *cc.Declarator) levels {
	q = pointers(q, d.Pointer)
	for x := d.DirectDeclarator; x != nil; x = x.DirectDeclarator {
		switch x.Case {
		case cc.DirectDeclaratorIdent:
		// Parentheses, as in int (*p)[2]: the declarator inside comes after the stars.
		case cc.DirectDeclaratorDecl:
			return around(q, x.Declarator)
		// A function has no qualifiers; its result is not at a level below it.
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			q = levels{0}
		default: // an array
			q = q.pointer(0)
		}
	}
	return q
}

// levelsOfResult returns the levels of the result of the function that d declares; nil for one that
// returns a pointer to a function or array.
func (l *typing) levelsOfResult(d *cc.Declarator) levels {
	if f := d.DirectDeclarator; f == nil || f.DirectDeclarator == nil || f.DirectDeclarator.Case != cc.DirectDeclaratorIdent {
		return nil
	}
	return pointers(l.levelsOfSpecifiers(l.declared(d)), d.Pointer)
}

// levelsOfName returns the levels of the type that n names.
func (l *typing) levelsOfName(n *cc.TypeName) levels {
	return aroundAbstract(l.levelsOfSpecifiers(n.SpecifierQualifierList), n.AbstractDeclarator)
}

// aroundAbstract is around for a declarator without a name.
func aroundAbstract(q levels, d *cc.AbstractDeclarator) levels {
	if d == nil {
		return q
	}
	q = pointers(q, d.Pointer)
	for x := d.DirectAbstractDeclarator; x != nil; x = x.DirectAbstractDeclarator {
		switch x.Case {
		// Parentheses: the declarator inside comes last, outwards from the name.
		case cc.DirectAbstractDeclaratorDecl:
			return aroundAbstract(q, x.AbstractDeclarator)
		case cc.DirectAbstractDeclaratorFunc:
			q = levels{0}
		default:
			q = q.pointer(0)
		}
	}
	return q
}

// pointers returns the levels of an object that is declared with the stars p before an inner declarator;
// q are the levels without them.
func pointers(q levels, p *cc.Pointer) levels {
	for ; p != nil; p = p.Pointer {
		if p.Case != cc.PointerTypeQual && p.Case != cc.PointerPtr {
			return nil // a block
		}
		var own qualifier
		for t := p.TypeQualifiers; t != nil; t = t.TypeQualifiers {
			own |= qualifierOf(t.TypeQualifier)
		}
		q = q.pointer(own)
	}
	return q
}

// qualifierOf returns the qualifier that n spells; none for nil.
func qualifierOf(n *cc.TypeQualifier) qualifier {
	if n == nil {
		return 0
	}
	switch n.Case {
	case cc.TypeQualifierConst:
		return constant
	case cc.TypeQualifierVolatile:
		return volatile
	case cc.TypeQualifierRestrict:
		return restricted
	case cc.TypeQualifierAtomic:
		return atomic
	}
	return 0
}

// levelsOfSpecifiers returns the levels of a list of specifiers. Qualifiers may come in any order
// around the type: int const and const int are the same.
func (l *typing) levelsOfSpecifiers(n cc.Node) levels {
	q, own := levels{0}, qualifier(0)
	specifier := func(s *cc.TypeSpecifier, t *cc.TypeQualifier) {
		own |= qualifierOf(t)
		if s != nil {
			q = l.levelsOfSpecifier(s)
		}
	}
	// The levels of the type, with the qualifiers beside it.
	switch n := n.(type) {
	case *cc.DeclarationSpecifiers:
		for ; n != nil; n = n.DeclarationSpecifiers {
			specifier(n.TypeSpecifier, n.TypeQualifier)
		}
	case *cc.SpecifierQualifierList:
		for ; n != nil; n = n.SpecifierQualifierList {
			specifier(n.TypeSpecifier, n.TypeQualifier)
		}
	default:
		return nil
	}
	return q.and(own)
}

// levelsOfSpecifier returns the levels of a type specifier.
func (l *typing) levelsOfSpecifier(s *cc.TypeSpecifier) levels {
	switch s.Case {
	case cc.TypeSpecifierTypeName:
		return l.levelsOf(typedefOf(s))
	case cc.TypeSpecifierTypeofType:
		return l.levelsOfName(s.TypeName)
	case cc.TypeSpecifierTypeofExpr:
		return l.levelsOfExpr(s.ExpressionList)
	case cc.TypeSpecifierAtomic:
		return nil
	}
	// An arithmetic type, a struct, union or enumeration.
	return levels{0}
}

// typedefOf returns the declarator to which the name of a typedef refers, or nil. It is the
// innermost declaration that comes before s in the text.
func typedefOf(s *cc.TypeSpecifier) *cc.Declarator {
	for scope := s.LexicalScope(); scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[s.Token.SrcStr()] {
			if d, ok := n.(*cc.Declarator); ok && d.IsTypename() {
				if name := d.NameTok(); name.Seq() < s.Token.Seq() {
					return d
				}
			}
		}
	}
	return nil
}

package frontend

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file evaluates __builtin_types_compatible_p, and checks the decisions of cc about _Generic: it
// may be wrong about the types of expressions.

// typesCompatible returns the value of __builtin_types_compatible_p, nil if it is not known. The
// types' own qualifiers are ignored, as gcc does: const int and int are compatible.
func (l *typing) typesCompatible(e *cc.PostfixExpression) core.Expr {
	args := ctree.Arguments(e)
	if len(args) != 2 {
		return nil
	}
	if ccfix.RowAgainstArray(args) {
		return truth(false)
	}
	// cc gives the types as compound literals (T){}.
	var types [2]qualified
	for i, a := range args {
		literal, ok := ctree.Strip(a).(*cc.PostfixExpression)
		if !ok || literal.Case != cc.PostfixExpressionComplit {
			return nil
		}
		types[i] = l.namedType(literal.TypeName)
	}
	switch compatible(types[0], types[1], pointerDepth) {
	case yes:
		return truth(true)
	case no:
		return truth(false)
	}
	return nil
}

// pointerDepth bounds the pointers that are followed.
const pointerDepth = 20

// namedType returns the type that n names. The type is nil if cc may be wrong about it: about that of
// a conditional expression, of an enumerator, and of an argument list.
func (l *typing) namedType(n *cc.TypeName) qualified {
	certain := true
	ctree.Walk(n, func(n cc.Node) bool {
		if s, ok := n.(*cc.TypeSpecifier); ok && s.Case == cc.TypeSpecifierTypeofExpr {
			certain = certain && l.agreeOnType(s.ExpressionList)
		}
		return true
	})
	if !certain || isArgumentList(n.Type()) {
		return qualified{}
	}
	return qualified{n.Type(), l.levelsOfName(n)}
}

// isArgumentList reports whether t is va_list, which is void * to cc.
func isArgumentList(t cc.Type) bool {
	return t != nil && t.Typedef() != nil && strings.HasSuffix(t.Typedef().Name(), "va_list")
}

// agreeOnType reports whether cc and the rules of this package give n the same type. For a pointer
// outside of a conditional expression cc is right.
func (l *typing) agreeOnType(n cc.ExpressionNode) bool {
	// Compare the integer types; cc may be wrong about pointers in conditional expressions only.
	x := ctree.Strip(n)
	own, ok := l.typeOf(x)
	t, isInt := ctree.IntType(x.Type())
	_, isConditional := x.(*cc.ConditionalExpression)
	return ok == isInt && own == t && (ok || !isConditional)
}

// exclusions holds the associations of _Generic that cc must not choose, by the names of files and the
// numbers of their tokens.
//
// cc takes the first association whose type is compatible if qualifiers of pointees are ignored. If C
// chooses another one, the files are read again without it, until cc chooses right.
type exclusions map[string]map[int]bool

// choice is an association that cc has chosen and C does not choose.
type choice struct {
	file string
	seq  int  // number of its token
	firm bool // the operand's type does not depend on another choice
}

// and returns x with those of the choices that are certainly wrong: the firm ones. If there are
// none, it is the first one, since a type can only depend on earlier associations. x is not
// changed. list must not be empty.
func (x exclusions) and(list []choice) exclusions {
	// 1. A copy of x.
	sum := exclusions{}
	for file, seqs := range x {
		sum[file] = maps.Clone(seqs)
	}
	// 2. Which of the wrong choices are certain?
	firm := slices.ContainsFunc(list, func(c choice) bool { return c.firm })
	first := slices.MinFunc(list, func(c, d choice) int { return cmp.Or(cmp.Compare(c.file, d.file), cmp.Compare(c.seq, d.seq)) })
	for _, c := range list {
		if firm && c.firm || !firm && c == first {
			if sum[c.file] == nil {
				sum[c.file] = map[int]bool{}
			}
			sum[c.file][c.seq] = true
		}
	}
	return sum
}

// errMisled ends the work on files that are read again.
var errMisled = errors.New("the parser has chosen a wrong association of _Generic")

// checkGeneric checks that cc has chosen the right association of the _Generic n, on which types may
// depend. It notes a wrong choice, and reports an error if it cannot tell.
//
//	_Generic(p, int *: 1, const int *: 2) for const int *p: cc chooses 1, C chooses 2
func (l *linker) checkGeneric(n *cc.GenericSelection) {
	chosen := n.Associated()
	if chosen == nil {
		return // an error of the parser
	}
	// 1. The type of the operand; none if cc may be wrong about it.
	operand := qualified{}
	if x := n.AssignmentExpression; l.agreeOnType(x) && !isArgumentList(x.Type()) {
		operand = qualified{x.Type(), l.levelsOfExpr(x)}
	}
	// 2. The associations up to the chosen one: those before must not be compatible, the chosen one must.
	for a := n.GenericAssociationList; a != nil; a = a.GenericAssociationList {
		g := a.GenericAssociation
		if g.Case == cc.GenericAssociationType {
			is := l.associated(operand, g.TypeName)
			if is == no && g == chosen && n.GenericAssociationList.GenericAssociationList != nil {
				l.misled = append(l.misled, choice{l.declaring.file.Name, g.Token.Seq(), !l.restsOnChoices(n.AssignmentExpression)})
				return
			}
			if is != answerOf(g == chosen) {
				l.error(ccfix.At(n.Position()), "not supported: this _Generic, as the type of %s is not certain", l.TextOf(n.AssignmentExpression))
				return
			}
		}
		if g == chosen && g.Case == cc.GenericAssociationType {
			return // cc has not looked at the others, and no two types may be compatible
		}
	}
}

// restsOnChoices reports whether the type of n may depend on a _Generic: n has one, or names something
// whose declared type has a typeof.
func (l *typing) restsOnChoices(n cc.Node) (may bool) {
	named := func(d *cc.Declarator) {
		specifiers := l.declared(d)
		may = may || ctree.IsNil(specifiers) || l.restsOnChoices(specifiers) // of __auto_type there are none
	}
	// Look at the text of n, and at the declarations of all names in it.
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.GenericSelection:
			may = true
		case *cc.TypeSpecifier:
			switch n.Case {
			case cc.TypeSpecifierTypeofExpr:
				may = true
			case cc.TypeSpecifierTypeName:
				named(typedefOf(n))
			case cc.TypeSpecifierStructOrUnion:
				return false // its members are no part of the type
			}
		case *cc.PostfixExpression:
			if f := n.Field(); f != nil && f.Declarator() != nil {
				named(f.Declarator())
			}
		case *cc.PrimaryExpression:
			if d, ok := n.ResolvedTo().(*cc.Declarator); ok && n.Case == cc.PrimaryExpressionIdent {
				named(d)
			}
		}
		return !may
	})
	return may
}

// associated reports whether a value of type t, which has no qualifiers of its own, has the type
// that n names. The association must name a type without qualifiers at the top: the operand is a
// value.
func (l *typing) associated(t qualified, n *cc.TypeName) answer {
	u := l.namedType(n)
	return compatible(t, u, pointerDepth).and(func() answer {
		if len(u.q) == 0 {
			return unknown
		}
		return answerOf(u.q[0] == 0)
	})
}

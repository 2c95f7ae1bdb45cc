package layout

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file reads the attributes that matter to layout.

// attributes are those that matter here: of a type, a member or a typedef, as one declaration
// states them. The zero value is that of a declaration without any.
type attributes struct {
	packed bool
	atomic bool
	odd    string // another attribute or place of one that is not understood
	align  []alignRequest
}

// alignRequest is one aligned or _Alignas. With neither expr nor typ it is aligned without a
// number, the greatest alignment.
type alignRequest struct {
	expr cc.ExpressionNode // nil if there is none
	typ  cc.Type           // of _Alignas(type)
}

// same reports whether a and b say the same.
func (a attributes) same(b attributes) bool { return a.text() == b.text() }

// text returns the attributes as text; it is the same for those that ask for the same.
func (a attributes) text() string {
	var b strings.Builder
	fmt.Fprint(&b, a.packed, a.atomic, a.odd)
	for _, r := range a.align {
		switch {
		case r.expr != nil:
			b.WriteString(" " + cc.NodeSource(r.expr))
		case r.typ != nil:
			b.WriteString(" of " + r.typ.String())
		default:
			b.WriteString(" most")
		}
	}
	return b.String()
}

// attribute takes over one attribute. Others than these do not change layouts.
func (a *attributes) attribute(v *cc.AttributeValue) {
	switch name := ctree.AttributeName(v.Token.SrcStr()); name {
	case "packed":
		a.packed = true
	case "aligned":
		r := alignRequest{}
		if l := v.ArgumentExpressionList; l != nil {
			r.expr = l.AssignmentExpression
		}
		a.align = append(a.align, r)
	// They change layouts, in ways that are not followed here.
	case "ms_struct", "scalar_storage_order", "vector_size", "mode", "transparent_union":
		a.odd = name
	}
}

// list takes over attribute lists.
func (a *attributes) list(lists ...*cc.AttributeSpecifierList) {
	for _, l := range lists {
		for ; l != nil; l = l.AttributeSpecifierList {
			for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
				a.attribute(v.AttributeValue)
			}
		}
	}
}

// specifier takes over one of the specifiers of a declaration, called for each in order. Attributes
// after the definition of an enumeration are the enumeration's; enum is that, or nil before it.
//
//	enum { A } __attribute__((packed)) x;     packed is said of the enumeration, not of x
func (a *attributes) specifier(list *cc.AttributeSpecifierList, q *cc.TypeQualifier, s *cc.TypeSpecifier, alignas *cc.AlignmentSpecifier, enum **cc.EnumSpecifier) {
	// Attributes after the definition of an enumeration are not those of the declaration.
	own := a
	if *enum != nil {
		own = &attributes{}
	}
	own.list(list)
	if q != nil {
		own.list(q.AttributeSpecifierList)
		a.atomic = a.atomic || q.Case == cc.TypeQualifierAtomic
	}
	if s != nil && s.AtomicTypeSpecifier != nil {
		a.atomic = true
	}
	// _Alignas has a type or an expression.
	if alignas != nil {
		r := alignRequest{}
		if alignas.Case == cc.AlignmentSpecifierType {
			r.typ = alignas.TypeName.Type()
		} else {
			r.expr = alignas.ConstantExpression
		}
		a.align = append(a.align, r)
	}
	if *enum != nil && len(own.align) > 0 {
		a.odd = "aligned"
	}
	if s != nil && s.EnumSpecifier != nil && s.EnumSpecifier.EnumeratorList != nil {
		*enum = s.EnumSpecifier
	}
}

// declarator looks for attributes inside of a declarator, as in int *__attribute__((aligned(16)))
// p. They belong to a part of the type, so none that matters is understood.
func (a *attributes) declarator(d *cc.Declarator) {
	ctree.Walk(d, func(n cc.Node) bool {
		if v, ok := n.(*cc.AttributeValue); ok {
			b := attributes{}
			if b.attribute(v); b.packed || b.odd != "" || len(b.align) > 0 {
				a.odd = "inside of the declarator"
			}
		}
		return true
	})
}

// clone returns a copy to which alignments can be appended: each member of a declaration adds its
// own to the common ones.
func (a attributes) clone() attributes {
	a.align = a.align[:len(a.align):len(a.align)]
	return a
}

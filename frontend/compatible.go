package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/layout"
	"c2bp/source"
)

// This file decides whether types are compatible (C23 6.2.7), for __builtin_types_compatible_p and
// _Generic. cc's own answers are often too generous, and it drops qualifiers, for which see
// qualifiers.go.

// answer is yes, no or unknown.
type answer int

const (
	no answer = iota
	yes
	unknown
)

// and returns the conjunction of a and b; b is called only if a is not no. unknown and no is no:
// the other half decides.
func (a answer) and(b func() answer) answer {
	if a == no {
		return no
	}
	switch c := b(); {
	case c == no:
		return no
	case a == unknown:
		return unknown
	default:
		return c
	}
}

// answerOf returns yes or no.
func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// qualified is a type with its qualifiers. q[0] holds the qualifiers of the type itself, q[1] those
// of its pointee or elements, and so on.
type qualified struct {
	t cc.Type
	q levels
}

// inner returns the type elem of the pointee or of the elements of t, with its qualifiers.
func (t qualified) inner(elem cc.Type) qualified { return qualified{elem, t.q.inner()} }

// compatible reports whether t and u, without the qualifiers of their own, are compatible. depth
// bounds the pointers that are followed, so a type that contains a pointer to itself ends as
// unknown.
func compatible(t, u qualified, depth int) answer {
	// 1. Types that are not known.
	if t.t == nil || u.t == nil || depth == 0 || t.t.Kind() == cc.InvalidKind || u.t.Kind() == cc.InvalidKind {
		return unknown
	}
	if t.t.VectorSize() > 0 || u.t.VectorSize() > 0 {
		return unknown
	}
	// 2. An enumeration is compatible with its integer type.
	t.t, u.t = asInteger(t.t, u.t), asInteger(u.t, t.t)
	// 3. Types of one kind, by their parts; those of different kinds are not compatible.
	switch x := t.t.(type) {
	case *cc.PointerType:
		if y, ok := u.t.(*cc.PointerType); ok {
			return compatibleWhole(t.inner(x.Elem()), u.inner(y.Elem()), depth-1)
		}
	case *cc.ArrayType:
		if y, ok := u.t.(*cc.ArrayType); ok {
			return sameLength(x, y).and(func() answer { return compatible(t.inner(x.Elem()), u.inner(y.Elem()), depth-1) })
		}
	case *cc.FunctionType:
		if y, ok := u.t.(*cc.FunctionType); ok {
			return compatibleFunctions(x, y, depth-1)
		}
	case *cc.StructType:
		if y, ok := u.t.(*cc.StructType); ok {
			return sameRecord(x, y, x.Tag(), y.Tag(), x.LexicalScope() == y.LexicalScope())
		}
	case *cc.UnionType:
		if y, ok := u.t.(*cc.UnionType); ok {
			return sameRecord(x, y, x.Tag(), y.Tag(), x.LexicalScope() == y.LexicalScope())
		}
	case *cc.EnumType:
		if y, ok := u.t.(*cc.EnumType); ok {
			return sameEnum(x, y)
		}
	case *cc.PredefinedType:
		if y, ok := u.t.(*cc.PredefinedType); ok {
			return answerOf(x.Kind() == y.Kind())
		}
	}
	return no
}

// compatibleWhole reports whether t and u are compatible with their qualifiers. Those of
// an array are those of its elements.
func compatibleWhole(t, u qualified, depth int) answer {
	if t.t == nil || u.t == nil || t.t.Kind() == cc.Function || u.t.Kind() == cc.Function {
		return compatible(t, u, depth)
	}
	return compatible(t, u, depth).and(func() answer {
		// The qualifiers of arrays are those of the elements, together with their own.
		x, y := t, u
		for {
			if len(x.q) == 0 || len(y.q) == 0 {
				return unknown
			}
			a, isArray := x.t.(*cc.ArrayType)
			b, both := y.t.(*cc.ArrayType)
			if !isArray || !both {
				return answerOf(x.q[0] == y.q[0])
			}
			x, y = x.inner(a.Elem()).and(x.q[0]), y.inner(b.Elem()).and(y.q[0])
		}
	})
}

// and returns t with further qualifiers.
func (t qualified) and(more qualifier) qualified { return qualified{t.t, t.q.and(more)} }

// asInteger returns the integer type that an enumeration t is compatible with, if u is no
// enumeration, else t.
func asInteger(t, u cc.Type) cc.Type {
	_, other := u.(*cc.EnumType)
	if e, ok := t.(*cc.EnumType); ok && !other {
		return e.UnderlyingType()
	}
	return t
}

// sameLength compares the lengths of arrays; an array of unknown length is compatible with
// all.
func sameLength(x, y *cc.ArrayType) answer {
	if x.Len() < 0 || y.Len() < 0 {
		return yes
	}
	return answerOf(x.Len() == y.Len())
}

// sameRecord reports whether structs or unions with these tags are declared in the same place. A
// tag may have no members yet where it is used. Positions of members tell apart two structs of one
// tag in different scopes; two files that include one header have the same.
func sameRecord(t, u cc.Type, tag, other cc.Token, sameScope bool) answer {
	p, q := firstName(t), firstName(u)
	switch {
	case t == u:
		return yes
	case tag.SrcStr() != other.SrcStr():
		return no
	// Both have members: where are they declared?
	case p.Line > 0 && q.Line > 0:
		return answerOf(p == q)
	// One has none, but a tag means one type in a scope.
	case sameScope && tag.SrcStr() != "":
		return yes
	}
	return unknown
}

// firstName returns the position of the first member with a name; the zero Pos if there is none.
func firstName(t cc.Type) source.Pos {
	for _, f := range layout.AllMembers(t) {
		if f.Declarator() != nil {
			return layout.NameAt(f)
		}
	}
	return source.Pos{}
}

// sameEnum reports whether enumerations are declared in the same place. The first enumerator stands
// for the enumeration.
func sameEnum(x, y *cc.EnumType) answer {
	p, q := x.Enumerators(), y.Enumerators()
	if len(p) == 0 || len(q) == 0 {
		return unknown
	}
	return answerOf(ccfix.RawAt(p[0].Token.Position()) == ccfix.RawAt(q[0].Token.Position()))
}

// compatibleFunctions compares function types: the results and, if both have them, the parameters,
// whose own qualifiers do not count. int f() and int f(int) are compatible if int is as promoted,
// which is left unknown here.
func compatibleFunctions(x, y *cc.FunctionType, depth int) answer {
	a := compatible(qualified{t: x.Result()}, qualified{t: y.Result()}, depth)
	// 1. Without a list of parameters on both sides.
	if len(x.Parameters()) == 0 || len(y.Parameters()) == 0 {
		if len(x.Parameters()) == len(y.Parameters()) {
			return a
		}
		return a.and(func() answer { return unknown }) // the other's must be as promoted
	}
	// 2. All parameters.
	p, q := parameters(x), parameters(y)
	if len(p) != len(q) || x.IsVariadic() != y.IsVariadic() {
		return no
	}
	for i := range p {
		a = a.and(func() answer {
			return compatible(qualified{t: p[i].Type().Decay()}, qualified{t: q[i].Type().Decay()}, depth)
		})
	}
	return a
}

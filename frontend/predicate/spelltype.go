package predicate

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file declares in C a variable with the type of another one, whose own name
// does not mean it where predicates are read.

// declare returns the C declaration of a variable called name of v's type; ok is false if there is
// none in q's scope.
//
//	__typeof__(x) $v0                    C sees v under its own name
//	struct s *(*$v0)[4]                  else its type is spelled
//	signed int $v0                       a variable that has no declarator
func (r *resolution) declare(q *request, v *core.Var, name string) (decl string, ok bool) {
	d := r.declarator(v)
	if d != nil && ccfix.IsIdentifier(d.Name()) && r.visible(q, d.Name()) == v {
		return "__typeof__(" + d.Name() + ") " + name, true
	}
	var t cc.Type
	switch {
	case d != nil:
		t = d.Type()
	// \result has no declarator; its type is that of the function.
	case q.fn != nil && v == q.fn.Proc.Result:
		t = q.fn.Type.Result()
	}
	if t == nil {
		i, isInt := v.Type.(core.Int)
		if !isInt {
			return "", false
		}
		return spellInt(i) + " " + name, true
	}
	return typeSpeller{r, q}.declaration(t, name)
}

// Spell returns the declaration of declarator with type t for the end of a translation unit; ok is false
// if t has no name there.
func (u *Resolver) Spell(unit int, t cc.Type, declarator string) (decl string, ok bool) {
	r := &resolution{Program: u.program, whole: u, units: u.program.Units()}
	return typeSpeller{r, &request{tu: unit}}.declaration(t, declarator)
}

// declarator returns the declarator of v, nil if the front end has made it. Of several the
// first counts.
func (r *resolution) declarator(v *core.Var) *cc.Declarator {
	if r.declarators == nil {
		r.declarators = map[*core.Var]*cc.Declarator{}
		for d, v := range r.Variables() {
			if old := r.declarators[v]; old == nil || before(d, old) {
				r.declarators[v] = d
			}
		}
	}
	return r.declarators[v]
}

// before orders the declarators of a variable: those with a complete type first, then by place, so
// that the choice does not depend on the order of a map.
func before(d, e *cc.Declarator) bool {
	if a, b := incomplete(d), incomplete(e); a != b {
		return b
	}
	p, q := ccfix.At(d.NameTok().Position()), ccfix.At(e.NameTok().Position())
	switch {
	case p.File != q.File:
		return p.File < q.File
	case p.Line != q.Line:
		return p.Line < q.Line
	}
	return p.Col < q.Col
}

// incomplete reports whether the type of d is not known or incomplete.
func incomplete(d *cc.Declarator) bool { return d.Type() == nil || d.Type().IsIncomplete() }

// typeSpeller spells types in the scope of q.
type typeSpeller struct {
	*resolution
	q *request
}

// declaration returns the declaration of declarator with type t; ok is false if t has no name in the scope of q.
func (s typeSpeller) declaration(t cc.Type, declarator string) (string, bool) {
	return ctree.Speller{Specifier: s.specifier}.Declaration(t, declarator)
}

// specifier names a type that is no derived one; ok is false if it has no name in the scope of q.
func (s typeSpeller) specifier(t cc.Type) (string, bool) {
	switch x := t.(type) {
	case *cc.StructType:
		return s.tagged(t, "struct ", x.Tag())
	case *cc.UnionType:
		return s.tagged(t, "union ", x.Tag())
	case *cc.EnumType:
		if text, ok := s.tagged(t, "enum ", x.Tag()); ok {
			return text, true
		}
		// A value of an enumeration without a name is one of an integer type.
		t = x.UnderlyingType()
	}
	if t.Kind() == cc.Void {
		return "void", true
	}
	if i, ok := ctree.IntType(t); ok {
		switch t.Kind() { // pointers to them are different types
		case cc.Char, cc.Long, cc.ULong:
			return t.Kind().String(), true
		}
		return spellInt(i), true
	}
	switch t.Kind() {
	case cc.Float, cc.Double, cc.LongDouble:
		return t.Kind().String(), true
	}
	return "", false
}

// tagged names a struct, union or enumeration by its tag or a typedef, if those mean it in the
// scope of q; a declaration in a scope further in may hide it.
func (s typeSpeller) tagged(t cc.Type, kind string, token cc.Token) (string, bool) {
	// By its tag, if the first declaration of that in scope is the same.
	if tag := token.SrcStr(); tag != "" {
		for _, n := range s.scopeNodes(s.q, tag) {
			var u cc.Type
			switch n := n.(type) {
			case *cc.StructOrUnionSpecifier:
				u = n.Type()
			case *cc.EnumSpecifier:
				u = n.Type()
			default:
				continue
			}
			if sameDefinition(t, u) {
				return kind + tag, true
			}
			if !u.IsIncomplete() {
				return "", false // hidden
			}
		}
		return "", false
	}
	// By the name of a typedef, likewise.
	d := t.Typedef()
	if d == nil {
		return "", false
	}
	for _, n := range s.scopeNodes(s.q, d.Name()) {
		e, ok := n.(*cc.Declarator)
		if !ok {
			continue
		}
		return d.Name(), e.IsTypename() && sameDefinition(t, e.Type())
	}
	return "", false
}

// sameDefinition reports whether t and u, structs, unions or enumerations, are defined
// at the same place, in whatever file that is included. Types without a definition are
// as good as the same.
func sameDefinition(t, u cc.Type) bool {
	return t == u || firstMember(t) == firstMember(u)
}

// firstMember returns the position of the first member or constant of t, the zero position if there
// is none. Of an anonymous member it is that of its first.
func firstMember(t cc.Type) source.Pos {
	var f *cc.Field
	for {
		switch x := t.(type) {
		case *cc.StructType:
			f = x.FieldByIndex(0)
		case *cc.UnionType:
			f = x.FieldByIndex(0)
		case *cc.EnumType:
			if list := x.Enumerators(); len(list) > 0 {
				return ccfix.At(list[0].Token.Position())
			}
			return source.Pos{}
		}
		switch {
		case f == nil:
			return source.Pos{}
		case f.Declarator() != nil:
			return ccfix.At(f.Declarator().NameTok().Position())
		case f.Type() == t:
			return source.Pos{}
		}
		t, f = f.Type(), nil // an anonymous member
		switch t.(type) {
		case *cc.StructType, *cc.UnionType:
		default:
			return source.Pos{}
		}
	}
}

// spellInt returns a C type with the properties of t, which has 8, 16, 32 or 64 bits or is a
// floating-point type.
func spellInt(t core.Int) string {
	if t.Bool {
		return "_Bool"
	}
	if t.Float {
		return t.String()
	}
	s := map[int]string{8: "char", 16: "short", 32: "int", 64: "long long"}[t.Bits]
	if s == "" {
		panic("frontend: a variable of type " + t.String())
	}
	if t.Signed {
		return "signed " + s
	}
	return "unsigned " + s
}

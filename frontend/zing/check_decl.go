package zing

import (
	"fmt"
	"math"
	"strings"
)

// This file checks declarations of types.

// declareType makes the type of a declaration.
func (c *checker) declareType(d Decl) {
	base := d.base()
	if first := c.types[base.Name.Name]; first != nil {
		c.errorf(&base.Name, "type %q is declared twice: first at %s", base.Name.Name, first.Decl.Ident().Pos())
		return
	}
	t := &Type{Name: base.Name.Name, Decl: d, Index: len(c.prog.Types), members: map[string]Symbol{}}
	switch d.(type) {
	case *ClassDecl:
		t.Kind = KindClass
	case *StructDecl:
		t.Kind = KindStruct
	case *InterfaceDecl:
		t.Kind = KindInterface
	case *EnumDecl:
		t.Kind = KindEnum
	case *RangeDecl:
		t.Kind = KindRange
	case *ArrayDecl:
		t.Kind = KindArray
	case *SetDecl:
		t.Kind = KindSet
	case *ChanDecl:
		t.Kind = KindChan
	}
	base.Type = t
	c.types[t.Name] = t
	c.prog.Types = append(c.prog.Types, t)
}

// resolve returns the type that a reference names; void is the type of a result only.
func (c *checker) resolve(r *TypeRef, result bool) *Type {
	switch {
	case r.Type == Void && !result:
		c.errorf(r, "void is only the result of a method")
		return invalid
	case r.Type != nil:
		return r.Type
	}
	if r.Type = c.types[r.Name]; r.Type == nil {
		c.errorf(r, "type %q is not declared", r.Name)
		r.Type = invalid
	}
	return r.Type
}

// declaration checks the rules about a whole declaration.
func (c *checker) declaration(d Decl) {
	t := d.Declared()
	if t == nil {
		return
	}
	switch d := d.(type) {
	case *ClassDecl:
		for i, r := range d.Implements {
			c.implements(t, r, t.Implements[:i])
		}
	case *StructDecl:
		c.finite(t, d)
	case *EnumDecl:
		if len(d.Members) == 0 {
			c.errorf(&d.Name, "an enum has at least one member")
		}
	case *RangeDecl:
		before := len(c.errs)
		t.Lo, t.Hi = c.bound(&d.Lo), c.bound(&d.Hi)
		if t.Lo > t.Hi && len(c.errs) == before {
			c.errorf(d.Lo, "the range is empty: %d is greater than %d", t.Lo, t.Hi)
		}
	case *SetDecl:
		if t.Elem.Kind == KindStruct {
			c.errorf(d.Elem, "a set has no elements of a struct type: structs cannot be compared")
		}
	}
}

// bound returns the value of a bound of a range.
func (c *checker) bound(e *Expr) int64 {
	before := len(c.errs)
	*e = c.expr(*e)
	v, ok := constant(*e)
	switch {
	case len(c.errs) > before:
	case !ok:
		c.errorf(*e, "the bound of a range is a constant expression")
	case v < math.MinInt32 || v > math.MaxInt32 || !(*e).TypeOf().IsInteger():
		c.errorf(*e, "the bound of a range is an int")
	default:
		return v
	}
	return 0
}

// implements checks that class t has the methods of the interface r; before are the interfaces that
// stand before r.
func (c *checker) implements(t *Type, r *TypeRef, before []*Type) {
	i := r.Type
	if i == invalid {
		return
	}
	if i.Kind != KindInterface {
		c.errorf(r, "%q is not an interface: a class implements interfaces, and there is no inheritance", r.Name)
		return
	}
	for _, other := range before {
		if other == i {
			c.errorf(r, "interface %q is repeated", r.Name)
			return
		}
	}
	for _, m := range i.Methods {
		impl, ok := t.members[m.Name.Name].(*Method)
		switch {
		case !ok:
			c.errorf(r, "class %q has no method %s, which interface %q declares", t.Name, signature(m), i.Name)
		case impl.Static:
			c.errorf(&impl.Name, "method %q is static: interface %q declares it", m.Name.Name, i.Name)
		case !sameSignature(m, impl):
			c.errorf(&impl.Name, "interface %q declares this method as %s", i.Name, signature(m))
		}
	}
}

// signature returns the result, name and parameters of m: int f(int a, out C b)
func signature(m *Method) string {
	var params []string
	for _, a := range m.Params {
		s := a.Of.Name + " " + a.Name.Name
		if a.Out {
			s = "out " + s
		}
		params = append(params, s)
	}
	return fmt.Sprintf("%s %s(%s)", m.Of.Name, m.Name.Name, strings.Join(params, ", "))
}

// sameSignature reports whether two methods have the same result and parameters; names of parameters
// may differ.
func sameSignature(m, n *Method) bool {
	if m.Result != n.Result || len(m.Params) != len(n.Params) {
		return false
	}
	for i, a := range m.Params {
		if b := n.Params[i]; a.Type != b.Type || a.Out != b.Out {
			return false
		}
	}
	return true
}

// finite checks that no value of struct t contains another one.
func (c *checker) finite(t *Type, d *StructDecl) {
	// Structs reached through fields of struct types; each is entered once.
	seen := map[*Type]bool{}
	var reaches func(s *Type) bool
	reaches = func(s *Type) bool {
		for _, f := range s.Fields {
			if f.Type == t {
				return true
			}
			if f.Type.Kind == KindStruct && !seen[f.Type] {
				seen[f.Type] = true
				if reaches(f.Type) {
					return true
				}
			}
		}
		return false
	}
	if reaches(t) {
		c.errorf(&d.Name, "a value of struct %q would contain another one, without end", t.Name)
	}
}

// bodies checks the initialisers and bodies of a class.
func (c *checker) bodies(d *ClassDecl) {
	c.class = d.Type
	for _, m := range d.Members {
		switch m := m.(type) {
		case *Field:
			if c.method, c.static = nil, m.Static; m.Init != nil {
				m.Init = c.convert(c.expr(m.Init), m.Type, plain)
			}
		case *Method:
			c.body(m)
		}
	}
}

package zing

import (
	"fmt"
	"math"
	"strings"

	"c2bp/source"
)

// This file checks declarations of types and their members.

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

// declareMembers declares everything inside a declaration.
func (c *checker) declareMembers(d Decl) {
	t := d.Declared()
	if t == nil {
		return // a second declaration of the name
	}
	switch d := d.(type) {
	case *ClassDecl:
		for _, r := range d.Implements {
			t.Implements = append(t.Implements, c.resolve(r, false))
		}
		c.members(t, d.Members)
	case *StructDecl:
		c.members(t, d.Members)
	case *InterfaceDecl:
		c.members(t, d.Members)
	case *EnumDecl:
		for i, m := range d.Members {
			m.Type, m.Value = t, i
			if c.declare(t, &m.Ident, m) {
				t.Enum = append(t.Enum, m)
			}
		}
	case *ArrayDecl:
		t.Elem = c.resolve(d.Elem, false)
		c.arraySize(d)
	case *SetDecl:
		t.Elem = c.resolve(d.Elem, false)
	case *ChanDecl:
		t.Elem = c.resolve(d.Elem, false)
	}
}

// declare declares a member, and reports whether its name is new.
func (c *checker) declare(t *Type, name *Ident, s Symbol) bool {
	if first := t.members[name.Name]; first != nil {
		c.errorf(name, "%q is declared twice in %q: first at %s", name.Name, t.Name, memberPos(first))
		return false
	}
	t.members[name.Name] = s
	return true
}

// memberPos returns the place where a member is declared.
func memberPos(s Symbol) source.Pos {
	switch s := s.(type) {
	case *Field:
		return s.Name.Pos()
	case *Method:
		return s.Name.Pos()
	case *EnumMember:
		return s.Ident.Pos()
	}
	panic("zing: not a member")
}

// members declares the members of a class, struct or interface.
func (c *checker) members(t *Type, list []Member) {
	for _, m := range list {
		switch m := m.(type) {
		case *Field:
			c.field(t, m)
		case *Method:
			c.methodHeader(t, m)
		}
	}
}

// field declares a field.
func (c *checker) field(t *Type, f *Field) {
	f.Type, f.Owner = c.resolve(f.Of, false), t
	switch {
	case t.Kind == KindInterface:
		c.errorf(f, "an interface has only methods")
	case t.Kind == KindStruct && f.Static:
		c.errorf(f, "a field of a struct cannot be static")
	case t.Kind == KindStruct && f.Init != nil:
		c.errorf(f.Init, "a field of a struct has no initialiser: it starts with the default of its type")
	}
	if !c.declare(t, &f.Name, f) {
		return
	}
	if f.Static {
		f.Index = len(c.prog.Globals)
		c.prog.Globals = append(c.prog.Globals, f)
		t.Statics = append(t.Statics, f)
	} else {
		f.Index = len(t.Fields)
		t.Fields = append(t.Fields, f)
	}
}

// methodHeader declares a method and its parameters.
func (c *checker) methodHeader(t *Type, m *Method) {
	m.Owner, m.Result = t, c.resolve(m.Of, true)
	seen := map[string]bool{}
	for i, a := range m.Params {
		a.Type, a.Method, a.Index = c.resolve(a.Of, false), m, i
		if seen[a.Name.Name] {
			c.errorf(&a.Name, "parameter %q is declared twice", a.Name.Name)
		}
		seen[a.Name.Name] = true
	}
	switch {
	case t.Kind == KindStruct:
		c.errorf(m, "a struct has only fields")
		return
	case t.Kind == KindInterface && (m.Static || m.Atomic || m.Activate):
		c.errorf(m, "a method of an interface has no modifiers")
	case m.Activate && (!m.Static || m.Result != Void || len(m.Params) > 0):
		c.errorf(&m.Name, "the activate method %q must be static and void, and have no parameters", m.Name.Name)
	}
	if !c.declare(t, &m.Name, m) {
		return
	}
	if t.Methods = append(t.Methods, m); t.Kind == KindInterface {
		m.Index = len(t.Methods) - 1
		return
	}
	m.Index = len(c.prog.Methods)
	c.prog.Methods = append(c.prog.Methods, m)
	if m.Activate {
		c.prog.Activate = append(c.prog.Activate, m)
	}
}

// arraySize sets the size of an array type, if it is fixed: a number, or the number of members of an
// enum.
func (c *checker) arraySize(d *ArrayDecl) {
	t := d.Type
	switch {
	case d.Size != nil && (d.Size.Type != Int || d.Size.Abs > math.MaxInt32):
		c.errorf(d.Size, "the size of an array is an int")
	case d.Size != nil:
		t.Fixed, t.Size = true, int(d.Size.Abs)
	case d.Index != nil:
		if e, ok := c.resolve(d.Index, false).Decl.(*EnumDecl); ok {
			t.Fixed, t.Size = true, len(e.Members)
		}
	}
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

package zing

import (
	"math"

	"c2bp/source"
)

// This file declares the members of types.

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
	if e, ok := s.(*EnumMember); ok {
		return e.Pos()
	}
	return s.(Member).Ident().Pos()
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

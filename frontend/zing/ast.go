package zing

import "c2bp/source"

// This file defines programs and declarations. A declaration is its own symbol: the Name that uses
// a field points to its *Field. The part of a node that Check fills in stands after the word
// "checked"; before that it is zero.

// Span is the text of a node: End is the place right after its last character.
type Span struct{ Start, End source.Pos }

// Pos returns the place where the node starts.
func (s Span) Pos() source.Pos { return s.Start }

// Range returns the text of the node.
func (s Span) Range() Span { return s }

// Node is any node of the syntax tree.
type Node interface {
	Pos() source.Pos
	Range() Span
}

// Ident is the place of a name and the name, without the @ that may precede it.
type Ident struct {
	Span
	Name string
}

// Program is a Zing program: the type declarations of its files, one after the other.
type Program struct {
	Files []*source.File
	Decls []Decl

	// Checked.

	Types    []*Type   // the declared types, in the order of Decls; Type.Index counts them
	Globals  []*Field  // static fields with all classes in order; Field.Index counts them
	Methods  []*Method // of all classes in order, without interfaces; Method.Index counts them
	Activate []*Method // one process each in the initial state, in this order
}

// Decl is the declaration of a type: a *ClassDecl, *StructDecl, *InterfaceDecl, *EnumDecl,
// *RangeDecl, *ArrayDecl, *SetDecl or *ChanDecl.
type Decl interface {
	Node
	Ident() *Ident   // its name
	Declared() *Type // the type; nil before Check
	base() *DeclBase
}

// DeclBase is common to all declarations.
type DeclBase struct {
	Span
	Name Ident
	Type *Type // checked
}

// Ident returns the name that is declared.
func (d *DeclBase) Ident() *Ident { return &d.Name }

// Declared returns the type that is declared, or nil before Check.
func (d *DeclBase) Declared() *Type { return d.Type }
func (d *DeclBase) base() *DeclBase { return d }

// TypeRef is a mention of a type by its name: int, void, or a declared type.
type TypeRef struct {
	Span
	Name string
	Type *Type // checked
}

// The declarations of types.
type (
	// ClassDecl declares a class of objects: class C : I { members };
	ClassDecl struct {
		DeclBase
		Implements []*TypeRef
		Members    []Member // fields and methods as they stand in the text
	}
	// StructDecl declares a type of values that have fields: struct S { int x; };
	StructDecl struct {
		DeclBase
		Members []Member
	}
	// InterfaceDecl declares the methods that a class must have: interface I { void f(int x); };
	InterfaceDecl struct {
		DeclBase
		Members []Member
	}
	// EnumDecl declares constants that count from 0: enum Colour { red, green };
	EnumDecl struct {
		DeclBase
		Members []*EnumMember
	}
	// RangeDecl names the integers from Lo to Hi: range Small 1 .. 5;
	RangeDecl struct {
		DeclBase
		Lo, Hi Expr
	}
	// ArrayDecl declares a type of arrays: array Vec[8] int; array Dyn[] C; array ByColour[Colour] bool;
	ArrayDecl struct {
		DeclBase
		Size  *IntLit  // nil if there is no number
		Index *TypeRef // nil if there is no type name in the brackets
		Elem  *TypeRef
	}
	// SetDecl declares a type of sets: set Bag int;
	SetDecl struct {
		DeclBase
		Elem *TypeRef
	}
	// ChanDecl declares a type of unbounded first-in first-out channels: chan Pipe Msg;
	ChanDecl struct {
		DeclBase
		Elem *TypeRef
	}
)

// Member is a *Field or a *Method.
type Member interface {
	Node
	Ident() *Ident
}

// Field is a field of a class or struct: static int x = 5;
type Field struct {
	Span
	Name   Ident
	Static bool
	Of     *TypeRef
	Init   Expr // nil if there is none; checked and converted to Type

	// Checked.

	Type  *Type
	Owner *Type // the class or struct
	Index int   // among Program.Globals if Static, else among Owner.Fields
}

// Ident returns the name of the field.
func (f *Field) Ident() *Ident { return &f.Name }

// Method is a method of a class, or its header in an interface: static int f(T a, out U b) { body }
type Method struct {
	Span
	Name                     Ident
	Static, Atomic, Activate bool
	Of                       *TypeRef // of the result
	Params                   []*Param
	Body                     *Block // nil in an interface

	// Checked.

	Result *Type // Void if there is none
	Owner  *Type // the class or interface
	Index  int   // among Program.Methods; in an interface, among Owner.Methods
	// Locals are the variables declared anywhere in the body, in the order of the text, counters of
	// foreach statements included; Local.Index counts them.
	Locals []*Local
	Labels []*Labeled // in the order of the text
}

// Ident returns the name of the method.
func (m *Method) Ident() *Ident { return &m.Name }

// Param is a parameter, by value or out.
type Param struct {
	Span
	Name Ident
	Out  bool
	Of   *TypeRef

	// Checked.

	Type   *Type
	Method *Method
	Index  int // among Method.Params
}

// EnumMember is a constant of an enum.
type EnumMember struct {
	Ident

	// Checked.

	Type  *Type // the enum
	Value int   // its place in the enum, from 0
}

// Local is a variable declared in a body, or the hidden counter of a foreach statement.
type Local struct {
	Name Ident    // the Name of a counter is ""
	Of   *TypeRef // nil for a counter

	// Checked.

	Type   *Type
	Method *Method
	Scope  *Scope
	Index  int // among Method.Locals
}

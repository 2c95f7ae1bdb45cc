package boolprog

import (
	"fmt"

	"c2bp/source"
)

// This file defines the types of expressions.

// Type is the type of a value: a Boolean, a reference to an object of some class, or null, which is
// a reference of every class.
type Type struct {
	Ref   bool
	Class string // "" for a Boolean and for null
}

// String describes t in messages: a Boolean, null, or a reference to "C".
func (t Type) String() string {
	switch {
	case !t.Ref:
		return "a Boolean"
	case t.Class == "":
		return "null"
	}
	return fmt.Sprintf(`a reference to "%s"`, t.Class)
}

// Is reports whether a value of type t can be stored where type u is expected: of references, one
// to the same class, or null.
func (t Type) Is(u Type) bool { return t.Ref == u.Ref && (t.Class == u.Class || t.Class == "") }

// Type returns the type of v.
func (v *Var) Type() Type { return typeOf(v.Class) }

// Type returns the type of f.
func (f *Field) Type() Type { return typeOf(f.Class) }

// Result returns the type of result i, which must exist.
func (p *Proc) Result(i int) Type {
	if p.Returns == nil {
		return Type{}
	}
	return typeOf(p.Returns[i])
}

// typeOf returns the type of a declaration with a class, "" for a Boolean.
func typeOf(class string) Type { return Type{Ref: class != "", Class: class} }

// Class returns the class with a name; nil if there is none.
func (p *Program) Class(name string) *Class {
	for _, c := range p.Classes {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Field returns the field with a name and its index; nil and -1 if there is none.
func (c *Class) Field(name string) (*Field, int) {
	for i, f := range c.Fields {
		if f.Name == name {
			return f, i
		}
	}
	return nil, -1
}

// HasReferences reports whether p is a reference Boolean program.
func (p *Program) HasReferences() bool { return len(p.Classes) > 0 }

// WithoutReferences returns an input error at the first class if p is a reference Boolean program,
// for engines and translations that cannot treat these. who names the engine.
func (p *Program) WithoutReferences(who string) error {
	if !p.HasReferences() {
		return nil
	}
	c := p.Classes[0]
	// The error is at the first class.
	q := quoter{file: p.File}
	return source.List{q.diagnostic(source.Error, c.Pos, fmt.Sprintf(`class "%s": %s cannot treat programs with references`, c.Name, who))}
}

// Var returns the variable that a name denotes in a procedure; nil if there is none.
func (g *Graph) Var(p *ProcGraph, name string) *Var {
	s, ok := p.Slot(name)
	switch {
	case !ok:
		return nil
	case s.Global:
		return g.Globals[s.Index]
	}
	return p.Vars[s.Index]
}

// TargetType returns the type of a variable or field on a left side, in a procedure of a program
// that passed Check.
func (g *Graph) TargetType(p *ProcGraph, r *Ref) Type {
	t := g.Var(p, r.Name).Type()
	if r.Field == "" {
		return t
	}
	f, _ := g.Prog.Class(t.Class).Field(r.Field)
	return f.Type()
}

// TypeOf returns the type of an expression in a procedure of a program that passed Check.
func (g *Graph) TypeOf(p *ProcGraph, e Expr) Type {
	switch e := e.(type) {
	case *Ref:
		return g.Var(p, e.Name).Type()
	case *Null:
		return Type{Ref: true}
	case *New:
		return typeOf(e.Class)
	case *Any:
		return typeOf(e.Class)
	case *Select:
		f, _ := g.Prog.Class(g.TypeOf(p, e.X).Class).Field(e.Field)
		return f.Type()
	}
	return Type{}
}

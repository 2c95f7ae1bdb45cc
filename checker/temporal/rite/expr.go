package rite

import (
	"strings"

	"c2bp/source"
)

// This file defines expressions.

// Kind is the kind of an expression.
type Kind uint8

// The kinds of expressions.
const (
	Empty    Kind = iota // ε
	Variable             // x
	NotVariable
	Field
	Flag // b?
	NotFlag
	Seq  // X.Y
	Alt  // X+Y
	Star // X*
)

// Expr is an expression.
type Expr struct {
	Kind Kind
	X, Y *Expr
	Name string
	ID   int  // of a name: its number in the scope; Nil for the variable that leads to nothing
	Free bool // of a flag: it is a variable, and does not depend on the object
	Pos  source.Pos
}

// Nil is the object that is none, and the number of the variable that always leads there.
const Nil = -1

// level returns how tightly an expression binds.
func (e *Expr) level() int {
	switch e.Kind {
	case Alt:
		return 0
	case Seq:
		return 1
	}
	return 2
}

// String returns e as it is parsed: first.next*.last + !first.
func (e *Expr) String() string {
	var b strings.Builder
	e.print(&b)
	return b.String()
}

func (e *Expr) print(b *strings.Builder) {
	// within prints an operand, in parentheses if it binds less tightly.
	within := func(x *Expr, level int) {
		if x.level() >= level {
			x.print(b)
			return
		}
		b.WriteByte('(')
		x.print(b)
		b.WriteByte(')')
	}
	switch e.Kind {
	case Seq, Alt:
		within(e.X, e.level())
		b.WriteString(map[Kind]string{Seq: ".", Alt: " + "}[e.Kind])
		within(e.Y, e.level())
	case Star:
		within(e.X, 2)
		b.WriteByte('*')
	default:
		b.WriteString(e.step())
	}
}

// step returns an expression without operands as it is written.
func (e *Expr) step() string {
	switch e.Kind {
	case Empty:
		return "ε"
	case NotVariable:
		return "!" + e.Name
	case Flag:
		return e.Name + "?"
	case NotFlag:
		return "!" + e.Name + "?"
	}
	return e.Name
}

// IsFree reports whether e has Boolean variables only, and says something about the program's state and nothing
// about objects.
func (e *Expr) IsFree() bool {
	switch e.Kind {
	case Seq, Alt:
		return e.X.IsFree() && e.Y.IsFree()
	case Star:
		return e.X.IsFree()
	case Flag, NotFlag:
		return e.Free
	}
	return e.Kind == Empty
}

// Walk calls do for e and all its parts.
func (e *Expr) Walk(do func(*Expr)) {
	if e == nil {
		return
	}
	do(e)
	e.X.Walk(do)
	e.Y.Walk(do)
}

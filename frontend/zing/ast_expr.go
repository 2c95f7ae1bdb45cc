package zing

import "c2bp/source"

// This file defines expressions.

// Expr is an expression. Check gives each expression its type, and puts a *Convert around operands
// whose representation changes.
type Expr interface {
	Node
	TypeOf() *Type // nil before Check
	exprBase() *ExprBase
}

// ExprBase is common to all expressions.
type ExprBase struct {
	Span
	Type *Type // checked; nil for a Name that means a type, in front of a dot
}

// TypeOf returns the type of the expression, or nil before Check.
func (e *ExprBase) TypeOf() *Type       { return e.Type }
func (e *ExprBase) exprBase() *ExprBase { return e }

// The expressions. A place is a Name, Selector or Index that can be assigned to; see IsPlace.
type (
	// IntLit is an integer literal, with its minus sign if the result is an int or a long: 5, 0xffU, -1
	IntLit struct {
		ExprBase        // Type is Int, UInt, Long or ULong already before Check
		Neg      bool   // there is a minus sign; the value is -Abs
		Abs      uint64 // the absolute value; at most 1<<63 if Neg
	}
	// RealLit is a literal of type Float, Double or Decimal: 1.5, 2e3F, 0.1M
	RealLit struct {
		ExprBase         // Type is set already before Check
		Text     string  // without suffix
		Value    float64 // the nearest one
	}
	// StringLit is a string: "a\n", @"c:\x"
	StringLit struct {
		ExprBase
		Value string
	}
	// BoolLit is true or false.
	BoolLit struct {
		ExprBase
		Value bool
	}
	// NullLit is null. Its Type is the type Null, or after Check the reference type that it is used
	// as, if that is known.
	NullLit struct{ ExprBase }
	// Name is a name alone. A Symbol that is a non-static *Field means the field of this.
	Name struct {
		ExprBase
		Name   string
		Symbol Symbol // checked: *Local, *Param, *Field or *Type
	}
	// This is the object whose method runs.
	This struct{ ExprBase }
	// Self is the number of the running process, from 0.
	Self struct{ ExprBase }
	// Selector is X.Name. If Symbol is a static *Field or an *EnumMember, X is a Name that means its
	// type and is not evaluated.
	Selector struct {
		ExprBase
		X      Expr
		Name   Ident
		Symbol Symbol // checked: *Field or *EnumMember
	}
	// Index is an element of an array: X[I]
	Index struct {
		ExprBase
		X, I Expr // checked: I is of type Int
	}
	// Call is a call: f(a, out b), o.m(), C.s(). As an expression it stands only in the condition of a
	// wait; elsewhere it is part of a CallStmt or an Async.
	Call struct {
		ExprBase
		Fun  Expr // a Name or a Selector, without Symbol
		Args []Arg

		// Checked.

		Kind     CallKind
		Method   *Method // for VirtualCall that of the interface
		Receiver Expr    // the object; nil for StaticCall; a *This where the text has only a name
	}
	// New makes an object: new T, new T[n]
	New struct {
		ExprBase // Type is that of Of
		Of       *TypeRef
		Size     Expr // nil if there is none; checked: of type Int
	}
	// Sizeof is the number of elements: sizeof(x), sizeof(T)
	Sizeof struct {
		ExprBase
		X  Expr  // a value, a Name or a TypeExpr
		Of *Type // checked: the array type of fixed size; nil if X is a value
	}
	// TypeExpr is a predefined type where an expression may stand too: choose(bool)
	TypeExpr struct {
		ExprBase
		Of *TypeRef
	}
	// Choose stands only in a ChooseStmt: choose(bool), choose(v)
	Choose struct {
		ExprBase       // checked: Type is that of a chosen value
		X        Expr  // a value, a Name or a TypeExpr
		Of       *Type // checked: Bool, an enum or a range; nil if X is an array or a set
	}
	// Unary is an operator before its operand: -x
	Unary struct {
		ExprBase
		Op UnaryOp
		X  Expr
	}
	// Binary is an operator between its operands. Check converts both operands of an arithmetic
	// operator or comparison to one type; the right operand of a shift is an Int.
	Binary struct {
		ExprBase
		Op    BinaryOp
		OpPos source.Pos // of the operator
		X, Y  Expr
	}
	// Assign is an assignment inside an expression: the right side of a = b = c. Its value is that of
	// Lhs afterwards.
	Assign struct {
		ExprBase
		Lhs Expr // a place
		Rhs Expr // checked: converted to the type of Lhs
	}
	// Convert is an implicit conversion from the type of X to Type. Check makes it; it prints as X.
	// Both types are numeric; or X is an enum and Type an integer; or X is the literal 0 and Type an
	// enum. A value that does not fit into Type is an overflow; a real is truncated toward zero.
	Convert struct {
		ExprBase
		X Expr
	}
)

// Arg is an argument of a call.
type Arg struct {
	Out bool
	X   Expr // checked: a place of the type of the parameter if Out, else converted to that type
}

// CallKind is the way in which a call finds its method.
type CallKind int

const (
	StaticCall   CallKind = iota // of a static method
	InstanceCall                 // of Method with Receiver as this
	VirtualCall                  // of the method that implements Method in the class of Receiver: Type.Implementation
)

// UnaryOp is a unary operator.
type UnaryOp int

// The unary operators.
const (
	Plus UnaryOp = iota // +
	Neg                 // -
	Not                 // !
	Com                 // ~
)

// BinaryOp is a binary operator.
type BinaryOp int

// The binary operators. And, Or and Xor apply to two integers or to two Booleans.
const (
	Mul    BinaryOp = iota // *
	Div                    // /
	Rem                    // %
	Add                    // +
	Sub                    // -
	Shl                    // <<
	Shr                    // >>
	Lt                     // <
	Le                     // <=
	Gt                     // >
	Ge                     // >=
	Eq                     // ==
	Ne                     // !=
	And                    // &
	Xor                    // ^
	Or                     // |
	AndAnd                 // &&
	OrOr                   // ||
	In                     // in: membership in a set
)

var unaryText = [...]string{Plus: "+", Neg: "-", Not: "!", Com: "~"}

var binaryText = [...]string{Mul: "*", Div: "/", Rem: "%", Add: "+", Sub: "-", Shl: "<<", Shr: ">>",
	Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Eq: "==", Ne: "!=", And: "&", Xor: "^", Or: "|", AndAnd: "&&", OrOr: "||", In: "in"}

// String returns the operator as it is written.
func (op UnaryOp) String() string { return unaryText[op] }

// String returns the operator as it is written.
func (op BinaryOp) String() string { return binaryText[op] }

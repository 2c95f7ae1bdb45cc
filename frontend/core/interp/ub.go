package interp

import (
	"fmt"
	"math/big"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file defines the errors that end a run.

// UB is a kind of undefined behaviour (C23 Annex J.2) that evaluation can meet.
type UB int

const (
	Defined          UB = iota // none
	SignedOverflow             // + - * or unary - out of the range of a signed type
	DivisionByZero             // / or % by 0
	DivisionOverflow           // MIN / -1 or MIN % -1
	ShiftAmount                // shift by less than 0 or by the width or more
	ShiftOverflow              // << of a negative value, or out of the range of a signed type
	BadAccess                  // of bytes that are not all in one live object
	Misaligned                 // access to a scalar at an address that is no multiple of its size
	BadBool                    // reading of a bool that is neither 0 nor 1
	BadPointer                 // arithmetic with a pointer that is, or leads, outside of a live object
	Unrelated                  // < or - of pointers that are not into one live object
	ReadOnly                   // change of a string literal
	BadFree                    // free of what is not the start of a live object that Alloc made
	BadSize                    // allocation of a negative size
	BadConversion              // of a floating-point number to an integer type that does not hold it
	BadCall                    // of a pointer that is no procedure, or one with another signature
	Impossible                 // no undefined behaviour: objects outside of the program that overlap, see Options.Typed
)

// String returns u in words.
func (u UB) String() string {
	return [...]string{"defined", "signed overflow", "division by zero", "division overflow",
		"shift amount out of range", "signed left shift out of range",
		"access outside of a live object", "misaligned access", "bool that is neither 0 nor 1",
		"pointer outside of a live object", "pointers into different objects",
		"change of a string literal",
		"free of no allocated object", "negative size", "floating-point number out of the range of an integer type",
		"call of no such procedure", "objects from outside that overlap, though their types do not allow it"}[u]
}

// UBError is the error that the run met undefined behaviour. Such a run proves nothing and is to be
// discarded.
type UBError struct {
	Kind UB
	Proc *core.Proc
	Node int        // the node that was evaluated
	Pos  source.Pos // of that node
	Expr core.Expr  // the operation
}

// Error returns the position, the kind and the operation.
func (e *UBError) Error() string {
	return fmt.Sprintf("%sundefined behaviour: %s in %s (%s)",
		position(e.Pos), e.Kind, core.ExprString(e.Expr), e.Proc.NodeID(e.Node))
}

// position returns p and a colon, or nothing.
func position(p source.Pos) string {
	if !p.IsValid() {
		return ""
	}
	return p.String() + ": "
}

// ChoiceError is the error that Choices gave a value that is not one of the type asked for, or the
// address of an object that it could not know.
type ChoiceError struct {
	Request Request
	Value   *big.Int
}

// Error returns the request and the value.
func (e *ChoiceError) Error() string {
	name := "the result"
	switch {
	case e.Request.Var != nil:
		name = e.Request.Var.Name
	case e.Request.Object != nil:
		name = fmt.Sprintf("%#x", e.Request.Addr)
	}
	what := "no value of " + e.Request.Type.String()
	if e.Value != nil && e.Request.Type.Contains(e.Value) && e.Request.Hides(e.Value) {
		what = "the address of an object that is not known outside"
	}
	return fmt.Sprintf("%s: %v was chosen for %s, %s (%s)",
		e.Request.Proc.NodeID(e.Request.Node), e.Value, name, what, e.Request.Why)
}

// LimitError is the error that a run exceeded a limit.
type LimitError struct {
	What  string // "steps", "frames" or "bytes of memory"
	Limit int
}

// Error returns the limit.
func (e *LimitError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

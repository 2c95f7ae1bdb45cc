package zingtest

import (
	"fmt"

	"c2bp/source"
)

// This file defines the ways in which a path ends.

// Kind is the kind of an error of a model, or Assume.
type Kind string

// The kinds of errors.
const (
	Assertion      Kind = "assertion"
	Deadlock       Kind = "deadlock"
	Orphan         Kind = "orphan" // a message that nobody receives
	NullPointer    Kind = "null"
	BadIndex       Kind = "index"
	DivideByZero   Kind = "division"
	Overflow       Kind = "overflow"
	BadChoose      Kind = "choose"          // over something empty
	BlockingSelect Kind = "blocking-select" // in the middle of a step
	Unhandled      Kind = "exception"
	InfiniteLoop   Kind = "infinite-loop" // within one step
	Internal       Kind = "internal"      // anything else, as an object of another class than expected
	Assume         Kind = "assume"        // no error: the path is cut
)

// Failure ends a path: an error, or a failed assume.
type Failure struct {
	Kind Kind
	Pos  source.Pos
	Text string // of an assertion or an exception
}

// String returns the kind and the text.
func (f *Failure) String() string { return fmt.Sprintf("%s %s", f.Kind, f.Text) }

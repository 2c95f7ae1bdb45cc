package symbolic

import (
	"context"

	"c2bp/checker/bdd"
)

// This file defines the early end of computations: cancellation, the node limit, and broken
// invariants.

// Within runs f under ctx and turns failures of the decision diagrams and violations into errors.
// It is the border of every exported method that computes. Calls may be nested.
func (x *space) Within(ctx context.Context, f func()) (err error) {
	// Restore the context and the GC roots of the computation outside.
	defer func(outer context.Context, roots int) {
		x.ctx = outer
		x.roots = x.roots[:roots]
	}(x.ctx, len(x.roots))
	defer catchViolation(&err)
	defer bdd.Catch(&err)
	x.ctx = ctx
	if err := ctx.Err(); err != nil {
		return err
	}
	f()
	return nil
}

// Violation is the value that a broken invariant of the engine panics with. Within turns it into an
// InternalError.
type Violation string

// InternalError is a defect of the engine that it detected itself.
type InternalError struct{ Why string }

func (e *InternalError) Error() string { return "internal error: " + e.Why }

// catchViolation is deferred: it turns a Violation into an error.
func catchViolation(err *error) {
	switch r := recover().(type) {
	case nil:
	case Violation:
		*err = &InternalError{string(r)}
	default:
		panic(r)
	}
}

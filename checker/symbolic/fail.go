package symbolic

import (
	"context"

	"c2bp/checker/bdd"
)

// This file defines how computations of the engine end early.

// within runs f under ctx and turns the failures of decision diagrams into errors.
// It is the border of every exported method that computes.
func (s *Solution) within(ctx context.Context, f func()) (err error) {
	defer func(outer context.Context, roots int) {
		s.ctx = outer
		s.roots = s.roots[:roots]
	}(s.ctx, len(s.roots))
	defer catchBroken(&err)
	defer bdd.Catch(&err)
	s.ctx = ctx
	if err := ctx.Err(); err != nil {
		return err
	}
	f()
	return nil
}

// broken is what a violated invariant of the engine panics with.
type broken string

// InternalError is a defect of the engine that it noticed itself.
type InternalError struct{ Why string }

func (e *InternalError) Error() string { return "internal error: " + e.Why }

func catchBroken(err *error) {
	switch r := recover().(type) {
	case nil:
	case broken:
		*err = &InternalError{string(r)}
	default:
		panic(r)
	}
}

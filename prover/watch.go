package prover

import (
	"context"
	"time"
)

// This file carries the cancellation of a context to Z3.

// InternalError is an error that Z3 reports about the use that is made of it: a
// defect of this program, not of its input.
type InternalError struct{ Text string }

func (e *InternalError) Error() string { return "internal error: Z3: " + e.Text }

// interruptEvery is the time between two interrupts. One is not enough: Z3 forgets
// an interrupt that comes before the check has begun.
const interruptEvery = 5 * time.Millisecond

// watch interrupts Z3 when ctx is cancelled, until the returned function is called.
func (p *Prover) watch(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		defer close(done)
		for {
			if z := p.running.Load(); z != nil {
				z.Interrupt()
			}
			select {
			case <-quit:
				return
			case <-time.After(interruptEvery):
			}
		}
	})
	return func() {
		if cancel() {
			return
		}
		close(quit)
		<-done
		p.z = nil // an interrupt may linger in the context
	}
}

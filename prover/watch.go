package prover

import (
	"context"
	"time"
)

// This file interrupts Z3, when a context is cancelled or a query takes too long.

// InternalError is an error that Z3 reports about its use: a defect of this program, not of its
// input.
type InternalError struct{ Text string }

// Error returns Z3's text, marked as an internal error.
func (e *InternalError) Error() string { return "internal error: Z3: " + e.Text }

// interruptEvery is the time between two interrupts. One interrupt is not enough: Z3 forgets an
// interrupt that comes before the check has begun.
const interruptEvery = 5 * time.Millisecond

// Watch interrupts Z3 when ctx is cancelled, until the returned function is called.
func (p *Prover) Watch(ctx context.Context) (stop func()) {
	// Such a context is never cancelled.
	if ctx.Done() == nil {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	cancel := context.AfterFunc(ctx, func() { p.interrupt(quit, done) })
	return func() {
		// The function had not started: no interrupt was sent.
		if cancel() {
			return
		}
		// Wait for the last interrupt, so that none hits a later check.
		close(quit)
		<-done
		p.z = nil // an interrupt may linger in the context
	}
}

// bounded interrupts Z3 when a check has taken the time of a query, until the returned function is
// called, which reports whether the check ended before.
func (p *Prover) bounded() (onTime func() bool) {
	quit, done := make(chan struct{}), make(chan struct{})
	timer := time.AfterFunc(p.time, func() { p.interrupt(quit, done) })
	return func() bool {
		if timer.Stop() {
			return true
		}
		close(quit)
		<-done
		p.z = nil
		return false
	}
}

// interrupt interrupts Z3 again and again until quit is closed, then closes done.
func (p *Prover) interrupt(quit, done chan struct{}) {
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
}

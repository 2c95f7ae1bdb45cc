package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// This file stops commands: by interrupts, by limits, and after panics.

// memoryTick is the interval between checks of the memory in use.
const memoryTick = 20 * time.Millisecond

// withInterrupt returns a context that SIGINT and SIGTERM cancel. The second signal kills the
// process, as it does by default.
func withInterrupt(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	// After the first signal the default is restored.
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			cancel(stopped("interrupted"))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// limits are the limits that a user sets; 0 is none.
type limits struct {
	time   time.Duration
	memory byteSize
}

// apply returns a context that is cancelled when a limit is reached.
// The cause of the cancellation is a stopped: "time limit of 30s", "memory limit of 2G".
func (l limits) apply(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := func() { cancel(nil) }
	if l.time > 0 {
		limit := stopped(fmt.Sprintf("time limit of %v", l.time))
		timer := time.AfterFunc(l.time, func() { cancel(limit) })
		stop = func() { timer.Stop(); cancel(nil) }
	}
	if l.memory > 0 {
		// The collector works harder shortly before the limit.
		debug.SetMemoryLimit(int64(l.memory) / 10 * 9)
		// Check once before the work starts, then regularly.
		if !l.memory.exceeded(cancel) {
			go l.memory.watch(ctx, cancel)
		}
	}
	return ctx, stop
}

// watch cancels when the process has grown beyond m.
func (m byteSize) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(memoryTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if m.exceeded(cancel) {
				return
			}
		}
	}
}

// exceeded cancels, and reports true, if the process is larger than m.
func (m byteSize) exceeded(cancel context.CancelCauseFunc) bool {
	if residentMemory() <= int64(m) {
		return false
	}
	cancel(stopped(fmt.Sprintf("memory limit of %v", m)))
	return true
}

// residentMemory returns the bytes that the process occupies: including the memory of Z3 where the
// system tells, else that of Go alone.
func residentMemory() int64 {
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		// The second number is that of resident pages.
		if fields := bytes.Fields(text); len(fields) > 1 {
			if pages, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}

// peakMemory returns the maximum of the bytes that the process has occupied, or 0 if that is
// unknown.
func peakMemory() int64 {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		// The high water mark, in kB.
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			return kb * 1024
		}
	}
	return 0
}

// guarded runs work so that c2bp always answers: a panic becomes an error, and work that continues
// for longer than grace after the end of its context is abandoned.
func guarded[T any](ctx context.Context, grace time.Duration, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	// 1. Run the work in a goroutine.
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = &panicked{p, debug.Stack()}
			}
			done <- o
		}()
		o.value, o.err = work()
	}()
	// 2. Wait for its end, or for the end of the context and then for grace.
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		select {
		case o = <-done:
		case <-time.After(grace):
			o.err = context.Cause(ctx)
		}
	}
	// 3. Whatever error the work makes of the stop, the cause is the reason.
	if o.err != nil && ctx.Err() != nil && !isPanic(o.err) {
		o.err = context.Cause(ctx)
	}
	return o.value, o.err
}

// isPanic reports whether err is a panic that was caught.
func isPanic(err error) bool {
	_, ok := err.(*panicked)
	return ok
}

// byteSize is a flag value: 800M, 2G, or a number of bytes.
type byteSize int64

const sizeUnits = "KMGT"

func (m *byteSize) Type() string { return "SIZE" }

// Set parses a number with an optional unit.
//
//	800M   2G   2gb   1073741824
func (m *byteSize) Set(s string) error {
	// 2G, 2GB and 2g are the same.
	number, shift := strings.ToUpper(strings.TrimSpace(s)), 0
	number = strings.TrimSuffix(number, "B")
	if n := len(number); n > 0 {
		if i := strings.IndexByte(sizeUnits, number[n-1]); i >= 0 {
			number, shift = number[:n-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return fmt.Errorf("expected a size such as 800M or 2G")
	}
	*m = byteSize(n << shift)
	return nil
}

// String returns m in the largest unit that divides it.
func (m byteSize) String() string {
	if m == 0 {
		return ""
	}
	// Divide as long as nothing is lost.
	unit := ""
	for _, u := range sizeUnits {
		if m%1024 != 0 {
			break
		}
		m, unit = m/1024, string(u)
	}
	return fmt.Sprintf("%d%s", int64(m), unit)
}

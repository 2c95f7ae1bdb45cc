package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// This file shows progress on standard error, for people only: not unless it is a terminal, and not
// before the work has taken a while.

// patience is the time before progress is shown.
const patience = 2 * time.Second

// progress returns the function for Options.Progress of the abstraction, nil if stderr is not
// watched, and a function to call at the end.
func (a *app) progress(what string) (update func(done, total int), stop func()) {
	if !a.watched {
		return nil, func() {}
	}
	return newProgress(a.stderr, what, patience)
}

// newProgress returns the same for any writer.
//
//	abstracting  42% [============>                 ] (17/40) [3s:4s]
func newProgress(w io.Writer, what string, patience time.Duration) (update func(done, total int), stop func()) {
	start := time.Now()
	var bar *progressbar.ProgressBar
	update = func(done, total int) {
		// The bar starts when the work has taken a while.
		if bar == nil {
			if time.Since(start) < patience {
				return
			}
			bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(w),
				progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(),
				progressbar.OptionSetWidth(30),
				progressbar.OptionSetPredictTime(true),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionClearOnFinish(),
			)
		}
		_ = bar.Set(done) // a terminal that went away is no reason to stop
	}
	stop = func() {
		if bar != nil {
			_ = bar.Clear()
		}
	}
	return update, stop
}

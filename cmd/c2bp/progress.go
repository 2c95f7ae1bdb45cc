package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// This file shows progress on standard error, for people only: never when it is not a
// terminal, and not before the work has taken a while.

// patience is how long work may take before progress is shown.
const patience = 2 * time.Second

// progress returns what Options.Progress of the abstraction is to be called with, nil
// if nobody watches, and a function to call when the work is over.
func (a *app) progress(what string) (update func(done, total int), stop func()) {
	if !a.watched {
		return nil, func() {}
	}
	return newProgress(a.stderr, what, patience)
}

func newProgress(w io.Writer, what string, patience time.Duration) (update func(done, total int), stop func()) {
	start := time.Now()
	var bar *progressbar.ProgressBar
	update = func(done, total int) {
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

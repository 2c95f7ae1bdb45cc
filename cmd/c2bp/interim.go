package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"c2bp/refine"
	"c2bp/report/triage"
	"c2bp/verdict"
)

// This file keeps the latest result of an audit, for the case that it is stopped, and writes the
// harnesses of failing runs.

// interim is the latest result of work that may have to be abandoned.
// The audit calls keep after each iteration, from its own goroutine.
type interim struct {
	mu    sync.Mutex
	last  *refine.Outcome
	known *triage.Known // nil before the program is read
}

// know keeps the failures that are known.
func (k *interim) know(known *triage.Known) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known = known
}

// knownFailures returns them; nil if the program was not read.
func (k *interim) knownFailures() *triage.Known {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.known
}

// keep replaces the result.
func (k *interim) keep(o *refine.Outcome) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = o
}

// outcome returns the latest result, with the reason of the stop for all that is open.
func (k *interim) outcome(reason string) *refine.Outcome {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last == nil {
		return &refine.Outcome{Result: &verdict.Result{Reason: reason}}
	}
	// A copy: the audit may still be working on the original.
	o, r := *k.last, *k.last.Result
	r.Sites = slices.Clone(r.Sites)
	r.Stopped(reason)
	o.Result = &r
	return &o
}

// writeHarnesses writes the C files that supply the inputs of failing runs: the first to the file
// that the user named, the others next to it.
func (f *auditFlags) writeHarnesses(o *refine.Outcome) error {
	if f.harness == "" {
		return nil
	}
	for i, x := range o.Failures {
		name := numbered(f.harness, i+1)
		if err := os.WriteFile(name, []byte(x.Harness.Text), 0o666); err != nil {
			return &outputError{err}
		}
		o.Result.Failures[i].Harness = name
	}
	return nil
}

// numbered returns the name of the nth of several files: h.c, h-2.c, h-3.c.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	ext := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}

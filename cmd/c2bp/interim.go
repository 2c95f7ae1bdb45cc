package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"c2bp/refine"
	"c2bp/verdict"
)

// This file keeps what an audit has found out when it is stopped, and writes what belongs to
// failing runs.

// interim is what is known when work is left behind that does not stop in time.
type interim struct {
	mu   sync.Mutex
	last *refine.Outcome
}

func (k *interim) keep(o *refine.Outcome) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = o
}

// outcome is what was known last; of what was not, it says the reason of the stop.
func (k *interim) outcome(reason string) *refine.Outcome {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last == nil {
		return &refine.Outcome{Result: &verdict.Result{Reason: reason}}
	}
	o, r := *k.last, *k.last.Result
	r.Sites = slices.Clone(r.Sites)
	r.Stopped(reason)
	o.Result = &r
	return &o
}

// writeHarnesses writes the C files that supply the inputs of failing runs: the first to the
// file that the user named, the others beside it.
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

// numbered is the name of the nth of some files: h.c, h-2.c, h-3.c.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	ext := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}

package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/report"
)

// This file defines the flags that all commands share, and measures phases.

// common are the flags of every command.
type common struct {
	limits limits
	stats  choice
}

// add adds the flags to fs.
func (f *common) add(fs *pflag.FlagSet) {
	f.stats = newChoice("", "text", "json")
	fs.DurationVar(&f.limits.time, "timeout", 0, "stop after `DURATION`, such as 30s or 5m (default none)")
	fs.Var(&f.limits.memory, "memory", "stop when the process uses more memory than this, such as 800M or 2G (default none)")
	fs.Var(&f.stats, "stats", "print counters, times and memory on standard error, as a table or as JSON")
	fs.Lookup("stats").NoOptDefVal = "text"
	fs.SortFlags = false
}

// verify returns an error if a flag has an impossible value.
func (f *common) verify(c *cobra.Command) error {
	if f.limits.time < 0 {
		return wrongUsage(c, "--timeout must not be negative")
	}
	return nil
}

// choice is a flag with a fixed set of values.
// Its values are listed in the help text, and in the error about any other value.
type choice struct {
	value   string
	allowed []string
}

// newChoice returns a flag with a default, which may be none of the allowed values.
func newChoice(value string, allowed ...string) choice { return choice{value, allowed} }

// externFlag returns the flag --extern with its default.
func externFlag() choice { return newChoice("args", "args", "pure", "all") }

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.allowed, "|") }

// Set sets the value; the error lists the allowed values.
func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("expected %s", strings.Join(c.allowed, " or "))
	}
	c.value = s
	return nil
}

// stopwatch measures phases. It may be read while an abandoned phase continues.
type stopwatch struct {
	mu   sync.Mutex
	done []report.Phase
}

// phase starts a phase; the returned function ends it.
func (w *stopwatch) phase(name string) func() {
	// A phase that never ends is not in the list.
	start := time.Now()
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.done = append(w.done, report.Phase{Name: name, Time: time.Since(start)})
	}
}

// phases returns the phases that have ended.
func (w *stopwatch) phases() []report.Phase {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.done)
}

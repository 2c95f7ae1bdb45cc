package main

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"c2bp/checker/interleave"
	"c2bp/checker/zingcheck"
	"c2bp/report"
	"c2bp/verdict"
)

// This file is the command "c2bp conform".

// conformFlags are the flags of "c2bp conform".
type conformFlags struct {
	common
	determinize bool
	maxStates   int
	cooperative bool
	unchecked   bool
	format      choice
	to          choice
}

// conformCommand builds the command and its flags.
func (a *app) conformCommand() *cobra.Command {
	f := &conformFlags{format: newChoice("text", "text", "json"), to: newChoice("", "dot")}
	c := &cobra.Command{
		Use:   "conform [flags] impl.zing spec.zing",
		Short: "Check that a Zing model conforms to another one",
		Long: `Conform reads two models in the Zing modelling language, an implementation and a
specification, and decides whether the first conforms to the second: whatever runs
with the specification and never gets stuck runs with the implementation and never
gets stuck (stuck-free conformance). What others see of a model are its events, by
event(channel, message, direction) as a statement or, in a visible select, as a part
of a join statement; all other steps are hidden.

The implementation conforms if
- after hidden steps and an event, the specification can do hidden steps and the same
  event, and the results conform;
- where it has stopped doing hidden steps, it is ready for events so that the
  specification can stop after hidden steps, too, and be ready for no other events;
  and for each event for which the implementation is ready, so that it is ready for
  this one and no other than those.

If it does not conform, the output shows a run of the implementation, the states in
which the specification can be, and the event or the ready set that is missing. The
last line is the verdict:

  Verification result: TRUE | FALSE (what, file:line) | UNKNOWN (reason)

Hidden steps that need not end are reported, and do not change the verdict.

Exit codes: 0 TRUE, 10 FALSE, 5 UNKNOWN, 1 wrong usage, 2 input that does not
parse or type-check, 6 internal error.`,
		Example: `  c2bp conform server.zing contract.zing
  c2bp conform --determinize --stats server.zing contract.zing
  c2bp conform --max-states 1000000 --format json server.zing contract.zing
  c2bp conform --to dot server.zing contract.zing | dot -Tsvg > why.svg`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return wrongUsage(c, "conform needs two files: the implementation and the specification")
			case args[0] == "-" && args[1] == "-":
				return wrongUsage(c, "one of the models can be read from standard input, not both")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.maxStates < 0:
				return wrongUsage(c, "--max-states must not be negative")
			case f.to.value != "" && c.Flags().Changed("format"):
				return wrongUsage(c, "--to prints a drawing: do not ask for --format")
			}
			if err := f.common.verify(c); err != nil {
				return err
			}
			return ours(a.runConform(c.Context(), args, f))
		},
	}
	fs := c.Flags()
	fs.BoolVar(&f.determinize, "determinize", false, "compare with the sets of states in which the specification can be: coarser, for specifications with hidden choices")
	fs.IntVar(&f.maxStates, "max-states", 0, "stop when more than `N` states of a model are stored (0: no limit)")
	fs.BoolVar(&f.cooperative, "cooperative", false, "processes run until yield, not for a step each")
	fs.BoolVar(&f.unchecked, "unchecked", false, "an integer overflow wraps around and is no error")
	fs.Var(&f.format, "format", "form of the result: text or json")
	fs.Var(&f.to, "to", "print both models for Graphviz instead of the verdict, with the run and the states that do not fit")
	f.common.add(fs)
	return c
}

// runConform compares two models and prints the result.
func (a *app) runConform(parent context.Context, names []string, f *conformFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	// 1. Compare.
	start := time.Now()
	c, err := guarded(ctx, a.grace, func() (*zingcheck.Comparison, error) { return a.compareModels(ctx, names, f, &watch) })
	var ended stopped
	switch {
	case errors.As(err, &ended):
		c = &zingcheck.Comparison{Result: &verdict.Result{Reason: string(ended)}}
	case err != nil:
		return err
	}
	// 2. Print the result: drawing, JSON or text.
	var out bytes.Buffer
	switch {
	case f.to.value != "":
		err = c.Dot(&out)
	case f.format.value == "json":
		err = report.JSON(&out, c.Result)
	default:
		err = report.Conformance(&out, c.Result)
	}
	if err != nil {
		return err
	}
	if err := a.write(&out); err != nil {
		return err
	}
	// 3. Print the statistics.
	analysis := &zingcheck.Analysis{Result: c.Result, Search: c.Search, Length: c.Length}
	err = a.printStats(f.stats, &report.Statistics{
		Counters: c.Result.Stats, Phases: watch.phases(), PeakMemory: peakMemory(), States: statesOf(analysis, time.Since(start).Seconds()),
	})
	if f.to.value != "" {
		return err
	}
	return errors.Join(err, verdictError(c.Result))
}

// compareModels reads and compares two models.
func (a *app) compareModels(ctx context.Context, names []string, f *conformFlags, watch *stopwatch) (*zingcheck.Comparison, error) {
	impl, err := a.loadModel(ctx, names[:1], watch)
	if err != nil {
		return nil, err
	}
	spec, err := a.loadModel(ctx, names[1:], watch)
	if err != nil {
		return nil, err
	}
	a.diagnose(zingcheck.HiddenEvents(impl))
	a.diagnose(zingcheck.HiddenEvents(spec))
	defer watch.phase("compare")()
	return zingcheck.Compare(ctx, impl, spec, zingcheck.CompareOptions{
		Options:     zingcheck.Options{Options: interleave.Options{Cooperative: f.cooperative, MaxStates: f.maxStates}, Unchecked: f.unchecked},
		Determinize: f.determinize,
	}), nil
}

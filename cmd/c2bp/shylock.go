package main

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"c2bp/checker/shylockcheck"
	"c2bp/frontend/shylock"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the command "c2bp shylock".

// shylockFlags are the flags of "c2bp shylock".
type shylockFlags struct {
	common
	bound   int
	null    choice
	all     bool
	format  choice
	dot     string
	ltl     string
	explain bool
	states  int
}

// shylockCommand builds the command and its flags.
func (a *app) shylockCommand() *cobra.Command {
	f := &shylockFlags{
		null:   newChoice("error", "error", "letter"),
		format: newChoice("text", "text", "json"),
	}
	c := &cobra.Command{
		Use:   "shylock [flags] program.shy",
		Short: "Check a Shylock program: recursive procedures that make and link objects",
		Long: `Shylock reads a program in the language Shylock, from standard input if the file is
-, and decides whether an assertion can fail or nil can be dereferenced. The program may
make any number of objects, and its calls may be nested to any depth; the number of
objects that a procedure can see must be bounded. If there is a failure, it prints a
shortest run to it, with the heap at each step. The last line is the verdict:

  Verification result: TRUE | FALSE (what, file:line) | UNKNOWN (reason)

With --ltl, it decides whether all runs satisfy a formula of linear temporal logic:

  ! & | -> <->  X F G U R W  true false  {expression}

An expression holds of a heap if from every object that the program sees some path of it
starts. It has fields, variables as tests (x, !x, nil), and . + * ( ): the formula

  G {first.next*.last + !first}

says that first always leads to the object of last along next. A run that violates the
formula is shown with the loop that it repeats for ever.

Exit codes: 0 TRUE, 10 FALSE, 5 UNKNOWN, 1 wrong usage, 2 input that does not
parse, 6 internal error.`,
		Example: `  c2bp shylock reverse.shy
  c2bp shylock --ltl 'G {first.next*.last + !first}' reverse.shy
  c2bp shylock --ltl 'F G {x}' --explain --dot lasso.dot list.shy
  c2bp shylock --bound 20 --all --stats list.shy
  c2bp shylock --nil=letter --dot run.dot list.shy`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrongUsage(c, "shylock takes one program, not %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.verify(c); err != nil {
				return err
			}
			return ours(a.runShylock(c.Context(), args[0], f))
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.ltl, "ltl", "", "decide whether all runs satisfy `FORMULA` of linear temporal logic, instead of assertions and null dereferences")
	fs.BoolVar(&f.explain, "explain", false, "with --ltl: say at each step of the run that is shown why the expressions hold or not")
	fs.IntVar(&f.bound, "bound", shylockcheck.DefaultBound, "give up on heaps of more than `K` visible objects; the verdict is UNKNOWN if it depends on one")
	fs.IntVar(&f.states, "max-states", 0, "stop when more than `N` configurations are stored (0: no limit)")
	fs.Var(&f.null, "nil", "meaning of a field of nil: error, or letter (reading it gives nil, writing it does nothing)")
	fs.BoolVar(&f.all, "all", false, "do not stop at the first failure")
	fs.Var(&f.format, "format", "form of the result: text or json")
	fs.StringVar(&f.dot, "dot", "", "draw the heap at each step of the run that is shown in `FILE`, for Graphviz")
	f.common.add(fs)
	return c
}

// verify returns an error if flags contradict each other or have impossible values.
func (f *shylockFlags) verify(c *cobra.Command) error {
	switch {
	case f.bound < 1:
		return wrongUsage(c, "--bound must be at least 1")
	case f.states < 0:
		return wrongUsage(c, "--max-states must not be negative")
	case c.Flags().Changed("ltl") && strings.TrimSpace(f.ltl) == "":
		return wrongUsage(c, "--ltl needs a formula")
	case f.explain && f.ltl == "":
		return wrongUsage(c, "--explain needs --ltl")
	case f.all && f.ltl != "":
		return wrongUsage(c, "--all and --ltl exclude each other: a formula is one property")
	}
	return f.common.verify(c)
}

// options returns the options of the check.
func (f *shylockFlags) options() shylockcheck.Options {
	return shylockcheck.Options{Bound: f.bound, Lenient: f.null.value == "letter", All: f.all, MaxStates: f.states}
}

// runShylock checks a program and prints the result.
func (a *app) runShylock(parent context.Context, name string, f *shylockFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	// 1. Check.
	r, err := guarded(ctx, a.grace, func() (*verdict.Result, error) { return a.checkShylock(ctx, name, f, &watch) })
	var ended stopped
	switch {
	case errors.As(err, &ended):
		r = &verdict.Result{Reason: string(ended)}
	case err != nil:
		return err
	}
	// 2. Print the result.
	var out bytes.Buffer
	if f.format.value == "json" {
		err = report.JSON(&out, r)
	} else {
		err = report.HeapsFrom(&out, r, currentDir())
	}
	if err == nil && f.dot != "" {
		err = writeDot(f.dot, r)
	}
	if err != nil {
		return err
	}
	if err := a.write(&out); err != nil {
		return err
	}
	// 3. Print the statistics.
	err = a.printStats(f.stats, &report.Statistics{Counters: r.Stats, Phases: watch.phases(), PeakMemory: peakMemory()})
	return errors.Join(err, verdictError(r))
}

// checkShylock reads and checks a program.
func (a *app) checkShylock(ctx context.Context, name string, f *shylockFlags, watch *stopwatch) (*verdict.Result, error) {
	endRead := watch.phase("read")
	file, err := source.Read(ctx, name, a.stdin)
	if err != nil {
		return nil, err
	}
	if name == "-" && strings.TrimSpace(string(file.Text)) == "" {
		return nil, file.Errorf(source.Pos{File: file.Name}, "empty input; expected a Shylock program. Did the previous command of the pipe fail?")
	}
	endRead()
	endParse := watch.phase("parse")
	p, err := shylock.Load(file)
	if err != nil {
		return nil, err
	}
	var formula *shylockcheck.Formula
	if f.ltl != "" {
		if formula, err = shylockcheck.ParseFormula(source.NewFile("--ltl", []byte(f.ltl)), p); err != nil {
			return nil, err
		}
	}
	endParse()
	defer watch.phase("check")()
	if formula != nil {
		return shylockcheck.CheckFormula(ctx, p, formula, f.options(), f.explain)
	}
	return shylockcheck.Check(ctx, p, f.options()), nil
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"c2bp/checker"
	"c2bp/refine"
	"c2bp/report"
)

func (a *app) auditCommand() *cobra.Command {
	f := &auditFlags{abstractFlags: abstractFlags{dump: newChoice("", "core", "alias"), extern: newChoice("args", "args", "pure", "all")}}
	c := &cobra.Command{
		Use:   "audit [flags] file.c [more.c ...]",
		Short: "Decide whether assertions of C programs can fail",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.verify(c); err != nil {
				return err
			}
			return ours(a.runAudit(c.Context(), args, f))
		},
	}
	f.common.add(c.Flags())
	c.Flags().BoolVar(&f.verbose, "verbose", false, "log")
	return c
}

type auditFlags struct {
	abstractFlags
	verbose bool
}

func (a *app) runAudit(parent context.Context, names []string, f *auditFlags) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	var watch stopwatch
	o, err := guarded(ctx, a.grace, func() (*refine.Outcome, error) {
		unit, _, err := a.load(ctx, names, &f.abstractFlags, &watch)
		if err != nil {
			return nil, err
		}
		opts := refine.Options{Abstract: f.abstract, Checker: checker.Options{}}
		if f.verbose {
			opts.Log = func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
		}
		return refine.Audit(ctx, unit.Program, opts)
	})
	var an *checker.Analysis
	if o != nil {
		an = o.Analysis
	}
	r, _, err := settle(ctx, an, err)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := report.Text(&out, r, report.Options{}); err != nil {
		return err
	}
	if err := a.write(&out); err != nil {
		return err
	}
	return verdictError(r)
}

package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/checker/ltlcheck"
)

// This file has what commands share that check formulas of temporal logic.

// addFormula adds the flags of a formula.
func addFormula(fs *pflag.FlagSet, ltl *string, fair *[]string) {
	fs.StringVar(ltl, "ltl", "", "check whether all runs satisfy `FORMULA` of temporal logic, and nothing else")
	fs.StringArrayVar(fair, "fair", nil, "with --ltl: only runs count that come to `LABEL` infinitely often (repeatable)")
}

// notTemporal returns a flag of check that was set and does not go with a formula; "" if there is none.
func (f *checkFlags) notTemporal(c *cobra.Command) string {
	for _, name := range []string{"reach", "error-label", "engine", "contexts", "expand", "dump", "no-patterns", "no-summaries", "node-limit"} {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// analyseFormula decides a formula about a program.
func (a *app) analyseFormula(ctx context.Context, prog *boolprog.Program, f *checkFlags) (*checker.Analysis, error) {
	r, err := ltlcheck.Check(ctx, prog, f.ltl, ltlcheck.Options{Fair: f.fair, HeapPath: f.heapPath, MaxStates: f.maxStates})
	if err != nil {
		return nil, err
	}
	return &checker.Analysis{Result: r, Engine: "pushdown"}, nil
}

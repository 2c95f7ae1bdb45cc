package main

import (
	"slices"

	"github.com/spf13/pflag"

	"c2bp/frontend/checks"
	"c2bp/verdict"
)

// This file is the flag --check of "c2bp audit" and "c2bp certify".

// addChecks adds --check.
func addChecks(fs *pflag.FlagSet, s *checks.Set) {
	fs.Var(s, "check", "make operations of these kinds properties instead of assumptions: division, shift, overflow, null, bounds, double-free, lifetime, leak, uninitialised, or all")
}

// restoreAssumptions puts the assumptions back into the ledger of r that checks replace and that are not
// proved: other properties are decided for runs in which no check has failed before.
func restoreAssumptions(r *verdict.Result, s checks.Set) {
	open := s.Open(func(property string) bool {
		return !slices.ContainsFunc(r.Sites, func(at verdict.Site) bool {
			return at.Kind == verdict.Check && at.Name == property && (at.Failed || at.Open)
		})
	})
	for _, line := range open {
		if !slices.Contains(r.Ledger, line) {
			r.Ledger = append(r.Ledger, line)
		}
	}
}

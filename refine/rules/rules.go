// Package rules decides rules of C programs: for each it makes a program with the rule in it (package slic)
// and audits that (package refine).
//
//	r, err := rules.Audit(ctx, files, sets, rules.Options{Frontend: fo, Refine: ro})
//	// r.Sites has a row for each rule: it holds, fails, is undecided, or does not apply
//
// Trade-off. Each rule gets a program and an audit of its own, although programs may have several: so the
// predicates for one do not slow down another. A failing run of one is tried on the next ones, so that a rule may
// fail by another run, or before its time is over, if others are decided first. The price is that C is parsed again
// for each rule that applies, but with a memory (package ccfix) it is preprocessed once; whether a rule applies is
// seen in one reading for all.
//
// A rule that holds has been looked at: it applies to the program, and each place of the files that mentions
// a function of one of its events is in a function that the program calls. Otherwise the row says so.
//
//	rules.go    Audit
//	row.go      from the outcome of an audit to a row
//	plainer.go  failing runs in which functions without a body replace pointers
//	unmade.go   failing runs that begin in the middle of the life of an object
//	example.go  Check: rules on the programs of their folders
package rules

import (
	"context"
	"slices"
	"time"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/slic"
	"c2bp/frontend/slic/syntax"
	"c2bp/refine"
	"c2bp/refine/fuzz"
	"c2bp/source"
	"c2bp/verdict"
)

// This file decides rules one after the other.

// Options control Audit.
type Options struct {
	Frontend frontend.Options
	// Unit, if not nil, is what Frontend has made of the files, with the functions observed that [slic.Observed]
	// returns for the rules. Audit changes its program.
	Unit *frontend.Unit
	// Harnessed says that the function main is a harness, which calls the entry points.
	Harnessed bool
	// Refine has the options of each audit; those about error labels and compiled programs have no effect.
	Refine refine.Options
	// Ignored, if not nil, says which failures are no reason to stop looking for others of the same rule. They
	// remain failures of the result.
	Ignored func(verdict.Site) bool
	// Timeout, if not 0, is how long a rule may take; then it is undecided, and the next one has its turn.
	Timeout time.Duration
	// Started, if not nil, is called when the work for a rule begins; what it returns, when that ends.
	Started func(rule string) func()
	// Interim, if not nil, is called with the result so far when a rule is decided.
	Interim func(*verdict.Result)
	// Diagnostics, if not nil, is called with those of reading the program, once.
	Diagnostics func(source.List)
}

// Audit decides the rules of sets for the program in files. Errors in the files and in the rules are a
// [source.List].
func Audit(ctx context.Context, files []*source.File, sets []*syntax.Set, opts Options) (*verdict.Result, error) {
	// 1. Until it is decided, each rule is open.
	r := &verdict.Result{}
	var list []rule
	for _, set := range sets {
		for _, k := range set.Rules {
			list = append(list, rule{set, k})
		}
	}
	for _, k := range list {
		r.Sites = append(r.Sites, verdict.Site{Kind: verdict.Rule, Name: k.Name.Text, Pos: k.Name.Pos, Text: k.Title, Open: true, Proc: "main"})
	}
	failures := map[int][]verdict.Failure{}
	report := func() {
		summarise(r, failures)
		if opts.Interim != nil {
			interim := *r
			interim.Sites = slices.Clone(r.Sites)
			opts.Interim(&interim)
		}
	}
	report()
	// 2. Read the program, once for all rules.
	program, err := read(ctx, files, sets, opts)
	if err != nil {
		return nil, err
	}
	if opts.Diagnostics != nil {
		opts.Diagnostics(program.Diags())
	}
	var guides []*fuzz.Guide
	for i, k := range list {
		// 3. Decide a rule. Runs like those by which other rules fail are tried first.
		row := &row{site: &r.Sites[i], result: r, ignored: opts.Ignored, guides: guides}
		if err := row.timed(ctx, program, k, opts); err != nil {
			return nil, err
		}
		guides = row.guides
		for _, f := range row.failures {
			f.Site = i
			failures[i] = append(failures[i], f)
		}
		// 4. The result so far.
		report()
	}
	return r, nil
}

// read reads the program, unless the caller has.
func read(ctx context.Context, files []*source.File, sets []*syntax.Set, opts Options) (*slic.Program, error) {
	if opts.Unit != nil {
		return slic.Of(opts.Unit, files, opts.Frontend)
	}
	return slic.Read(ctx, files, opts.Frontend, sets)
}

// rule is a rule of a set.
type rule struct {
	set *syntax.Set
	*syntax.Checked
}

// asserts reports whether a rule can be violated at some node of p.
func asserts(p *core.Program) bool {
	return slices.ContainsFunc(p.Procs, func(q *core.Proc) bool {
		return slices.ContainsFunc(q.Nodes, func(n *core.Node) bool {
			_, is := n.Stmt.(*core.Assert)
			return is
		})
	})
}

// summarise sets the verdict of r: a rule that fails decides it, then one that is open; rules that do not
// apply decide nothing.
func summarise(r *verdict.Result, failures map[int][]verdict.Failure) {
	r.Verdict, r.Reason, r.Trace, r.Failures = verdict.Unknown, "", nil, nil
	applies, open := false, false
	for i, s := range r.Sites {
		switch {
		case s.Failed && r.Verdict != verdict.False:
			r.Verdict, r.Failed, r.Trace = verdict.False, i, failures[i][0].Trace
		case s.Open:
			if open = true; r.Reason == "" {
				r.Reason = s.Reason
			}
		}
		applies = applies || !s.Absent
		r.Failures = append(r.Failures, failures[i]...)
	}
	switch {
	case r.Verdict == verdict.False:
		r.Reason = ""
		// The failing run that is shown comes first.
		slices.SortStableFunc(r.Failures, func(a, b verdict.Failure) int {
			switch {
			case a.Site == r.Failed && b.Site != r.Failed:
				return -1
			case b.Site == r.Failed && a.Site != r.Failed:
				return 1
			}
			return 0
		})
	case open:
	case applies:
		r.Verdict = verdict.True
	default:
		r.Reason = "vacuous: no rule applies to the program"
	}
}

package zingcheck

import (
	"context"
	"strings"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/frontend/zing"
	"c2bp/verdict"
)

// This file checks models.

// Options choose the rules of the language, the search and its limits.
type Options struct {
	interleave.Options
	Unchecked bool // integer overflow wraps around
}

// Analysis is the result of a check.
type Analysis struct {
	Result  *verdict.Result
	Search  *interleave.Result // nil if the model was only translated
	Lowered *lowerzing.Lowered
	// Length is the number of states on the run to the failure that is shown; 0 if there is none.
	Length int
}

// Lower translates a model without checking it.
func Lower(src *zing.Program, opts Options) *Analysis {
	return &Analysis{Lowered: lowerzing.Program(src, lowerzing.Options{Unchecked: opts.Unchecked}), Result: &verdict.Result{}}
}

// Check checks a model that zing.Check has accepted. When ctx ends, the result has all that is known so far.
func Check(ctx context.Context, src *zing.Program, opts Options) *Analysis {
	a := Lower(src, opts)
	model := interleave.Model{Prog: a.Lowered.Prog, Roots: a.Lowered.Activate}
	a.Search = interleave.Explore(ctx, model, opts.Options)
	a.Result = a.verdict(opts)
	// The run to the first failure is shown, after it was confirmed.
	if fs := a.Search.Failures; len(fs) > 0 {
		for _, f := range fs {
			interleave.Confirm(model, opts.Options, f)
		}
		a.Length = fs[0].States()
		a.Result.Stats = append(a.Result.Stats, verdict.Stat{Name: "states on the failing run", Value: int64(a.Length)})
		a.Result.Trace = newTracer(a.Lowered, model, opts.Options).trace(fs[0])
	}
	return a
}

// verdict returns the verdict without a trace.
func (a *Analysis) verdict(opts Options) *verdict.Result {
	r := &verdict.Result{Stats: a.stats()}
	s := a.Search
	switch {
	case len(s.Failures) > 0:
		r.Verdict = verdict.False
	case s.Open != "":
		r.Reason = s.Open
	case len(a.Lowered.Activate) == 0:
		r.Reason = "vacuous: no method is activate, so no process runs"
	default:
		r.Verdict = verdict.True
	}
	if r.Verdict == verdict.Unknown && s.Open == "" {
		return r // there is no property
	}
	a.sites(r, opts)
	return r
}

// stats returns the counters of a search.
func (a *Analysis) stats() []verdict.Stat {
	s := a.Search
	perState := int64(0)
	if s.Stored > 0 {
		perState = s.Bytes / int64(s.Stored)
	}
	list := []verdict.Stat{
		{Name: "distinct states", Value: int64(s.Distinct)},
		{Name: "stored states", Value: int64(s.Stored)},
		{Name: "transitions", Value: int64(s.Transitions)},
		{Name: "runs cut by assume", Value: int64(s.Pruned)},
		{Name: "states at the end of runs", Value: int64(s.Ends)},
		{Name: "bytes of states", Value: s.Bytes},
		{Name: "bytes per state", Value: perState},
	}
	if r := s.Reduction; r != nil {
		list = append(list,
			verdict.Stat{Name: "states between transactions", Value: int64(r.Boundaries)},
			verdict.Stat{Name: "states inside transactions", Value: int64(r.Inside)},
			verdict.Stat{Name: "explorations begun anew", Value: int64(r.Restarts)})
		if r.Summaries {
			list = append(list,
				verdict.Stat{Name: "summaries computed", Value: int64(r.Computed)},
				verdict.Stat{Name: "summaries looked up", Value: int64(r.LookedUp)},
				verdict.Stat{Name: "summaries found", Value: int64(r.Found)})
		}
	}
	if s.Levels > 0 {
		list = append(list, verdict.Stat{Name: "states on the longest run", Value: int64(s.Levels)})
	}
	return list
}

// Counter returns the value of a counter of r by its name.
func Counter(r *verdict.Result, name string) int64 {
	for _, s := range r.Stats {
		if strings.EqualFold(s.Name, name) {
			return s.Value
		}
	}
	return 0
}

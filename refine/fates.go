package refine

import (
	"fmt"
	"slices"

	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file keeps what is known of each property, by its number, as the audit goes on:
//
//	holds      an abstraction has proved it
//	fails      a failing run was confirmed
//	undecided  it was set aside with a reason, and the audit goes on with others
//	open       none of these yet
//
// That a property holds may be read off every abstraction whose analysis was finished,
// whatever else that says. It has a run for each run of the C program under the assumptions
// of the ledger, by whatever predicates it was made, and however exact its statements are;
// so where it reaches nothing, the C program does not. What is found out of other properties
// has no part in this: an assertion that fails ends runs of both programs, an assertion that
// is set aside goes on to do so, and an error label ends none. An analysis that was
// interrupted has not seen all runs: from it nothing is taken. What was proved once stays
// proved, even if a later abstraction, in which more predicates compete for short cubes, is
// less exact there; nobody looks at it again.

// Failure is a confirmed failing run.
type Failure struct {
	Site      int // number of the property
	Path      *Path
	Trace     *verdict.Trace
	Recording *harness.Recording
	Harness   *harness.Harness // the C file that supplies its inputs
	Compiled  *harness.Outcome // what came of it; nil if it was not run
}

// finding is what came of looking at a property: a failure, or why it cannot be decided.
type finding struct {
	site    int
	failure *Failure
	reason  string
	retry   bool // it may be decided when there are more predicates
}

// undecided is that a property cannot be decided.
func undecided(site int, format string, args ...any) *finding {
	return &finding{site: site, reason: fmt.Sprintf(format, args...)}
}

// certain is f if it is a failure, and else nil: of a run that nothing depends on.
func certain(f *finding, err error) (*finding, error) {
	if err != nil || f.failure == nil {
		return nil, err
	}
	return f, nil
}

// fate is what is known of a property.
type fate struct {
	holds  bool
	by     *Outcome // the last abstraction that proved so
	found  *finding // nil if it was neither set aside nor seen to fail
	before int      // how many predicates there were when it was set aside
}

// fates is what is known of all.
type fates struct {
	sites    []verdict.Site
	list     []fate
	mutation mutation
	failures []*Failure // in the order in which they were found
	order    []int      // the properties that were set aside, as they were
}

// read notes what an abstraction proves.
func (s *fates) read(o *Outcome) {
	sites := o.Result.Sites
	if s.list == nil {
		s.sites, s.list = slices.Clone(sites), make([]fate, len(sites))
	}
	for i, at := range sites {
		if at.Node != s.sites[i].Node || at.Name != s.sites[i].Name {
			panic(fmt.Sprintf("property %d was at %s and is at %s", i, s.sites[i].Node, at.Node))
		}
		if !at.Failed && !at.Open || s.mutation.nearest && i != o.Result.Failed {
			s.list[i].holds, s.list[i].by = true, o
		}
	}
}

// proof is the abstractions by which properties hold, in their order: few, for the last one
// that proves a property is taken, and most prove what those before them did.
func (s *fates) proof() (list []*Outcome) {
	for _, f := range s.list {
		if f.holds && !slices.Contains(list, f.by) {
			list = append(list, f.by)
		}
	}
	slices.SortFunc(list, func(a, b *Outcome) int { return a.Iterations - b.Iterations })
	return list
}

// add notes a finding, when there are so many predicates.
func (s *fates) add(f *finding, predicates int) {
	s.list[f.site].found, s.list[f.site].before = f, predicates
	if f.failure != nil {
		s.failures = append(s.failures, f.failure)
	} else {
		s.order = append(s.order, f.site)
	}
}

// aside reports whether nothing more is to be found out of a property, whatever an abstraction
// says of it.
func (s *fates) aside(site int) bool {
	return s.list != nil && (s.list[site].found != nil || s.list[site].holds)
}

// pending lists those of the properties failing in an abstraction that are to be looked at.
func (s *fates) pending(sites []verdict.Site) (list []int) {
	for i, at := range sites {
		if at.Failed && !s.aside(i) {
			list = append(list, i)
		}
	}
	return list
}

// resume takes up again those that were set aside for want of predicates, if there are more
// of them now: so many.
func (s *fates) resume(predicates int) {
	for i := range s.list {
		if f := &s.list[i]; f.found != nil && f.found.retry && f.before < predicates {
			f.found = nil
		}
	}
}

// result is the verdict on the properties if the audit ends, for this reason.
func (s *fates) result(end string) *verdict.Result {
	r := &verdict.Result{Sites: slices.Clone(s.sites)}
	open := false
	for i := range r.Sites {
		open = s.list[i].describe(&r.Sites[i]) || open
	}
	for _, f := range s.failures {
		r.Failures = append(r.Failures, f.verdict())
	}
	switch {
	case len(s.failures) > 0:
		r.Verdict = verdict.False
		r.Failed, r.Trace = s.failures[0].Site, s.failures[0].Trace
	case !open && slices.ContainsFunc(r.Sites, func(s verdict.Site) bool { return !s.Idle }):
		r.Verdict = verdict.True
	default:
		r.Reason = s.reason(r.Sites)
	}
	if end != decided {
		r.Stopped(end)
	}
	return r
}

// describe says what is known of a property, and reports whether that is nothing.
func (f *fate) describe(at *verdict.Site) (open bool) {
	at.Failed = f.found != nil && f.found.failure != nil
	at.Open = !at.Failed && !f.holds
	if at.Open && f.found != nil {
		at.Reason = f.found.reason
	}
	return at.Open
}

// reason is the first for which a property was set aside that is still undecided; "" if
// there is none.
func (s *fates) reason(sites []verdict.Site) string {
	for _, i := range s.order {
		if sites[i].Reason != "" {
			return sites[i].Reason
		}
	}
	return ""
}

// verdict is the failure as reports have it.
func (f *Failure) verdict() verdict.Failure {
	out := verdict.Failure{Site: f.Site, Trace: f.Trace}
	if f.Recording != nil {
		for _, got := range f.Recording.Got() {
			out.Inputs = append(out.Inputs, verdict.Input{Func: got.Func, Place: got.Expr, Value: got.Value, Calls: got.Calls, Pos: got.Pos})
		}
	}
	if f.Compiled != nil {
		out.Compiled = f.Compiled.String()
	}
	return out
}

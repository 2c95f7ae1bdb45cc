package refine

import (
	"fmt"
	"slices"

	"c2bp/refine/concretise"
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

// fate is what is known of a property.
type fate struct {
	holds  bool
	by     *Outcome // the last abstraction that proved so
	found  analysis // nothing if it was neither set aside nor seen to fail
	before int      // how many predicates there were when it was set aside
}

// status is what is known of all properties.
type status struct {
	sites    []verdict.Site
	list     []fate
	failures []*concretise.Failure // in the order in which they were found
	order    []int                 // the properties that were set aside, as they were
}

// read notes what an abstraction proves.
func (s *status) read(o *Outcome) {
	sites := o.Result.Sites
	if s.list == nil {
		s.sites, s.list = slices.Clone(sites), make([]fate, len(sites))
	}
	for i, at := range sites {
		if at.Node != s.sites[i].Node || at.Name != s.sites[i].Name {
			panic(fmt.Sprintf("property %d was at %s and is at %s", i, s.sites[i].Node, at.Node))
		}
		if !at.Failed && !at.Open {
			s.list[i].holds, s.list[i].by = true, o
		}
	}
}

// proof is the abstractions by which properties hold, in their order: few, for the last one
// that proves a property is taken, and most prove what those before them did.
func (s *status) proof() (list []*Outcome) {
	for _, f := range s.list {
		if f.holds && !slices.Contains(list, f.by) {
			list = append(list, f.by)
		}
	}
	slices.SortFunc(list, func(a, b *Outcome) int { return a.Iterations - b.Iterations })
	return list
}

// add notes a finding, when there are so many predicates.
func (s *status) add(r analysis, predicates int) {
	s.list[r.site].found, s.list[r.site].before = r, predicates
	if r.kind == fails {
		s.failures = append(s.failures, r.failure)
	} else {
		s.order = append(s.order, r.site)
	}
}

// aside reports whether nothing more is to be found out of a property, whatever an abstraction
// says of it.
func (s *status) aside(site int) bool {
	return s.list != nil && (s.list[site].found.kind != nothing || s.list[site].holds)
}

// pending lists those of the properties failing in an abstraction that are to be looked at.
func (s *status) pending(sites []verdict.Site) (list []int) {
	for i, at := range sites {
		if at.Failed && !s.aside(i) {
			list = append(list, i)
		}
	}
	return list
}

// resume takes up again those that were set aside for want of predicates, if there are more
// of them now: so many.
func (s *status) resume(predicates int) {
	for i := range s.list {
		if f := &s.list[i]; f.found.retry && f.before < predicates {
			f.found = analysis{}
		}
	}
}

// result is the verdict on the properties if the audit ends, for this reason.
func (s *status) result(end ending) *verdict.Result {
	r := &verdict.Result{Sites: slices.Clone(s.sites)}
	open := false
	for i := range r.Sites {
		open = s.list[i].describe(&r.Sites[i]) || open
	}
	for _, f := range s.failures {
		r.Failures = append(r.Failures, f.Verdict())
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
	if !end.decided {
		r.Stopped(end.why)
	}
	return r
}

// describe says what is known of a property, and reports whether that is nothing.
func (f *fate) describe(at *verdict.Site) (open bool) {
	at.Failed = f.found.kind == fails
	at.Open = !at.Failed && !f.holds
	if at.Open {
		at.Reason = f.found.why
	}
	return at.Open
}

// reason is the first for which a property was set aside that is still undecided; "" if
// there is none.
func (s *status) reason(sites []verdict.Site) string {
	for _, i := range s.order {
		if sites[i].Reason != "" {
			return sites[i].Reason
		}
	}
	return ""
}

package refine

import (
	"fmt"
	"slices"

	"c2bp/refine/concretise"
	"c2bp/verdict"
)

// This file keeps the status of each property, by its number, as the audit goes on:
//
//	holds      an abstraction has proved it
//	fails      a failing run was confirmed
//	undecided  it was set aside with a reason, and the audit goes on with others
//	open       none of these yet
//
// Every abstraction whose analysis was finished proves the properties that it does not violate,
// whatever else it says. It has a run for each run of the C program under the assumptions of the
// ledger, by whatever predicates it was made, and however exact its statements are; where it
// reaches nothing, the C program does not. The status of other properties has no part in this: an
// assertion that fails ends runs of both programs, an assertion that is set aside still does, and an
// error label ends none. An analysis that was interrupted has not seen all runs: it proves nothing.
// A property that was proved once stays proved, even if a later abstraction, in which more
// predicates compete for short cubes, is less exact there; it is not looked at again.

// property is the status of a property.
type property struct {
	holds bool
	by    *Outcome // the last abstraction that proved it
	found analysis // nothing, unless the property fails or was set aside
	when  int      // the number of predicates then
}

// status is the status of all properties.
type status struct {
	sites    []verdict.Site
	list     []property
	failures []*concretise.Failure // in the order in which they were found
	order    []int                 // the properties that were set aside, in that order
}

// record notes the properties that the abstraction of o proves.
func (s *status) record(o *Outcome) {
	sites := o.Result.Sites
	// The first abstraction tells which properties there are; all have the same ones, in the
	// same order.
	if s.list == nil {
		s.sites, s.list = slices.Clone(sites), make([]property, len(sites))
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

// proof returns abstractions that together prove all properties that hold, in their order. They are
// few: the last one that proves a property is taken, and most abstractions prove the properties that
// those before them did.
func (s *status) proof() (list []*Outcome) {
	for _, p := range s.list {
		if p.holds && !slices.Contains(list, p.by) {
			list = append(list, p.by)
		}
	}
	slices.SortFunc(list, func(a, b *Outcome) int { return a.Iterations - b.Iterations })
	return list
}

// add notes that a property fails or is set aside, and how many predicates there are.
func (s *status) add(r analysis, predicates int) {
	s.list[r.site].found, s.list[r.site].when = r, predicates
	if r.kind == fails {
		s.failures = append(s.failures, r.failure)
	} else {
		s.order = append(s.order, r.site)
	}
}

// closed reports whether a property is not to be looked at, whatever an abstraction says of it.
func (s *status) closed(site int) bool {
	return s.list != nil && (s.list[site].found.kind != nothing || s.list[site].holds)
}

// pending lists the properties that fail in an abstraction and are not closed.
func (s *status) pending(sites []verdict.Site) (list []int) {
	for i, at := range sites {
		if at.Failed && !s.closed(i) {
			list = append(list, i)
		}
	}
	return list
}

// reopen opens the properties that were set aside for want of predicates, if there were fewer than so
// many then.
func (s *status) reopen(predicates int) {
	for i := range s.list {
		if p := &s.list[i]; p.found.retry && p.when < predicates {
			p.found = analysis{}
		}
	}
}

// undecided reports whether a property was set aside for want of predicates.
func (s *status) undecided() bool {
	return slices.ContainsFunc(s.list, func(p property) bool { return p.found.retry && !p.holds })
}

// result returns the verdict if the audit ends now.
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
	// The first confirmed failure is the verdict, whatever is open.
	case len(s.failures) > 0:
		r.Verdict = verdict.False
		r.Failed, r.Trace = s.failures[0].Site, s.failures[0].Trace
	// A program all of whose properties are idle, reached by no call, is not proved by that.
	case !open && slices.ContainsFunc(r.Sites, func(s verdict.Site) bool { return !s.Idle }):
		r.Verdict = verdict.True
	default:
		r.Reason = s.firstReason(r.Sites)
	}
	if !end.decided {
		r.Stopped(end.why)
	}
	return r
}

// describe sets the status of a property in a result, and reports whether it is neither proved nor
// seen to fail.
func (p *property) describe(at *verdict.Site) (open bool) {
	at.Failed = p.found.kind == fails
	at.Open = !at.Failed && !p.holds
	if at.Open {
		at.Reason = p.found.why
	}
	return at.Open
}

// firstReason returns the first reason for which a property was set aside that is still undecided; ""
// if there is none.
func (s *status) firstReason(sites []verdict.Site) string {
	for _, i := range s.order {
		if sites[i].Reason != "" {
			return sites[i].Reason
		}
	}
	return ""
}

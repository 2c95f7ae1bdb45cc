package refine

import (
	"math"
	"slices"

	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file schedules the properties. One check decides all of them together, until that has become
// expensive: the states of a program are told apart by all predicates that any property needs, so a
// check for all costs more than the sum of the checks for each. So
//
//	together     until a check has more than so many BDD nodes; then
//	one by one   with the predicates found so far for paths to this property alone
//
// each until it is decided or its turn is over: one that makes no progress would keep the others
// waiting for ever. Its next turn continues where the last one stopped, and is longer. Turns are
// measured by counters of work, not by a clock.
//
// Predicates that were found for paths to other properties are left out: they make a check expensive, and
// most are not needed. Some of the paths to the property were refuted by one of these; to find it again is cheap.
//
// A property that was proved, together with others or in the turn of another one, stays proved:
// package certificate says why several abstractions may prove some of the properties each. In such a
// proof an assertion that is not looked at holds after itself, as in each abstraction, however often
// it fails there: a run that fails ends.

const (
	largeCheck = 150_000 // BDD nodes that are too many for all properties together
	firstTurn  = 30      // iterations of a turn, if they are cheap; each turn is twice as long as the last
	nodesMore  = 100_000 // BDD nodes that count as much as an iteration
)

// scheduler has the properties that are audited one by one.
type scheduler struct {
	queue []*turn // the first one is under way
}

// turn is a property, with the search for it in all its turns.
type turn struct {
	site   int
	search *search
	length int64 // of the turn, in work
	left   int64 // of it
}

// schedule parts the properties if a check had so many BDD nodes; and once they are parted it charges
// the work to the turn that is under way.
func (a *audit) schedule(nodes int64) {
	switch {
	case a.scheduler != nil:
		a.scheduler.charge(a, 1+nodes/nodesMore)
	case nodes > a.opts.large && !a.Without.Has(technique.RoundRobin):
		a.part()
	}
}

// part begins to audit the properties one by one, unless there is only one.
func (a *audit) part() {
	if len(a.status.list) < 2 {
		return
	}
	// Properties that were set aside for want of predicates get a turn, too.
	a.status.reopen(math.MaxInt)
	s := &scheduler{}
	for i := range a.status.sites {
		if !a.status.closed(i) && (a.wanted == nil || a.wanted[i]) {
			// A new search: no constraints, no refuted paths.
			fresh := newSearch(a.Bits)
			fresh.preds = a.search.preds.Of(i)
			s.queue = append(s.queue, &turn{i, fresh, firstTurn, firstTurn})
		}
	}
	if len(s.queue) > 0 {
		a.opts.Log.Report(event.Parted{Properties: len(s.queue)})
		a.scheduler = s
		s.begin(a)
	}
}

// begin begins the turn of the first property.
func (s *scheduler) begin(a *audit) {
	first := s.queue[0]
	a.search = first.search
	at := a.status.sites[first.site]
	a.opts.Log.Report(event.Turn{What: at.What(), Where: at.Where(), Predicates: len(a.search.preds.List)})
}

// next begins the turn of the first property that is open, and reports whether there is one. s may be
// nil: then there is none.
func (s *scheduler) next(a *audit) bool {
	if s == nil {
		return false
	}
	s.queue = slices.DeleteFunc(s.queue, func(t *turn) bool { return a.status.closed(t.site) })
	if len(s.queue) > 0 {
		s.begin(a)
	}
	return len(s.queue) > 0
}

// charge takes work from the turn that is under way. When nothing of it is left, the next property
// has its turn.
func (s *scheduler) charge(a *audit, work int64) {
	first := s.queue[0]
	// The last property keeps its turn.
	if first.left -= work; first.left > 0 || len(s.queue) == 1 {
		return
	}
	first.length *= 2
	first.left = first.length
	s.queue = append(s.queue[1:], first)
	s.next(a)
}

// pending lists the properties that fail in an abstraction and are to be looked at now.
func (a *audit) pending(o *Outcome) []int {
	return slices.DeleteFunc(a.status.pending(o.Result.Sites), a.waits)
}

// aside reports whether no trace is to lead to a property.
func (a *audit) aside(site int) bool { return a.status.closed(site) || a.waits(site) }

// waits reports whether another property has its turn, or site is none of those that are wanted.
func (a *audit) waits(site int) bool {
	return a.wanted != nil && !a.wanted[site] || a.scheduler != nil && len(a.scheduler.queue) > 0 && a.scheduler.queue[0].site != site
}

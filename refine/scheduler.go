package refine

import (
	"math"
	"slices"

	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file looks at properties each by itself, when to check an abstraction for all of them
// has become expensive. That costs more than the sum of what the properties cost alone: the
// states of a program are told apart by everything that any of them needs. So
//
//	together     until a check has more than so many BDD nodes; then
//	one by one   without the predicates found so far
//
// each until it is decided, or until its turn is over: one that does not get on would keep
// the others waiting for ever. Its next turn goes on where it stopped, and is longer. The
// end of a turn is told by counters of work, and not by a clock.
//
// A property begins anew, for what was found together is no help: of the paths to it some
// were refuted by predicates meant for another, which it would have to find after all, among
// those that it does not need. To find the others again is cheap.
//
// What was proved, together or in the turn of another property, stays so: package
// certificate says why abstractions may prove some of the properties each. There an assertion
// that is not looked at holds behind itself, as it does in each abstraction, however often
// it fails there: a run that fails goes no further.

const (
	largeCheck = 1_000_000 // BDD nodes that are too many
	firstTurn  = 30        // iterations of a turn, if they are cheap: the second is twice as long, and so on
	nodesMore  = 100_000   // BDD nodes that count as much as an iteration
)

// turns is the properties that are looked at one by one.
type turns struct {
	list []*turn // the first is under way
}

// turn is a property with what has been found for it, in its turns.
type turn struct {
	site   int
	search *search
	length int64 // of the turn
	left   int64 // of it
}

// takeTurns goes on to one property at a time if a check had so many BDD nodes; and to the
// next when the turn of one is over.
func (a *audit) takeTurns(nodes int64) {
	switch {
	case a.turns != nil:
		a.turns.spend(a, 1+nodes/nodesMore)
	case nodes > a.opts.large && !a.Without[technique.RoundRobin]:
		a.part()
	}
}

// part begins to take turns, unless there is one property alone.
func (a *audit) part() {
	if len(a.status.list) < 2 {
		return
	}
	a.status.resume(math.MaxInt)
	t := &turns{}
	for i := range a.status.sites {
		if !a.status.aside(i) {
			t.list = append(t.list, &turn{i, newSearch(a.Bits), firstTurn, firstTurn})
		}
	}
	if len(t.list) > 0 {
		a.opts.Log.Report(event.Parted{Properties: len(t.list)})
		a.turns = t
		t.begin(a)
	}
}

// begin begins the turn of the first.
func (t *turns) begin(a *audit) {
	first := t.list[0]
	a.search = first.search
	at := a.status.sites[first.site]
	a.opts.Log.Report(event.Turn{What: at.What(), Where: at.Where(), Predicates: len(a.search.preds.List)})
}

// next goes on with the first property that is not decided; false if there is none.
func (t *turns) next(a *audit) bool {
	if t == nil {
		return false
	}
	t.list = slices.DeleteFunc(t.list, func(o *turn) bool { return a.status.aside(o.site) })
	if len(t.list) > 0 {
		t.begin(a)
	}
	return len(t.list) > 0
}

// spend takes some of the turn of the first property. If that was the rest, the next one has
// its turn.
func (t *turns) spend(a *audit, work int64) {
	first := t.list[0]
	if first.left -= work; first.left > 0 || len(t.list) == 1 {
		return
	}
	first.length *= 2
	first.left = first.length
	t.list = append(t.list[1:], first)
	t.next(a)
}

// pending lists the properties failing in an abstraction that are to be looked at now.
func (a *audit) pending(o *Outcome) []int {
	return slices.DeleteFunc(a.status.pending(o.Result.Sites), a.waits)
}

// aside reports whether no trace is to lead to a property.
func (a *audit) aside(site int) bool { return a.status.aside(site) || a.waits(site) }

// waits reports whether another property has its turn.
func (a *audit) waits(site int) bool {
	return a.turns != nil && len(a.turns.list) > 0 && a.turns.list[0].site != site
}

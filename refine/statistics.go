package refine

import (
	"slices"
	"time"

	"c2bp/refine/cex"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file keeps the cost and the yield of each iteration.

// Iteration has the statistics of an iteration: an abstraction that was checked.
type Iteration struct {
	Predicates   int   // of the abstraction
	New          int   // how many more than before
	Abstraction  int64 // prover queries to abstract
	Paths        int64 // and to follow paths
	Nodes        int64 // BDD nodes of the check, at most
	Steps        int64 // of the check
	Time         time.Duration
	Lessons      []Lesson
	Unfinished   bool // stopped before its abstraction was checked
	Abstractions int  // that were made: more than one if the first had a path that was refuted before
}

// Lesson is the result of looking at a property.
type Lesson struct {
	Site       int
	Status     Learned
	Conditions int            // of the unsat core of the path to it
	Predicates int            // that were found from them
	Strategy   technique.Name // that found the first of these; "" if none was found
}

// Learned is a kind of lesson.
type Learned int

const (
	Found     Learned = iota // predicates
	Sharpened                // the statements of the path are abstracted more exactly
	Fails                    // a failing run
	SetAside                 // nothing: it cannot be decided
)

func (k Learned) String() string {
	return [...]string{"predicates", "exactness", "fails", "undecided"}[k]
}

// statistics has the statistics of the iterations so far.
type statistics struct {
	list        []Iteration
	start       time.Time // of the last
	paths       int64     // queries before the last
	abstraction int64     // the same, of abstractions
}

// begin starts an iteration, or another abstraction of one that was not checked.
func (a *audit) begin() {
	s := &a.statistics
	// An iteration that was not checked is continued: the abstraction is only made once more.
	if n := len(s.list); n == 0 || !s.list[n-1].Unfinished {
		a.measure()
		s.start, s.paths, s.abstraction = time.Now(), a.pr.Stats().Queries, a.queries
		s.list = append(s.list, Iteration{Unfinished: true})
		if a.opts.Progress != nil {
			a.opts.Progress(len(s.list), len(a.search.preds.List))
		}
	}
	a.current().Abstractions++
}

// current returns the iteration that is under way.
func (a *audit) current() *Iteration { return &a.statistics.list[len(a.statistics.list)-1] }

// measure notes the cost so far of the iteration that is under way.
func (a *audit) measure() {
	if len(a.statistics.list) > 0 {
		it := a.current()
		it.Time, it.Paths = time.Since(a.statistics.start), a.pr.Stats().Queries-a.statistics.paths
	}
}

// soFar returns the statistics of all iterations.
func (a *audit) soFar() []Iteration {
	a.measure()
	list := slices.Clone(a.statistics.list)
	// Later lessons must not be appended to the caller's slice.
	for i := range list {
		list[i].Lessons = slices.Clip(list[i].Lessons)
	}
	return list
}

// learned notes the predicates that a strategy has found for a core, those from number before on.
func (a *audit) learned(site int, r *cex.Core, before int, by technique.Name) {
	l := Lesson{Site: site, Conditions: len(r.Conds), Predicates: len(a.search.preds.List) - before, Strategy: by}
	if l.Predicates == 0 {
		l.Status = Sharpened
	}
	it := a.current()
	it.Lessons = append(it.Lessons, l)
}

// settled notes that a property fails or is set aside.
func (a *audit) settled(r analysis) {
	l := Lesson{Site: r.site, Status: SetAside}
	if r.kind == fails {
		l.Status = Fails
	}
	it := a.current()
	it.Lessons = append(it.Lessons, l)
}

// counter returns the value of a counter of a check.
func counter(stats []verdict.Stat, name string) int64 {
	for _, s := range stats {
		if s.Name == name {
			return s.Value
		}
	}
	return 0
}

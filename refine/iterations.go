package refine

import (
	"slices"
	"time"

	"c2bp/verdict"
)

// This file keeps what each iteration cost and what was learned in it.

// Iteration is the statistics of one.
type Iteration struct {
	Predicates  int   // of the abstraction
	New         int   // how many more than before
	Abstraction int64 // prover queries to abstract
	Paths       int64 // and to follow paths
	Nodes       int64 // BDD nodes of the check, at most
	Steps       int64 // of the check
	Time        time.Duration
	Lessons     []Lesson
	Unfinished  bool // stopped before its abstraction was checked
}

// Lesson is what came of looking at a property.
type Lesson struct {
	Site       int
	Status     Learned
	Conditions int // why the path to it is impossible: so many conditions
	Predicates int // that were found from them
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

// log of the iterations.
type iterations struct {
	list  []Iteration
	start time.Time // of the last
	paths int64     // queries before the last
}

// begin starts an iteration.
func (a *audit) begin() {
	a.measure()
	a.iterations.start, a.iterations.paths = time.Now(), a.pr.Stats().Queries
	a.iterations.list = append(a.iterations.list, Iteration{Unfinished: true})
}

// current is the iteration that is under way.
func (a *audit) current() *Iteration {
	return &a.iterations.list[len(a.iterations.list)-1]
}

// measure notes what the iteration that is under way has cost so far.
func (a *audit) measure() {
	if len(a.iterations.list) > 0 {
		it := a.current()
		it.Time, it.Paths = time.Since(a.iterations.start), a.pr.Stats().Queries-a.iterations.paths
	}
}

// soFar is what is to be told of all iterations.
func (a *audit) soFar() []Iteration {
	a.measure()
	list := slices.Clone(a.iterations.list)
	for i := range list {
		list[i].Lessons = slices.Clip(list[i].Lessons)
	}
	return list
}

// learned notes what was learned from a reason, when there had been so many predicates.
func (a *audit) learned(site int, r *reason, before int) {
	l := Lesson{Site: site, Conditions: len(r.conds), Predicates: len(a.preds.list) - before}
	if l.Predicates == 0 {
		l.Status = Sharpened
	}
	it := a.current()
	it.Lessons = append(it.Lessons, l)
}

// settled notes that a property was found to fail, or set aside.
func (a *audit) settled(f *finding) {
	l := Lesson{Site: f.site, Status: SetAside}
	if f.failure != nil {
		l.Status = Fails
	}
	it := a.current()
	it.Lessons = append(it.Lessons, l)
}

// counter is the value of a counter of a check.
func counter(stats []verdict.Stat, name string) int64 {
	for _, s := range stats {
		if s.Name == name {
			return s.Value
		}
	}
	return 0
}

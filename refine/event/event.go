// Package event has the steps of an audit that developers follow (c2bp audit --log), as values.
//
// Whoever makes a step reports it; only the String methods here say how it reads. An audit reports
//
//	iteration 2: 5 predicates, 118 queries: FALSE (assertion, f.c:7)     Checked
//	  path of 12 steps refuted by steps 3..11, 2 conditions              Refuted
//	    main:4: i >= 3                                                   (its conditions)
//	    4 of 31 guesses about main:2 are enough                          Induced
//	    + main: i <= n                                                   Predicate
//	    constraint main:3 …                                              Constrained
//	  a refuted path of 12 steps is back: gone                           Returned
//	  compiled: reproduced by the compiled program                       Compiled
//	  set aside: …                                                       SetAside
package event

import (
	"fmt"
	"strings"
)

// Event is a step of an audit.
type Event interface{ String() string }

// Log receives events; nil ignores them.
type Log func(Event)

// Report passes e on.
func (l Log) Report(e Event) {
	if l != nil {
		l(e)
	}
}

// Checked says that the abstraction of an iteration was checked.
type Checked struct {
	Iteration, Predicates int
	Queries               int64 // to the prover, for the abstraction
	Result                string
}

func (e Checked) String() string {
	return fmt.Sprintf("iteration %d: %d predicates, %d queries: %s", e.Iteration, e.Predicates, e.Queries, e.Result)
}

// References says that the next abstraction keeps pointers as references, or does so no more, and why.
type References struct {
	Kept bool
	Why  string
}

func (e References) String() string {
	if e.Kept {
		return "  pointers are kept as references: aliasing has refuted several paths"
	}
	return "  pointers are kept no more: " + e.Why
}

// Quietly says that failing runs are looked for in which functions without a body change nothing.
type Quietly struct{}

func (Quietly) String() string {
	return "once more, as if functions without a body changed nothing: a failing run may be simpler"
}

// Refuted says that a path is infeasible, and why: the conditions of its unsat core, in the steps
// From to To-1.
type Refuted struct {
	Steps, From, To int
	Conditions      []Condition
}

// Condition is a condition of an unsat core.
type Condition struct{ Node, Expr string }

func (e Refuted) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  path of %d steps refuted by steps %d..%d, %d conditions", e.Steps, e.From, e.To, len(e.Conditions))
	for _, c := range e.Conditions {
		fmt.Fprintf(&b, "\n    %s: %s", c.Node, c.Expr)
	}
	return b.String()
}

// Induced says that some candidate invariants of a loop are inductive and exclude a path.
type Induced struct {
	Kept, Candidates int
	Head             string
}

func (e Induced) String() string {
	return fmt.Sprintf("    %d of %d guesses about %s are enough", e.Kept, e.Candidates, e.Head)
}

// Predicate says that a predicate was found; Scope is a procedure or "global".
type Predicate struct{ Scope, Text string }

func (e Predicate) String() string { return fmt.Sprintf("    + %s: %s", e.Scope, e.Text) }

// Constrained says that a constraint on transitions was added.
type Constrained struct{ Constraint fmt.Stringer }

func (e Constrained) String() string { return fmt.Sprintf("    constraint %s", e.Constraint) }

// Sharpened says that the statements of a core are abstracted by longer cubes from now on.
type Sharpened struct{}

func (Sharpened) String() string { return "    abstracted more exactly" }

// Standing is what became of a refuted path in an abstraction.
type Standing int

const (
	Unclear Standing = iota // the prover does not know, or it takes too long
	Gone                    // constraints exclude it
	Missing                 // every abstraction by the present predicates has it
)

func (s Standing) String() string { return [...]string{"unclear", "gone", "missing"}[s] }

// Remains says that new predicates do not exclude the path that they were found for.
type Remains struct{ Steps int }

func (e Remains) String() string {
	return fmt.Sprintf("  a path of %d steps is not refuted yet", e.Steps)
}

// Returned says that a trace is a path that was refuted before.
type Returned struct {
	Steps    int
	Standing Standing
	Again    bool // it had come back before, and been excluded
	Absent   bool // the abstraction does not have it: the checker is wrong, or this package
}

func (e Returned) String() string {
	switch {
	case e.Absent:
		return fmt.Sprintf("  a path of %d steps is back that is none of the abstraction", e.Steps)
	case e.Again:
		return fmt.Sprintf("  a refuted path of %d steps is back again: %s", e.Steps, e.Standing)
	}
	return fmt.Sprintf("  a refuted path of %d steps is back: %s", e.Steps, e.Standing)
}

// Crashed says that a run with random inputs fails.
type Crashed struct{ Steps, Minimized int }

func (e Crashed) String() string {
	return fmt.Sprintf("  a run with random inputs, of %d steps, fails; %d of them are enough", e.Steps, e.Minimized)
}

// NotRepeated says that such a run does not fail a second time.
type NotRepeated struct{ Err error }

func (e NotRepeated) String() string { return fmt.Sprintf("  it cannot be repeated: %v", e.Err) }

// Manner is how a directed run may differ from the path that it follows.
type Manner int

const (
	LongerLoops Manner = iota // it stays longer in loops
	OtherWays                 // and goes other ways at branches on which the failure does not depend
	Quiet                     // and functions without a body change no memory
)

// Directed says how a directed replay ended: with a failure after so many steps, or without.
type Directed struct {
	Steps  int
	Manner Manner
	Err    error // why it does not fail
}

func (e Directed) String() string {
	run := [...]string{"a run with longer loops", "a run with other ways at branches", "a run in which no function without a body changes memory"}[e.Manner]
	if e.Err != nil {
		return fmt.Sprintf("  %s: %v", run, e.Err)
	}
	return fmt.Sprintf("  %s, of %d steps, fails", run, e.Steps)
}

// NotLoops says that a path is infeasible also without the conditions of loop exits.
type NotLoops struct{ Left, All int }

func (e NotLoops) String() string {
	return fmt.Sprintf("  not only because of its loops: %d of %d conditions", e.Left, e.All)
}

// Unplayed says that a replay of a feasible path does not fail, with objects for the pointers from outside that the
// path follows (Outside) or without, and why.
type Unplayed struct {
	Steps   int // of the path
	Outside bool
	Err     error
}

func (e Unplayed) String() string {
	with := ""
	if e.Outside {
		with = ", with objects from outside,"
	}
	return fmt.Sprintf("  a replay of a path of %d steps%s does not fail: %v", e.Steps, with, e.Err)
}

// Compiled says how the compiled program ended.
type Compiled struct{ Outcome fmt.Stringer }

func (e Compiled) String() string { return fmt.Sprintf("  compiled: %s", e.Outcome) }

// SetAside says that a property cannot be decided.
type SetAside struct{ Reason string }

func (e SetAside) String() string { return "  set aside: " + e.Reason }

// Fails says that a property fails, and the audit goes on with others.
type Fails struct{ What, Where string }

func (e Fails) String() string { return fmt.Sprintf("  fails: %s, %s", e.What, e.Where) }

// Parted says that so many properties are audited one by one from now on.
type Parted struct{ Properties int }

func (e Parted) String() string {
	return fmt.Sprintf("from now on %d properties are looked at one by one", e.Properties)
}

// Turn says that a property has its turn.
type Turn struct {
	What, Where string
	Predicates  int
}

func (e Turn) String() string {
	return fmt.Sprintf("%s, %s, with %d predicates", e.What, e.Where, e.Predicates)
}

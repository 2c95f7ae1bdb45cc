// Package verdict defines the result of c2bp. Engines fill it, package report renders it, and it
// does not refer to any engine: the result of a Boolean program that is checked through a pipe has
// the same form as that of one checked in the same process.
package verdict

import (
	"fmt"

	"c2bp/source"
)

// Verdict is the answer to "do all properties hold?".
type Verdict int

const (
	Unknown Verdict = iota // no answer; Result.Reason says why
	True                   // every property site holds
	False                  // a property site fails: Result.Failed, Result.Trace
)

func (v Verdict) String() string { return [...]string{"UNKNOWN", "TRUE", "FALSE"}[v] }

// Result is the result of a check.
type Result struct {
	Verdict    Verdict
	Reason     string      // for Unknown: why, in a few words ("vacuous: no assertion", "node limit")
	Sites      []Site      // every property site that was checked, in program order
	Failed     int         // for False: index into Sites of the site that Trace reaches
	Trace      *Trace      // for False: how Sites[Failed] is reached
	Failures   []Failure   // for False: the runs that were replayed in the C program; the first is that of Trace
	Predicates []Predicate // those that the program was abstracted by
	Stats      []Stat      // counters in a fixed order; no wall-clock times among them
	Ledger     []string    // assumptions under which the verdict holds ("//@ assume" lines)
	Uncalled   []string    // functions of the C files that nothing calls
	// Kept says which pointers were kept as references, and why others were not, where that was tried.
	Kept []string
	// Changes is what has changed since an earlier result; nil if there is none.
	Changes *Changes
	// Conformance is the comparison of two models; nil if there was none.
	Conformance *Conformance
	// UncalledInHeaders is how many functions of headers nothing calls.
	UncalledInHeaders int
	// Certificate is what became of the certificate of True that was asked for, if it is
	// not there and valid: "REJECTED (main:1: why)", "none (why)".
	Certificate string
}

// SiteKind is the kind of a property.
type SiteKind int

const (
	Assertion   SiteKind = iota // an assert statement
	Label                       // a label that must not be reached
	Dereference                 // a statement that looks into objects: no reference there may be null
	Rule                        // a rule of the program's calls
	Check                       // an operation of C that must be defined
	Formula                     // a formula of temporal logic, which all runs must satisfy
)

// Site is a place where a property is checked. It fails, is open, or holds: no run of the program
// fails there. A run ends where an assertion fails, so later events do not count;
// it continues after a label.
type Site struct {
	Kind   SiteKind
	Name   string     // of the Label, Rule or Check ("division by zero"), or the text of the Formula; else ""
	Key    string     // for a Rule that fails: how it is violated
	Proc   string     // procedure of the Boolean program
	Node   string     // stable id "proc:17" of the node, "" if the text gave none
	Pos    source.Pos // position in the C source if an annotation gave one, else in the .bp
	Text   string     // source text of the statement; of a Check that of the operation
	Failed bool       // reached (Label) or failing
	Open   bool       // not decided
	Idle   bool       // in a function that nothing calls: nothing is said of it
	Absent bool       // a rule that does not apply to the program
	Reason string     // for an open one: why, if it has a reason of its own

	Suppressed  string // of one that fails and is known: why; else ""
	InSource    bool   // it is suppressed by a comment at the place
	Fingerprint string // by which the failure is known in other versions of the program; "" if it has none
}

// Failure is a failing run that was replayed in the C program.
type Failure struct {
	Site     int // index into Result.Sites
	Trace    *Trace
	Inputs   []Input // what it got from outside, in order
	Compiled string  // what came of the compiled program with these inputs; "" if it was not run
	Harness  string  // name of the file that supplies them to the compiled program; "" if none was written
	// RestsOn lists the unlikely choices of the environment without which the program would not fail in
	// this way.
	RestsOn []Choice
}

// Choice is an unlikely choice of the environment.
type Choice struct {
	Kind ChoiceKind
	Text string // a sentence: "find() returns null"
	Pos  source.Pos
	Step int // of the failing run, the first of which is 0; 0 if it is not known
}

// ChoiceKind is the kind of a choice.
type ChoiceKind string

// The kinds of choices.
const (
	NullChoice         ChoiceKind = "null"          // where another pointer was possible
	ErrorPointerChoice ChoiceKind = "error-pointer" // a pointer that is a negative error number
	SameObjectChoice   ChoiceKind = "same-object"   // of two pointers from outside
	NegativeChoice     ChoiceKind = "negative"      // result of a function without a body
	BackChoice         ChoiceKind = "back"          // an element of a list points to another struct than the one that has the list
	CalledBackChoice   ChoiceKind = "called-back"   // a function of the program, by one without a body before it returns
	StateChoice        ChoiceKind = "state"         // a number other than 0, in a private struct that the program has not made
	MemoryChoice       ChoiceKind = "memory"        // for objects that a run without an end allocates, and does not free
)

// Input is a value that a run got from outside: from a function that the program does not define,
// or from memory that it did not allocate, at the first read.
type Input struct {
	Func  string // "" for memory
	Place string // in memory, as in C; "" for the result of a function
	Value string // a number, or an object: env1, the first one that the environment lent; "" if nobody used it
	Calls string // what the function called back instead of returning: ist(3, env1)
	Pos   source.Pos
}

// Status returns the status of the site: "fails", "suppressed", "holds", "undecided", "never called" or
// "does not apply".
func (s Site) Status() string {
	switch {
	case s.Failed && s.Suppressed != "":
		return "suppressed"
	case s.Failed:
		return "fails"
	case s.Open:
		return "undecided"
	case s.Idle:
		return "never called"
	case s.Absent:
		return "does not apply"
	}
	return "holds"
}

// What returns the name of the site in the last line of the output: "assertion", "label ERROR", "null
// dereference", "rule spinlock" or, if it fails, "rule spinlock: double-lock", "division by zero".
func (s Site) What() string {
	switch s.Kind {
	case Label:
		return "label " + s.Name
	case Dereference:
		return "null dereference"
	case Rule:
		if s.Failed && s.Key != "" {
			return "rule " + s.Name + ": " + s.Key
		}
		return "rule " + s.Name
	case Check:
		return s.Name
	case Formula:
		return "formula"
	}
	return "assertion"
}

// Asserts reports whether the site is an assertion of the Boolean program: it fails at its node, and the
// run ends there.
func (s Site) Asserts() bool { return s.Kind == Assertion || s.Kind == Check }

// Where returns file:line of the site, or the procedure if the line is unknown.
func (s Site) Where() string {
	if !s.Pos.IsValid() {
		return s.Proc
	}
	return fmt.Sprintf("%s:%d", s.Pos.File, s.Pos.Line)
}

// Trace is a hierarchical trace (Ball–Rajamani 2000, §3): a call whose steps do not matter is one
// step, with its effect; a call on the path to the failure is entered, and its steps have a greater
// Depth.
type Trace struct {
	Steps []Step
	// Loop is, for a run without an end, 1 + the index of the first of the steps that it repeats for ever, up to the
	// last one; else 0.
	Loop int
	// Model says that the run is that of a model, which is not about a C program.
	Model bool
	// Processes are those of a program with processes, in the last state.
	Processes []Process
}

// Process is a process in the last state of a trace.
type Process struct {
	Name   string // the number and the method with which it began: "0 A.main"
	Status string // "has ended", "waits", "waits at an end state", "can run" or "fails"
	Stack  []At   // where its calls stand, the innermost one first
}

// At is the place at which a procedure stands, and its variables.
type At struct {
	Proc   string
	Pos    source.Pos
	Text   string
	Values []Value
}

// Step is one executed statement with the state *before* it; the last step of a
// trace is the failing statement.
type Step struct {
	Node      string // stable id "proc:17"; "" if the text gave none
	Proc      string
	Pos       source.Pos
	Depth     int     // call depth, main is 0
	Text      string  // the statement: its C text if annotated, else in .bp spelling
	Stmt      string  // the statement in .bp spelling
	Origin    string  // call, return, branch-true, branch-false, assert, assume or ""
	Collapsed bool    // a call taken by its summary; Values of the next step show its effect
	Note      string  // a remark about the step; "" if there is none
	Atoms     []Value // of a run about a formula: its atoms, 1 for those that hold
	Values    []Value
	Heap      []Object // that the variables in scope lead to, in the order in which they do

	// Of a program with processes.

	Process string   // the name of the process that makes the step
	State   int      // the number of the state to which the transition leads, of which the step is a part; the first state is 1
	Changes []Value  // of the last step of a transition: what the transition has changed
	Output  []string // what the transition prints
	Events  []string // of the last step of a transition: the events that an observer sees
}

// Object is an object on the heap. References are shown by its name, A0, A1, …, or as null.
type Object struct {
	Name, Class string
	Fields      []Value
}

// Value is the value of a variable in scope: "0", "1", or "*" where the trace does not depend on
// it.
type Value struct {
	Name string
	Val  string
}

// Predicate is a condition by which the program was abstracted, with the condition on an infeasible
// path for which it was found. For a predicate that was given by the user, the latter is unknown.
type Predicate struct {
	Proc      string // in whose scope it is; "" for a global one
	Of        string // the struct type of whose objects it speaks; "" if it speaks of none
	Text      string
	Iteration int        // from 1; 0 if it was not looked for
	Node      string     // stable id of the condition's node
	Pos       source.Pos // of the condition
	Condition string
	Rule      string // how it was found
}

// Stat is a work counter.
type Stat struct {
	Name  string
	Value int64
}

// Summary returns the text after "Verification result: ".
//
//	TRUE
//	FALSE (assertion, net.c:7)
//	UNKNOWN (time limit of 30s)
//
// Suppressed failures are counted: TRUE (2 failures suppressed).
func (r *Result) Summary() string {
	also := r.suppressedText()
	switch r.Verdict {
	case True:
		if also != "" {
			return fmt.Sprintf("TRUE (%s)", also)
		}
		return "TRUE"
	case False:
		s := r.Sites[r.Failed]
		if also != "" {
			also = "; " + also
		}
		return fmt.Sprintf("FALSE (%s, %s%s)", s.What(), s.Where(), also)
	}
	if also != "" {
		also = "; " + also
	}
	return fmt.Sprintf("UNKNOWN (%s%s)", r.Reason, also)
}

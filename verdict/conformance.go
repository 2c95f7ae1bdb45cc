package verdict

// This file defines the part of a result that compares two models.

// Conformance is the comparison of an implementation with a specification.
type Conformance struct {
	// Coarser says that True rests on sets of states of the specification: the implementation conforms by the coarser
	// relation, and was not shown to conform by the finer one.
	Coarser   bool
	Mismatch  *Mismatch // for False: why
	Diverging []Diverging
}

// MismatchKind is the kind of a mismatch.
type MismatchKind string

// The kinds of mismatches.
const (
	// EventMismatch: the implementation does an event that the specification cannot do.
	EventMismatch MismatchKind = "event"
	// ReadyMismatch: the implementation stops where it is ready for some events, and the specification never does.
	ReadyMismatch MismatchKind = "ready set"
	// AnswersMismatch: after an event, there is a mismatch with each state in which the specification can be.
	AnswersMismatch MismatchKind = "answers"
)

// Mismatch is a run of the implementation that the specification cannot answer.
type Mismatch struct {
	Kind   MismatchKind
	Run    *Trace   // the run of the implementation, and its processes at the end; of a branch, the part after the event
	Events []string // of the run, in order
	// Ready is, of a ReadyMismatch, the events for which the implementation is ready at the end. Alone is the one of
	// them for which the specification is never ready without being ready for others; "" if it is always ready for
	// others anyway.
	Ready []string
	Alone string
	Stops int // the number of stable states of the specification that are ready for Alone; all if that is ""
	// Spec is the states of the specification after the events, before the last one if that is missing, hidden steps
	// included. Not all may be there: Omitted is the number of the others.
	Spec    []SpecState
	Omitted int
	// Branches is, of an AnswersMismatch, the mismatch with each state after the last event. Not all may be there:
	// Further is the number of the others.
	Branches []*Mismatch
	Further  int
}

// SpecState is a state of the specification.
type SpecState struct {
	Number    int // the states have numbers from 1 on, in the order in which they were found
	Stable    bool
	Ready     []string // of a stable one
	Processes []Process
}

// Diverging is a state of a model from which hidden steps never end.
type Diverging struct {
	Model  string   // "implementation" or "specification"
	Events []string // of a run to it
	Steps  int      // the number of steps after which it comes again
	At     At       // where the process stands that makes the first of them
}

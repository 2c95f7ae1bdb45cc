package interleave

import "c2bp/checker/zom"

// This file defines what is explored, how, and the result.

// Model is what is explored: a program, and the procedures of the processes with which it begins, in order.
type Model struct {
	Prog  *zom.Program
	Roots []int
}

// Search is a way to explore.
type Search int

// The searches.
const (
	Breadth Search = iota
	Depth
	Bounded    // Options.Bound is the number of states of a run
	Random     // Options.Bound is the number of runs, Options.Length that of steps of a run
	Delay      // Options.Bound is the number of delays
	Preemption // Options.Bound is the number of preemptions
)

// Options choose a search and its limits.
type Options struct {
	Search      Search
	Bound       int
	Length      int
	Seed        uint64
	NoDeadlocks bool // a deadlock is the end of a run, and no failure
	// MissDeadlocks leaves out the deadlocks to which only steps lead that go on after a choice, as the first
	// checker of the language did.
	MissDeadlocks bool
	Stuck         bool // a state without a step in which a message was not received is a failure, too; without Reduce
	Cooperative   bool // only yield lets another process run
	Reduce        bool // explore by transactions; for Breadth and Depth, without MissDeadlocks
	Summaries     bool // of procedures called in transactions; with Reduce
	MaxFrames     int  // with Summaries: the number of frames that a stack may have; 0 is 1000
	All           bool // the search goes on after a failure
	Jobs          int  // the number of workers of Breadth and Bounded; 0 is one. The result is the same
	MaxStates     int  // the number of states that may be stored; 0 is no limit
}

// Kind is the kind of a failure.
type Kind int

// The kinds of failures.
const (
	Deadlock Kind = iota
	Step          // a step fails: Failure.Outcome says how
	Orphan        // no process can run or waits where it should not, and a message was not received
)

// Failure is a failure that was found.
type Failure struct {
	Kind    Kind
	Outcome zom.Outcome
	Node    int32 // the node that fails; -1 of an Orphan
	Process int   // the process that fails
	Moves   []Move
}

// States returns the number of states on the run to the failure.
func (f *Failure) States() int { return len(f.Moves) + 1 }

// Move is a transition: a step of a process or, if a choice is pending, an alternative.
type Move struct {
	Process int
	Pick    int32 // the number of the alternative, or -1
}

// Result is the result of a search.
type Result struct {
	// Failures are those that were found, the first one of each node. In a search breadth first each
	// has a shortest run.
	Failures []*Failure
	Open     string // why not all was explored; "" if all was

	Distinct    int // states; see the package documentation
	Stored      int // all states that were met
	Transitions int
	Pruned      int // runs that end at an assumption
	PrunedAt    int // the number of states on the shortest of them, if the search is breadth first
	Ends        int // states in which no process can run
	Levels      int // the greatest number of states on a run that was looked at; 0 if it is not known
	Bytes       int64
	Reduction   *Reduction // of a search by transactions; else nil
}

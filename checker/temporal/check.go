package temporal

import (
	"context"

	"c2bp/verdict"
)

// This file defines the check of a formula.

// Options are the options of Check and Reach.
type Options struct {
	// Fair lists numbers of atoms: only those runs count in which each of them holds infinitely often. A run
	// that has terminated is fair only if they hold in its last configuration.
	Fair []int
	// MaxHeads is the most heads of the system, paired with states of the automaton; 0 is no limit.
	MaxHeads int
	// MaxSteps is the most steps to which a run is written out, calls that would exceed it being steps of
	// their own; 0 is DefaultSteps.
	MaxSteps int
}

// DefaultSteps is the number of steps to which runs are written out.
const DefaultSteps = 10000

// Result is the answer of Check.
type Result struct {
	// Verdict is True if all runs satisfy the formula, False if Run does not, Unknown for Reason.
	Verdict verdict.Verdict
	Reason  string
	// Run is, for False, a run that violates the formula; for Unknown, if it is so because of a move to
	// something that the system does not know, the run whose last step makes that move.
	Run   *Run
	Stats []verdict.Stat // work counters: states of the automaton, heads, transitions
}

// Run is a run. It is infinite, and repeats Loop for ever, or it is finite, and Loop is nil.
type Run struct {
	Stem, Loop []Step
	// Prefix is 1 + the number of steps after which no continuation satisfies the formula: the violation is one
	// of safety. It is 0 if there is none.
	Prefix int
}

// Step is a configuration of a run, with the move that it makes.
type Step struct {
	Loc, Symbol int
	Label       Label
	Depth       int // the number of symbols below the head
	// Move is the index of the move in Moves of the head; Stays if the run stays there for ever; Last at the
	// end of a finite run.
	Move int
	// Collapsed says that this and the following steps, until the symbol that the move pushed is removed again,
	// are one step, because writing them out would exceed MaxSteps. Loc of the next step is that after it.
	Collapsed bool
}

// The moves that are none.
const (
	Stays = -1
	Last  = -2
)

// Check decides whether all runs of a system satisfy a formula. It fails with an error of the system, or with
// that of ctx; a limit is no error but the verdict Unknown.
func Check(ctx context.Context, sys System, f *Formula, opts Options) (*Result, error) {
	return &Result{Reason: "not built"}, nil
}

// Reach looks for a run to a head that is wanted; its last step is at that head. The verdict is False if there is
// one, with the run; True if there is none; Unknown if a limit or a move beyond the system's knowledge leaves it
// open.
func Reach(ctx context.Context, sys System, wanted func(loc, symbol int) bool, opts Options) (*Result, error) {
	return &Result{Reason: "not built"}, nil
}

// Package technique names the parts of refinement that can be left out.
//
// Each makes the audit decide more programs, or decide them sooner; none bears on soundness. With
// any of them left out verdicts are as right as before, and fewer. The names appear in the
// provenance of predicates (those of the strategies), in statistics, and in the ablation table
// (docs/ablation.md), which says what each is worth.
package technique

import (
	"maps"
	"slices"
)

// Name identifies a technique.
type Name string

// The strategies of the ladder: each proposes predicates for an infeasible path. Package refine
// tries them in this order.
const (
	RecursionSummaries Name = "recursion-summaries"  // relations between entry and return of all activations
	LoopInvariants     Name = "loop-invariants"      // candidate invariants at loop heads, chosen by induction
	CounterValues      Name = "counter-values"       // the values of a variable that counts to a constant
	Backward           Name = "backward"             // weakest preconditions along the path
	BackwardValues     Name = "backward-path-values" // the same, with the constants that variables hold on the path
	PathRanges         Name = "path-ranges"          // the ranges of values that a condition is computed from
	ObservedValues     Name = "observed-values"      // the few values that variables hold in random runs
)

// Techniques within the strategies.
const (
	LinearRelations  Name = "linear-relations"  // two induction variables related to a loop constant; translated bounds
	Induction        Name = "induction"         // of the candidate invariants only those that a proof needs (Houdini)
	CalleeSummaries  Name = "callee-summaries"  // effects of a callee as equations over symbolic constants
	CopyPropagation  Name = "copy-propagation"  // a predicate on a variable is asked of its copies, too; a comparison with a global pointer of all that is compared with it
	ConcretePointers Name = "concrete-pointers" // a pointer stands for the variable that it points to on the path
	OtherTargets     Name = "other-targets"     // and the same is asked of the other variables that it may point to
)

// Techniques around the strategies.
const (
	LateCores          Name = "late-cores"             // an unsat core near the end of a path, not that of the shortest prefix
	LoopExits          Name = "loop-exits"             // cores that depend on how far a loop counts come last
	PathSlices         Name = "path-slices"            // cores of conditions on which the failure depends come first
	MoreCores          Name = "more-cores"             // several cores of one path, when a property fails again and again
	OtherProperties    Name = "other-properties"       // predicates for other failing properties from one abstraction
	DirectedReplay     Name = "directed-replay"        // a run that goes on in loops where the path leaves them too soon
	Fuzzing            Name = "fuzzing"                // runs with random inputs
	Constraints        Name = "transition-constraints" // a refuted path is excluded by constraints on transitions
	Precision          Name = "gradual-precision"      // statements are abstracted by short cubes first
	RoundRobin         Name = "round-robin"            // properties one by one, when one check for all gets expensive
	FewRounds          Name = "few-rounds"             // traces with few rounds of loops rather than short ones
	ProverMemo         Name = "prover-memo"            // answers of the prover are kept between iterations
	ProverReuse        Name = "prover-reuse"           // provers and cubes are kept between iterations
	VariableOrderReuse Name = "variable-order-reuse"   // a check begins with the variable order of the last
)

// All lists the techniques, in the order of the ablation table.
func All() []Name {
	return []Name{
		RecursionSummaries, LoopInvariants, CounterValues, Backward, BackwardValues, PathRanges, ObservedValues,
		LinearRelations, Induction, CalleeSummaries, CopyPropagation, ConcretePointers, OtherTargets,
		LateCores, LoopExits, PathSlices, MoreCores, OtherProperties, DirectedReplay, Fuzzing, Constraints, Precision,
		RoundRobin, FewRounds, ProverMemo, ProverReuse, VariableOrderReuse,
	}
}

// Known reports whether n is the name of a technique.
func Known(n Name) bool { return slices.Contains(All(), n) }

// Set is a set of techniques, those that an audit does without. The zero value is empty.
type Set struct {
	names map[Name]bool
	asked func(Name)
}

// Of returns the set of these techniques.
func Of(names ...Name) Set { return Set{}.With(names...) }

// With returns the set with more techniques.
func (s Set) With(names ...Name) Set {
	more := map[Name]bool{}
	maps.Copy(more, s.names)
	for _, n := range names {
		more[n] = true
	}
	return Set{more, s.asked}
}

// Has reports whether a technique is in the set. The code of each technique asks where it begins, and
// does nothing if it is.
func (s Set) Has(n Name) bool {
	if s.asked != nil {
		s.asked(n)
	}
	return s.names[n]
}

// Observed returns the same set, which calls asked with each technique that an audit asks for. Without
// one that it does not ask for, the audit would be the same.
func (s Set) Observed(asked func(Name)) Set { return Set{s.names, asked} }

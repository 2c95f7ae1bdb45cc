// Package refine decides the assertions and error labels of C programs without being given
// predicates: counterexample-guided abstraction refinement (Clarke et al. 2000) around packages
// abstract and checker, as in SLAM (Ball–Rajamani 2001). Ball–Millstein–Rajamani 2005 names the
// component that finds predicates, Newton, and does not describe it; here it is
//
//	predicates := {}; constraints := {}
//	repeat
//	    BP := abstract(program, predicates) + constraints
//	    a path that was refuted last is a path of BP: add constraints, or climb the ladder and start over
//	    check BP: a property without a trace holds, for good
//	    for each property that is open:
//	        run with random inputs; a crash that replays, in the interpreter and compiled: it fails
//	        path := the nearest trace to an open property
//	        path is feasible: replay it with the inputs of a model; it fails, or is undecided
//	        core := loop invariants that exclude the path, or the best of a few unsat cores
//	        core depends on loop exits: replay with longer loops; it may fail
//	        for each rung of the ladder, until there are new predicates: predicates += proposals
//	        no rung helps for any core: the property is undecided, until there are more predicates
//	    learn from a few traces to other properties; when checks get large, go on one by one
//	until all is decided, or a limit is reached
//
// This is [audit.refine], in loop.go, line by line. For
//
//	int inc(int x) { return x + 1; }
//	int main(void) {
//	    int i = __VERIFIER_nondet_int(), old = i;
//	    if (i > 0) i = inc(i);
//	    if (i == old) assert(i <= 0);
//	}
//
// the first abstraction violates the assertion; the path that leads there is infeasible because
// i > 0 and i <= 0 speak of one value if inc is not called; and so on. The example of Audit prints
// the predicates that are found.
//
// # The ladder
//
// A [Strategy] proposes predicates for an infeasible path. Strategies are tried in this order:
//
//	recursion-summaries    relations between entry and return in all activations    invgen
//	loop-invariants        candidate invariants that induction keeps                invgen, backward
//	counter-values         the values of a variable that counts to a constant       invgen
//	backward               weakest preconditions of the core's atoms                backward
//	backward-path-values   the same, with constants of the path                     backward
//	path-ranges            the ranges of values on the path, for sums and products   ranges.go
//	observed-values        the few values that variables hold in runs               invgen
//
// # Files
//
//	audit.go       the door: options, outcome
//	loop.go        the loop
//	analyse.go     a trace is a failing run, or spurious, or undecided
//	cores.go       the choice among unsat cores, and among traces
//	ladder.go      the strategies
//	ranges.go      the strategy path-ranges
//	refuted.go     refuted paths that the abstraction still has
//	references.go  when pointers are kept as references
//	precision.go   how exactly each statement is abstracted
//	campaign.go    runs with random inputs
//	scheduler.go   properties one by one, round robin
//	formula.go     formulas of temporal logic: the loop
//	violation.go   replay of runs that violate one
//	lasso.go       of those that go on for ever
//	status.go      what is known of each property
//	provenance.go  where predicates came from
//	statistics.go  the cost and yield of each iteration
//
// and below it, each importing only those before it: technique (names), event (the log), algebra
// (expressions), preds (the set of predicates), cex (symbolic execution of a path, unsat cores),
// spurious (constraints), backward, invgen, concretise (replay and confirmation); fuzz, harness and
// certificate stand beside these.
//
// # Soundness
//
// Nothing here bears on soundness but one thing. Predicates are suggestions: by whatever set of them
// a program is abstracted, TRUE is TRUE. So all that leads to them may guess, and does. FALSE is said
// of a run that the interpreter has replayed step by step, never of a formula.
//
// # Limits
//
// There is no interpolation by the prover, and no guarantee to end. If a path is infeasible for a
// reason that no predicate found here expresses, its property is undecided, and the verdict UNKNOWN
// with the reason if no other property fails; and so it is at a limit.
package refine

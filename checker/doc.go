// Package checker decides the properties of a Boolean program and returns the answer as a
// verdict.Result: it collects the property sites, runs an engine, decides every site in that one
// run, and finds one trace.
//
// What it is not: it does not read files (package boolprog does), does not print (package report
// does), and knows nothing of C: positions and texts of the C program come from the annotations of
// the statements.
//
// # Properties
//
//	assert(e);          fails if control reaches it in a state in which e can be 0
//	ERROR: …            a label that must not be reached: ERROR and SLIC_ERROR, or
//	                    those of Options.ErrorLabels, in every procedure
//	Options.Reach       that label only, instead of all the above
//
// A program without any property site is UNKNOWN (vacuous), never TRUE.
//
// # Which failure is shown
//
// All sites are decided. The trace leads to the failing site that is nearest to the start, where a
// call that is stepped over counts one; of several at the same distance, to the first in program
// order. The choice depends on the program alone.
//
// # Engines
//
// An [Engine] computes a [Solution]: the reachable nodes, the reachable valuations of each node as
// a formula, and traces. There are three, and Options.Engine can override the choice:
//
//	checker/explicit    for programs with references: visible states, patterns, effects;
//	                    it has no formulas
//	checker/finite      for those whose number of objects has a bound: a translation for
//	                    checker/symbolic, taken when an explicit search meets many states
//	checker/symbolic    for all others: decision diagrams
//
// They give the same answers for a program that they accept. Their files here, engine_symbolic.go,
// engine_explicit.go and engine_finite.go, adapt them to [Engine].
//
// Example: for the program of Ball–Rajamani 2000, §1, with Reach "R",
//
//	result, err := checker.Check(ctx, program, checker.Options{Reach: "R"})
//	fmt.Println(result.Summary())
//	// FALSE (label R, seed.bp:9)
package checker

// Package prover is the only door to Z3. It answers two questions about formulas
// of package logic: is a conjunction satisfiable ([Prover.Check]), and which
// Boolean combination of given predicates is the weakest that implies a formula
// ([Space.Strengthen], the function F of Ball–Millstein–Rajamani 2005, §4.2).
//
// It is not a place for knowledge about C: types, memory and weakest preconditions
// have become terms before they arrive here.
//
// A [Prover] owns one Z3 context and one solver for its whole life, because a
// solver costs milliseconds to make and does not give its memory back; a query is
// push, assert, check, pop. It belongs to one goroutine. Provers of several workers
// share a [Memo], and searches over more predicates than before start from what
// those before found.
//
// A [Space] is the set of predicates in scope at a place, as formulas. It enumerates
// cubes (conjunctions of literals over the predicates) by increasing length, and
// saves queries by three means that do not change its answers: models that Z3
// found earlier and that refute a cube at a glance, cubes known to be infeasible,
// and the restriction to predicates that share a symbol with the goal. For example
// with the predicates
//
//	0: x < 5    1: x = 2
//
// Strengthen of x < 4 is the single cube {1}, and Infeasible is {!0 & 1}.
//
// Floating-point operations are functions on integers, the bits of numbers. Queries about them
// are asked twice (decidefloat.go): with facts of linear arithmetic that package logic states,
// and if that leaves a model that is none, with Z3's theory of floating point (float.go). Counts of
// ones in numbers are asked about in the same way (ones.go), in the end as sums of bits.
//
// Unknown is an answer, and every caller may treat it as "not implied": the
// abstraction then loses precision, never soundness.
package prover

// Package prover is the only door to Z3. It answers one question about formulas of package logic:
// whether a conjunction is satisfiable ([Prover.Check]), if so with a model ([Prover.Model]).
//
// It is not a place for knowledge about C: types, memory and weakest preconditions have become
// terms before they arrive here. Package cubes, on top of it, computes the function F of
// Ball–Millstein–Rajamani 2005, §4.2: the weakest Boolean combination of given predicates that
// implies a formula.
//
// A [Prover] owns one Z3 context and one solver for its whole life, because a solver costs
// milliseconds to make and does not give its memory back; a query is push, assert, check, pop. It
// belongs to one goroutine. Provers of several workers share a [Memo].
//
// Floating-point operations are functions on integers, the bits of numbers. Queries about them are
// asked twice (decidefloat.go): with facts of linear arithmetic that package logic states, and, if
// that leaves a model that is wrong, with Z3's theory of floating point (float.go). Population
// counts are decided in the same way (ones.go), in the end as sums of bits.
//
// Unknown is an answer, and every caller may treat it as "not implied": the abstraction then loses
// precision, never soundness.
//
//	prover.go       Prover, its queries, and the statistics
//	memo.go         the memo of answers
//	growing.go      conjunctions of propositions that grow from check to check
//	encode.go       terms as Z3 expressions, and the facts that go with them
//	decidefloat.go  decision of queries with floating-point operations
//	float.go        floating-point operations in Z3's theory
//	ones.go         decision of queries with population counts
//	model.go        models: reading them from Z3, completing them
//	eval.go         evaluation of terms in models
//	watch.go        cancellation and time limits
//	parameters.go   parameters of Z3: interrupts are left to the program, no cuts that grow
//	reuse.go        a stock of provers for later use
package prover

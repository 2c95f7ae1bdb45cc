// Package cubes computes the functions F and G of Ball–Millstein–Rajamani 2005, §4.2: the weakest
// Boolean combination of given predicates that implies a formula ([Space.Strengthen]), and, by
// negating the formula and the result, the strongest one that the formula implies. It asks package
// prover whether conjunctions are satisfiable.
//
// A [Space] is the set of predicates in scope at a place, as formulas. It enumerates cubes
// (conjunctions of literals over the predicates) by increasing length, and saves queries by means
// that do not change its answers: models that Z3 found earlier and that refute a cube at a glance;
// guessed states, which do the same; cubes known to be infeasible; the restriction to predicates
// that share a symbol with the goal; and the results of searches over fewer predicates. For
// example with the predicates
//
//	0: x < 5    1: x = 2
//
// Strengthen of x < 4 is the single cube {1}, and Infeasible is {!0 & 1}.
//
//	space.go       Space: the predicates in scope
//	strengthen.go  F, and the infeasible cubes
//	search.go      the enumeration of cubes
//	cube.go        cubes and sets of cubes
//	cone.go        cones of influence: the predicates connected to a goal
//	addressed.go   formulas that compute with addresses, for the cones
//	pool.go        the pool of models, as bit sets
//	states.go      guesses of states
//	learned.go     results of searches, for spaces over more predicates
package cubes

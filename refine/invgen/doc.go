// Package invgen finds candidate invariants of loops and summaries of recursive procedures, from a
// path that goes round a loop or is in several activations of one procedure at once.
//
// A backward walk over such a path unrolls: atoms come back as i == 0, i == 1, i == 2, without end.
// What holds at each visit of the loop's head is more to the point. The path is executed
// symbolically, and numbers are looked at when it comes to the head. Templates make candidates of
// those that change by constants (induction variables), those that do not change (loop constants),
// and comparisons in the program and among the predicates known already:
//
//	if (used + 4 <= size && n < 4)
//	    for (i = 0; i < n; i++)            used == i                 linear relation, an accident
//	        assert(used++ < size);         i <= n, n <= 4            bounds
//	                                       used + 4 <= size + i      translated bound
//
// Of the candidates those are dropped that a round of the path does not preserve, until the rest is
// inductive (Houdini, Flanagan–Leino 2001); a minimal part that excludes the end of the path is
// proposed. Without such a part all candidates are proposed. They do no harm but cost: by whichever
// predicates a program is abstracted, TRUE is TRUE.
//
// Of recursive procedures, activations are sampled: models of their path formulas give numbers at
// entry and return, to which linear equations and inequalities are fitted. From
//
//	int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
//
// come \result >= 'n and \result >= 0.
//
// Files, for loops:
//
//	finder.go          what the searches share
//	candidates.go      candidate invariants of a loop, and the proof by them
//	houdini.go         the inductive part of the candidates
//	inductionvars.go   loops on a path; numbers at their heads; induction variables
//	linear.go          linear relations between two induction variables; remainders
//	callrelations.go   linear relations of two induction variables and a loop constant
//	bounds.go          bounds of counters by what they are compared with
//	translated.go      known bounds of a number, translated by a counter
//	loopconstants.go   values and bounds of loop constants beside induction variables
//	countervalues.go   values of a variable that counts to a constant
//
// for recursion:
//
//	recursion.go       recursive procedures on a path; remainders of their formals
//	sampling.go        samples of activations: numbers at entry and return
//	relations.go       equations and inequalities that hold in all samples
//	fit.go             linear equations fitted to samples
//	entrybounds.go     bounds within which a procedure is called
//
// and for want of anything else:
//
//	observed.go        the few values that places hold in random runs
package invgen

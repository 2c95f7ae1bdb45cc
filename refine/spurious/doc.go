// Package spurious decides whether a path that the C program does not have is one of the Boolean
// program, and if so, finds transition constraints that exclude it.
//
// The abstraction of a statement gives each predicate a value of its own, computed from short cubes
// (Ball–Millstein–Rajamani 2005, §4.2), and loses how the values of several predicates depend on each
// other. So a path may be impossible by the predicates at hand, and the Boolean program has it
// nevertheless. New predicates would not help; a constraint on the transition does, as in SLAM:
//
//	int inc(int x) { return x + 1; }
//	...
//	i = inc(i);           node main:5, predicates {i == old} of main, {\result == 'x + 1} of inc
//
//	main:5 !({i == old} & '{\result == 'x + 1} & '{i == old})
//
// says of the call that not all three hold: i == old before, and after it \result == 'x + 1 and i == old.
//
// The path is executed symbolically in the Boolean program, with one formula over open truth values
// for each variable. The path is one of the Boolean program iff these are satisfiable together. If
// so, a model gives the predicates' values at each move along the path: a move is a statement, or a
// part of a call. A move that the program cannot make with its values yields a constraint, a
// minimal part of them. That is repeated, until the path is gone (event.Gone), or each move of
// a model is possible: then predicates are missing (event.Missing).
//
// Files:
//
//	constraints.go   search for constraints, and the choice of those that are needed
//	formula.go       Boolean path formula: symbolic execution of a path in the Boolean program
//	values.go        values of Boolean variables as formulas, and the conditions on them
package spurious

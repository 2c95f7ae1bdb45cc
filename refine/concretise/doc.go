// Package concretise turns a feasible path into a failing run of the C program, or says why it is none
// to believe.
//
// Nothing fails because a formula says so. A model of the path formula gives the inputs; with these
// the interpreter of core programs replays the path, by the rules of C for integers and memory; and
// if a C compiler is at hand, the compiled program must fail on the same inputs. A run that depends
// on a value which the front end has made up, for want of a representation, is in doubt.
//
//	int *p = get();                        get() = 2^40      → environment object 1
//	if (*p == 3) assert(p[1] != 4);        [2^40]     = 3
//	                                       [2^40 + 4] = 4    the replay fails: FALSE
//
// Memory that the program did not make, such as the target of p, is made in the replay when it is first needed
// (lazy initialisation, Khurshid–Păsăreanu–Visser 2003), at numbers that a model has put far apart.
//
// Files:
//
//	confirm.go       decision about a feasible path; doubts about a run; the compiled program
//	replay.go        replay of a path with the inputs of a model
//	follow.go        replay of a path for the states that it goes through
//	rounds.go        replay of a loop for the states that come back, and of the end of a run
//	inputs.go        inputs of a run, and addresses in it, from a model
//	environment.go   models of a path in which pointers from outside lead to objects of the environment
//	roots.go         the pointers from outside that a path follows
//	layouts.go       how these may lie
//	lent.go          objects of the environment in a run
//	directed.go      directed replay: a run along an infeasible path, with longer loops
//	repeat.go        repetition of a run that fuzzing has found
//	witness.go       a run as a path and as a trace for people
//	likely.go        a likelier failing run than the one that was found
//	rests.go         the unlikely choices that a path rests on
//	origin.go        where the open values of a path come from
//	lists.go         elements of lists that do not lead back to the struct that has the list
//	neighbour.go     failing runs near one, on other paths
package concretise

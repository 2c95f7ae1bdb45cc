// Package threads explores the states of Boolean programs with threads: each thread has a stack of its own, all
// share the globals and the objects. Package checker/lower translates the program, and package checker/zom
// executes its steps.
//
// What it is not: it has no summaries, so recursion without an end has no end here, either (with two threads and
// recursion, reachability is undecidable: Ramalingam 2000); a limit stops it. It words no verdict.
//
// # What a program means
//
// Thread 0 runs main. A run is a sequence of steps, each of one thread, chosen freely. A step is
//
//   - a statement: a parallel assignment with its constrain clause, a condition of an if or while, an assume, a
//     goto. The enforce clause of the procedure is tested in the same step, before the statement;
//   - a call: arguments are evaluated, and a frame is pushed;
//   - a return, with its values, or the last statement of a procedure that is left at its end: the frame is
//     popped in the same step;
//   - after a call, the assignment of the results to their targets: a step of its own of the caller, so that
//     other threads may run between a return and the assignment;
//   - an atomic section, from atomic_begin to atomic_end, with all the calls in it.
//
// The statement start_thread goto L begins a thread that has one frame, of the same procedure, whose parameters
// and locals are copies of those at the statement; later changes are not seen by the other thread. It is at L.
// The statement start_thread p(e), also written async p(e), begins a thread that enters p with the values of e;
// its results are lost. Both let the first thread go on; either may make the next step. In an atomic
// section the new thread waits until the section has ended, as all others do. A thread ends when its first
// frame is left, or at end_thread, which drops all its frames. So does thread 0; the others go on.
//
// An assume (or constrain, or enforce) that does not hold ends the run. There is no need to wait for it to hold:
// in another run the thread makes the step later. Likewise in the middle of an atomic section: such a section
// has not been executed, and nobody sees a part of its effect. But an assertion that fails, and a label that
// is reached, in a section count, even if the section blocks afterwards. A state in which no thread
// can go on is no error. A section that does not end, because it has a loop, is left by no other thread's step.
//
// A label is reached when a thread executes its statement; an assertion fails in any thread.
//
// # Which sections are legal
//
// Package boolprog accepts a program only if, at each node, it is plain from the text whether control is inside
// a section of the procedure. Sections do not nest in a procedure, and neither a return, end_thread nor the end
// stands in one; but a procedure with a section may be called inside a section, and belongs to it as a
// whole. A thread is inside if one of its frames is.
//
// # Searches
//
//	without a bound   breadth first over all states: a failure has a run with the fewest steps
//	Options.Contexts  over all runs with at most so many context switches (Qadeer–Rehof 2005): a switch is a step
//	                  of another thread than that of the step before, for whatever reason, the end of a thread
//	                  included. States are distinguished by the thread that made the last step, too. A failure
//	                  has a run with the fewest switches.
//
// The set of states is exact: canonical forms are compared byte by byte. Threads that have ended are no part of a
// form, values that nobody reads are 0 in it.
//
//	options.go   options, results, limits
//	search.go    the searches
//	step.go      the steps from a state: who may run
//	form.go      the set of states
//	trace.go     runs, executed again; show.go: as the user sees them
package threads

// Package summaries keeps summaries of procedures that run inside a transaction of a process: the part of the first
// state that their behaviour depends on, and the changes that they make (Qadeer–Rajamani–Rehof 2004; Andrews et al.
// 2004, §3.2; Qadeer–Rajamani 2005). Package checker/interleave computes and uses them in its two-level search.
//
// What it is not: it executes nothing, types no step, and decides no order. The summaries of sequential Boolean
// programs, with partial states and unknown Booleans, are those of package checker/explicit.
//
// # Two levels
//
// Level 1 is the search by transactions: its states have the whole stack of each process. A transaction is computed by
// level 2. The frames on the stack when the transaction begins are executed step by step; a procedure that is called
// later in the same transaction is summarised, and the transaction goes on with the effects of its summary:
//
//	x = 1;  f();  y = 2;          static void f() { a.lock(); g(); a.unlock(); }
//	        |     |                                           |
//	        |     a return effect: goes on here               f's own call: a summary used in a summary
//	        an end effect: the transaction ends inside f
//
// # Roots
//
// A Root is an invocation: a procedure, the phase of the transaction at the call and whether it has taken a lock, and a
// pattern. The pattern is the list of the facts about the entry that the behaviour depends on, in the order in which
// they were met, with the objects named -1, -2, … in the order in which references to them were read:
//
//	fact     read by
//	Param    every call
//	Value    reading a global, a field, an element, the content of a set or channel; tests of processes that wait
//	         and runs that an assumption cuts included
//	Shared   asking whether others can reach an object
//	Fresh    asking whether no second process could reach an object so far
//	Held     asking whether the process holds a lock: at each use of a location that locks protect, for each of them
//	May      asking whether another process may still read, write, send, … at a location
//
// The last four are what types of movers are computed from (checker/interleave/mover.go): a procedure that writes x and
// reads nothing commits without the lock of x, and does not with it. Where it is not clear what an answer depends on,
// the root has an answer that is the same or makes fewer steps movers: once a procedure has made an object reachable
// for others that was not so, it takes all objects for reachable.
//
// Roots of completed procedures are found by a decision tree over the facts in their order (Index).
//
// # Effects
//
// An Effect is one outcome: the frames from the procedure on, the locations written with their values, the
// objects made, the locks taken and released, the phase. A return effect has the frame of the procedure in front of
// the step that leaves it: that step also stores the results in the caller's variables, so it is made in the caller,
// where its type is known. An end effect has all frames down to where the transaction has ended.
//
// Two effects are the same only if they write the same locations with the same values: one that leaves x alone and one
// that writes to x the value that it had differ for other calls (so the visited states inside a root are kept in this
// form, too). Objects of the entry keep their names, also when nothing leads to them any more: a caller may have a
// reference. Both are corrections of the published algorithms; see package checker/explicit.
//
// # Recursion
//
// A root is computed depth first, in the state of the call that has met it. While it is computed, or depends on one
// that is, another call finds it only if the whole visible state is the same. The computation of a root is repeated
// until neither effects nor patterns of those that depend on each other have grown; then all are completed. A root that
// begins after the commit and has no effect then never returns: it gets an end effect at its entry, so that others
// are scheduled there. Roots that depend on it pass that effect on, but not those on which it depends itself: each of
// these that begins after the commit has an effect at its own entry, and passing one on around the recursion would make
// another one for each depth of the stack. (A step after the commit that others can notice makes progress, so it
// does not come again and again in a recursion with finitely many states.)
//
// The computation ends if the visible states and the effects are finitely many, whatever the stack; else, as for a
// recursion with a boundary in each of its calls, a limit on the number of frames ends the search and names it.
//
// # What is not summarised
//
// Calls inside an atomic region, which are a part of the step; procedures that may create a process; procedures whose
// first step may leave them, as those that only take a lock: a summary would save nothing; and programs with sets of
// references, try statements or the cooperative mode. These run step by step in their caller.
//
//	fact.go     facts, patterns, their evaluation in a state
//	root.go     roots and invocations: what was read and written so far
//	effect.go   effects: capture and application
//	index.go    the decision tree
package summaries

// Package explicit decides the properties of reference Boolean programs: programs with classes,
// unbounded allocation, and recursion (Qadeer–Rajamani 2005). It visits states one by one, and
// analyses each procedure once for all calls that it cannot distinguish.
//
// What it is not: it reads no programs (package boolprog does), knows no instructions
// (package checker/zom does), words no verdict (package checker does), and has no decision
// diagrams: a program without references is decided by package checker/symbolic.
//
// # Visible states, patterns, effects
//
// The behaviour of an invocation depends on the part of its first state that it reads: its
// pattern. The outcomes are its effects: the values written, the objects made and the
// results. In the program
//
//	class BoolBox { bool x := 1; }
//	ref BoolBox g1, g2;
//	void M() begin
//	    ref BoolBox f;
//	    f := new BoolBox;
//	    if (*) then f.x := g1.x; g1 := f; M(); fi
//	end
//
// M makes any number of objects, but a call of it sees g1 and a Boolean. --dump summaries
// prints the complete summary of M, if it is entered with g1.x = 0 (Qadeer–Rajamani 2005, §3):
//
//	summary of M
//	    reads   g1 = A0, A0.x = 0
//	    effect  nothing
//	    effect  A1 = new BoolBox, g1 = A1, A1.x = 0
//
// # Phases
//
//	engine.go    the search: its worklist and steps (options, findings, counters)
//	agenda.go    the order in which nodes are served
//	root.go      roots: invocations with their patterns; the decision tree over reads
//	enter.go     the creation of roots
//	call.go      the root that a call enters
//	effect.go    the states after a call
//	code.go      states as canonical forms; table.go: the set of forms
//	merge.go     states that differ in one Boolean global
//	limit.go     heap paths that are too long
//	back.go      the path to a node; trace.go, replay.go: the trace, executed again
//	solution.go  the result; dump.go: summaries as text
//	whole.go     the search without summaries
//
// A root is an invocation, with the pattern read so far. Its states, the nodes, are
// partial (package zom): they hold the values written since the entry; for other values they
// ask the root. A place that the root has not read yet is read at a call that entered it, its
// witness; that call may be in a root that has not read the place either, and so on. Then
// all these patterns include the read, and every other call that entered one of these roots
// is reviewed: if it has another value there, it enters another root. States that it has got
// from the former root stay, because they depended on fewer reads.
//
// The patterns of a procedure are the leaves of a decision tree over its reads, in the
// order in which it makes them. So a call finds its root in as many steps as the pattern is
// long, however many roots there are. Parameters are read at once, other places on demand.
//
// # Deviations from Qadeer–Rajamani 2005
//
// The semantics is that of its section 4. Five points of its sections 5 and 6 are done
// differently, because there are programs for which a failure is missed otherwise
// (corrections_test.go):
//
//  1. States are distinguished by the values written on the way, too, not only by the present
//     values.
//  2. The reads of a callee are passed on when they are made, not when an effect is applied.
//  3. Cells of the entry keep their identity in canonical forms; only objects made since are
//     renumbered.
//  4. The reads of a callee are passed on under the caller's names for the cells.
//  5. A caller continues after a call with the effect that it had before.
//
// # Unknown Booleans
//
// A Boolean that was chosen freely and not read yet is Unknown, in a pattern as well: a
// callee that reads such a global decides it, and each of its effects says how. So no work
// is repeated for values that nobody reads, and forty unconstrained globals are one state. Where
// the paths of both values come together again, their states are merged (merge.go).
//
// # Termination
//
// The search ends if the paths of references from variables to objects are bounded
// (Theorem 3), even if objects and stack are not. Otherwise it gives up at a limit,
// with a *PathError that names the path: list.next.next…
//
// # Without summaries
//
// SearchWhole visits states with their whole stacks. It measures the gain of summaries. (Package
// threads has the search for programs with threads.)
package explicit

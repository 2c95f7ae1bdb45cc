// Package explicit decides what reference Boolean programs can do: programs with classes,
// new objects without bound, and recursion (Qadeer–Rajamani 2005). It visits states one by one, and
// analyses each procedure once for all the calls that it cannot tell apart.
//
// What it is not: it reads no programs (package boolprog does), knows no instructions
// (package checker/zom does), words no verdict (package checker does), and has no decision
// diagrams: a program without references is decided by package checker/symbolic.
//
// # Visible states, patterns, effects
//
// What an invocation does depends on what it reads of the state in which it is entered: on
// its pattern. What comes of it is a set of effects: what was written, what was made, what
// is returned. In the program
//
//	class BoolBox { bool x := 1; }
//	ref BoolBox g1, g2;
//	void M() begin
//	    ref BoolBox f;
//	    f := new BoolBox;
//	    if (*) then f.x := g1.x; g1 := f; M(); fi
//	end
//
// M makes objects without end, but a call of it sees g1 and a Boolean. --dump summaries
// prints all there is to know of M, if it is entered with g1.x = 0 (Qadeer–Rajamani 2005, §3):
//
//	summary of M
//	    reads   g1 = A0, A0.x = 0
//	    effect  nothing
//	    effect  A1 = new BoolBox, g1 = A1, A1.x = 0
//
// # Phases
//
//	graph ── checker/lower ──▶ program ── engine.go ──▶ nodes of roots
//	a call ── call.go ──▶ root of its pattern (root.go) ── effects ──▶ states behind the call
//	nodes ── merge.go ──▶ fewer nodes; agenda.go: in which order
//	nodes ── back.go ──▶ way ── trace.go, replay.go ──▶ trace, executed again
//	roots ── dump.go ──▶ summaries as text
//
// A root is an invocation, with the pattern read so far. Its states, the nodes, are
// partial (package zom): they hold what was written since the entry; for the rest they
// ask the root. What the root has not read either, it reads where a call that entered it,
// its witness, has it; that call may be in a root that has not read it, and so on. All
// these patterns have the read then, and every other call that entered one of these roots
// is compared again: it may have another value there, and enters another root then. What
// it has got from the former stays, because that depended on less.
//
// The patterns of a procedure are the leaves of a decision tree over what it reads, in the
// order in which it does. So a call finds its root in as many steps as the pattern is
// long, however many roots there are. Parameters are read at once, all else when it is.
//
// # Where Qadeer–Rajamani 2005 is followed, and where not
//
// The semantics is that of its section 4. Of its sections 5 and 6 five things are done
// otherwise, because programs show that a failure is missed there (corrections_test.go):
//
//  1. A state is told from another by what was written on the way, too, not only by what
//     holds now.
//  2. What a callee has read is passed on when it is read, not when an effect is applied.
//  3. Cells of the entry keep their identity in canonical forms; only objects made since are
//     renumbered.
//  4. What a callee has read is passed on under the names that the caller has for the cells.
//  5. A caller goes on behind a call with the effect that it had before.
//
// # Unknown Booleans
//
// A Boolean that was chosen freely and not read yet is Unknown, in a pattern as well: a
// callee that reads such a global decides it, and each of its effects says how. So nothing
// is done twice for what nobody looks at, and forty unconstrained globals are one state. Where
// the ways of both values come together again, their states are one again, too (merge.go).
//
// # Termination
//
// The search ends if the references in a row that lead from a variable to an object are
// bounded (Theorem 3), though objects and stack are not. Otherwise it gives up at a limit,
// with a *PathError that names the way: list.next.next…
//
// # Without summaries
//
// SearchWhole visits states with their whole stacks. It is there to measure what summaries
// are good for, and as the plain state-space search on which concurrency will be built.
package explicit

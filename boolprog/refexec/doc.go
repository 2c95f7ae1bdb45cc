// Package refexec is the semantics of reference Boolean programs (Qadeer–Rajamani 2005, §4),
// executed by brute force: Explore visits the states of a whole program one by one, each with its
// stack and its heap. It is the oracle for engines that summarise, so it is written to be obviously
// right, and knows nothing of visible states, patterns or effects. It decides only programs with
// few states, and says when it does not.
//
// A state consists of the globals, a stack of frames, and the objects that these lead to. All its
// values are definite: arbitrary values are chosen, one after the other, by a tape. Two states are
// the same if they differ only in the addresses of objects or in unreachable objects; such states
// have the same text.
//
// The semantics in short; without references it is that of package bpexec, from which this package
// shares only the names of sites and labels:
//
//   - Globals, the parameters of main and, at every call, locals start arbitrary if they
//     are Booleans, null if they are references. The fields of a new object are 0 and
//     null, or what the class says. Where a procedure ends without a return, its results
//     are arbitrary and null.
//   - An expression x.f where x is null is a null dereference: the run ends there with
//     that error, and nothing else is reported of that step; an assertion in which a null
//     is dereferenced does not fail. All operands of an operator are evaluated: with x
//     null, x != null & x.f dereferences it.
//   - An assignment reads everything, the x of a target x.f and its constrain clause
//     included, before it writes anything; then it writes from left to right. In the
//     clause, 'v is the value that v is about to get; all else is as before.
//   - A call passes values, evaluated from left to right. When it has returned, the x of
//     the targets x.f are read, then the results are written from left to right. If one
//     of these is null, the call is where that is reported.
//   - An enforce clause filters the states at every node of its procedure, also the
//     entry, the exit and the nodes after calls, and no state of its callees. A null
//     dereference in it is reported at the node that control was about to reach.
//   - A condition with choices in it may go either way; an assertion that can both hold
//     and fail does both. An assume, enforce or constrain that does not hold ends the run
//     silently. A print evaluates nothing.
//
// Example: in the program
//
//	class Box { bool full; }
//	ref Box g;
//	void main() begin
//	  g := new Box;
//	  spoil();
//	  assert(!g.full);
//	end
//	void spoil() begin
//	  ref Box mine;
//	  mine := g;
//	  if (*) then mine.full := 1; else g := null; fi
//	end
//
// the assertion can fail, and it can dereference a null.
package refexec

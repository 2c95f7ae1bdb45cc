// Package bpexec is the reference interpreter of Boolean programs: the semantics of the language,
// executed state by state. It is the oracle that faster engines are compared with, so it is written
// to be obviously right; it is not fast, and it refuses programs with more variables in scope than
// it can enumerate.
//
// There are three layers:
//
//	Eval            the possible values of an expression in one state
//	Successors      the outcomes of one step inside a procedure; Failing, Enter and
//	                Return complete it for asserts and calls
//	Reach           all reachable states of a program, by explicit summaries:
//	                which (globals, results) a procedure can return for which
//	                (globals, parameters)
//
// Package checker/symbolic/trace uses Eval and EvalSets, too: its replayer, which executes the traces
// of the symbolic engine, evaluates expressions with the oracle's code. Reach and the replayer share
// an error in Eval; the tests of this package compare Eval with an enumeration of choices, and those
// of package refexec compare Reach with an interpreter that has an evaluation of its own.
//
// The semantics in one paragraph: globals are arbitrary once, at the start; locals, parameters of
// main, and results that are never set are arbitrary at every call; every * is a fresh choice at
// each evaluation; a parallel assignment reads everything before it writes; a condition with
// choices may go either way. An enforce clause filters every state at every node of its procedure
// (its entry, its exit and the nodes after calls included), and no state of its callees. An assume,
// enforce or constrain that cannot hold ends the path silently. A clause with choices holds if some
// choice makes it true.
//
// Example: the program
//
//	decl g;
//	void main() begin if (g) then flip(); assert(!g); L: skip; fi end
//	void flip() begin g := !g; end
//
// has the reachable label L of main, and no failing assertion.
package bpexec

// Package chc writes a Boolean program as constrained Horn clauses, in SMT-LIB 2 with the logic
// HORN: the form that Spacer (z3), Golem, Eldarica and other solvers read. It serves people who
// want a second opinion on a program, or to measure such a solver on Boolean programs.
//
// What it is not: it does not choose the targets (package checker does, the same for "c2bp check"
// and "c2bp export") and runs no solver.
//
// # Reachability as clauses
//
// A Horn clause says: for all values of its variables, if the predicates and the condition in its
// body hold, its head holds. The predicates are unknown. If one predicate stands for the states in
// which control reaches one node of the control-flow graph, an edge of the graph is a clause, and
// the least solution of the clauses is exactly the set of reachable states. A clause with the head
// false says that something must not be reached; the clauses are satisfiable if and only if it is
// not:
//
//	sat     no assertion can fail and no error label is reached (TRUE)
//	unsat   one can, or one is (FALSE)
//
// # The encoding
//
//	predicate   stands for                          its arguments
//	f.3         control reaches node 3 of f         inputs that f may change, as they were at its
//	                                                entry; then the variables as they are now
//	f.summary   f, called so, can return so         inputs at the entry; then globals that f may
//	                                                change and results, at the return
//
// The nodes are those of boolprog.BuildGraph. The exit of f has no predicate but
// the summary; a procedure that is never called has no summary and therefore remembers
// no inputs.
//
//	start            the entry of main holds for all values (that enforce lets pass)
//	edge             node ∧ condition ⇒ successor: one clause for each edge
//	call             node ⇒ entry of the callee, its locals arbitrary;
//	                 node ∧ summary of the callee ⇒ node after the call
//	return           node ⇒ summary
//	assertion        node ∧ condition ⇒ successor; node ∧ ¬condition ⇒ false
//	label            node ⇒ false
//
// Entries are relations, too: a procedure is entered only in the states in which it is called, so
// that an assertion inside it fails only if it can.
//
// The encoding is chosen so that the clauses are those that somebody would write by hand:
//
//   - One clause for each edge; chains of statements are not contracted, because
//     solvers do that themselves, and so a predicate of the solution can be read as
//     an invariant at a place of the program.
//   - Predicates have no arguments without use: of the variables at a node only those
//     on whose value there something depends (live.go), of the globals only those that f
//     or what it calls mentions, and of the inputs as they were only those that f changes.
//   - Nodes that control cannot reach whatever the values are have no clauses, and
//     neither have procedures that are called nowhere else.
//   - enforce is conjoined where a state is made that differs in one of its variables:
//     at the entry, after assignments, dead, and calls. Elsewhere it holds already.
//
// Every * is a variable of its own in the clause, *1, *2 and so on: the variables of a
// clause that are not in its head are a choice. choose(p, n) and schoose[p, n] are both
// p | (* & !n). A condition that is a lone * is no condition.
//
// # Names
//
// A variable x is x now, x.in at the entry, x.next after the statement, x.arg when it
// is passed, x.local when it is made; g.global is a global that a local variable
// hides, g.out one that the callee changes and a result displaces. Names that are no
// symbols of SMT-LIB are quoted, as in |{x == 1}.in|; what cannot be in quotes, and the
// first letter of a name that SMT-LIB has given a meaning, is written %XX (its code).
//
// # Example
//
//	decl g;
//	void main() begin flip(); assert(g); end
//	void flip() begin g := !g; end
//
// The assertion and the call of flip become
//
//	(assert (forall ((g Bool))
//	  (=> (main.0 g)
//	      (flip.0 g g))))
//	(assert (forall ((g Bool) (g.next Bool))
//	  (=> (and (main.0 g) (flip.summary g g.next))
//	      (main.1 g.next))))
//	(assert (forall ((g Bool))
//	  (=> (and (main.1 g) (not g))
//	      false)))
//
// Files: scope.go finds the arguments of the predicates and live.go the live ones, state.go holds
// terms for them, write.go makes the clauses, clause.go prints one, expr.go its expressions and
// names.go its symbols.
package chc

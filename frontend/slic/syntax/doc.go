// Package syntax reads the language of rules: safety automata over the calls between a driver and
// its kernel, after SLIC (Ball–Rajamani, SLIC).
//
//	rule spinlock "a spin lock is taken and released alternately"
//	severity error
//	applies if spin_lock, spin_unlock
//	object l : spinlock_t *                              // one automaton for each lock
//	state { enum { free, held } s = free; }              // its ghost state
//	on spin_lock(l).exit    { if (s == held) abort "double-lock: taken twice"; s = held; }
//	on spin_unlock(l).entry { if (s == free) abort "double-unlock: not held"; s = free; }
//	at end                  { if (s == held) abort "held-at-end: still held"; }
//
// Trade-offs. The language has no loops and no calls, so that a body is a few assignments that the
// abstraction follows exactly; a body changes nothing but the ghost state, so that a program has the
// same runs with a rule and without it, as far as the rule does not end them. Types and expressions
// are those of C, and this package does not know the program: it reads them by their shape, keeps their
// parentheses, and leaves their types to the C front end, to which package slic gives them as C. So
// (T)-1 is a cast or a difference as T is a type or not, and NT_SUCCESS(r) may be used if it is a macro.
//
// A file is read in three steps, each with errors that quote the line and name the expectation:
//
//	lex.go                               text → tokens
//	parse.go parsebody.go parseexpr.go   tokens → a [File]: declarations and the items of rules
//	include.go                           the files that it includes, each once
//	expand.go                            uses of parametrised rules become rules
//	check.go checkbody.go                names, kinds of events, assignments → a [Set]
//
// ast.go defines the nodes, print.go and printexpr.go print them; what is printed parses to the same.
//
// Words of the language are none of C's and not reserved: a driver may have a parameter called state
// or rule. Only where an item of a rule begins do they have a meaning of their own.
package syntax

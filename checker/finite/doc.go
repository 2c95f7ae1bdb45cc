// Package finite translates reference Boolean programs that make a bounded number of objects to
// Boolean programs without references, which decision diagrams decide (package checker/symbolic).
//
// What it is not: it decides nothing, and it translates only a part of the language. Trade-offs first:
// an explicit search pays for each combination of the Booleans that a run reads, and not for objects that
// nobody leads to; a translated program pays for each object that may exist, at each place where a
// reference may lead to it, and not for combinations. So this is for few objects with many Booleans. A
// program is refused, with the reason, if a statement that makes objects is in a loop or in recursion, if
// it chooses among the objects there are (any C without new), or if there are more than [MostObjects].
//
// # Files
//
//	executions.go   how often a node is executed, at most
//	sites.go        the expressions that make or choose objects, in the order of evaluation
//	objects.go      the objects of a program
//	points.go       the objects to which each reference may lead
//	cell.go         references as bits
//	layout.go       the variables of the translation
//	expr.go         expressions
//	choose.go       any C new, and fields from outside that are chosen when they are read
//	update.go       parallel assignments to variables and fields
//	node.go         nodes, procedures and programs
//	back.go         nodes and states of the translation as those of the program
//	text.go         the translation as the text of a Boolean program
//
// # Translation
//
// An object is its fields, which are global variables. A reference is a vector of bits: 0 is null, k the
// k-th of the objects to which it may lead.
//
//	class Box { bool full; }                  decl {Box 1.full}, {Box 2.full}, {p}, {q};
//	ref Box p, q;
//	p := new Box;                             {p} := 1;
//	q := new Box;                             {q} := 1;
//	if (*) then q := p; fi                    (two bits, since q leads to either)
//	q.full := e;                              assert(!null(q));
//	                                          {Box 1.full}, {Box 2.full} :=
//	                                              q = 1 & e | !(q = 1) & {Box 1.full},
//	                                              q = 2 & e | !(q = 2) & {Box 2.full};
//
// A node becomes a few: the enforce clause; choices of objects; an assertion that no null is dereferenced;
// the statement; for a call, what is done with the results. Control, procedures and calls are as before,
// so a hierarchical trace of the translation is one of the program, with steps that are left out.
//
// # Objects
//
// A site that is executed at most n times has n objects of its own, and takes the first that is not
// taken. Objects are not used again: one to which nothing leads any more (garbage) keeps its number.
//
// # Why choices may take garbage
//
// any C new chooses null, an object that variables lead to, or a new one with arbitrary fields. Here, it
// chooses from all objects that were made, garbage as well. That is the same set of runs: garbage that is
// chosen has some fields, and a new object may have the same ones. Its references are chosen when
// they are read first, so they may lead where those of the garbage lead: to the same objects, if
// variables lead to those, or to further new ones that have the place of the garbage there. It follows
// that two choices in one statement must not be among the same class: the first may be garbage then,
// which the second may not take, since a new object cannot be chosen before it is stored. Such programs
// are refused, and so is any C without new.
package finite

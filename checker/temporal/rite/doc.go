// Package rite has the atoms of formulas about heaps: the expressions Rite of Rot et al. 2012, §4, a
// Kleene algebra with tests whose actions are fields, and whose tests are variables.
//
// What it is not: it knows no programs and no formulas. A frontend shows its heaps as a [Heap], and tells by
// a [Scope] which names are variables and which are fields.
//
// # Expressions
//
//	r := ε | x | !x | f | b? | !b? | r.r | r+r | r* | (r)
//
//	ε          stays where it is; also written ()
//	x, !x      stays, if the object is, or is not, the one to which variable x leads
//	f          goes to the object to which field f leads
//	b?, !b?    stays, if the Boolean b, a field of the object or a variable, is 1, or is 0
//	r.s, r+s   first r and then s; r or s; of these operators * binds the tightest, + the loosest
//	r*         r any number of times
//
// Names are identifiers, perhaps qualified, f::x, or texts in braces, such as the predicate in {n == 1}?.
//
// A heap satisfies r if from every object that the variables lead to, directly or through fields, some path of
// r starts. So
//
//	!first + first.next*.last
//
// holds if first leads to nothing, or along fields next to the object of last. Where a field or variable leads to
// nothing, the path is at nil, from where every field leads to nil, and at which a variable is if it leads to
// nothing; nil, or null, is the variable that always does. Without objects every expression holds, except
// that one of Boolean variables alone is about no object, and holds if they say so.
//
// An object of a class without field f has no path of f, and neither b? nor !b? holds at one without b, nor at
// nil.
//
// # Phases
//
//	parse.go    the syntax; expr.go: expressions, printed
//	compile.go  expressions as automata
//	holds.go    the paths of an automaton on a heap; explain.go: as text
package rite

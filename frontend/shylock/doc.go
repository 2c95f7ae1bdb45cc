// Package shylock is the front end of Shylock, a language of recursive procedures that make objects and
// link them (Rot et al. 2012, §2). It reads programs into syntax trees, checks their names, and prints
// trees. It gives no meaning to a program: see package checker/shylockcheck.
//
//	globals g, h;  locals x, y;  fields f, next;
//	main :: x := new; p; [x = g] y := x.f; (x.f := y + skip)
//	p    :: g := new; while (g != nil) do g := g.next od
//
// There are two phases, each a function, and Load does both:
//
//	Parse  *source.File → *Program, or a source.List of syntax errors
//	Check  *Program → nil; or a source.List of errors in names and calls
//
// Check sets Ref.Var, Call.Proc, Program.Main and Proc.Returns, so that nobody after it looks up a name.
// Variables and procedures, and fields, have names of their own: x.x := x is correct.
//
// Statements, from the loosest to the tightest:
//
//	B + B              choice: a branch whose first basic statement is enabled
//	B; B               sequence
//	[c] B              test: enabled if c holds; B is a basic statement, or in parentheses
//	x := new           a new object, all fields of which are nil
//	x := y, x := nil   copy
//	x := y.f.g         x := y.f; x := x.g
//	x.f := y           update of a field
//	skip
//	assert(c)
//	p, p(), p(x, y)    call, with value parameters
//	x := p(), x := p   call of a procedure that returns a value; the latter if no variable is called p
//	return y           the value that this procedure returns; it stands at the end of a body
//	while (c) do B od
//	if (c) then B else B fi, if (c) then B fi
//
// Conditions compare variables: x = y, x != y, !(c), c & c, c | c; & binds tighter than |. A procedure
// ends where the next one begins, and a semicolon may stand before it. The initial procedure is main, or
// the first one if none has this name.
//
// All procedures share the declared locals, in the sense that each call has its own values of all of
// them. A parameter is a further local, of its own procedure unless it is declared for all.
//
// Errors look like this (package source):
//
//	list.shy:2:14: error: variable "fist" is not declared
//	    main :: x := fist.next
//	                 ^
package shylock

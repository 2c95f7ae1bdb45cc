// Package lowerzing translates Zing programs (package frontend/zing) to programs of the object model (package
// checker/zom) whose steps are those of the language.
//
// What it is not: it explores nothing (package checker/interleave does), and it assumes that zing.Check has
// accepted the program.
//
// # Blocks
//
// The small blocks of the language, between which processes interleave, become blocks of the object model.
// They are compiled back to front: each statement is given the block that comes after it, and returns the
// block with which it begins. Blocks that are always executed one after the other in one step are one here.
// With G a block that is glued to the next:
//
//	statement              outside atomic                  inside atomic
//	;  { }                 skip                            -
//	x = e;  assert(e); …   the statement                   the statement; see below
//	f(…);                  call, then take the results     the same
//	x = choose(T);         choose and assign               the same
//	if (c) S else T        test, then S or T               the same
//	while (c) S            test, S, back                   the same
//	foreach (x in c) S     start G, test, fetch G, S, next G, back
//	goto L;                skip                            the same, outside atomic if L is
//	L: S                   label G, S                      label G, S
//	return e;              evaluate and return             evaluate G, return, both outside atomic
//	select { … }           conditions, receives; then the statement of a join statement
//	try S with { E -> T }  install G, S; skip, T           install G, S; T
//	raise E;               raise G                         raise G
//	atomic { S }           S inside atomic, then skip      not allowed
//
// Inside atomic, neighbouring assignments, declarations and asyncs, and the ifs, whiles and blocks that have
// nothing else in them, are one block. The variables of scopes that are swallowed so are not reset when
// control leaves them.
//
// # Events
//
// A statement event(c, m, d) is an action that an observer sees, also inside atomic. An event in a join statement is
// one if the select is visible; else it is nothing.
//
// # Values
//
// A struct is its fields, one slot after the other. A range is an int. A frame has the object (this), the
// parameters by value, the results (out parameters, then the value of the method) and the local variables,
// those of a scope together; then scratch slots for the code of blocks.
//
// The initialisers of static fields are a procedure that runs once before the first process begins, those
// of the fields of a class a procedure that runs on each new object.
package lowerzing

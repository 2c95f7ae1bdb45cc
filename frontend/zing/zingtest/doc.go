// Package zingtest is for tests alone: it gives meaning to a Zing model by trying everything. It
// interprets the checked syntax tree directly, without the object model and the lowering that the
// engine uses, so that the two can be held against each other. It is written to be read, not to be
// fast: a state is a plain Go value that is copied whole for each step, and two states are the same
// if their canonical strings are.
//
//	graph.go, build*.go   the blocks of a method: where a step may end
//	run.go                one step of a process, from block to block
//	status.go             which processes can run; conditions are tested on a copy of the state
//	eval.go, place.go     expressions and places; numbers in arith.go
//	state.go, canon.go    states and their canonical strings
//	start.go, explore.go  the initial state; breadth-first search, counting
//	models.go             small models with known results, embedded from testdata/models
//	random*.go, mutate.go models made from a seed; mutants of programs about transactions
//
// # Blocks
//
// A method is a graph of blocks, and a frame stands at a block. A process goes from block to block
// until it is outside all atomic regions and the last block was not glued to the next one. Each
// construct has its blocks:
//
//	;  {}                     a no-op; inside atomic regions nothing
//	x = e;  send  assert …    one block
//	f(…);  x = f(…);          the call; after the return the copy of the results, also if there are none
//	x = choose(…);            the choice; the assignment
//	if  while                 the test
//	goto L;                   a no-op
//	L: S                      a glued block, if a goto names L
//	return                    a block after which the caller goes on in the same step
//	atomic { S }              S at level 1, and a no-op at level 0: the exit
//	select                    prolog, tests, receives, connector: one step; then the statement
//	try B with { E -> S }     a glued block that installs the handlers; each handler is a glued test
//	raise E;                  a glued block
//	foreach                   set to 0 (glued), test, fetch (glued), the body, increment (glued)
//
// Inside atomic regions a sequence of simple statements is one block, whose inner scopes are never
// left; that is the only trace of it in the states.
//
// # Where the language leaves room
//
// The collection of a foreach is evaluated anew at each test and fetch. The places of out arguments
// and results are evaluated when the results are copied. A condition of a wait is evaluated on a copy
// of the state, so that it changes nothing, and a choice or a blocking select in a method that it calls
// is an error. A set of references is ordered by the age of its elements. An object of another class
// than its variable's is an internal error when it is used as one. Decimals are approximated by
// binary floating-point numbers.
package zingtest

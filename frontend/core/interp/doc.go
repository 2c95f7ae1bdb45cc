// Package interp executes core programs, one node at a time. It is the reference
// for what a core program means: the soundness tests of the abstraction run
// programs with it, and a counterexample is believed only if it replays here.
//
// It executes some twenty million nodes a second. For many runs of one program, [Prepare] it
// once, and let runs continue from one state by [Machine.Copy]; [Numbers] saves big numbers.
//
// Everything that a program leaves open (branches without conditions, havocs, initial values, the
// effects of externals) is decided by a [Choices]; [Random] is one, and a replay or a test supplies
// its own.
//
//	m := interp.New(prog, interp.NewRandom(prog, seed), interp.Options{})
//	for {
//		event, err := m.Step()
//		if err != nil || event.Kind.Final() {
//			break
//		}
//		x := core.EvalIn(predicate, m.Top().State())
//	}
//
// Semantics, beyond the table in package core:
//
//   - A value is always one of its variable's type. Unsigned arithmetic wraps,
//     conversions are exact.
//   - Undefined behaviour ends the run with a *[UBError]; the run is worthless.
//     Signed overflow, division by zero, MIN / -1, a shift by a wrong amount and a
//     signed left shift of a negative value or out of range are undefined; for
//     memory see below. Where the program is compiled so that signed numbers wrap
//     around (core.Program.NumbersWrap), overflow and such left shifts do.
//   - A [core.Branch] enters a successor that Choices picks, but never an
//     [core.Assume] that does not hold. Only the successors themselves are looked
//     at: after a Skip, an Assume can still block the run.
//   - Globals, formals of the entry and locals start with arbitrary values; a
//     program initialises its globals in its first nodes.
//
// # Memory
//
// Memory is an [Object] for each variable that lives in memory, in each
// activation, for what each Alloc made, for each procedure (of no bytes), and the
// external object: memory that the program does not define. An object has an
// address, a multiple of 16, that no object had before; a pointer is the number
// of an address; contents are bytes, little end first. So casts, unions and
// copies of parts of objects need no rules of their own.
//
// Undefined is: access to bytes that are not all in one live object; access to a
// scalar at an address that is no multiple of its size (or of the width of
// addresses, where that is less), but for bit-fields; Offset and Index from or to
// what is not in a live object or just after it, unless they add nothing or the
// pointer may stray (stray.go); order and difference of pointers that are not in
// one object; Free of what is not null and not the start of a live object from
// Alloc; reading a bool that is neither 0 nor 1; a call of a pointer that is no
// procedure or one with other formals; a change of a string literal, but by Data.
//
// Contents that nobody wrote, or that were made arbitrary, are asked for when they
// are first read ([Contents]), in the type of that read, and then stay; a copy made
// before that agrees with the original. Scalar variables are asked for when they
// come to life.
//
// An arbitrary pointer, or number as wide as one, points to none of the program's
// objects but those that are known outside, see [Request.Targets]: an external, or
// Havoc with Region, had a way to reach them. What nobody has set since its life
// began points nowhere; the program's globals and the entry's formals are set
// outside. An external writes what its arguments and the variables that
// the program does not define lead to, where arbitrary words from outside lead to all
// that is known there (all globals, address-taken variables and
// Alloc's objects under [core.ExternAll], nothing under [core.ExternPure]), as far as
// Choices implements [Externals]. Under ExternAll every scalar variable that is
// global or address-taken gets an arbitrary value besides. Externals call nothing
// back.
//
// [Frame.State] gives predicates a view of the state that is total: where there is
// no memory some fixed number is read, and objects whose lives have ended keep
// their last contents (the most recent 4,096 of them), so that neither Free nor a
// return changes a predicate.
//
// # Files
//
//	machine.go      the machine: creation, runs
//	step.go         execution of nodes
//	call.go         calls and returns
//	external.go     calls of procedures without a body
//	addresses.go    the addresses in memory, which these reach
//	block.go        nodes that work on blocks of bytes and lives of objects
//	frame.go        activations and places of variables
//	prepare.go      slots of variables, compiled nodes
//	code.go         compiled expressions
//	eval.go         evaluation of expressions
//	value.go        arithmetic
//	memory.go       objects, addresses, arbitrary bytes
//	object.go       one object
//	body.go         what changes in an object; copies of machines share it
//	sparse.go       the bytes of large objects
//	chunk.go        copies of bytes
//	access.go       reads and writes of scalars
//	stray.go        pointers that leave their objects for a while
//	environment.go  objects that pointers from outside point to
//	types.go        which objects outside of the program may overlap
//	pointers.go     use of memory by a program
//	number.go       whether a run depends on the numbers of addresses
//	form.go         states of a run that are the same but for these
//	choices.go      requests for choices
//	ask.go          making the requests
//	random.go       random choices
//	solve.go        inversion of comparisons
//	copy.go         copies of machines
//	decisions.go    arbitrary bytes that were decided, for copies of them
//	state.go        states, for predicates
//	ub.go           errors that end a run
package interp

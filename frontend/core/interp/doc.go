// Package interp executes core programs, one node at a time. It is the reference
// for what a core program means: the soundness tests of the abstraction run
// programs with it, and a counterexample is believed only if it replays here.
//
// It is not fast enough to be a fuzzer's engine (a few million nodes a second),
// and it knows no pointers: what the program does through them is a havoc of the
// address-taken variables, as in the core language.
//
// What a program leaves open (branches without conditions, havocs, initial
// values, results of externals) a [Choices] decides; [Random] is one, and a
// replay or a test supplies its own.
//
//	m := interp.New(prog, interp.NewRandom(prog, seed), interp.Options{})
//	for {
//		event, err := m.Step()
//		if err != nil || event.Kind.Final() {
//			break
//		}
//		x := m.Top().Value(v)
//	}
//
// Semantics, beyond the table in package core:
//
//   - A value is always one of its variable's type. Unsigned arithmetic wraps,
//     conversions are exact.
//   - Undefined behaviour ends the run with a *[UBError]; the run is worthless.
//     Signed overflow, division by zero, MIN / -1, a shift by a wrong amount and a
//     signed left shift of a negative value or out of range are undefined.
//   - A [core.Branch] enters a successor that Choices picks, but never an
//     [core.Assume] that does not hold. Only the successors themselves are looked
//     at: behind a Skip, an Assume can still block the run.
//   - Globals, formals of the entry and locals start with arbitrary values; a
//     program initialises its globals in its first nodes.
//   - An external procedure changes every address-taken variable, of all live
//     frames, and returns any value.
package interp

// Package coregen makes random core programs and predicates for tests: the
// soundness of the abstraction is tested by running such programs and following
// each run in the Boolean program.
//
// Programs are valid ([core.Validate]) and small, and have what the core language
// has: procedures that call each other and themselves, with and without
// destinations (locals, formals, globals; with conversions of the result),
// externals, loops (also at node 0), forward and backward jumps, early returns,
// branches with and without conditions, parallel assignments, havocs, writes
// through pointers, assertions, assumptions, all integer types, opaque and
// volatile variables. Conditions, assignments and predicates share a few small
// constants, so that predicates change their values and are related to each
// other; constants at the ends of the types and rare operators occur too.
//
// Runs may be infinite, block, overflow or recurse without end: limit them, and
// discard what follows undefined behaviour.
//
//	prog, preds := coregen.Generate(rand.New(rand.NewPCG(seed, 0)), coregen.Config{})
package coregen

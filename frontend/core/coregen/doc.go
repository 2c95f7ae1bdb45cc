// Package coregen makes random core programs and predicates for tests: the
// soundness of the abstraction is tested by running such programs and following
// each run in the Boolean program.
//
// Programs are valid ([core.Validate]) and small, and have all features of the core language:
// procedures that call each other and themselves, with and without
// destinations (locals, formals, globals; with conversions of the result),
// externals, loops (also at node 0), forward and backward jumps, early returns,
// branches with and without conditions, parallel assignments, havocs, writes
// through pointers, assertions, assumptions, all integer types, opaque and
// volatile variables. Conditions, assignments and predicates share a few small
// constants, so that predicates change their values and are related to each
// other; constants at the ends of the types and rare operators occur too.
//
// With [Config].Memory, programs use memory as C does instead: structs with
// members of all kinds (bit-fields, arrays, unions, pointers to themselves and to
// procedures), arrays, pointers to variables, members, elements and pointers, a
// heap with lists, struct assignment, memcpy and memset, structs passed and
// returned by value, scalars read and written in part, bytewise and as numbers,
// calls through pointers and tables, callbacks, variadic procedures, externals that
// are given pointers. Pointers are mostly set before use and tested where they may
// be null, and indices are tested, so that three runs out of four stay defined.
// Predicates speak of places through pointers, compare pointers with each other,
// addresses and null, and have symbolic constants 'x, '*p and '(p->f) and places
// *'p through them. Expressions need types that core pointers do not have: shape
// tells the target types of pointers.
//
// Runs may be infinite, block, overflow or recurse without end: limit them, and
// discard what follows undefined behaviour.
//
//	prog, preds := coregen.Generate(rand.New(rand.NewPCG(seed, 0)), coregen.Config{})
package coregen

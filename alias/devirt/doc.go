// Package devirt puts into a program what package alias knows of its pointers, so that later analyses
// meet no calls through pointers:
//
//	resolve.go    calls through pointers become branches over direct calls (devirtualisation)
//	adapter.go    conversions of arguments and results between the types of a call and its callee
//	callbacks.go  calls that procedures without a body make of procedures that they are given
//	tables.go     reads of constant tables become what the tables hold
//	condition.go  conditions on constants are decided
//	varargs.go    variable arguments become objects of the caller
//
// It changes the program in place and preserves its meaning, up to the assumptions that it adds to the
// ledger: that no call goes through a null or invalid pointer, and that a pointer from outside leads to
// no procedure of another type, above all. Resolving a program twice changes nothing more.
//
//	unit, err := frontend.Load(ctx, files, options)
//	devirt.Resolve(unit.Program)
//	result := alias.Analyze(unit.Program)
//
// Order matters: tables are read after calls have become direct, as the conditions of the branches name
// the members of tables; variable arguments come last, as they need all callees.
package devirt

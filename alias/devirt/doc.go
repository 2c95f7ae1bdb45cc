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
// It changes the program in place and keeps what it means, up to the assumptions that it adds to the
// ledger.
package devirt

package boolprog

// Helpers for the tests in package boolprog_test, which use the random programs of bpgen.
var (
	Dump      = dump
	RoundTrip = roundTrip
)

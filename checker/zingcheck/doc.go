// Package zingcheck checks Zing models: it translates them (package checker/lowerzing), explores their states
// (package checker/interleave), and turns what was found into a verdict with a trace.
//
// What it is not: it neither reads nor prints; package frontend/zing and package report do.
//
// A model is TRUE if all states were explored and no failure was found. The properties are its assertions,
// that no deadlock is reached, and that no step has a runtime error; so a model with a process always has
// something to check. A failing run is made again from the initial state, by the rules of a step, before it
// is shown.
//
// Two models are compared by package checker/conform, on transition systems that are found as far as needed.
//
//	check.go    the check
//	sites.go    properties
//	trace.go    the steps of a failing run
//	movers.go   the table of locks that a reduction has found
//	dot.go      the graph of states
//	stuck.go    where messages were sent that nobody receives
//	conform.go  the comparison of two models: system.go (models as transition systems), mismatch.go (why one does not
//	            conform), conform_dot.go, hidden.go (events that nobody sees)
//	values.go   names of objects and values, and what a step changes
package zingcheck

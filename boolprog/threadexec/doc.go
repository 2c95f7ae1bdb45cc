// Package threadexec is the semantics of Boolean programs with threads, executed by brute force: the oracle of
// package checker/threads, which states it. It is written to be obviously right: states are explicit, every
// variable has a value, and all choices are made when they come up. Sections are counted as they begin and end,
// without regard to the marks of the graph.
//
// It is for programs without references.
//
//	step.go      the steps of a thread
//	explore.go   all states, with the number of context switches that each needs
//	follow.go    runs that others have found
package threadexec

// Package fuzz runs core programs with random inputs and looks for runs that fail: grey-box
// fuzzing in the interpreter, from states in the middle of runs as well as from the start.
//
//	while (in()) {
//	    if (in() == turned * 371 + 1000)      the input that is required here is learned from
//	        turned++;                         comparisons (inputs.go); a run that has turned
//	    else                                  once more than any before is new coverage
//	        turned = 0;                       (coverage.go), so its state is kept, and other
//	    assert(turned < 8);                   runs continue from there (campaign.go)
//	}
//
// A [Campaign] counts its cost in steps of the interpreter, so it does not depend on the speed of
// the machine; it is determined by the program and a seed. Its result, a [Crash], is minimised, and
// can be replayed: a caller does not have to trust it.
//
//	file          concern
//	campaign.go   states that are kept, and runs that begin in them
//	coverage.go   coverage: visits of branches, distances of compared numbers
//	inputs.go     the choices of runs: random, learned from comparisons, repeated
//	guide.go      runs like one that fails in a similar program
//	replay.go     scripts of choices: replayed, minimised
//	targets.go    the nodes of a program: properties, branches, choices
package fuzz

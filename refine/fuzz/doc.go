// Package fuzz runs core programs with random inputs and looks for runs that fail: grey-box
// fuzzing in the interpreter, from states in the middle of runs as well as from the start.
//
//	while (in()) {
//	    if (in() == turned * 371 + 1000)      which inputs are wanted here is learned from
//	        turned++;                         comparisons (inputs.go); a run that has turned
//	    else                                  once more than any before is new coverage
//	        turned = 0;                       (coverage.go), so its state is kept, and other
//	    assert(turned < 8);                   runs go on from there (campaign.go)
//	}
//
// A [Campaign] counts what it spends in steps of the interpreter, so it does not depend on the
// machine's speed, and it depends on nothing but the program and a seed. What it finds, a [Crash], is
// minimised, and can be replayed; nobody has to believe it otherwise.
//
//	file          concern
//	campaign.go   states that are kept, and runs that begin in them
//	coverage.go   what runs have met, so that what is new is seen
//	inputs.go     the choices of runs: random ones, wanted ones, and the same again
//	replay.go     scripts of choices: made again, and made shorter
//	targets.go    the nodes of a program, and which of them are properties, branches, choices
package fuzz

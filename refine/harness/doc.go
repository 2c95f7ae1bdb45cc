/*
Package harness asks the C compiler for a second opinion on a failing run: it writes a
C file that supplies the inputs of a run of the core interpreter, compiles it with the
program, runs it, and says whether the failure was reproduced.

	rec := harness.NewRecorder(unit.Program, choices, interp.Options{})
	event, err := rec.Run(ctx, maxSteps) // or rec.Step(), node by node
	if err == nil && event.Kind == interp.Failed {
		p := harness.PropertyAt(event.Proc, event.Node, "") // or the label that was reached
		h, outcome, err := harness.Reproduce(ctx, files, rec.Recording(), p, harness.Options{Frontend: options})
		// outcome.String(): "reproduced by the compiled program"
		// h.Text: the C file, for people
	}

choices is what a replay decides with, any [interp.Choices]; the recorder asks it in
place of the machine. files are the C files that [frontend.Load] has read, and options
its options.

For a label, stop at the node that carries it:

	for {
		f := rec.Machine().Top() // the node that runs next: f.Proc().Nodes[f.Node()]
		…
		event, err := rec.Step()
	}

# What is supplied

	results of __VERIFIER_nondet_T()             in order, a list for each function
	results of other functions without a body    the same, addresses outside of the program included
	arguments of an entry function but main      by a function main
	variables that are declared and not defined  their first value
	failing assertions, reach_error(), …         print file and line, exit with code 98

A function that is called more often than in the run prints that and exits with code
97: the compiled program has left the path of the run. All definitions are weak, so
that one of the program comes first.

# What is not supplied

Values that no function returns: uninitialised variables and allocated memory,
volatile variables, what functions outside of the program store through pointers,
whether an allocation fails, assembly, floating point. Each such value that the run
read, or that decided its way, is a [Gap]; gaps explain why a failure was not
reproduced, and a failure that was reproduced in spite of them is reproduced all the
same.

# Why a failure that is reproduced is one

The compiled program is the user's own, but for a check behind an error label. It runs
under gcc's undefined behaviour sanitizer, which ends it before it relies on what C does
not define; where gcc has no sanitizer, Outcome.Sanitized tells. That the inputs are
possible is true by definition of the functions that supply them. The failure counts
only at the place where the run failed.

The converse does not hold: a failure that is not reproduced may be real.
*/
package harness

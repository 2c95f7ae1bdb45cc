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

For a label, stop at the node that carries it, before it is executed:

	for {
		f := rec.Machine().Top()
		if node := f.Proc().Nodes[f.Node()]; slices.Contains(node.Labels, "ERROR") {
			p = harness.PropertyAt(f.Proc(), f.Node(), "ERROR")
			break
		}
		event, err := rec.Step()
		…
	}

[Reproduce] is [Write] and [Run] in one. It executes the user's program, in a sandbox
(package sandbox), and without a sandbox not at all; whoever does not want that calls Write
alone.

# What is supplied

	results of __VERIFIER_nondet_T()             in order, a list for each function
	results of other functions without a body    the same: numbers, structures, the address of an
	                                             argument or of memory outside of the program
	what these call among their arguments        the calls, between two cases of a list
	what these store through their arguments     the bytes that the run read afterwards
	allocation (malloc, kmalloc, kmemdup, …)     null or memory with the contents that the run read
	other functions with models that C's         their results and stores, as the models chose
	library has not (copy_from_user, …)
	rand, getenv, read, …                        the same, by the linker's --wrap
	arguments of an entry function but main      by a function main
	variables that are declared and not defined  their first value
	what assembly stores in its outputs          the same, in the program that Run compiles
	failing assertions, reach_error(), …         print file and line, exit with code 98

Functions of the C library whose results follow from their arguments (strcmp, memcpy) are
the library's own: a run that needs more of them than they do is no run of the program.

A function that is called more often than in the run prints that and exits with code
97: the compiled program has left the path of the run. All definitions are weak, so
that one of the program comes first.

# What is not supplied

Values that no function returns: uninitialised variables, volatile variables, globals
under --open, memory that assembly changes, floating point, what other threads do, what a function without a
body stores elsewhere than through its arguments, the arguments of main, addresses of the
program's variables but those that a function is given. Each such value that the run
read, or that decided its way, is a [Gap]; gaps explain why a failure was not
reproduced. One that was reproduced in spite of them is reproduced all the same.

# Why a failure that is reproduced is one

The compiled program is the user's own, but for a check behind an error label and assembly,
which is not executed: whoever believes a failure has to see that it does not depend on what
assembly stores. It runs under gcc's undefined behaviour sanitizer, which ends it when arithmetic is undefined;
where gcc has no sanitizer, Outcome.Sanitized tells. The inputs are possible as far as
the functions that supply them may return anything. The failure counts only at the place
where the run failed. Not noticed are reads of what is uninitialised and accesses outside
of objects: the core interpreter looks after the latter, and Outcome.Gaps names the former.

The converse does not hold: a failure that is not reproduced may be real.

# Files

	record before choose input unset      the recorder: what came from outside, and what nobody set
	callback                              functions of the program that are called from outside
	lent                                  memory outside of the program
	effect model                          what calls did to memory; library functions with models
	write prelude function global ctype   the text of the harness
	edit token property                   copies of C files with a check behind a label; places
	assembly lex supply                   preprocessed texts without assembly; what it would store
	run compile process judge outcome     gcc, the program, and what came of it
*/
package harness

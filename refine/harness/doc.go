// Package harness checks a failing run with the C compiler: it writes a C file that supplies
// the inputs of a run of the core interpreter, compiles it with the program, executes it, and
// reports whether the failure was reproduced.
//
//	rec := harness.NewRecorder(unit.Program, choices, interp.Options{})
//	event, err := rec.Run(ctx, maxSteps) // or rec.Step(), node by node
//	if err == nil && event.Kind == interp.Failed {
//		p := harness.PropertyAt(event.Proc, event.Node, "") // or the label that was reached
//		h, outcome, err := harness.Reproduce(ctx, files, rec.Recording(), p, harness.Options{Frontend: options})
//		// outcome.String(): "reproduced by the compiled program"
//		// h.Text: the C file, for people
//	}
//
// choices are the decisions of a replay, any [interp.Choices]; the recorder asks them in
// place of the machine. files are the C files that [frontend.Load] has read, and options
// its options.
//
// For a label, stop at the node that carries it, before it is executed:
//
//	for {
//		f := rec.Machine().Top()
//		if node := f.Proc().Nodes[f.Node()]; slices.Contains(node.Labels, "ERROR") {
//			p = harness.PropertyAt(f.Proc(), f.Node(), "ERROR")
//			break
//		}
//		event, err := rec.Step()
//		…
//	}
//
// [Reproduce] is [Write] and [Run] in one. It executes the user's program in a sandbox
// (package sandbox), and not at all where there is none. To execute nothing, call Write only.
//
// # Values that are supplied
//
//	results of __VERIFIER_nondet_T()             in order, a list for each function
//	results of other functions without a body    the same: numbers, structures, the address of an
//	                                             argument or of memory outside of the program
//	calls of their arguments by these            the calls, between two cases of a list
//	stores through their arguments by these      the bytes that the run read afterwards
//	allocation (malloc, kmalloc, kmemdup, …)     null or memory with the contents that the run read
//	other functions with models that C's         their results and stores, as the models chose
//	library has not (copy_from_user, …)
//	rand, getenv, read, …                        the same, by the linker's --wrap
//	arguments of an entry function but main      by a function main
//	variables that are declared and not defined  their first value
//	outputs of assembly                          the same, in the program that Run compiles
//	failing assertions, reach_error(), …         print file and line, exit with code 98
//
// Functions of the C library whose results are determined by their arguments (strcmp, memcpy)
// are the library's own: a run in which they return anything else is no run of the program.
//
// A function that is called more often than in the run reports that and exits with code
// 97: the compiled program has left the path of the run. All definitions are weak, so
// that a definition in the program is used instead.
//
// # Values that are not supplied
//
// Values that no function returns: uninitialised variables, volatile variables, globals
// under --open, memory that assembly changes, floating-point numbers, effects of other threads,
// stores of a function without a body other than through its arguments, the arguments of main,
// addresses of the program's variables except those that a function is given. Each such value
// that the run read, or that determined its path, is a [Gap]. Gaps explain why a failure was
// not reproduced; a failure that was reproduced in spite of them is reproduced nevertheless.
//
// # Soundness of a reproduced failure
//
// The compiled program is the user's own, except for a check after an error label and for
// assembly, which is not executed: a reader of the report has to make sure that the failure does
// not depend on values stored by assembly. The program runs under gcc's undefined behaviour
// sanitizer, which ends it when arithmetic is undefined; where gcc has no sanitizer,
// Outcome.Sanitized tells. The inputs are possible insofar as the functions that supply them may
// return anything. The failure counts only at the place where the run failed. Reads of
// uninitialised variables and accesses outside of objects are not noticed: the core interpreter
// checks the latter, and Outcome.Gaps names the former.
//
// The converse does not hold: a failure that is not reproduced may be real.
//
// # Files
//
//	record.go       the recorder: executes a run and records its inputs
//	before.go       operands of a node, before it is executed
//	choose.go       choices of a run: inputs, or values that nothing supplies
//	input.go        results and stores of functions without a body
//	effect.go       changes of memory, relative to addresses that a function knows
//	model.go        calls of library functions that have models
//	callback.go     functions of the program that are called from outside
//	lent.go         memory outside of the program
//	image.go        bytes from outside, and their origins
//	replaced.go     pointers that functions without a body replace
//	unset.go        variables without a value
//	write.go        the text of the harness: head and order
//	prelude.go      the text that all harnesses share
//	function.go     functions that supply inputs
//	global.go       variables, and the start of the program
//	ctype.go        types and values in C
//	supply.go       values that assembly would store
//	edit.go         copies of C files, with a check after a label
//	token.go        tokens of C files
//	assembly.go     removal of assembly from preprocessed texts
//	lex.go          tokens of preprocessed texts
//	property.go     properties, and their places in texts
//	run.go          compiling and executing a harness
//	compile.go      the compiler
//	process.go      processes in the sandbox
//	fence.go        memory that was freed
//	judge.go        the end of the compiled program
//	outcome.go      outcomes
package harness

// Package wide generates small C programs whose truth is known exactly: it is test
// equipment for the audit. A program reads a few inputs, each from 0 to 3, so all its runs can be
// enumerated; gcc compiles it, and the values that its checks observe in these runs say which
// assertions hold and which fail.
//
//	p := wide.Generate(seed, wide.Options{})
//	runs, err := compiler.All(ctx, []*wide.Program{p})
//	assertions, goal := p.Choose(runs[0], wide.Unsafe)
//	files := p.Render(assertions) // C files for the audit
//
// A program is written with checks, and each stands for an assertion that is chosen later:
//
//	int main(void)
//	{
//	    int in1 = __VERIFIER_nondet_int();
//	    if (in1 < 0 || in1 > 3) return 0;
//	    double d7 = (double)(unsigned long)p5;
//	    int *q6 = (int *)(unsigned long)d7;
//	    *q6 = in1 + 2;
//	    CHECK(0, x3);                       // observed: 2, 3, 4, 5
//	}
//
//	goal     | CHECK(0, x3) becomes
//	---------|----------------------------------------------
//	[Safe]   | assert((x3) <= 5);      true in all runs
//	[Unsafe] | assert((x3) != 4);      false in some run
//	[Grey]   | false by a choice that C leaves to the compiler, and that gcc did not make
//
// A program consists of parts. A part is of a class, a set of constructs that are likely to go wrong for
// one reason, and has one of the forms of its class:
//
//	class        | its parts                                            | file
//	-------------|------------------------------------------------------|----------------
//	carriers     | take pointers through doubles, vectors, __int128 …   | carriers.go
//	integers     | compute, guess, rebuild and read pointers            | integers.go
//	initialisers | initialise objects in every way                      | initialisers.go
//	strings      | use literals of every kind                           | strings.go
//	blocks       | compare addresses of objects never alive together    | blocks.go
//	empties      | use objects without size                             | empties.go
//	volatile     | write to and read volatile objects                   | volatile.go
//	floating     | let floating-point constants and values decide       | floating.go
//	structs      | copy, pass, return and index structs and unions      | structs.go
//	control      | recur, jump, dispatch, take variable arguments       | control.go
//	files        | have definitions in a second translation unit        | files.go
//	callbacks    | give functions to external functions                 | outside.go
//	externals    | use variables that are defined elsewhere             | outside.go
//	arguments    | look at the arguments of main                        | outside.go
//	entries      | start in another function, whose arguments are alike | outside.go
//
// Parts share integer values and objects, may be in branches and loops, and so occur in all
// combinations. In some programs each statement follows a #line that repeats one line number.
// With [Options.Bits32] they are made for gcc -m32.
//
// # The truth
//
// [Compiler.All] compiles many programs at once, without and with optimisation, and with
// sanitizers. A program with undefined behaviour in a run is discarded. Where C leaves a
// value open (whether two literals are one object, in which order initialisers are evaluated)
// the check lists the allowed values: an assertion is safe if it holds for all of them. A value that is
// observed in a run of either compilation is allowed anyway. A driver defines the functions without a
// body, the external pointers and the caller of the entry, with any behaviour that they may have. Where
// the audit is meant to assume less behaviour, the check names the assumption ([Check.Under]), which has
// to be printed. So:
//
//	          | TRUE  | FALSE
//	----------|-------|--------------------------------
//	[Safe]    | right | wrong
//	[Unsafe]  | wrong, but under a printed assumption | right
//	[Grey]    | wrong, but under a printed assumption | right, if it need not be confirmed by gcc
package wide

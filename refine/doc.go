// Package refine decides C programs without being given predicates: counterexample-guided
// abstraction refinement, the loop around packages abstract and checker. Seed 004 names the
// component (the predicate discoverer, Newton) and does not describe it.
//
//	abstract by the predicates found so far ──▶ check ──▶ holds: TRUE
//	        ▲                                     │
//	        │                                     ▼ a failing run of the Boolean program
//	   predicates ◀── why not ◀── no ── is it one of the C program? ── yes ──▶ replay: FALSE
//
// For
//
//	int inc(int x) { return x + 1; }
//	int main(void) {
//	    int i = __VERIFIER_nondet_int(), old = i;
//	    if (i > 0) i = inc(i);
//	    if (i == old) assert(i <= 0);
//	}
//
// the first abstraction fails at the assertion; the path that leads there is impossible
// because i > 0 and i <= 0 speak of one value if inc is not called; and so on. What it finds
// is printed by the example of Audit.
//
// Phases, in files of their own:
//
//	path.go        the path through the core program is read off the trace
//	execute.go     it is executed symbolically: each assumption becomes a formula over inputs
//	executecall.go calls
//	memory.go      memory: reads are carried back to the start of the path
//	reason.go      are they satisfiable? if not, a few that are not, in a short stretch
//	counting.go    that a loop cannot end so soon is the reason of last resort
//	model.go       if so, values of the inputs that respect products and bit operations
//	inputs.go      the inputs, from the model
//	fuzzing.go     runs with random inputs are tried, now and then (package fuzz)
//	guided.go      a path that ends its loops too soon leads to a run that does not
//	environment.go among them memory that the program did not make
//	replay.go      with these the interpreter runs the path
//	witness.go     what it does is written down
//	confirm.go     and the compiled program (package harness); what is left is FALSE
//	fates.go       what is known of each property
//	atoms.go       the atoms of a reason are carried back along the path: each is a predicate
//	               of the procedure it comes to
//	equal.go       through equations: what they say of one side is said of the other
//	before.go      through statements: weakest preconditions
//	eliminate.go   what is left of them behind an input
//	places.go      places in memory and their addresses
//	frames.go      across calls: values that came in through formals become symbolic
//	               constants, 'x, so that the predicates serve all calls
//	given.go       through which formal a pointer came in
//	summary.go     what a callee did on the path, as equations over symbolic constants
//	together.go    or of their sum, where that is what matters
//	effects.go     the same for places in memory, and structs by value
//	concrete.go    pointers to variables in scope are taken at their word
//	copies.go      along all copies of a variable at once
//	movers.go      loops: the numbers that move in them
//	wrap.go        as if they did not wrap around
//	generalise.go  and what holds in every round, rather than one round after the other
//	tostart.go     which is carried on to where it came about
//	bounds.go      and what counters are compared with
//	balance.go     two of them and one that does not move
//	shift.go       and bounds less what a counter has added
//	steady.go      and what stays the same beside what moves
//	hints.go       are carried back: of all such guesses
//	induction.go   those that the proof takes
//	recursion.go   recursion: what holds in every activation
//	watch.go       samples of activations
//	common.go      relations between numbers at entry and at return that hold in all
//	linear.go      equations that fit samples
//	limits.go      limits within which a recursive procedure is called
//	unroll.go      loops that count to a constant
//	few.go         variables that hold few values
//	simplify.go    predicates for people
//	predicates.go  the set of those found
//	precision.go   where the abstraction has to be exact
//	progress.go    a path that was refuted does not come back:
//	abstractly.go  it is executed as the Boolean program does
//	truthvalues.go with the values of its variables
//	constraints.go and what the program cannot bring about of these is excluded
//	suggest.go     from an impossible path to predicates, by all of these
//	further.go     and the same for other properties that fail, before the next round
//	follow.go      which properties are looked at
//	turns.go       each by itself, when all together cost too much
//	search.go      what has been found for some
//	origin.go      where predicates came from
//	iterations.go  what each round cost and taught
//	loop.go        the loop
//	audit.go       what is asked, and what is answered
//
// Nothing here bears on soundness, but for one thing. Predicates are suggestions: by
// whatever set of them a program is abstracted, TRUE is TRUE. So everything that leads to
// them may guess, and does. FALSE is said of a run that the interpreter has replayed step
// by step, and never of a formula.
//
// Of several properties, one that cannot be decided is set aside, and the others are gone on
// with; so is one that fails, if Options.All asks for the others, too. When an abstraction
// for all of them gets too large, each that is still open gets one for itself (turns.go).
//
// What it is not: it has no interpolation by the prover, and no guarantee to end. If a path
// is impossible for a reason that no predicate found here expresses, its property is
// undecided, and the verdict UNKNOWN with the reason if no other fails; so it is at a limit.
package refine

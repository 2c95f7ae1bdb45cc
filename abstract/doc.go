// Package abstract is C2BP proper: from a core program and predicates it makes the
// Boolean program that conservatively represents the effect of every statement on
// every predicate in scope (Ball–Millstein–Rajamani 2005, §4). For
//
//	int inc(int x) { x = x + 1; return x; }
//
// and the predicates x == 'x and x == 'x + 1 ('x is the value of x on entry) it
// prints
//
//	bool<2> inc()
//	begin
//	    decl {x == 'x}, {x == 'x + 1};
//	    enforce !{x == 'x} | !{x == 'x + 1};
//	    {x == 'x}, {x == 'x + 1} := 1, 0;
//	    {x == 'x}, {x == 'x + 1} := choose(0, {x == 'x} | {x == 'x + 1}), choose({x == 'x}, !{x == 'x});
//	    skip;
//	    return {x == 'x}, {x == 'x + 1};
//	end
//
// (Fig. 3 of the seed; the first assignment is the entry, where 'x is x, the second is
// x = x + 1.)
//
// Phases, each in a file of its own:
//
//	predfile.go    predicate files are split into sections and texts
//	predicates.go  texts are resolved (core.Resolver), duplicates and constants go,
//	               binding predicates f == 'f are added
//	auto.go        predicates on the temporaries that conditions test are added
//	iface.go       interfaces: E_f, E_r, from a procedure and its predicates alone
//	program.go     procedures and nodes are abstracted, in parallel
//	statement.go   assume, assert, assignment, havoc (§4.3)
//	call.go        prm, call, update (§4.4.3, §5.4)
//	memory.go      what package alias knows of the places that predicates read
//	invariant.go   infeasible cubes as enforce and assume
//	transition.go  what a step does to all predicates together
//	constrain.go   what of that the above does not say is added on demand, as constrain
//	shape.go       if and while are recovered from the graph of nodes
//
// Statement by statement, with F and G over the predicates in scope (Ball–Millstein–Rajamani 2005,
// §4.2; package prover/cubes computes them):
//
//	core node            Boolean program
//	assume(e)            assume(G(e))
//	assert(e)            if (*) then assume(G(!e)); assert(0); fi assume(G(e))
//	l := e               b, … := choose(F(WP(φ)), F(WP(!φ))), … for every b that may change
//	copy, fill, alloc    the same
//	havoc l              the same, with the value of l unknown
//	l := R(a)            prm… := choose(…); ret… := R(prm…); b, … := choose(…), …
//	return               return of the E_r
//
// What becomes of each predicate is computed for itself. x = x + 1 with x < 3 before and
// x >= 3 behind it leaves x no multiple of 4, but that is about both at once:
//
//	{x < 3}, {x % 4 == 0} := choose({x < 3} & {x % 4 == 0}, !{x < 3}), choose(0, {x % 4 == 0})
//	    constrain !{x < 3} | '{x < 3} | !'{x % 4 == 0};
//
// Result.Constrain adds such constraints where somebody needs them.
//
// What it is not: it never looks into the checker, and a Boolean variable's meaning
// is nothing to the checker; ids, positions and texts travel as annotations.
//
// Soundness (Ball–Millstein–Rajamani 2005, Theorem 1): for each step of the core program from a state
// to another, the Boolean program has a step from the valuation of the predicates
// in the one to their valuation in the other. The tests execute random programs
// and check just that, step by step.
package abstract

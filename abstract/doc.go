// Package abstract computes the predicate abstraction of a program, the task of C2BP: from a core
// program and predicates it makes the Boolean program that conservatively represents the effect of
// every statement on every predicate in scope (Ball–Millstein–Rajamani 2005, §4). For
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
// (Ball–Millstein–Rajamani 2005, Fig. 3; the first assignment is the entry, where 'x is x, the second
// is x = x + 1.)
//
// Phases:
//
//	predfile.go    sections and texts of predicate files
//	predicates.go  the set of predicates: no duplicates or constants, binding predicates f == 'f
//	auto.go        predicates on the temporaries that conditions test
//	iface.go       interfaces of procedures: E_f, E_r
//	memory.go      regions of memory for the places that predicates read
//	program.go     workers, and the assembly of the Boolean program
//	statement.go   assume, assert, assignment, havoc (§4.3)
//	call.go        parameters, call, update after the return (§4.4.3, §5.4)
//	expr.go        Boolean expressions for covers of cubes
//	invariant.go   infeasible cubes, as enforce and assume
//	shape.go       if and while, recovered from the graph of nodes
//	flow.go        postdominators and loops of that graph
//	transition.go  the exact relation of the predicates before and after a step
//	constrain.go   constraints from that relation, added on demand
//	heap.go        references: the plan, and what is said of it
//	heapobject.go  object predicates made of others
//	heapauto.go    predicates on the functions that objects hold
//	heapfollow.go  the pointers that a node follows
//	heapatom.go    what can be tested there
//	heapref.go     references for pointers: names, reads, targets
//	heapnode.go    statements with references
//	heapassign.go  references assigned, copied and filled
//	heapwrite.go   fields that change otherwise than through references
//	heapcall.go    references through calls
//	heapdecl.go    classes and references declared, objects made
//	heapcubes.go   infeasible cubes of object predicates
//	heapweak.go    places of objects that are written otherwise than through references
//	heapset.go     pointers that are certain to have been set
//	view.go        states of a run, as the Boolean program has them; told.go: those of this one, as conditions of C
//	options.go     options, result and statistics
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
// The value of each predicate after a statement is computed independently of the others. After
// x = x + 1 with x < 3 before and x >= 3 after it, x is no multiple of 4, but that relates both:
//
//	{x < 3}, {x % 4 == 0} := choose({x < 3} & {x % 4 == 0}, !{x < 3}), choose(0, {x % 4 == 0})
//	    constrain !{x < 3} | '{x < 3} | !'{x % 4 == 0};
//
// Result.Constrain adds such constraints on demand.
//
// The package knows nothing of the checker, and the checker nothing of the meaning of a Boolean
// variable; ids, positions and texts are passed on as annotations.
//
// Soundness (Ball–Millstein–Rajamani 2005, Theorem 1): for each step of the core program from one state
// to another, the Boolean program has a step from the valuation of the predicates in the first state to
// their valuation in the second. The tests execute random programs and check exactly that, step by
// step.
package abstract

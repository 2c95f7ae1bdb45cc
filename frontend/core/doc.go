// Package core defines the core language: what C becomes after package frontend
// and what package abstract reads. It is the language of seed 004, Fig. 4,
// widened to C's integer types.
//
// A [Program] is a set of global variables and procedures. A [Proc] is an array
// of nodes; each node names its successors by index, a branch has several:
//
//	int inc(int x)                       proc inc(x int32) int32
//	{                                      local \result int32
//	    if (x < 9)                         0: branch           -> 1 3
//	        x = x + 1;                     1: assume x < 9     -> 2
//	    return x + 0;                      2: x := x + 1       -> 4
//	}                                      3: assume !(x < 9)  -> 4
//	                                       4: \result := x + 0 -> 5
//	                                       5: return
//
// Internal form (seed 004, §4.1), checked by [Validate]:
//
//   - node 0 is the entry (it may be a loop head); exactly one node is a
//     [Return], the last one; a [Branch] has one successor or more, every other
//     node exactly one;
//   - expressions are pure and explicitly typed: every C conversion, also the
//     implicit ones, is a [Conv] node; operands of arithmetic and comparisons
//     have one common type; there is no arithmetic on bool;
//   - side effects, short circuit and ?: in C code have become nodes; && and ||
//     remain only over operands that are defined for all values;
//   - variables in nodes are in scope, and opaque and volatile ones are not read;
//   - actuals of a call have the types of the formals, and the destination of a
//     call receives the callee's type converted by Call.ResultConv;
//   - within a procedure the names of formals, locals and globals are distinct;
//   - the entry is named main and has a body.
//
// What the language is not: it has no types but integers yet. Pointers, structs,
// arrays and floating point are [Opaque]: a variable of such a type is never
// read, what is stored through a pointer is a havoc of the program's
// address-taken variables ([Havoc] with Region set), and what is read through
// one is an arbitrary value.
//
// Node kinds:
//
//	node      effect                      WP known?          may write
//	Skip      none                        identity           nothing
//	Branch    any successor               -                  nothing
//	Assume    ends the path unless true   (strengthening)    nothing
//	Assert    fails unless true           (strengthening)    nothing
//	Assign    parallel assignment         by substitution    left sides
//	Havoc     arbitrary values            if not mentioned   variables, region
//	Call      runs a procedure            through interfaces what the callee may write
//	Return    leaves the procedure        -                  nothing
//
// This package also prints programs ([Program.String], [ExprString]), checks them
// ([Validate]) and evaluates predicates ([EvalMath]); package interp executes
// programs, and coregen makes random ones for tests.
package core

// Package core defines the core language: the form of a C program after package frontend,
// which package abstract reads. It is the language of Ball–Millstein–Rajamani 2005, Fig. 4,
// widened to C's integer types and memory.
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
// Internal form (Ball–Millstein–Rajamani 2005, §4.1), checked by [Validate]:
//
//   - node 0 is the entry (it may be a loop head); exactly one node is a
//     [Return], the last one; a [Branch] has one successor or more, every other
//     node exactly one;
//   - expressions are pure and explicitly typed: every C conversion, also the
//     implicit ones, is a [Conv] node; operands of arithmetic and comparisons
//     have one common type; there is no arithmetic on bool;
//   - side effects, short circuit and ?: in C code have become nodes; && and ||
//     remain only over operands that are defined for all values;
//   - variables in nodes are in scope, and volatile ones and places of types other
//     than integers and pointers are not read;
//   - actuals of a call have the types of the formals, and the destination of a
//     call receives the callee's type converted by Call.ResultConv;
//   - within a procedure the names of formals, locals and globals are distinct;
//   - the entry is named main and has a body.
//
// # Memory
//
// A pointer is an address, whatever it points to. A variable whose address is taken
// and every variable of a type other than an integer or pointer lives in memory
// ([Var.InMemory]); any other is changed by its name alone. A place in memory, [Mem],
// says how the bytes at an address are read:
//
//	C                    core (Mem nodes, their types left out)
//	*p                   *p                       Mem{p}
//	p->f, s.f            p->f, s.f                Mem{Offset{p, 8, "f"}}, Mem{Offset{&s, 8, "f"}}
//	a[i]                 a[i]                     Mem{Index{&a, i, 4}}
//	&p->f, p + i         &p->f, p + i*4           Offset{p, 8, "f"}, Index{p, i, 4}
//	(unsigned long)p     (uint64)p                ToInt
//	NULL                 null                     ToPtr of 0
//
// Memory is bytes, little end first, so that unions, casts and copies mean what they
// mean in C. Assumed of every execution: addresses computed with Offset and Index stay
// within the object of their base or one past its end, accesses lie within an object
// that lives, and scalars are aligned. [EvalIn] gives predicates a value in any case.
//
// # Floating point
//
// A float or double ([Int] with Float set) is the number that its bits are, unsigned. What
// stores, copies, passes or compares it bit by bit has no need to know more, and bytes of it
// are what they are in C. [Float] computes with such numbers, exactly, by package ieee:
//
//	C                    core
//	d + 0.5              d + 0.5                  Float{ieee.Add}
//	d >= e               e <= d                   Float{ieee.Le}, of type int32
//	d != e               !(d == e)                Unary{Not, Float{ieee.Eq}}
//	if (d)               !(d == 0.0)
//	(int)d, (double)n    (int32)d, (double)n      Float{ieee.ToInt}, Float{ieee.FromInt}
//	u.bits of u.d        {uint64}u.bits           Mem: the bytes
//
// An operator on integers, such as the == of predicates that tools make, takes the bits; as
// text that is bits(d) == bits(0.5).
//
// What the language is not: it has no long double, no complex numbers, no vectors. Places of
// these types are [Opaque]: they can be made arbitrary, not read.
//
// Node kinds:
//
//	node      effect                      WP known?          may write
//	Skip      none                        identity           nothing
//	Branch    any successor               -                  nothing
//	Assume    ends the path unless true   (strengthening)    nothing
//	Assert    fails unless true           (strengthening)    nothing
//	Assign    parallel assignment         read over write    left sides, and what overlaps
//	Copy      copies bytes                its Parts          the destination
//	Fill      sets bytes                  zeros              the destination
//	Data      stores constant bytes       yes                the destination
//	Alloc     makes an object             address unknown    left side
//	Free      ends an object              identity           nothing
//	Havoc     arbitrary values            if not mentioned   locations, all that has an address
//	Call      runs a procedure            through interfaces what the callee may write
//	Return    leaves the procedure        -                  nothing
//
// This package also prints programs ([Program.String], [ExprString]), checks them ([Validate]),
// compares expressions ([Equal]) and evaluates predicates ([EvalMath]); package interp executes
// programs, and coregen makes random ones for tests.
//
//	program.go        programs, procedures, nodes, statements
//	expr.go           expressions and variables
//	types.go          types
//	record.go         the structs and unions that C declares
//	ranges.go         sets of bytes of an object
//	vars.go           traversals and rebuilding of expressions
//	operands.go       replacement of the expressions in a statement
//	parts.go          the scalars of a struct that a procedure uses
//	equal.go          equality of expressions
//	evalmath.go       evaluation in the mathematical reading of integers
//	float.go          floating point: evaluation, text, checks
//	print.go          text of programs and statements
//	printexpr.go      text of expressions
//	validate.go       checks of programs, procedures and graphs
//	validate_stmt.go  checks of statements and expressions
//	resolve.go        the interface by which predicates are resolved
package core

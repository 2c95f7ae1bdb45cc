// Package extents makes it a property that accesses by pointers stay in the objects that the pointers lead to: it
// puts assertions into the core program, in front of accesses and of arithmetic with pointers.
//
//	C                   core                with checks
//	p = malloc(n)       p := alloc n        p := alloc n;  maybe, if state is none: watch, size, state := p, n, alive
//	p[i] = 0            p[i] := 0           assert state != alive || p != watch || 0 <= i && i <= size - 1;  p[i] := 0
//	q = p + i           q := p + i          assert state != alive || p != watch || 0 <= i && i <= size;  q := p + i
//	*q = 0              *q := 0             if state == alive && watch <= q && q <= end: assert q - watch <= size - 1;  *q := 0
//
// Global variables, and locals in their own function, have names and sizes: an assertion says that a pointer is in
// them. Of objects of the heap, and of locals to which other functions have pointers, one is watched. A run chooses
// it, if any, when it begins, so a property that holds for the one that is watched holds for all of them.
//
// That a pointer lies in an object tells that it leads there, because it is a property as well that arithmetic leaves no object
// (C11 6.5.6p8): a pointer that is moved stays in its object or just after it.
//
// With --check lifetime, another watch tells that local variables are not accessed by pointers after their end.
//
// Trade-offs. As in package heap, the checks are part of the program before it is abstracted. Points-to sets say
// which objects an access may be about, and where the distance from their start is known, it is the size alone
// that is compared, no addresses. Nothing is asserted where constants show that the access is in bounds. A
// points-to set relies on pointers staying in their objects: where the analysis leaves out a move that could only
// lead out of an object, the distance does not count as known.
//
// Not covered, each with its line in the ledger: pointers from outside, whose objects have no size that is known;
// pointers that are made of numbers; models of library functions that do not say how many bytes are accessed;
// pointers that are moved before their objects, as by container_of at the head of a list; and bounds of members:
// an access that leaves an array in a structure and stays in the structure, but for indices of declared arrays.
//
//	extents.go   Check: the watch, and its states
//	watch.go     choice and end of the watch
//	distance.go  how far from a pointer an access is
//	access.go    the accesses and moves of a node
//	assert.go    the conditions of each of them
//	insert.go    the assertions of a procedure, and the place of a result
//	ended.go     CheckLocals: local variables after their end
//	ledger.go    the lines of the ledger
package extents

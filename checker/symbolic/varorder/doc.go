// Package varorder chooses the order of the BDD variables of a Boolean program.
//
//	layout.go       Layout: the BDD level of each copy of each variable
//	hyperedges.go   the sets of variables that one relation is about
//	force.go        Force: an order in which the members of hyperedges are close together
//	reuse.go        Order: the order of one program, reused for the next
//
// A relation is a small diagram if the variables that occur in it are close together. So the
// statements of a program are read as hyperedges, sets of variables that one relation mentions:
//
//	x := y & z;            x y z
//	assume(a = b);         a b
//	r := f(e);             e and the parameter; r and the result
//	if (c) then x := 1;    c x
//
// and FORCE places the members of each close together. This order is a guess; when the diagrams
// become large in spite of it, the solver sifts them, and Order carries the outcome over to the next
// program of a refinement loop.
//
// Each variable (flow.Group) has three copies at adjacent levels: its value at the entry of the
// procedure, its current value and its next value. They keep together when variables are reordered.
package varorder

// Package varorder chooses the order of the BDD variables of a Boolean program.
//
//	layout.go       Layout: the BDD level of each copy of each variable
//	hyperedges.go   the sets of variables that one relation is about
//	force.go        Force: an order in which the members of hyperedges are close together
//	reuse.go        Order: the order of one program, reused for the next
//
// Each variable (flow.Group) has three copies at adjacent levels: its value at the entry of the
// procedure, its current value and its next value. They keep together when variables are reordered.
package varorder

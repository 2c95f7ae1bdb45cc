// Package flow resolves a Boolean program to numbers, once for all passes of the symbolic engine.
//
//	groups.go     Numbering, Group: variables
//	flows.go      Flows: the values that each node reads and writes
//	relation.go   Relation, CallGraph, Predecessors: edges between procedures and between nodes
//	modified.go   Modified: MOD sets of procedures
//	schedule.go   Schedule, Worklist: the order in which nodes are served
//	wto.go        the weak topological order of a control-flow graph
//	bitset.go     Set: sets of groups
//
// Nodes are numbered through all procedures: node v of procedure i is number first[i]+v, where
// first[i] counts the nodes of the procedures before i. Facts about nodes lie in slices by that
// number, not in maps: programs have as many nodes as statements.
//
// The package knows no decision diagrams; package varorder places the groups in an order.
package flow

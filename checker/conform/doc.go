// Package conform decides whether a transition system conforms to another one, in the sense of stuck-free conformance
// (Fournet–Hoare–Rajamani–Rehof 2004; Andrews et al. 2004, §3.3): whatever runs with the specification and never gets
// stuck runs with the implementation and never gets stuck.
//
// What it is not: it knows no language. A System has states with numbers, found on the fly, and steps that are hidden
// or have a visible action; package checker/zingcheck makes systems of Zing models.
//
// # The relation
//
// A state is stable if no hidden step begins in it. Its ready set is the set of actions of its steps. The
// implementation I conforms to the specification S if
//
//	(C1) whenever I does hidden steps and then an action, S can do hidden steps and the same action, to a state to
//	     which the result conforms;
//	(C2) for every stable I' that I reaches by hidden steps, and every Y that is empty or one action of ready(I'),
//	     S reaches by hidden steps a stable S' with Y ⊆ ready(S') ⊆ ready(I').
//
// Conformance is the greatest such relation. S must not refuse more than I; so a specification that only diverges has
// no S', and nothing stable conforms to it.
//
// # The algorithm
//
// Both conditions look at I through its hidden steps only. So they are the same as
//
//	I conforms to S  =  each state that a hidden step of I reaches conforms to S, and
//	                    each state that an action of I reaches conforms to a partner: one of the states that S reaches
//	                    by hidden steps and this action, and
//	                    if I is stable: C2 for it alone.
//
// The greatest fixpoint is computed on the pairs of states that are reached from the initial one:
//
//  1. A pair is believed to conform until it dies. Pairs are explored breadth first.
//  2. Each step of I is an obligation of its pair. It relies on one pair: for an action, that of the first partner that
//     is not dead. The pair on which it relies records it.
//  3. A pair dies if C2 fails, if an action has no partner, or if an obligation has none that lives. Obligations that
//     relied on it turn to their next partner, or their pairs die.
//  4. The implementation conforms if the initial pair lives when no pair is unexplored.
//
// So time is linear in the obligations and their partners. If S has one partner for each action ("no hidden
// nondeterminism"), that is the number of steps of I, once for each state of S beside which they are taken.
//
// Of several partners, those that another one reaches by hidden steps are left out: whatever conforms to the later one
// conforms to the earlier one.
//
// C2 needs few ready sets of S: those of the stable states that are reached by hidden steps and that have no other one
// as a subset (for Y empty) and, for each action, those among the sets with this action that have no other one of them
// as a subset. One family for all is not enough: of {} and {a}, both are needed for the ready set {a}.
//
// The paper's own algorithm (Andrews et al. 2004, Fig. 6) differs: it takes the first partner, does not test Y empty, and
// does not come back to a pair when one after it has failed.
//
// # Sets of states
//
// With Options.Determinize a set of states of S takes the place of one in both conditions: all that S can be in after
// the actions so far. Then each action has one partner. The relation is coarser: a.(b + c) conforms to a.b + a.c. It
// still keeps stuck-freedom. Result.Coarser says whether a set was needed.
//
// # Refutations
//
// A pair that has died knows why: C2 fails, an action is refused, or a step leads to pairs that all died before it. So
// the reasons are a tree, with a branch for each partner; Result.Refutation is this tree.
//
// # Divergence
//
// A state diverges if hidden steps never end from it. This is reported beside the verdict, and changes nothing in it.
//
//	system.go      systems
//	graph.go       the explored part of a system, and its ready sets
//	spec.go        places: what the specification can be in, its partners and minimal ready sets
//	pairs.go       the pairs and their obligations
//	check.go       the fixpoint
//	refutation.go  why the implementation does not conform
//	diverge.go     divergence
package conform

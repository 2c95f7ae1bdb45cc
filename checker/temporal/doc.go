// Package temporal decides whether the runs of a pushdown system satisfy a formula of linear temporal
// logic (LTL), and whether a head of the system can be reached.
//
// What it is not: it knows no language. A frontend describes its programs as a [System], whose control
// locations and stack symbols are numbers, and gives the atoms of a formula their numbers; package
// checker/temporal/rite has atoms about heaps.
//
// # Runs
//
// A configuration is a control location with a stack of symbols; the location and the top symbol are
// its head. The head alone determines the moves, each of which replaces the top symbol by a word of at
// most two symbols, and the atoms that hold. In the system
//
//	⟨p, a⟩ → ⟨p, b a⟩     ⟨p, b⟩ → ⟨q, ε⟩     ⟨q, a⟩ → ⟨p, a⟩
//
// the run from ⟨p, a⟩ is ⟨p, a⟩ ⟨p, ba⟩ ⟨q, a⟩ ⟨p, a⟩ …, and G F q holds of it. A run that can make no
// move repeats its last configuration for ever, unless the system says that it is no run at all
// (Moves.Pruned). A formula holds of a system if it holds of all runs; with Options.Fair, of all runs in
// which each of these atoms holds infinitely often.
//
// # Phases
//
//	formula.go   formulas, printed; lex.go, parse.go: their syntax
//	normal.go    negation normal form and simplification
//	eval.go      the value of a formula on a word that ends in a loop, by the definition
//	alternating.go, generalised.go, buchi.go, reduce.go
//	             the translation to a Büchi automaton (Gastin–Oddoux 2001): a very weak
//	             alternating automaton, a generalised one, the automaton without the sets,
//	             its quotient
//	system.go    pushdown systems; product.go: their product with an automaton
//	saturate.go  post*: the reachable configurations, by saturation (Schwoon 2002, §3.1.4)
//	heads.go     the head-reachability graph and its accepting components (Esparza et al. 2000)
//	run.go       runs from the reasons of the saturation; replay.go: their replay
//	monitor.go   finite runs that no continuation can make good
//	check.go     the answer, and reachability alone
//
// The system is explored on the fly: Moves is called once for each reachable head.
//
// # What holds of an answer
//
// False comes with a lasso, a run of a stem and a loop that can be repeated for ever, which was replayed
// in the system and against the formula before it is returned. A move may lead beyond what the system
// knows (Move.Top): from there everything is possible. Then the answer is Unknown, if no run that is
// known violates the formula and one that leads there had not satisfied it for good.
package temporal

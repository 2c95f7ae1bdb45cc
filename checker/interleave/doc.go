// Package interleave explores the states of a program of the object model whose processes interleave (package
// checker/zom: programs with blocks): from each state, a step of each process that can run or, in a reduced search,
// a transaction of each.
//
// What it is not: it knows no surface language (package checker/lowerzing has one), and no verdict.
//
// # What is looked for
//
// Deadlocks: no process can run, and one waits at a select that is no end state. With Options.Stuck, also messages that
// nobody receives: no process can run, and a channel holds a message, or did when the last reference to it went away.
// Failing steps: an assertion
// that does not hold, null used, a division by zero, and the other outcomes of zom.Machine.Step. An assumption
// that does not hold is no failure; the run is dropped and counted.
//
// # Searches
//
// Every search stores the canonical form of each state that it meets, exactly, and goes on from a state once.
//
//	breadth    breadth first, so that the first failure has a shortest run
//	depth      depth first
//	bounded    breadth first, for runs of at most so many states
//	random     runs that take a random step each time, from a seed; proves nothing
//	delay      the scheduler runs a process until it waits or ends, and then the next one; it may be delayed a
//	           number of times, and then passes over the process that is its turn (Emmi–Qadeer–Rakamarić 2011)
//	preemption likewise, but any process may follow one that waits or ends, and a number of times one that
//	           could go on (Qadeer–Rehof 2005)
//
// A search that leaves something out because of a bound says so: Result.Open.
//
// # Speed
//
// A state is the list of the numbers of its parts: globals, each process, each object. A step changes few of them,
// so few are read and written; and it depends on few of them, so most steps need not be made at all: their
// effect is known from another state with the same globals, objects and part of the process. Several workers may
// expand states; the result does not depend on how many.
//
// # Counting states
//
// Result.Distinct counts the initial state; each state with a pending choice of at least two alternatives;
// and each other state in which a process can run and that has at least two processes, those that have ended
// included. Result.Stored counts all.
//
//	options.go   models, options, results
//	engine.go    the frame of all searches: counters, states kept and loaded
//	expand.go    all moves from a state; memo.go: steps that were made before; renumber.go: other numbers of objects
//	team.go      workers; worker.go: moves whose results are merged later
//	failure.go   deadlocks, failures, and the runs to them; stuck.go: messages that nobody receives
//	store.go     the set of states; parts.go: what they share
//	breadth.go, depth.go, random.go, delay.go   the searches
//	reduce.go    the search by transactions: transact.go, mover.go (types of steps), protect.go, boundary.go
//	summary.go   summaries of the procedures called in transactions: fixpoint.go (their computation), facts.go (their
//	             dependences), frames.go (recursion that does not end); moment.go goes back in a transaction
//	replay.go    the run to a failure, step by step
//	graph.go     the graph of states, for Graphviz
//	system.go    states on the fly, with the events of transitions
package interleave

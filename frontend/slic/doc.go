// Package slic applies rules to C programs: it makes a core program that has the runs of the C program,
// and an assertion that fails where a run violates a rule.
//
//	rule lock "…"                                    proc main() int32
//	state { enum { free, held } s = free; }            0: lock$s := 0               (free)
//	on acquire().entry {                               …
//	    if (s == held) abort "double: twice";          5: branch                    -> 6 8
//	    s = held;                                      6: assume lock$s == 1        -> 7
//	}                                                  7: assert 0                  -> 9   lock: double: twice
//	                                                   8: assume lock$s != 1        -> 9
//	int main(void) { … acquire(); … }                  9: lock$s := 1               -> 10
//	                                                   10: call acquire()
//
// Trade-offs. A rule becomes statements of the core language before anything is abstracted, so that weakest
// preconditions, aliases, traces and certificates know nothing of rules. Its bodies are given to the C front
// end as C functions at the end of a file, since types, macros and conversions are then exactly those of
// the program; they are put in place of marks at each event, so that no call and no argument has to be
// followed. The price is that the program is parsed twice: how a function is declared is known only then.
//
// Where events are:
//
//	function with a body       at its first node, and before its return; values on entry are kept
//	function without a body    around each call; an address of it becomes that of a function with a body
//	                           that calls it
//	function with a model      around the nodes of the model
//	label                      where the label is, each time that it is passed
//	end                        before the return of main, and at calls of exit and its kin
//
// In a program with several rules, a run that violates one goes on for the others: a branch leads past the
// assertion, and a variable tells that the rule has no say from then on. Likewise an assumption of a rule
// ends no run of the others.
//
// The assertions of the program itself end its runs, as in C, and are no properties.
//
//	rule.go        rules as they are applied
//	ctext.go       statements and expressions as C
//	actions.go     the C text of actions, and their functions
//	bind.go        names of rules in the C files of the program
//	nest.go        events of functions that call each other
//	object.go      C text about the object of a rule
//	load.go        Load: reads the program twice
//	instrument.go  actions put at events
//	events.go      where the events are in a procedure
//	entry.go       entry points of a type, and their events
//	places.go      the places that can be watched
//	idle.go        events that do nothing to objects to which nothing else has happened
//	watch.go       the choice of the one that is watched, and its end
//	lives.go       where objects begin and end
package slic

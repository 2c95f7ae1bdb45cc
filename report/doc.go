// Package report renders a [verdict.Result] for people and for programs. It
// decides nothing: the verdict, the sites that were checked and the run to the
// failing one are in the value; here they become text ([Text]), JSON
// ([JSON]) or a table of counters ([Statistics]).
//
// The text of a failing check, in full (testdata/false.txt.golden):
//
//	The failing run (| shows the variables that changed):
//
//	  lock.c:21  main:1     n = 0;
//	                        | {n == 0} = 1
//	  lock.c:22  main:2     log();  [call taken as one step]
//	                        | {locked == 1} = 0
//	  lock.c:22  main:3     acquire();
//	  lock.c:8   acquire:0    locked == 1  [does not hold]
//	  lock.c:10  acquire:2    locked = 1;
//	                          | {locked == 1} = 1
//	  lock.c:11  acquire:5    }
//	  lock.c:22  main:3     acquire();  [back from the call]
//	                        | {n == 0} = *
//	  lock.c:23  main:4     assert(locked == 0);  [fails]
//
//	In this state:
//	  | {locked == 1} = 1
//
//	Properties:
//	  property     where      status
//	  label ERROR  lock.c:9   holds
//	  assertion    lock.c:23  fails
//
//	The failing run is one of the Boolean program; it was not checked against C.
//	Verification result: FALSE (assertion, lock.c:23)
//
// The first columns are the place in the C source (in the Boolean program if it
// carries no annotations) and the stable node id; a statement is indented by its
// call depth. A call marked [call taken as one step] is a summary edge of the
// hierarchical trace (Ball–Rajamani 2000, §3): the variables below it are its effect.
// Steps that belong to one C statement are one row, which shows their net effect;
// the JSON form has all of them, and the variables by which values are handed over.
//
// The last line begins with [ResultPrefix], whatever the verdict; scripts may
// rely on it. The JSON form is described at [Document].
//
//	text.go         the text form: order and tables
//	trace.go        the failing run
//	rounds.go       equal iterations of loops, which are left out
//	names.go        names of files, which are shortened
//	ledger.go       assumptions, which are grouped
//	groups.go       ledgers of drivers, by kinds
//	json.go         the JSON form
//	stats.go        counters, times, memory
//	iterations.go   iterations of a refinement
//	dot.go          heaps of a run, drawn by Graphviz
//	processes.go    the text form of models whose processes interleave
package report

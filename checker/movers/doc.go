// Package movers finds facts about the code of a program with processes (package checker/zom) that tell how its
// steps commute with those of other processes (Lipton 1975; Flanagan–Qadeer 2003; Qadeer–Rajamani–Rehof 2004).
// Package checker/interleave uses them to explore fewer states.
//
// What it is not: it looks at no state, and types no step. The facts hold whatever the state.
//
// # Locations
//
// A location is a global, a field of a class, or the content of the arrays, the sets or the channels of a class.
// Two objects of a class share their locations.
//
// # Future uses
//
// Future holds, for each place of a procedure, how a process that stands there may still use which locations: in
// the rest of the procedure, in those that it calls, and in processes that it creates. Nobody else can write a
// location any more if no frame of another process has that in its future.
//
//	use       done by
//	Reads     reading a global, a field, an element of an array, the content of a set
//	Writes    writing it
//	Sends     sending to a channel
//	Receives  receiving from it
//	Asks      its size
//	Tests     a select whose effect depends on a channel being empty: a select first looks at all channels
//	          before the alternative that it takes; a select in the middle of a step fails if nothing can run
//
// A select that is none of these waits for a message, or takes one, which is a receive.
//
// # Locks
//
// Acquire holds the selects that may take a lock: they wait until one location has one value, the free one, and
// for nothing else. Whether the same step writes another value is seen when it runs.
//
//	movers.go   locations, uses, facts
//	future.go   what a process may still do
//	select.go   selects that are met in the middle of a step
//	lock.go     selects that wait for one value
package movers

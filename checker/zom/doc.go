// Package zom is the Zing Object Model (ZOM), the layer under the explicit engines (Andrews et al.
// 2004, §2): programs of objects, their states, and the effect of one step on a state.
//
// What it is not: it knows no surface language (packages checker/lower and checker/lowerzing translate Boolean
// programs and Zing models to it), no summaries and no search (packages checker/explicit and checker/interleave).
//
// Two kinds of programs share objects, states and their undo. Sequential ones, of Booleans and references, have
// unknown Booleans and partial states; the first part of this text is about them. Programs of processes that
// interleave have exact values, arrays, sets, channels, choices and exceptions; see the last part.
//
// # Programs
//
// A Program has classes, globals and procedures. Every value lies in a Slot with a type: Boolean,
// integer, enumeration or reference. A struct lies in several slots, one after the other, "p.x" and
// "p.y"; copying it copies each. The code of a procedure is a list of instructions over the slots
// of its frame; globals and fields are read into a slot and written from one, so that each
// instruction touches at most one place that others can see.
//
//	instruction          meaning
//	const, copy, move    a := constant; a := b; a := b, and b forgotten
//	any                  a := any Boolean
//	global, set global   a := global b; global a := b
//	field, set field     a := b.f; a.f := b; an error if the object is null
//	new, object          a := a new object; an error if a is null
//	not, and, eq, …      a := operation on b and c
//	add, sub, …          the same on integers, overflow being an error
//	jump, branch         control goes to one of the targets, freely or by a
//	assume, assert       the run ends silently, or fails, unless a
//	wait                 the process waits until a
//	call, return, spawn  frames and processes come and go
//
// # Unknown Booleans
//
// A Boolean that may have either value, and that was not read yet, is Unknown: one state instead of
// two. An instruction that reads it (copy, global, field) makes it 0 in one run and 1 in another;
// move takes it along unread, because no second copy arises. Values that "any" makes are combined
// as sets: and(0, any) is 0, and(1, any) is any. So forty unconstrained globals are one state until
// they are read.
//
// # States
//
// A State has globals, a heap and a stack of frames for each process. Every change is logged, and
// Undo takes changes back to a Mark: a depth-first search needs one State.
//
// A state can also be partial: a slot that is Absent holds its value from the entry of some
// procedure, and cells of that time have negative addresses, -1, -2, …; Machine.Entry tells the
// value of such a slot when it is read. In this way package explicit analyses a procedure without
// the state of its callers.
//
// # Steps
//
// Machine.Run executes the instructions from one start (Proc.Starts) to the next: one step. Where a
// choice must be made it asks its tape; Next moves the tape on, so all outcomes of a step are
//
//	for mark, more := s.Mark(), true; more; more = m.Next() {
//		s.Undo(mark)
//		outcome := m.Run(s, process)
//	}
//
// Machine.Record holds what the last step read, wrote and allocated, with room for the needs of
// concurrency and temporal properties.
//
// # Canonical forms
//
// Canon encodes a state as bytes. Two states have the same bytes if they differ only in the
// addresses of objects: objects are numbered in the order in which they are met from the roots that
// the caller hands over, one after the other. Unreachable objects are garbage and not written.
// Cells of the entry keep their names (Qadeer–Rajamani 2005, §5, renames them, and then identifies
// two effects that differ).
//
// # Processes
//
// The code of a process is grouped to blocks (Proc.Blocks); Machine.Step executes those that are one step. The
// instructions beside those above:
//
//	instruction            meaning
//	load, store            globals, fields and elements, several neighbouring slots at once
//	calc, cast             arithmetic of a given width, an overflow being an error or not
//	new n, size            arrays
//	send, receive          channels, first in, first out
//	insert, remove, member sets, whose elements are sorted
//	select, choose         a process waits, or chooses
//	call, result           a call, and the results in a block of its own
//	evaluate, apply        a procedure that runs inside one instruction
//	raise, set handler     exceptions
//
//	block.go                              blocks, steps, choices, scopes
//	step.go, choice.go                    execution of steps; who waits, and for what
//	perform.go, collection.go, calc.go    instructions; nested.go: procedures inside them
//	sequence.go                           objects with elements
//	multi.go, rank.go                     canonical forms
//	parts.go, rename.go                   the parts of them that a step changes
//	validate_blocks.go, print_blocks.go   the sanity pass and the text form
package zom

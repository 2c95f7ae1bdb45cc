// Package inline puts the body of a procedure in the place of a call of it.
//
//	proc dup(p ptr) ptr              c := dup(a->b)
//	  local q ptr
//	  0: q := alloc 8     -> 1         0: c := alloc 8     -> 1
//	  1: copy q, p, 8     -> 2         1: copy c, a->b, 8  -> end
//	  2: \result := q     -> 3
//	  3: return
//
// Each call gets statements of its own: package frontend does this to the models of
// library functions, so that each call of malloc is an allocation site.
//
// The result resembles what a person would have written. An argument takes the place of the formal
// where nothing in between changes its value, otherwise it is kept in a temporary; likewise the
// destination of the call takes the place of the result, and of the local variable that is
// returned; constants are folded, and branches that they exclude and values that nobody reads are
// left out.
//
// The package is not an optimiser. It knows no aliases: any write to memory changes all reads of
// memory.
//
// In the copy a local variable lives as long as the caller's activation; it starts arbitrary each
// time. So a pointer to it stays valid for longer than it was.
//
//	calls.go    replacement of calls in a procedure
//	body.go     one copy of a body: arguments, result, locals
//	rewrite.go  statements and expressions of the copy
//	flow.go     which variables statements read and write, and in which order
//	fold.go     constant folding
//	graph.go    removal of dead statements and nodes
//	small.go    replacement of all calls of small procedures
//	forward.go  values in the place of temporaries
package inline

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
// What a person would have written is aimed at. An argument takes the place of the
// formal where nothing in between changes its value, otherwise it is kept in a
// temporary; likewise the destination of the call takes the place of the result, and of
// the local variable that is returned; constants are folded, and ways that they exclude
// and values that nobody reads are left out.
//
// What it is not: an optimiser. It knows no aliases: any write to memory changes all
// that is read from there.
//
// In the copy a local variable lives as long as the caller's activation; it starts
// arbitrary each time. So a pointer to it stays valid for longer than it was.
package inline

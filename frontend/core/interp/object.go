package interp

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file defines objects.

// Object is a piece of memory with an address of its own: a variable that lives in memory, in one
// activation; an object that an Alloc made; a procedure, as far as it has an address; or the
// external object. It is the same in all copies of a machine; what changes in it is its body.
type Object struct {
	id    int
	index int // in memory.bodies
	start uint64
	size  int64

	environment int // number of one made for a pointer from outside, see environment.go; or 0

	// The origin of the object: at most one of v, alloc and proc is set.
	v     *core.Var
	alloc *core.Alloc
	proc  *core.Proc
	// The index of the frame whose end ends the object, or -1; and the steps made before it was
	// made.
	depth int
	born  int
}

// ID returns the number of the object in the order in which they were made.
func (o *Object) ID() int { return o.id }

// Start returns the address of the first byte.
func (o *Object) Start() uint64 { return o.start }

// Size returns the number of bytes; a procedure has none.
func (o *Object) Size() int64 { return o.size }

// Var returns the variable that the object is, or nil.
func (o *Object) Var() *core.Var { return o.v }

// Alloc returns the statement that made the object, or nil.
func (o *Object) Alloc() *core.Alloc { return o.alloc }

// Proc returns the procedure that the object is, or nil.
func (o *Object) Proc() *core.Proc { return o.proc }

// External reports whether the object is not a part of the program: one of the environment, or the
// one that stands for all other memory that the program does not define.
func (o *Object) External() bool { return o.v == nil && o.alloc == nil && o.proc == nil }

// Depth returns the index of the frame whose end is the object's, or -1.
func (o *Object) Depth() int { return o.depth }

// Born returns the number of nodes that had been executed when the object was made.
func (o *Object) Born() int { return o.born }

// String describes the object: #3 f.x at 0x700000100010, 4 bytes.
func (o *Object) String() string {
	name := "external"
	switch {
	case o.environment > 0:
		name = "environment"
	case o.v != nil && o.v.Proc != nil:
		name = o.v.Proc.Name + "." + o.v.Name
	case o.v != nil:
		name = o.v.Name
	case o.alloc != nil:
		name = core.StmtString(o.alloc)
	case o.proc != nil:
		name = o.proc.Name
	}
	return fmt.Sprintf("#%d %s at %#x, %d bytes", o.id, name, o.start, o.size)
}

// foreign reports whether o is a variable that the program does not define.
func (o *Object) foreign() bool { return o.v != nil && o.v.Foreign }

// literal reports whether o is a string literal, which must not be changed.
func (o *Object) literal() bool { return o.v != nil && o.v.Literal }

// pointedTo reports whether pointers may point to o: it is no variable, or its
// address is taken.
func (o *Object) pointedTo() bool { return o.proc == nil && (o.v == nil || o.v.AddrTaken) }

// exposed reports whether every external can reach o under [core.ExternAll].
func (o *Object) exposed() bool {
	return o.pointedTo() || o.v != nil && o.v.Kind == core.Global
}

// heap reports whether Free may end the object's life.
func (o *Object) heap() bool { return o.alloc != nil && !o.alloc.Stack }

// holds reports whether size bytes from addr on are bytes of o. With size 0 it also holds for the
// address just after o, which pointers may have (C11 6.5.6p8).
func (o *Object) holds(addr uint64, size int64) bool {
	off := addr - o.start // wraps to a great number below o
	return size >= 0 && off <= uint64(o.size) && uint64(size) <= uint64(o.size)-off
}

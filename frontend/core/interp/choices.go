package interp

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file defines requests for choices, and the interfaces that answer them.

// Place is the position of the machine when it asks for a choice. While the globals
// get their initial values it is node 0 of the entry.
type Place struct {
	Proc  *core.Proc
	Node  int
	Depth int // index of the frame; the entry's is 0
}

// Reason is the occasion of a request for a value.
type Reason int

const (
	InitGlobal     Reason = iota // a global before the program starts
	InitFormal                   // a formal of the entry
	InitLocal                    // a local or temp on entry to its procedure
	Havocked                     // a location that a Havoc node names
	RegionHavocked               // an address-taken variable, by Havoc with Region or an external call
	ExternalResult               // what a procedure without a body returns
	Contents                     // of memory that was never written, or made arbitrary since
)

// String returns r in words.
func (r Reason) String() string {
	return [...]string{"initial global", "initial formal", "initial local", "havoc",
		"region havoc", "external result", "contents of memory"}[r]
}

// Request asks for one value.
type Request struct {
	Place
	Why     Reason
	Var     *core.Var // nil if the value is for no variable as a whole
	Object  *Object   // where the value is to be stored, nil outside of memory
	Addr    uint64    // and its address
	Owner   int       // depth of the frame that Var lives in; -1 for a global or none
	Type    core.Int  // the value is to be one of this type
	Pointer bool      // it is an address
	Old     *big.Int  // the present value for Havocked and RegionHavocked, the last one for Contents, else nil
	// Indeterminate is set for a value that nobody has set since its life began, of locals and of
	// memory. It points nowhere. Bytes that are read although nothing sets them are values from
	// outside instead (package unset).
	Indeterminate bool

	machine *Machine
	old     int64 // the value of Old, if hasOld
	hasOld  bool
}

// Targets returns the live objects, procedures among them, whose addresses arbitrary pointers may
// hold: the external object first. A value that is neither Old nor an address in one of them must
// not point into a live object. The list is empty in a program that does not use pointers. It is
// the machine's own.
func (r Request) Targets() []*Object {
	if r.machine == nil || r.Indeterminate {
		return nil
	}
	return r.machine.known
}

// PointerBits returns the width of addresses.
func (r Request) PointerBits() int { return r.machine.pointer.Bits }

// Hides reports whether v is an address that the value must not be: it points
// into, or just after, a live object that is not among Targets.
func (r Request) Hides(v *big.Int) bool { return v.IsUint64() && r.hides(int64(v.Uint64())) }

// hides is Hides of a number modulo 2^64.
func (r *Request) hides(v int64) bool {
	m := r.machine
	if m == nil || !m.pointers || uint64(v) < m.first || v < 0 && r.Type.Signed || r.hasOld && r.old == v {
		return false
	}
	o := m.liveAt(uint64(v))
	return o != nil && (!m.body(o).known || r.Indeterminate)
}

// Convert returns v modulo 2^64, converted to the type of the request.
func (r *Request) Convert(v int64) int64 { return convert(r.Type, v) }

// Fits reports whether v is a valid answer: a value of the type, modulo 2^64, that the request does
// not hide.
func (r *Request) Fits(v int64) bool { return convert(r.Type, v) == v && !r.hides(v) }

// Last returns the value of Old as a number modulo 2^64; ok is false if that is nil.
func (r *Request) Last() (v int64, ok bool) { return r.old, r.hasOld }

// Choices decides what a program leaves open. Calls come in the order of execution, and within one
// step in a fixed order: variables of a region havoc as globals, then frames from the entry's up,
// each with its formals and locals in order of declaration.
type Choices interface {
	// Branch picks one of next, the successors of a Branch node that can be
	// entered (never empty). Anything else blocks the run.
	Branch(at Place, next []int) int
	// Value picks a value of r.Type (0 or 1 if r.Var is Logical).
	Value(r Request) *big.Int
}

// Numbers is an optional extension of Choices, which saves the time that values as big numbers
// take: if Choices implements it, Value is not called.
type Numbers interface {
	// Number returns the value modulo 2^64, as Value does. The request has no Old, but Last, and is
	// valid during the call only.
	Number(r *Request) int64
}

// Externals is an optional extension of Choices that decides which memory a procedure without a
// body writes. Without it, it writes none, apart from the variables that [core.ExternAll] makes
// arbitrary.
type Externals interface {
	// External lists what a call writes to memory.
	External(c ExternalCall) []Write
}

// ExternalCall is a call of a procedure without a body.
type ExternalCall struct {
	Place
	Callee  *core.Proc
	Reached []*Object // what it may write, by addresses that the run has decided

	all func() []*Object
}

// All lists the objects that the call may write, also by addresses that the run has not decided: a word that is arbitrary,
// since code outside has set it or might have, leads to all that is known outside. What it leads to becomes known.
func (c *ExternalCall) All() []*Object { return c.all() }

// Write stores bytes in memory.
type Write struct {
	Addr  uint64
	Size  int64
	Bytes []byte // Size many; nil makes them arbitrary: asked for when they are read
}

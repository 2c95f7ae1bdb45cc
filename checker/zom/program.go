package zom

import "math"

// This file defines programs.

// Word is the content of a slot: a Boolean 0, 1 or Unknown; an integer or the index of a member of
// an enumeration; a reference, which is Null, the address 1, 2, … of an object made since the
// entry, or the address -1, -2, … of an object that was there at the entry.
type Word = int64

// Words with a meaning of their own.
const (
	Null    Word = 0
	Unknown Word = 2             // a Boolean that may be 0 or 1, and was not read
	Absent  Word = math.MinInt64 // the value from the entry; no integer has this value
)

// Kind is the kind of the values in a slot.
type Kind uint8

// The kinds of values.
const (
	Bool Kind = iota
	Int
	Enum
	Ref
)

func (k Kind) String() string { return [...]string{"bool", "int", "enum", "ref"}[k] }

// Slot is a place for a value.
type Slot struct {
	Name  string
	Kind  Kind
	Class int // of Ref: index in Program.Classes, or -1 for objects of any class
	Init  Word
}

// Class is a class of objects.
type Class struct {
	Name   string
	Fields []Slot
}

// Program is a program of the object model.
type Program struct {
	Classes []*Class
	Globals []Slot
	Procs   []*Proc
	Main    int // index in Procs; its parameters start as their Init says
}

// Proc is a procedure. Its frame has the parameters first; the slots from Scratch on hold nothing
// between steps. A return leaves the results in slots Result, Result+1, …, from which the caller's
// instruction takes them.
type Proc struct {
	Name    string
	Slots   []Slot
	Params  int
	Result  int // first slot of the results
	Results int
	Scratch int
	Code    []Instr
	Entry   int32    // pc of the first instruction
	Starts  []bool   // by pc: a step begins here
	Live    []Bitset // by pc, at starts: the live slots
	Globals []Bitset // by pc, at starts: the live globals
}

// Op is the operation of an instruction.
type Op uint8

// The operations. a, b and c are slots of the frame unless it says otherwise.
const (
	Skip      Op = iota
	Const        // a := Imm
	Copy         // a := b
	Move         // a := b; b := 0
	Any          // a := any Boolean
	Decide       // a := 0 or 1 if it is any Boolean
	Global       // a := global b
	SetGlobal    // global a := b
	Field        // a := b.field c
	SetField     // a.field b := c
	New          // a := new object of class b
	AnyObject    // a := null or a live object of class b or, if C is not 0, a new one with any fields
	AnyField     // field b of all objects of class a := any value
	Object       // an error if a is null
	Not          // a := !b
	And          // a := b & c
	Or           // a := b | c
	Xor          // a := b ^ c
	Implies      // a := b => c
	Eq           // a := b = c
	Choose       // a := 1 if b, else 0 if c, else any Boolean
	Add          // a := b + c
	Sub          // a := b - c
	Mul          // a := b * c
	Div          // a := b / c, towards 0
	Rem          // a := b % c, with the sign of b
	Less         // a := b < c
	Jump         // to one of Targets
	Branch       // to Targets[0] if a, else to Targets[1]
	Assume       // the run ends unless a
	Assert       // the run fails unless a
	Wait         // the process waits until a
	Visit        // control is at Node
	Call         // procedure b; the arguments are in slots a, a+1, …, the results come to c, c+1, …
	Return
	Spawn // a process that calls procedure b with the arguments in slots a, a+1, …
)

// Instr is an instruction. Node is the place in the source to which it belongs.
type Instr struct {
	Op      Op
	A, B, C int32
	Node    int32
	Imm     Word
	Targets []int32
}

// Next returns the instructions to which control can go from an instruction at pc, except into a
// callee.
func (in *Instr) Next(pc int32) []int32 {
	switch in.Op {
	case Return:
		return nil
	case Jump, Branch:
		return in.Targets
	}
	return []int32{pc + 1}
}

// Bitset is a set of small numbers.
type Bitset []uint64

// NewBitset returns the empty set with room for numbers below n.
func NewBitset(n int) Bitset { return make(Bitset, (n+63)/64) }

// Has reports whether i is in the set.
func (b Bitset) Has(i int) bool { return b[i/64]>>(i%64)&1 == 1 }

// Set puts i into the set.
func (b Bitset) Set(i int) { b[i/64] |= 1 << (i % 64) }

// Clear takes i out of the set.
func (b Bitset) Clear(i int) { b[i/64] &^= 1 << (i % 64) }

// Union adds the elements of c and reports whether one was new.
func (b Bitset) Union(c Bitset) (grew bool) {
	for i, w := range c {
		grew = grew || w&^b[i] != 0
		b[i] |= w
	}
	return grew
}

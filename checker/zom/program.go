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
	Real // the bits of a float64
	Text // 0 is null, else 1 + an index in Program.Texts
)

func (k Kind) String() string { return [...]string{"bool", "int", "enum", "ref", "real", "text"}[k] }

// Slot is a place for a value.
type Slot struct {
	Name  string
	Kind  Kind
	Class int // of Ref: index in Program.Classes, or -1 for objects of any class
	Init  Word
	Names []string // of Enum: the names of the values, for people; nil if they have none
}

// Class is a class of objects: of records with Fields, or of sequences whose elements have the slots Elem.
type Class struct {
	Name   string
	Fields []Slot
	Form   Form
	Elem   []Slot // of a sequence

	kinds []Kind // of the fields, or of an element; see Link
	refs  bool   // one of these is a reference
}

// Form is the form of the objects of a class.
type Form uint8

// The forms of objects: Fixed ones have fields. The elements of a set are sorted.
const (
	Fixed Form = iota
	Array
	Set
	Channel
)

// Program is a program of the object model.
type Program struct {
	Classes []*Class
	Globals []Slot
	Procs   []*Proc
	Main    int // index in Procs; its parameters start as their Init says

	// Of programs with processes; see Block.

	Virtual    [][]int32 // by the number of a virtual procedure and class: the procedure, or -1
	Texts      []string  // the strings, sorted
	Exceptions []string  // the names of exceptions
	Places     []Place   // the blocks of all procedures; Block.Number is an index

	kinds []Kind // of globals
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

	// Of programs with processes.

	Blocks   []Block   // by pc, at starts; nil if the procedure has none
	Scopes   []Scope   // the first one is that of the body
	Handlers []Handler // the with parts of its try statements

	kinds []Kind  // of the slots that are no scratch
	refs  []int32 // those that are references
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
	Fork  // to Targets[0]; a process with a copy of the frame begins at Targets[1]
	Halt  // the process ends, whatever its frames

	// The operations of programs with processes: their values are exact. n is a number of slots.

	CopyN        // a, … := b, …; n is C
	LoadGlobal   // a, … := globals b, …; n is C
	StoreGlobal  // globals a, … := b, …; n is C
	LoadField    // a, … := b.fields at Imm; n is C; see At
	StoreField   // a.fields at Imm := b, …; n is C
	LoadElem     // a, … := b[c] at Imm, see At
	StoreElem    // a[b] at Imm := c, …
	Exists       // an error if a is no object of class Imm or, if C is not 0, has no element b
	Size         // a := number of elements of b, of class Imm
	NewN         // a := new array of class b with c elements
	SendTo       // append b, … to channel a, of class Imm
	Receive      // a, … := head of channel b, of class Imm, which loses it
	HasMessage   // a := channel b, of class Imm, has a message
	Insert       // put b, … into set a, of class Imm
	Remove       // take b, … out of set a, of class Imm
	InsertAll    // put the elements of set b into set a, of class Imm
	RemoveAll    // take the elements of set b out of set a, of class Imm
	Member       // a := b, … is in set c, of class Imm
	Calc         // a := operation on numbers b and c; see Number
	Cast         // a := number b, converted; see Conversion
	Result       // a, … := results b, … of the procedure that has returned last; n is C
	CallVirtual  // as Call, which then goes on at its only target, of virtual procedure b; the class of the first argument decides
	SpawnVirtual // as Spawn, likewise
	Eval         // a := result of procedure b with the arguments in slots c, c+1, …, which leaves no effect
	EvalVirtual  // likewise, of virtual procedure b
	Apply        // run procedure b with the arguments in slots a, a+1, …, to its end
	Self         // a := number of the process
	Select       // to one of Targets, of those whose slot a, a+1, … is 1; Imm is 1 if it is always the first
	ChooseNumber // a := Imm, or Imm+1, … Imm+B-1
	ChooseFrom   // a, … := an element of b, of class Imm
	Raise        // exception b; the handler of the place is a, or -1
	SetHandler   // the handler of the frame is a
	Accept       // the step is accepting if a
	Observe      // an observer sees the event whose three parts are in slots a, a+1, a+2
	Print        // text b with the C values in slots a, a+1, … to whoever follows a run
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
	case Return, Raise, Halt:
		return nil
	case Jump, Branch, Fork, Select:
		return in.Targets
	case Call, CallVirtual:
		// Where code has blocks, a call has the one to which it returns.
		if len(in.Targets) > 0 {
			return in.Targets
		}
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

package zom

// This file defines the programs of processes that interleave: how instructions are grouped to blocks, and
// blocks to steps.
//
// # Blocks
//
// A block is the code from one start (Proc.Starts) to the next; a process stands at a block. Blocks that
// another process cannot come between are one step:
//
//	repeat
//	    glued := the block is marked Glued or Returns
//	    level := level of the frame + level of the block
//	    execute the block, up to the start of the next one
//	until level is 0 and the block was not glued, or a choice is pending, or the run has ended
//
// A call gives the callee's frame the level at which it is made, so that all of it is one step with a caller
// that is inside an atomic region. A return goes back to the level of the frame that is left, and glues, so
// that the caller's block after the call, which takes the results, belongs to the same step.
//
// # Choices
//
// A block that chooses runs twice. The first time it counts the alternatives, and the process is pending:
// State.Pending is a part of the state, and no other process runs. The second time it takes the alternative
// that the caller of Machine.Step names.
//
// # Processes that wait
//
// A process waits only at a block that ends in a Select, when none of the conditions is true that the block
// computes before. Machine.Status finds out by running the block up to there. A label in front of such a
// block counts as the block. A Select that has nothing to run in the middle of a step is an error.
//
// # Scopes
//
// When control goes from a block to one in a scope around its own, the variables of the scopes between are
// set to their initial values: states that differ in dead variables only become the same.

// Block describes the block that begins at a start.
type Block struct {
	Level  int32 // 1 inside an atomic region, else 0
	Flags  Flags
	Scope  int32 // index in Proc.Scopes
	Wait   int32 // pc of the block at whose Select a process that stands here may wait, or -1
	Node   int32
	Number int32 // among all blocks of the program
}

// Flags are properties of a block.
type Flags uint8

// The flags.
const (
	Glued    Flags = 1 << iota // the step goes on with the next block
	Returns                    // likewise, as it ends in a return
	Yields                     // the step ends, unless inside an atomic region
	EndState                   // a process that waits at the Select has done its work
)

// Place is the start of a block.
type Place struct{ Proc, PC int32 }

// Scope is a block of the source text with variables of its own: the slots From, …, To-1.
type Scope struct {
	Parent   int32 // -1 for that of the body
	From, To int32
}

// Handler is the with part of a try statement.
type Handler struct {
	Outer int32 // the handler around it, or -1
	Cases []Case
}

// Case is where a handler sends control.
type Case struct {
	Exception int32 // or -1 for any
	PC        int32
}

// Number is the type of numbers of a Calc or Cast.
type Number uint8

// The types of numbers: two's complement of 8 to 64 bits, and IEEE floating point.
const (
	Byte Number = iota
	SByte
	Short
	UShort
	Int32
	UInt32
	Int64
	UInt64
	Float32
	Float64
)

// Calculation is the operation of a Calc.
type Calculation uint8

// The calculations. The comparisons have Boolean results.
const (
	Plus Calculation = iota
	Minus
	Times
	Quotient
	Remainder
	Negate // of b alone
	Complement
	BitAnd
	BitOr
	BitXor
	ShiftLeft
	ShiftRight
	LessThan
	LessEqual
	EqualTo
)

// wrapping is the bit of Imm that makes integer overflow wrap around.
const wrapping = 1 << 32

// CalcOf returns the Imm of a Calc. With wraps, an overflow is no error.
func CalcOf(c Calculation, t Number, wraps bool) Word { return pack(Word(c), Word(t), wraps) }

// CastOf returns the Imm of a Cast.
func CastOf(from, to Number, wraps bool) Word { return pack(Word(from), Word(to), wraps) }

func pack(high, low Word, wraps bool) Word {
	w := high<<8 | low
	if wraps {
		w |= wrapping
	}
	return w
}

// At returns the Imm of a LoadField, StoreField, LoadElem or StoreElem: the class of the object, the index of
// the first slot in it or in the element, and for elements the number n of slots.
func At(class, slot, n int32) Word { return Word(class)<<32 | Word(n)<<16 | Word(slot) }

// unpackAt returns the arguments of At.
func unpackAt(w Word) (class, slot, n int32) {
	return int32(w >> 32), int32(w & 0xffff), int32(w >> 16 & 0xffff)
}

// Link numbers the blocks of p, and prepares its canonical forms. It must be called once, when all classes and
// procedures are there.
func (p *Program) Link() {
	p.kinds = kindsOf(p.Globals)
	for _, c := range p.Classes {
		c.kinds = kindsOf(c.Fields)
		if c.Form != Fixed {
			c.kinds = kindsOf(c.Elem)
		}
		c.refs = refsOf(c.kinds) != nil
	}
	for i, proc := range p.Procs {
		proc.kinds = kindsOf(proc.Slots[:proc.Scratch])
		proc.refs = refsOf(proc.kinds)
		for pc := range proc.Blocks {
			if proc.Starts[pc] {
				proc.Blocks[pc].Number = int32(len(p.Places))
				p.Places = append(p.Places, Place{int32(i), int32(pc)})
			}
		}
	}
}

// kindsOf returns the kinds of slots.
func kindsOf(slots []Slot) (list []Kind) {
	for i := range slots {
		list = append(list, slots[i].Kind)
	}
	return list
}

// ClassOf returns the class of a LoadField, StoreField, LoadElem or StoreElem.
func ClassOf(in *Instr) int32 { class, _, _ := unpackAt(in.Imm); return class }

// SlotOf returns the index of the first slot of such an instruction in the object, or in the element.
func SlotOf(in *Instr) int32 { _, slot, _ := unpackAt(in.Imm); return slot }

// IsEqual reports whether a Calc compares for being equal.
func IsEqual(in *Instr) bool { return Calculation(in.Imm>>8&0xff) == EqualTo }

// refsOf returns the numbers of the references among slots of kinds.
func refsOf(kinds []Kind) (list []int32) {
	for i, kind := range kinds {
		if kind == Ref {
			list = append(list, int32(i))
		}
	}
	return list
}

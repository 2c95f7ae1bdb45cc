package zom

// This file defines the record of a step.

// StepKind is the effect of a step on the stacks.
type StepKind uint8

// The kinds of steps.
const (
	Plain StepKind = iota
	Called
	Returned
	Spawned
	Waited
)

// Mover is the way in which a step commutes with steps of other processes (Lipton 1975), as a set: a mover to both
// sides is one to each. The type of a step is the intersection of those of its parts. An engine without processes
// leaves it NonMover, from which nothing follows.
type Mover uint8

// The types of movers.
const (
	NonMover Mover = iota
	LeftMover
	RightMover
	BothMover
)

// Record describes one step: what it read and wrote for summaries, its mover type for partial-order
// reduction, its events for conformance, and whether its end is accepting for temporal properties.
type Record struct {
	Kind    StepKind
	Process int
	Node    int32 // node of its last instruction
	Reads   []Loc // places outside the frames
	Writes  []Loc
	Allocs  []Word
	Decided []Decision // unknown globals that were read
	Mover   Mover
	Events  []Event // those that an observer sees, in their order
	Accept  bool
}

// Event is an action that an observer of a program sees: a message on a channel, in one direction or the other.
type Event struct{ Chan, Msg, Dir Word }

// Decision is the value that was chosen for an unknown global.
type Decision struct {
	Global int32
	Value  Word
}

// Loc is a place outside the frames: global Index, or field Index of the object at Obj.
type Loc struct {
	Obj   Word // Null for a global
	Index int32
}

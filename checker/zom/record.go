package zom

// This file defines what a step tells of itself.

// StepKind tells what a step did to the stacks.
type StepKind uint8

// The kinds of steps.
const (
	Plain StepKind = iota
	Called
	Returned
	Spawned
	Waited
)

// Mover tells how a step commutes with those of other processes (Lipton). What does not
// know of processes leaves it NonMover, of which nothing follows.
type Mover uint8

// The types of movers.
const (
	NonMover Mover = iota
	LeftMover
	RightMover
	BothMover
)

// Record tells of one step what others may want to know: summaries what it read and wrote,
// partial-order reduction which way it moves, conformance what it shows, temporal
// properties whether its end is accepting.
type Record struct {
	Kind    StepKind
	Process int
	Node    int32 // where it ended: of the last instruction
	Reads   []Loc // outside the frames
	Writes  []Loc
	Allocs  []Word
	Decided []Decision // unknown globals that were read
	Mover   Mover
	Event   int32 // what it shows to an observer; 0 is nothing
	Accept  bool
}

// Decision is what an unknown global turned out to be.
type Decision struct {
	Global int32
	Value  Word
}

// Loc is a place outside the frames: global Index, or field Index of the object at Obj.
type Loc struct {
	Obj   Word // Null for a global
	Index int32
}

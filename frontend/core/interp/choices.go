package interp

import (
	"math/big"

	"c2bp/frontend/core"
)

// Place is where the machine stands when it asks for a choice. While the globals
// get their initial values it is node 0 of the entry.
type Place struct {
	Proc  *core.Proc
	Node  int
	Depth int // index of the frame; the entry's is 0
}

// Reason says what a value is wanted for.
type Reason int

const (
	InitGlobal     Reason = iota // a global before the program starts
	InitFormal                   // a formal of the entry
	InitLocal                    // a local or temp on entry to its procedure
	Havocked                     // a location that a Havoc node names
	RegionHavocked               // an address-taken variable, by Havoc with Region or an external call
	ExternalResult               // what a procedure without a body returns
)

func (r Reason) String() string {
	return [...]string{"initial global", "initial formal", "initial local", "havoc",
		"region havoc", "external result"}[r]
}

// Request asks for one value.
type Request struct {
	Place
	Why   Reason
	Var   *core.Var // nil for ExternalResult
	Owner int       // depth of the frame that Var lives in; -1 for a global or none
	Type  core.Int  // the value is to be one of this type
	Old   *big.Int  // the present value of Var for Havocked and RegionHavocked, else nil
}

// Choices resolves what a program leaves open. Calls come in the order of
// execution, and within one step in a fixed order: variables of a region havoc
// as globals, then frames from the entry's up, each with its formals and locals
// in order of declaration.
type Choices interface {
	// Branch picks one of next, the successors of a Branch node that can be
	// entered (never empty). Anything else blocks the run.
	Branch(at Place, next []int) int
	// Value picks a value of r.Type (0 or 1 if r.Var is Logical).
	Value(r Request) *big.Int
}

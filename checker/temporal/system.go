package temporal

// This file defines pushdown systems.

// System is a pushdown system. Control locations and stack symbols are numbers from 0 that the system
// chooses; it may create them on the fly. The same head must have the same moves and atoms at every call.
type System interface {
	// Start returns the initial configurations: locations with words of one or two symbols. The last
	// symbol of such a word is the bottom of the stack: no move may remove it.
	Start() ([]Move, error)
	// Moves returns the moves of the configurations with a head.
	Moves(loc, symbol int) (Moves, error)
	// Label describes the configurations with a head.
	Label(loc, symbol int) Label
}

// Moves are the moves of a head.
type Moves struct {
	List []Move
	// Pruned says that a run may also end here silently, as at an assumption that does not hold: it is not
	// among the runs of the system. If there are no moves, and this is not set, the run has terminated or is
	// blocked: it stays in this configuration for ever.
	Pruned bool
	// Void says that these configurations do not exist, although moves lead there: runs to them are pruned
	// before they arrive. There are no moves then.
	Void bool
}

// Move replaces the head of a configuration: the location by Loc, the top symbol by Word, which has at most
// two symbols, the new top first.
type Move struct {
	Loc  int
	Word []int
	// Top says that the system does not know the configuration to which the move leads, for instance
	// because it exceeds a bound. Any behaviour is possible from there. Loc and Word are the system's own
	// affair: a Result refers to the move by its index.
	Top bool
}

// Label describes the configurations with a head.
type Label struct {
	Atoms uint64 // bit i: the atom with number i holds
	// Silent says that these configurations are no states of a run for formulas, but moments in the middle of
	// a step. A silent head has moves or is pruned, and no run is silent for ever.
	Silent bool
}

// MaxAtoms is the number of different atoms that a formula may have, those of Options.Fair included.
const MaxAtoms = 64

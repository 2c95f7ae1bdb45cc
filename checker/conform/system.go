package conform

// This file defines what is compared.

// Action is the action of a step: Hidden, or a visible one, from 1 on. Two systems that are compared number their
// visible actions alike.
type Action int32

// Hidden is the action of steps that nobody sees.
const Hidden Action = 0

// Nowhere is the target of a hidden step that is possible, but after which nothing is to be looked at: an assumption
// does not hold there, or the step fails. The state in which it begins is not stable.
const Nowhere = -1

// Step is a step to a state.
type Step struct {
	Action Action
	To     int
}

// System is a transition system whose states have the numbers 0, 1, … in the order in which they are found.
type System interface {
	// Initial returns the initial state.
	Initial() int
	// Steps returns the steps of a state, in an order that is always the same. They are valid until the next call.
	// An error ends the comparison and says why: a limit is reached.
	Steps(state int) ([]Step, error)
}

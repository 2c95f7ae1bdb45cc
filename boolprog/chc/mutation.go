package chc

// mutation breaks one rule of the encoding on purpose. Only the tests set it: each
// mutation must be caught by the comparisons with the checkers.
type mutation int

const (
	intact        mutation = iota
	noEnforce              // enforce clauses are ignored
	lazyEnforce            // enforce does not filter the states behind calls
	localsZero             // locals start 0
	oneChoice              // all * of an expression are the same choice
	keepClobber            // a result stored in a global does not displace the callee's value of it
	forgetWrites           // a call is taken to change no globals
	forgetInputs           // no input of a procedure counts as changed by it
	constrainOld           // primed variables have their old values
	chooseZero             // choose(p, n) is p
	assertIsSkip           // a failing assertion does not stop a run
	forgetResults          // what a call returns is arbitrary
	deafEnforce            // enforce clauses make nothing live
	deafExit               // nothing is live at the exit
	mutationCount          // their number
)

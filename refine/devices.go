package refine

// Devices switches off, for measurements, what makes refinement find better predicates or
// find them sooner. With any of them off, verdicts are as right as before, and fewer.
type Devices struct {
	NoHints       bool // generalise.go: what holds in every round of a loop
	NoBalance     bool // balance.go, shift.go: two numbers that move in step, related to no third
	NoInduction   bool // induction.go: all guesses about a loop, and not only those that a proof takes
	NoUnroll      bool // unroll.go: the values of what counts to a constant
	NoFew         bool // few.go: the values that variables are seen to hold
	NoSummaries   bool // summary.go: what a callee did, over symbolic constants
	NoCopies      bool // copies.go: what a variable is a copy of is learned from other paths
	NoConcrete    bool // concrete.go: pointers taken at their word
	NoPlaces      bool // concrete.go: pointers told apart by the places of the path alone
	NoLate        bool // reason.go: the shortest infeasible prefix is the reason
	NoCounting    bool // counting.go: reasons about loops are as good as others
	NoGuided      bool // guided.go: no runs behind paths that end loops too soon
	NoTrials      bool // fuzzing.go: no runs with random inputs
	NoPrecision   bool // precision.go: everything is abstracted exactly from the start
	NoConstraints bool // constraints.go: a path that comes back is abstracted more exactly, and no more
	NoFurther     bool // further.go: only the nearest property that fails is looked at
	NoMore        bool // further.go: of each path only one reason is looked at
	NoTurns       bool // turns.go: all properties are looked at together, whatever that costs
	NoMemo        bool // the prover is asked again what it was asked in an earlier iteration
	NoStock       bool // each abstraction makes provers of its own, and finds all cubes again
	NoOrder       bool // each check begins with an order of variables of its own
	ShortTraces   bool // checker: the shortest trace, and not one of few rounds
}

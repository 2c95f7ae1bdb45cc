package alias

import "c2bp/frontend/core"

// This file lets the tests of packages that build on the analysis see that they would
// notice a wrong one. Nothing else has a use for it.

// Rule is a rule of the analysis that such a test may break.
type Rule int

const (
	None       Rule = iota
	Exposing        // a number may lead to every object whose address is exposed
	Calling         // functions without a body may write to what they are given
	Travelling      // a pointer from outside is one value, whatever memory it goes through
	Following       // an object outside is all that one pointer to it is followed as
	Nesting         // objects outside lie in others
	Uniting         // members of unions overlap
	Giving          // pointers from outside lead to objects that were given away
	Unsetting       // what nobody has set may hold pointers from outside
	Meeting         // two pointers from outside may be one
)

// Broken is [Analyze] with a rule broken: the result is wrong. It is for tests only.
func Broken(p *core.Program, r Rule) *Result {
	return analyze(p, [...]mutation{
		0, nothingExposed, quietExternals, stayingPointers, oneTypeEach, noNesting, noUnions, nothingGiven, nothingUnset, strangersApart,
	}[r])
}

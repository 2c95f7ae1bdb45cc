package alias

import "c2bp/frontend/core"

// This file lets the tests of packages that build on the analysis see that they would
// notice a wrong one. Nothing else has a use for it.

// Rule is a rule of the analysis that such a test may break.
type Rule int

const (
	Exposing Rule = iota // a number may lead to every object whose address is exposed
	Calling              // functions without a body may write to what they are given
)

// Broken is [Analyze] with a rule broken: the result is wrong. It is for tests only.
func Broken(p *core.Program, r Rule) *Result {
	return analyze(p, [...]mutation{nothingExposed, quietExternals}[r])
}

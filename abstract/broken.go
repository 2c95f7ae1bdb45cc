package abstract

// This file lets the tests of packages that build on abstractions see that they would
// notice a wrong one. Nothing else has a use for it.

// Rule is a rule of the abstraction that such a test may break.
type Rule int

const (
	Aliasing Rule = iota // what a pointer reaches may be a variable
)

// Broken returns o with a rule broken: the abstraction is wrong. It is for tests only.
func (o Options) Broken(r Rule) Options {
	switch r {
	case Aliasing:
		o.mutate.pruneAlias = true
	}
	return o
}

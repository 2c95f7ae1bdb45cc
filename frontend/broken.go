package frontend

// This file lets the tests of packages that build on lowered programs see that they would
// notice a wrong one. Nothing else has a use for it.

// Rule is a rule of the lowering that such a test may break.
type Rule int

const (
	Overriding Rule = iota // an initialiser of the whole replaces those of its parts before it
	Carrying               // values that are not represented carry the addresses that went into them
	Copying                // a struct is copied as a whole
	Ranges                 // a case range matches each of its values
)

// Broken returns o with a rule broken: lowered programs are wrong. It is for tests only.
func (o Options) Broken(r Rule) Options {
	o.mutation = [...]mutation{keepsOverridden, lostPointers, halfCopies, oneDispatch}[r]
	return o
}

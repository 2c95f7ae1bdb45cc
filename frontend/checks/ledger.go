package checks

// This file has the lines of the ledger that checks cover.

// DefinedInModels is the assumption about the models of library functions, which have no checks.
const DefinedInModels = "integers: the operations that are checked are defined in the models of library functions"

// The assumptions about arithmetic.
const (
	NoOverflow  = "integers: signed overflow is absent"
	NoDivision  = "integers: no division by zero, and no quotient out of range"
	NoShift     = "integers: shift amounts are within the width, and no signed value is shifted out of range"
	noSuchCheck = kinds
)

// NoInvalidAccess is the assumption about memory, of which checks cover a part: ApartFrom… is added to it.
const (
	NoInvalidAccess = "memory: no access outside of an object, or of an array in it, or after its lifetime"
	ApartFromNull   = "; that of null pointers is a property"
	ApartFromBounds = "; indices of arrays of known length are properties"
	ApartFromBoth   = "; that of null pointers, and indices of arrays of known length, are properties"
)

// covering returns the kind that makes a line of the ledger a property, noSuchCheck if there is none.
func covering(line string) Kind {
	switch line {
	case NoOverflow:
		return Overflow
	case NoDivision:
		return Division
	case NoShift:
		return Shift
	}
	return noSuchCheck
}

// Covers reports whether the properties of s say that a line of the ledger holds.
func (s Set) Covers(line string) bool { return s.Has(covering(line)) }

// Line returns the line of the ledger that kind k covers, all or a part of it.
func (k Kind) Line() string {
	if k == Null || k == Bounds {
		return NoInvalidAccess
	}
	for _, line := range []string{NoOverflow, NoDivision, NoShift} {
		if covering(line) == k {
			return line
		}
	}
	return ""
}

// Open returns the lines of the ledger that the kinds in s cover and that are assumed all the same, since a
// property of that kind does not hold: holds tells it by the name of the property. What follows a failing
// check in a run is not looked at, so other properties rest on the check.
func (s Set) Open(holds func(property string) bool) (lines []string) {
	for _, k := range s.Kinds() {
		open := false
		for _, p := range k.Properties() {
			open = open || !holds(p)
		}
		if line := k.Line(); open && line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

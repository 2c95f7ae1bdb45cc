package checks

import "strings"

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

// NoInvalidAccess is the assumption about memory, of which checks cover parts: Parts names them.
const NoInvalidAccess = "memory: no access outside of an object, or of an array in it, or after its lifetime"

// parts are the parts of NoInvalidAccess that kinds cover, and whether they are many.
var parts = map[Kind]struct {
	text string
	many bool
}{
	Null:       {"that of null pointers", false},
	Bounds:     {"accesses out of bounds of objects of known size", true},
	DoubleFree: {"frees of what the program has allocated", true},
	Lifetime:   {"uses of what it has freed and of local variables after their end", true},
}

// Parts returns the end of the line NoInvalidAccess, with the parts that the kinds in s make properties; "" if there
// are none:
//
//	; that of null pointers, and accesses out of bounds of objects of known size, are properties
func (s Set) Parts() string {
	var list []string
	many := false
	for _, k := range s.Kinds() {
		if p, ok := parts[k]; ok {
			list, many = append(list, p.text), many || p.many
		}
	}
	switch n := len(list); {
	case n == 0:
		return ""
	case n > 1:
		list[n-1] = "and " + list[n-1] + ","
		many = true
	}
	if many {
		return "; " + strings.Join(list, ", ") + " are properties"
	}
	return "; " + list[0] + " is a property"
}

// OfHeap is the set of kinds that are about the lives of objects. Package heap asserts them, for the models of
// library functions as well, when the whole program is known.
var OfHeap = Of(DoubleFree, Lifetime, Leak)

// OfProgram is the set of kinds that are asserted when the whole program is known, by packages heap, assigned and
// extents. The others are asserted while C is lowered, as are indices of arrays.
var OfProgram = OfHeap | Of(Uninitialised, Bounds)

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
	if _, ok := parts[k]; ok {
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

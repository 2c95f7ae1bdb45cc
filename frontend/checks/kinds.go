package checks

import (
	"fmt"
	"strings"
)

// This file defines the kinds of checks.

// Kind is a kind of check, as the user names it.
type Kind int

// The kinds, in the order in which help texts list them.
const (
	Division      Kind = iota // / and %
	Shift                     // << and >>
	Overflow                  // + - * and unary - of signed numbers
	Null                      // pointers that are followed
	Bounds                    // indices of arrays with a known length, and accesses by pointers
	DoubleFree                // what is freed is an object that lives, from its start
	Lifetime                  // no object is accessed after it was freed, or after the end of its block or function
	Leak                      // every object of the heap is freed in the end
	Uninitialised             // variables are read only after they were set
	kinds
)

// names are the names of the kinds.
var names = [kinds]string{"division", "shift", "overflow", "null", "bounds", "double-free", "lifetime", "leak", "uninitialised"}

// String returns the name of k: "division".
func (k Kind) String() string { return names[k] }

// Names of properties, as results have them.
const (
	DivisionByZero = "division by zero"
	QuotientRange  = "quotient out of range"
	ShiftAmount    = "shift amount out of range"
	ShiftRange     = "signed left shift out of range"
	SignedOverflow = "signed overflow"
	NullFollowed   = "null dereference"
	OutOfBounds    = "index out of bounds"

	AccessOutOfBounds  = "access out of bounds"
	PointerOutOfBounds = "pointer out of bounds"

	FreedTwice   = "double free"
	InvalidFree  = "invalid free"
	UseAfterFree = "use after free"
	UseAfterEnd  = "use after end of lifetime"
	MemoryLeak   = "memory leak"
	Unset        = "uninitialised variable"
)

// properties are the names of the properties that a kind has.
var properties = [kinds][]string{
	Division: {DivisionByZero, QuotientRange},
	Shift:    {ShiftAmount, ShiftRange},
	Overflow: {SignedOverflow},
	Null:     {NullFollowed},
	Bounds:   {OutOfBounds, AccessOutOfBounds, PointerOutOfBounds},

	DoubleFree:    {FreedTwice, InvalidFree},
	Lifetime:      {UseAfterFree, UseAfterEnd},
	Leak:          {MemoryLeak},
	Uninitialised: {Unset},
}

// Properties returns the names of the properties of kind k.
func (k Kind) Properties() []string { return properties[k] }

// Set is a set of kinds; the zero value is empty. It is the value of a flag: division,shift.
type Set uint

// All is the set of all kinds.
const All Set = 1<<kinds - 1

// Of returns the set of these kinds.
func Of(list ...Kind) (s Set) {
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// Has reports whether k is in s.
func (s Set) Has(k Kind) bool { return s&(1<<k) != 0 }

// Kinds returns the kinds in s, in order.
func (s Set) Kinds() (list []Kind) {
	for k := range kinds {
		if s.Has(k) {
			list = append(list, k)
		}
	}
	return list
}

// Set adds the kinds in text, a list separated by commas; "all" stands for every kind. An error leaves s as
// it is, and lists the names.
func (s *Set) Set(text string) error {
	added := Set(0)
words:
	for _, word := range strings.Split(text, ",") {
		if word == "all" {
			added = All
			continue
		}
		for k, name := range names {
			if word == name {
				added |= 1 << k
				continue words
			}
		}
		return fmt.Errorf("there is no check %q; expected %s or all", word, strings.Join(names[:], ", "))
	}
	*s |= added
	return nil
}

// String returns s as Set reads it; "" if it is empty.
func (s *Set) String() string {
	var list []string
	for _, k := range s.Kinds() {
		list = append(list, k.String())
	}
	return strings.Join(list, ",")
}

// Type returns the name of the flag's value in help texts.
func (s *Set) Type() string { return "KIND,…" }

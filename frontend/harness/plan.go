package harness

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file defines the plan of a harness: entries, objects and phases, and the calls in its loop.

// plan is a harness before it is text.
type plan struct {
	opts  Options
	table *lifetimes
	units []*finder

	inits, exits []*mention
	initSuccess  map[*mention]success
	entries      []*mention
	note         string

	objects   []*object
	phases    []*phase
	handlers  []*handler
	sequences []*sequence
	live      []*live
	asked     []*asked
	kept      []*keptPointers
	handovers []*handed
	steps     []*step
	assumed   []string
	getters   getters
}

// object is a place for an object that several calls are given.
type object struct {
	record string  // its type: the tag or typedef
	typ    cc.Type // likewise
	name   string  // of the variable that points to it
	// It is for the functions in this table; "" for the whole driver.
	table string
	of    string   // the type of the table
	only  []string // members that it is for; nil for all
	init  bool     // it is an argument of init, and there is one for all devices
	made  bool     // a member of a table makes it, and all entries may be given it
	gone  bool     // it may have ended silently: what is new may be it
}

// phase is the time between a member that begins it and one that ends it.
type phase struct {
	row   *lifetime
	table string
	// Either an object that exists only in it, or the variable that is 1 in it.
	of   *object
	flag string
	// Its members are given no object, and so it is one of the driver, not of a device.
	whole bool
}

// step is a call in the loop of the harness.
type step struct {
	m             *mention
	args          []string
	needs         []string // conditions
	begins, ends  *object
	made          bool // the call makes what it begins, or leaves it somewhere; else it is given that
	enters, exits *phase
	success       success
	role          *role    // of the function in a pair; nil if it has none
	handler       *handler // that is called; nil if it is none
}

// assume adds a line to the ledger, once.
func (p *plan) assume(format string, args ...any) {
	if line := "harness: " + fmt.Sprintf(format, args...); !slices.Contains(p.assumed, line) {
		p.assumed = append(p.assumed, line)
	}
}

package frontend

import (
	"fmt"
	"regexp"
)

// This file defines the assumptions about the environment of a program that the user may choose.

// Assumptions holds the assumptions about a program's environment for which there is a choice. The zero
// value is the default. It is the value of a flag: volatile=arbitrary,probe: dev != peer.
type Assumptions struct {
	VolatileArbitrary bool // every read of a volatile object yields any value
	ClobberAll        bool // assembly that changes memory may change all that has an address
	AnyEnvironment    bool // pointers from outside may lead anywhere outside, whatever their types
	CallbacksLater    bool // functions without a body call none of the program's functions
	Members           Members
	Kept              []KeptMember

	Entries []EntryAssumption // about the calls of functions
}

// Members says which members of structs functions without a body change, in memory that they reach.
type Members int

const (
	MembersDefault Members = iota // MembersKnown, unless a harness was made
	MembersKnown                  // all
	MembersPrivate                // of structs that only the given files define, those whose addresses they get (private.go)
)

// KeptMember is a member of a struct that functions without a body do not change, or a variable of other files.
type KeptMember struct{ Struct, Member string } // the tag, "" of a variable, and the name

func (k KeptMember) String() string {
	if k.Struct == "" {
		return k.Member + "=kept"
	}
	return "struct " + k.Struct + "." + k.Member + "=kept"
}

// keptMember is the form of a KeptMember in a list of assumptions.
var keptMember = regexp.MustCompile(`^(?:struct (\w+)\.)?(\w+)=kept$`)

// Set adds a list of assumptions: key=value, or function: expression, separated by commas. Later values of a
// key take precedence, also over those of earlier calls. After an error some may have been set.
func (a *Assumptions) Set(text string) error {
	for _, item := range splitAssumptions(text) {
		if e, ok := parseEntryAssumption(item); ok {
			if err := checkEntryAssumption(e); err != nil {
				return err
			}
			a.Entries = append(a.Entries, e)
			continue
		}
		if m := keptMember.FindStringSubmatch(item); m != nil && item != "volatile=kept" {
			a.Kept = append(a.Kept, KeptMember{m[1], m[2]})
			continue
		}
		switch item {
		case "volatile=arbitrary":
			a.VolatileArbitrary = true
		case "volatile=kept":
			a.VolatileArbitrary = false
		case "asm=clobber-all":
			a.ClobberAll = true
		case "asm=clobber-known":
			a.ClobberAll = false
		case "environment=any":
			a.AnyEnvironment = true
		case "environment=typed":
			a.AnyEnvironment = false
		case "callbacks=later":
			a.CallbacksLater = true
		case "callbacks=now":
			a.CallbacksLater = false
		case "members=private":
			a.Members = MembersPrivate
		case "members=known":
			a.Members = MembersKnown
		default:
			return fmt.Errorf("expected volatile=arbitrary, volatile=kept, asm=clobber-all, asm=clobber-known, environment=any, environment=typed, callbacks=now, callbacks=later, members=private or members=known, a member or variable that stays, such as 'struct dev.bus=kept', or an assumption about the calls of a function, such as 'probe: dev != 0'")
		}
	}
	return nil
}

// String returns a as Set reads it. Keys whose value is the default are left out, except volatile.
func (a *Assumptions) String() string {
	text := "volatile=kept"
	if a.VolatileArbitrary {
		text = "volatile=arbitrary"
	}
	if a.ClobberAll {
		text += ",asm=clobber-all"
	}
	if a.AnyEnvironment {
		text += ",environment=any"
	}
	if a.CallbacksLater {
		text += ",callbacks=later"
	}
	switch a.Members {
	case MembersPrivate:
		text += ",members=private"
	case MembersKnown:
		text += ",members=known"
	}
	for _, k := range a.Kept {
		text += "," + k.String()
	}
	for _, e := range a.Entries {
		text += "," + e.String()
	}
	return text
}

// IsDefault reports whether a has nothing that was chosen.
func (a *Assumptions) IsDefault() bool {
	return !a.VolatileArbitrary && !a.ClobberAll && !a.AnyEnvironment && !a.CallbacksLater && a.Members == MembersDefault && len(a.Kept) == 0 && len(a.Entries) == 0
}

// Type returns the name of the flag's value in the help text.
func (a *Assumptions) Type() string { return "KEY=VALUE" }

// Harnessed returns the assumptions of a program to which a harness belongs: that calls what was registered, and
// stands for all that calls the program.
func (a Assumptions) Harnessed() Assumptions {
	a.CallbacksLater = true
	if a.Members == MembersDefault {
		a.Members = MembersPrivate
	}
	return a
}

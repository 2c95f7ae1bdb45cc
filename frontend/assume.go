package frontend

import (
	"fmt"
	"strings"
)

// This file defines what the user may have assumed of the surroundings of a program.

// Assumptions are what is assumed of a program's surroundings, where there is a choice. The
// zero value is what is assumed without being asked for. It is a flag: volatile=arbitrary.
type Assumptions struct {
	VolatileArbitrary bool // every read of a volatile object yields anything
	ClobberAll        bool // assembly that changes memory may change all that has an address
	AnyEnvironment    bool // pointers from outside may lead anywhere outside, whatever their types
	CallbacksLater    bool // functions without a body call none of the program's functions
}

// Set adds a list of assumptions: key=value, separated by commas.
func (a *Assumptions) Set(text string) error {
	for _, item := range strings.Split(text, ",") {
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
		default:
			return fmt.Errorf("expected volatile=arbitrary, volatile=kept, asm=clobber-all, asm=clobber-known, environment=any, environment=typed, callbacks=now or callbacks=later")
		}
	}
	return nil
}

// String returns a as Set reads it.
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
	return text
}

// Type is how help calls the value of the flag.
func (a *Assumptions) Type() string { return "KEY=VALUE" }

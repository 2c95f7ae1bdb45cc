package heap

import (
	"fmt"
	"regexp"
	"slices"

	"c2bp/frontend/core"
)

// This file has the lines of the ledger: what is not covered.

const (
	outsideFreed = "heap: a pointer from outside that is freed leads to the start of an object that was not freed before"
	notByOthers  = "heap: functions without a body free no object that the program has allocated"
	startsAt     = "heap: what is freed at %s is the start of an object that was allocated"
	notReused    = "heap: no pointer to an object that was freed is used for a new object in its place"
)

// ledger is the ledger of a program.
type ledger struct{ prog *core.Program }

// add adds a line, once.
func (l ledger) add(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(l.prog.Ledger, line) {
		l.prog.Ledger = append(l.prog.Ledger, line)
	}
}

// closing adds the lines about what is watched.
func (in *instrumenter) closing() {
	if len(in.watched) == 0 {
		return
	}
	in.ledger.add(notReused)
	for s := range in.watched {
		if in.sites[s].Escaped {
			in.ledger.add(notByOthers)
		}
	}
}

// typed matches the types of places in the text of an expression.
var typed = regexp.MustCompile(`\{[^{}]*\}`)

// spelled returns e as C spells it, nearly.
func spelled(e core.Expr) string { return typed.ReplaceAllString(core.ExprString(e), "") }

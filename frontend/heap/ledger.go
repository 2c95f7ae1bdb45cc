package heap

import (
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
)

// This file has the lines of the ledger: what is not covered.

const (
	outsideFreed = "heap: a pointer from outside that is freed leads to the start of an object that was not freed before"
	notByOthers  = "heap: functions without a body free no object that the program has allocated"
	outsideUsed  = "heap: a pointer from outside that is followed leads to no object that was freed before"
	usedByOthers = "heap: functions without a body follow no pointer to an object that was freed"
	byThreads    = "heap: no thread or handler uses or frees an object that another one has freed"
	leftToOthers = "heap: what functions without a body were given is freed in the end, by them or by the program"
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

// closing adds the lines about the objects that are watched.
func (in *instrumenter) closing(concurrent bool) {
	// 1. Pointers from outside.
	if in.followsOutside && in.freesOutside() {
		in.ledger.add(outsideUsed)
	}
	// 2. Others.
	used := in.kinds & checks.Of(checks.DoubleFree, checks.Lifetime)
	if concurrent && len(in.watched)+len(in.leaks) > 0 {
		in.ledger.add(byThreads)
	}
	if used == 0 || len(in.watched) == 0 {
		return
	}
	in.ledger.add(notReused)
	if in.kinds.Has(checks.Lifetime) && in.givesAway() {
		in.ledger.add(usedByOthers)
	}
	for s := range in.watched {
		if in.sites[s].Escaped {
			in.ledger.add(notByOthers)
		}
	}
}

// freesOutside reports whether an object that pointers from outside may lead to is freed.
func (in *instrumenter) freesOutside() bool {
	for s := range in.watched {
		if in.sites[s].Escaped {
			return true
		}
	}
	for _, q := range in.Prog.Procs {
		for _, n := range q.Nodes {
			if f, ok := n.Stmt.(*core.Free); ok && in.result.PointsTo(f.Ptr).Outside() {
				return true
			}
		}
	}
	return false
}

// givesAway reports whether a pointer is given to a procedure without a body. Library functions do
// as their models say.
func (in *instrumenter) givesAway() bool {
	leads := func(e core.Expr) bool {
		return e != nil && slices.ContainsFunc(in.result.PointsTo(e).Targets(), func(t alias.Target) bool { return t.Object.Kind != alias.Function })
	}
	for _, q := range in.Prog.Procs {
		for _, n := range q.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && (c.Callee == nil || !c.Callee.HasBody()) && slices.ContainsFunc(slices.Concat(c.Args, c.Extra), leads) {
				return true
			}
		}
	}
	return false
}

// spelled returns e as C spells it.
func spelled(e core.Expr) string { return core.CString(e) }

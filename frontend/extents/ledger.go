package extents

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file has the lines of the ledger, about accesses that are not covered.

const (
	notAgain    = "scope: no pointer to a local variable that has ended is used for another one in its place"
	usedOutside = "scope: functions without a body, and pointers from outside, lead to no local variable that has ended"
	fromOutside = "bounds: an access by a pointer from outside stays in the object that it leads to"
	fromNumbers = "bounds: an access by a pointer that was made of a number stays in the object that it leads to"
	byLibrary   = "bounds: library functions access nothing outside of the objects that they are given: %s"
	beforeStart = "bounds: a pointer that is moved before its object, as by container_of at the head of a list, is not used for an access"
	withoutSize = "bounds: accesses stay in these objects, whose sizes are not known: %s"
)

// notes are the accesses that are not covered.
type notes struct {
	outside, headed    bool
	libraries, unknown []string
}

// library notes that a library function accesses memory.
func (x *notes) library(name string) {
	if !slices.Contains(x.libraries, name) {
		x.libraries = append(x.libraries, name)
	}
}

// unsized notes that the size of v is not known.
func (x *notes) unsized(v *core.Var) {
	if _, isAgg := v.Type.(core.Agg); isAgg && !slices.Contains(x.unknown, v.Name) {
		x.unknown = append(x.unknown, v.Name)
	}
}

// ledger is the ledger of a program.
type ledger struct{ prog *core.Program }

// add adds a line, once.
func (l ledger) add(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(l.prog.Ledger, line) {
		l.prog.Ledger = append(l.prog.Ledger, line)
	}
}

// closing adds the lines.
func (in *instrumenter) closing() {
	if in.outside {
		in.ledger.add(fromOutside)
	}
	if in.madeOfNumbers() {
		in.ledger.add(fromNumbers)
	}
	if len(in.libraries) > 0 {
		slices.Sort(in.libraries)
		in.ledger.add(byLibrary, strings.Join(in.libraries, ", "))
	}
	if in.headed {
		in.ledger.add(beforeStart)
	}
	if len(in.unknown) > 0 {
		slices.Sort(in.unknown)
		in.ledger.add(withoutSize, strings.Join(in.unknown, ", "))
	}
}

// madeOfNumbers reports whether the program makes a pointer of a number that is no constant.
func (in *instrumenter) madeOfNumbers() (found bool) {
	for _, q := range in.Prog.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if x, ok := e.(*core.ToPtr); ok {
						_, known := x.X.(*core.Const)
						found = found || !known
					}
					return true
				})
			})
		}
	}
	return found
}

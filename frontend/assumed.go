package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file notes constructs for whose undefined behaviour the ledger has an assumption:
//
//	p + i outside of the object of p, or p - q of two objects
//	an object that is changed through a restrict pointer and accessed in another way
//	a _Bool whose byte is neither 0 nor 1
//
// and those that depend on the compilation: __DATE__ and __TIME__.

const (
	assumeRestrict = "restrict: what is reached through a restrict pointer and changed is reached in no other way meanwhile"
	assumeBool     = "values: a _Bool in memory holds 0 or 1, whatever has been stored in its byte"
	assumeDates    = "__DATE__ and __TIME__: the program is translated at the time of this run"
)

// assumeFlags puts the flags of the compiler that are not supported into the ledger.
func (l *sources) assumeFlags() {
	for _, what := range l.opts.Unfollowed {
		l.ledger.add("compiler flag %s", what)
	}
}

// pointerUse says which operations besides dereferencing the program applies to pointers. If it both
// moves and compares them, results depend on arithmetic staying in an object.
type pointerUse struct{ stepped, compared bool }

// usesPointers puts the assumption about pointer arithmetic into the ledger.
func (l *program) usesPointers() {
	if l.pointers.stepped && l.pointers.compared {
		l.ledger.add(core.AssumePointers)
	}
}

// comparesPointer notes that the values of x and y, pointers, are compared.
func (l *program) comparesPointer(x, y core.Expr) {
	l.pointers.compared = l.pointers.compared || !core.IsNull(x) && !core.IsNull(y)
}

// findRestrict looks for restrict pointers in the declarator and body of a function.
func (l *sources) findRestrict(f *cc.FunctionDefinition) {
	ctree.Walk(f, func(n cc.Node) bool {
		if q, ok := n.(*cc.TypeQualifier); ok && q.Case == cc.TypeQualifierRestrict {
			l.ledger.add(assumeRestrict)
		}
		return true
	})
}

// readsBool notes a read of the _Bool at place p: if another value may be stored in its byte, through a
// pointer or another member of a union, it is assumed to be 0 or 1.
func (l *sources) readsBool(p place) {
	if t, ok := p.typ.(core.Int); !ok || !t.Bool {
		return
	}
	// A whole variable that no pointer leads to is only stored to as a _Bool.
	v := p.v
	if v == nil {
		v = objectOf(p.addr)
	}
	_, isElement := p.addr.(*core.Index) // it may be in a union
	if p.inUnion || isElement || v == nil || v.AddrTaken {
		l.ledger.add(assumeBool)
	}
}

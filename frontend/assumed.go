package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file notes what is undefined in C and makes no difference here but for an assumption:
//
//	p + i where that is no place in the object of p, or p - q of two objects
//	a restrict pointer to what is also reached in another way
//	a _Bool whose byte is neither 0 nor 1
//
// and what compilers leave open: __DATE__ and __TIME__.

const (
	assumePointers = "pointers: arithmetic stays in the object or just after it, and differences are within one object"
	assumeRestrict = "restrict: what is reached through a restrict pointer and changed is reached in no other way meanwhile"
	assumeBool     = "values: a _Bool in memory holds 0 or 1, whatever has been stored in its byte"
	assumeDates    = "__DATE__ and __TIME__: the program is translated at the time of this run"
)

// assumeFlags notes what the compiler is told and is not followed here.
func (l *sources) assumeFlags() {
	for _, what := range l.opts.Unfollowed {
		l.ledger.add("compiler flag %s", what)
	}
}

// pointerUse is what is done with pointers but following them: if both is done, it depends
// on arithmetic that it stays in the object.
type pointerUse struct{ stepped, compared bool }

// usesPointers puts the assumption about pointer arithmetic into the ledger.
func (l *program) usesPointers() {
	if l.pointers.stepped && l.pointers.compared {
		l.ledger.add(assumePointers)
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

// readsBool notes that a _Bool at place p is read: if something else may be stored in its
// byte, through a pointer or another member of a union, that is taken for 0 or 1.
func (l *sources) readsBool(p place) {
	if t, ok := p.typ.(core.Int); !ok || !t.Bool {
		return
	}
	v := p.v
	if v == nil {
		v = objectOf(p.addr)
	}
	_, isElement := p.addr.(*core.Index) // it may be in a union
	if p.inUnion || isElement || v == nil || v.AddrTaken {
		l.ledger.add(assumeBool)
	}
}

package boolprog

import "bytes"

// This file distinguishes the braces of classes from those of predicates: in a class, and only
// there, a brace is not part of a name,
//
//	class C { bool {x == 1}; }
//
// where the second pair of braces is a predicate.

// place is the lexer's position with respect to classes.
type place int

const (
	elsewhere  place = iota
	classWord        // after "class"
	classNamed       // after the name of a class: a brace opens it
	classOpen        // between its braces
)

// after returns the place after token t. Blanks and comments are no tokens: class /* */ C { opens a
// class.
func (at place) after(t *token) place {
	switch {
	case at == classOpen && !t.is("}"):
		return classOpen
	case at == classNamed && t.is("{"):
		return classOpen
	case at == classWord && t.kind == tokName:
		return classNamed
	case t.text == "class":
		return classWord
	}
	return elsewhere
}

// hasClass reports whether the rest of the text contains the start of a class. It lexes ahead and
// reports no errors.
func (l *lexer) hasClass() bool {
	if !bytes.Contains(l.text, []byte("class")) {
		return false // as most
	}
	// A copy of the lexer reads to the end or to the brace of a class.
	ahead := *l
	ahead.report = func(int, string, ...any) {}
	for {
		switch t := ahead.next(); {
		case t.kind == tokEOF:
			return false
		// Other braces are parts of names, so this one opens a class.
		case t.is("{"):
			return true
		}
	}
}

package core

import (
	"strings"

	"c2bp/source"
)

// This file defines the interface by which predicates are resolved.

// PredicateText is one predicate as a user wrote it, not yet resolved.
type PredicateText struct {
	// Scope is "" for global; else the C name of a procedure, or for an object predicate the type of
	// the objects: struct dev, union u, or the name of a typedef of one.
	Scope string
	Text  string     // C expression with 'x, '*p and \result
	Pos   source.Pos // of the first byte of Text
	File  *source.File
	// Empty marks the text "1" that stands for a section without predicates, so that
	// its scope is checked like that of any other.
	Empty bool
}

// ResolvedPredicate is a predicate text that was parsed and type-checked.
type ResolvedPredicate struct {
	Proc *Proc // nil for global
	Expr Expr  // of integer type; true iff not zero
	Name string
	// Name is the canonical C spelling: one space around binary operators, no
	// comments or macros, parentheses as written. A member of the object stands alone.

	// This is nil, or for an object predicate the pointer to the object: a Ghost without Proc and
	// Init, the same for all predicates of one type. This.To is the type.
	This *Var
}

// Resolver turns predicate text into core expressions; package frontend
// implements it by a second parse of the program. The result has an entry per
// request, in order. Equal symbolic constants of a procedure are one *Var of kind
// Ghost, and so are the pointers to the objects of one type. Errors are source.List
// values with positions in the predicate file.
type Resolver interface {
	Resolve([]PredicateText) ([]ResolvedPredicate, error)
}

// NamesIn lists the words in texts, their scopes among them, each once: the names of the procedures
// and variables that they mention, and other words.
func NamesIn(texts []PredicateText) (names []string) {
	seen := map[string]bool{}
	for _, t := range texts {
		for _, w := range append(strings.FieldsFunc(t.Text, notInNames), t.Scope) {
			if !seen[w] {
				seen[w] = true
				names = append(names, w)
			}
		}
	}
	return names
}

// notInNames reports whether c is part of no name.
func notInNames(c rune) bool {
	return c != '_' && c != '$' && c < 0x80 && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
}

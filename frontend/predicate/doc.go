// Package predicate makes core expressions of the texts of predicates, in the scope of a procedure
// or of the whole program.
//
//	r := predicate.New(program)
//	resolved, err := r.Resolve(texts)
//
// Each predicate is put into a block at the end of its procedure's body, in a copy of the source
// text, and the copy is parsed again: the C parser checks its types, in a scope where all types of
// the body have names. For "x == 'x + 1" in the procedure inc,
//
//	int inc(int x) { …
//	    { __typeof__(x) $v0;     // stands for 'x
//	      (void)(x == $v0 + 1);
//	    }}
//
// Predicates about the whole program and about the objects of a struct are put at the end of a file.
//
// The steps, each in a file of its own:
//
//	resolve.go     grouping by translation unit, parsing, and trying again without what is refused
//	scan.go        the text of a predicate in C: names that C does not know become $-names
//	object.go      object predicates: the types that they are about, and names of members
//	entry.go       quotes: character constants, and values on entry of a procedure ('x)
//	names.go       variables that names mean
//	spelltype.go   declarations of $-names
//	insert.go      the copy of the source text with the predicates in it
//	errors.go      errors of the parser as errors at places in predicates
//	finish.go      core expressions of what was parsed
//	spell.go       the name of a predicate: its text in one form
//
// What it needs of the lowering is the interface [Program]: scopes, variables, and the lowering of
// expressions without side effects.
package predicate

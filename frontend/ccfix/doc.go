// Package ccfix reads a C file through modernc.org/cc/v4 and works around the defects of that
// parser. Nothing else in the front end has to know of one that is repaired here; where cc gets
// better, a file goes.
//
//	p := ccfix.New()
//	ast, err := p.Parse(ctx, file, options)
//	p.Errorf(pos, …), p.TextOf(node), p.StringBytes(literal), ccfix.PointedTo(pointer)
//
// A file passes through four stages:
//
//	limits                      the text is refused if it would overflow cc's stack
//	directives … tokens         the text is respelt, most often in place and in the same length
//	cc.Parse, mend, reach       the tree is changed for the check of types, and partly back after it
//	lines, literals, rows       answers of cc about positions, literals and types are corrected
//
// The defects, each with the file that repairs it and how:
//
//	limits.go       the parser is recursive, and a struct that contains itself has it loop: such
//	                texts are refused
//	parse.go        it hangs on a star at the end of a text: a declaration follows each text. It
//	                does not find the end of a constant after a backslash there: that is blanked.
//	                It panics: a panic becomes an error
//	directives.go   it passes over directives that it does not know: they become pragmas, which
//	                are refused. It puts search directories in front of absolute paths: these get a
//	                root of their own
//	macros.go       it glues a comma to variable arguments of a named parameter, and loses one:
//	                such macros are written with __VA_ARGS__
//	castnames.go    parameters of function types in casts enter the scope around: their names
//	                are blanked, those of macros in mend.go
//	modeattr.go     it ignores __attribute__((mode(…))): int becomes a macro for the type of that width
//	tokens.go       it does not know character constants of several characters, numbers larger than
//	                long long, [*], designators without =, typeof of a function type: they are
//	                respelt. It is wrong about some conditions of array lengths that assert
//	                something: these lengths are made positive
//	literals.go     it is wrong about escapes in wide strings and does not know u"…" and U"…"
//	floats.go       it panics where a floating-point constant is a condition: literals become
//	                macros for something that is no constant to it
//	lines.go        its positions are presumed ones, which do not tell declarations apart: each
//	                line directive gets a file name of its own
//	packing.go      it ignores #pragma pack: the pragmas are followed here
//	packguard.go    headers of which a second inclusion leaves nothing, for packing.go
//	pragma.go       it replays included files and ignores #pragma once: each inclusion begins with
//	                a pragma, which counts it
//	include.go      it waits for the end of devices and pipes: they are not opened
//	imacros.go      it has no -imacros: it gets the directives of such a file
//	mend.go         eleven defects of the check of types, listed there: trees are changed for the check
//	rows.go         it takes the rows of an array of arrays for pointers
//	errors.go       its errors are texts of many lines with consequences of one another: diagnostics
//	                are made of the first causes
//
// Beside that there are
//
//	options.go      predefined macros and search paths of a compiler's options
//	prelude.go      declarations of gcc's built-in functions in front of a text
//	builtins.go     built-in functions that a text declares for itself
//	reach.go        functions of headers that nothing reaches, which are not checked
//	lex.go          tokens of C
//	memory.go       the tokens of a file with its headers, for texts that go on where it ends
//	resume.go       parses those
//	omit.go         bodies that are left out of them
//	internals.go    the preprocessor and the parser of cc, for memory.go
//	text.go         the source text of a node
//	classes.go      classes of messages, for counting
//
// What it is not: it knows nothing of core programs. Types of expressions, conversions, constants
// and sizes, of which cc is often wrong as well, are computed by the packages above.
package ccfix

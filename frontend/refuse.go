package frontend

import (
	"bytes"

	"c2bp/source"
)

// This file refuses texts before the parser sees them: what is no text, and what
// would overflow the stack of a recursive parser.

const (
	// maxDepth bounds the nesting of brackets.
	maxDepth = 20_000
	// maxRun bounds the tokens between two of ; { } and comma: an expression or
	// declarator may nest as deep as it is long.
	maxRun = 400_000
	// maxElse bounds the number of else in one file-scope declaration.
	maxElse = 100_000
)

// refuse reports why f cannot be read as C, or nil.
func refuse(f *source.File) source.List {
	if i := bytes.IndexByte(f.Text, 0); i >= 0 {
		return source.List{f.Errorf(f.Pos(i), "a NUL byte: this is not C source text")}
	}
	depth, run, elses, braces := 0, 0, 0, 0
	toks, _ := lex(f.Text)
	for _, t := range toks {
		run++
		switch t.kind {
		case '(', '[', '{':
			if depth++; depth > maxDepth {
				return source.List{f.Errorf(f.Pos(t.start), "brackets are nested more than %d deep", maxDepth)}
			}
			if t.kind == '{' {
				braces++
				run = 0
			}
		case ')', ']':
			depth--
		case '}':
			depth--
			run = 0
			if braces--; braces == 0 {
				elses = 0
			}
		case ';', ',':
			run = 0
		case 'i':
			if string(f.Text[t.start:t.end]) == "else" {
				elses++
			}
		}
		if run > maxRun || elses > maxElse {
			return source.List{f.Errorf(f.Pos(t.start), "this expression or statement is too long")}
		}
	}
	return nil
}

package ccfix

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

// Refuse reports why f cannot be read as C, or nil. Macros may still make deeper nesting of it.
func Refuse(f *source.File) source.List {
	if i := bytes.IndexByte(f.Text, 0); i >= 0 {
		return source.List{f.Errorf(f.Pos(i), "a NUL byte: this is not C source text")}
	}
	// The measures of nesting: brackets, tokens between separators, else in a declaration.
	depth, run, elses, braces := 0, 0, 0, 0
	toks, _ := lex(f.Text)
	if i := selfContaining(f.Text, toks); i >= 0 {
		return source.List{f.Errorf(f.Pos(toks[i].start), "a structure cannot contain itself")}
	}
	for _, t := range toks {
		// A token: one more since the last separator.
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
			// The end of a declaration at file scope, as a rule.
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

// selfContaining returns the token at which a structure is declared as a member of itself, or -1:
// the parser would look for the members of its members without end.
//
//	struct s { int a; struct s b; };                   the second struct
//	typedef struct s S; struct s { const S b; };       S
//	struct s { struct { struct s b; } in; };           the third struct
func selfContaining(text []byte, toks []cToken) int {
	// word returns the identifier at token i, and kind its kind; both also take indices outside of
	// toks.
	word := func(i int) string {
		if i < 0 || i >= len(toks) || toks[i].kind != 'i' {
			return ""
		}
		return string(text[toks[i].start:toks[i].end])
	}
	kind := func(i int) byte {
		if i < 0 || i >= len(toks) {
			return 0
		}
		return toks[i].kind
	}
	isStruct := func(i int) bool { return word(i) == "struct" || word(i) == "union" }
	names := map[string]string{} // of typedefs, the tags
	type brace struct {
		is, named bool // of a structure, with a tag
		tag       string
		parens    int // open before it
	}
	var open []brace
	// parens counts those since the innermost brace: in the parameters of a member that is a
	// pointer to a function the structure may be mentioned.
	parens := 0
	// inside reports whether the innermost braces, without parentheses between, are those of the
	// structure with that tag.
	inside := func(tag string) bool {
		for i := len(open) - 1; i >= 0 && open[i].is && parens == 0; i-- {
			if open[i].named && open[i].tag == tag {
				return true
			}
		}
		return false
	}
	// Follow the braces and the typedefs, and look at the type of each member.
	for i := range toks {
		switch kind(i) {
		case '(':
			parens++
		case ')':
			parens--
		case '{': // remember whose brace it is
			named := isStruct(i - 2)
			open = append(open, brace{isStruct(i-1) || named, named, word(i - 1), parens})
			parens = 0
		case '}':
			if n := len(open) - 1; n >= 0 {
				parens = open[n].parens
				open = open[:n]
			}
		case 'i':
			if word(i) == "typedef" && isStruct(i+1) && kind(i+4) == ';' {
				names[word(i+3)] = word(i + 2)
			}
			// The tag of a member's type, spelt or by way of a typedef.
			tag, next := "", i+1
			switch before := kind(i - 1); {
			case isStruct(i):
				tag, next = word(i+1), i+2
			case before == '{' || before == '}' || before == ';' || isQualifier(word(i-1)):
				tag = names[word(i)]
			}
			if isQualifier(word(next)) {
				next++
			}
			// It is the structure itself only without a star before the member's name.
			if tag != "" && (kind(next) == ';' || kind(next) == 'i') && inside(tag) {
				return i
			}
		}
	}
	return -1
}

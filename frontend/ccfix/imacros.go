package ccfix

import (
	"bytes"
	"fmt"

	"c2bp/source"
)

// This file includes files of which only the macros count (gcc's -imacros): cc gets their
// directives and nothing else. It reads a file once, so such a file must not be included
// again for what else it has, unless that would be skipped: its text is within #ifndef.

// onlyDirectives returns text with everything blanked but its directives, less its pragmas but for
// #pragma once. Lines stay where they are.
func onlyDirectives(text []byte) []byte {
	out := bytes.Clone(text)
	for start := 0; start < len(text); {
		hash, end := directive(text, start)
		if hash < 0 || directiveWord(text[hash:end]) == "pragma" && !bytes.Contains(text[hash:end], []byte("once")) {
			for i := start; i < end; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
		}
		start = end + 1
	}
	return out
}

// directiveWord returns the name of the directive text, "" if it has none.
func directiveWord(text []byte) string {
	if m := directiveName.FindSubmatch(text); m != nil {
		return string(m[2])
	}
	return ""
}

// checkWhole panics with an error if the file called name is included now and cc has only its
// macros.
func (inc *inclusions) checkWhole(name string) {
	f := inc.Files[name]
	if f == nil || inc.macrosOnly || !inc.stripped[name] || inc.once[name] || guarded(f.Text) {
		return
	}
	panic(&source.Diagnostic{Pos: source.Pos{File: name}, Severity: source.Error,
		Msg: fmt.Sprintf("not supported: %s is included, and its macros by -imacros before, and it is not within #ifndef", name)})
}

// guarded reports whether all of text is within one #ifndef without #else: a second inclusion then
// has nothing, as long as the macro is defined.
func guarded(text []byte) bool {
	depth, first, last := 0, -1, len(text)
	// 1. Follow the conditional groups, directive by directive.
	for start := 0; start < len(text); {
		hash, end := directive(text, start)
		word := ""
		if hash >= 0 {
			word = directiveWord(text[hash:end])
		}
		switch {
		// The first directive must be the #ifndef.
		case hash >= 0 && first < 0:
			if first = hash; word != "ifndef" {
				return false
			}
			depth = 1
		case word == "if" || word == "ifdef" || word == "ifndef":
			if depth++; depth == 1 {
				return false // a second group
			}
		case depth == 1 && (word == "else" || word == "elif" || word == "elifdef" || word == "elifndef"):
			return false
		case word == "endif":
			if depth--; depth == 0 {
				last = end
			}
		}
		start = end + 1
	}
	// 2. There is one, and nothing before or after it.
	if first < 0 || depth != 0 {
		return false
	}
	before, _ := lex(text[:first])
	after, _ := lex(text[last:])
	return len(before)+len(after) == 0
}

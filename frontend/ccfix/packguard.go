package ccfix

import (
	"bytes"
	"strings"
)

// This file finds headers of which an inclusion without a #pragma pack has left nothing.

// packGuarded reports whether all of text is in one part under #ifndef or #if, without #else, and a #pragma pack
// is directly in that part: whenever the part counts, that pragma does.
//
//	#ifndef WIRE_H
//	#pragma pack(1)
//	struct wire { char tag; int n; };
//	#pragma pack()
//	#endif
func packGuarded(text []byte) bool {
	depth, closed, found := 0, false, false
	for line := range strings.Lines(withoutComments(text)) {
		line = strings.TrimSpace(line)
		directive, isDirective := strings.CutPrefix(line, "#")
		words := WordsOf(directive)
		switch {
		case line == "":
			continue
		case closed, depth == 0 && (!isDirective || len(words) == 0):
			return false // something before or after the part
		case !isDirective || len(words) == 0:
			continue
		}
		switch word := words[0]; {
		case word == "if" || word == "ifdef" || word == "ifndef":
			depth++
		case depth == 0, depth == 1 && strings.HasPrefix(word, "el"):
			return false
		case word == "endif":
			depth--
			closed = depth == 0
		case word == "pragma" && len(words) > 1 && words[1] == "pack" && depth == 1:
			found = true
		}
	}
	return closed && found
}

// withoutComments returns text with a space in the place of each comment, and without the ends of lines that are
// continued.
func withoutComments(text []byte) string {
	var b strings.Builder
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\\\r\n"), nil), []byte("\\\n"), nil)
	for i := 0; i < len(text); {
		if n := CommentLength(text[i:]); n > 0 {
			b.WriteByte(' ')
			i += n
			continue
		}
		// In a literal nothing begins a comment.
		n := 1
		if text[i] == '"' || text[i] == '\'' {
			n = max(LiteralLength(text[i:]), 1)
		}
		b.Write(text[i : i+n])
		i += n
	}
	return b.String()
}

package harness

import (
	"bytes"
	"fmt"
)

// This file splits preprocessed C texts into tokens, as the compiler will. Where the two might see
// different tokens there is an error, since a word might hide between them.

// piece is a token or a directive of a preprocessed text, as offsets.
type piece struct {
	kind       pieceKind
	start, end int
}

// pieceKind is the kind of a piece.
type pieceKind byte

const (
	aWord      pieceKind = iota // identifier, keyword or number
	aLiteral                    // string or character constant, its prefix included
	aSign                       // one character
	aDirective                  // line that starts with #
)

// pieces splits text.
func pieces(text []byte) (list []piece, err error) {
	fresh := true // only white space on this line so far
	for i := 0; i < len(text); {
		c := text[i]
		p := piece{kind: aSign, start: i, end: i + 1}
		// 1. White space, and characters that the compiler might treat in another way.
		switch {
		case c == '\n':
			fresh = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
			continue
		case c == '\\' || c < ' ' || c == 0x7f:
			// A backslash would join lines, or spell an identifier.
			return nil, fmt.Errorf("there is a character %q outside of literals", c)
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			return nil, fmt.Errorf("there is a comment after preprocessing")
		// 2. Directives, on one line.
		case fresh && (c == '#' || c == '%' && bytes.HasPrefix(text[i:], []byte("%:"))):
			p.kind, p.end = aDirective, i+length(text[i:], "\n")
			if bytes.HasSuffix(bytes.TrimRight(text[i:p.end], " \t\r\f\v"), []byte(`\`)) {
				return nil, fmt.Errorf("there is a directive of several lines after preprocessing")
			}
		// 3. Words; the prefix of a literal belongs to the literal.
		case isWord(c):
			// Keywords, identifiers and numbers have the same characters.
			for p.end < len(text) && isWord(text[p.end]) {
				p.end++
			}
			p.kind = aWord
			if p.end < len(text) && (text[p.end] == '"' || text[p.end] == '\'') && isPrefix(string(text[i:p.end])) {
				// A raw string may contain anything, line ends included.
				if text[p.end-1] == 'R' && text[p.end] == '"' {
					return nil, fmt.Errorf("there is a raw string")
				}
				p.kind, p.end = aLiteral, closing(text, p.end)
			}
		// 4. Literals. All else is a sign of one character.
		case c == '"' || c == '\'':
			p.kind, p.end = aLiteral, closing(text, i)
		}
		if p.end < 0 {
			return nil, fmt.Errorf("there is a literal without an end")
		}
		fresh = false
		list = append(list, p)
		i = p.end
	}
	return list, nil
}

// isPrefix reports whether w before a quote belongs to the literal.
func isPrefix(w string) bool {
	switch w {
	case "L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R":
		return true
	}
	return false
}

// closing returns the end of the literal whose quote is at i, -1 if it does not end on its line.
func closing(text []byte, i int) int {
	for k := i + 1; k < len(text); k++ {
		switch text[k] {
		case text[i]:
			return k + 1
		case '\n':
			return -1
		case '\\':
			if k++; k < len(text) && (text[k] == '\n' || text[k] == '\r') {
				return -1
			}
		}
	}
	return -1
}

// isLineMarker reports whether the directive d gives the place of the next line.
func isLineMarker(d []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(d, []byte("#")), " \t")
	rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("line")), " \t")
	return len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9'
}

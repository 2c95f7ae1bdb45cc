package harness

import (
	"bytes"
	"cmp"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"c2bp/source"
)

// This file splits C texts into tokens before preprocessing, with their presumed lines.

// token is an identifier, a number or another single character of a C text.
type token struct {
	text       string
	start, end int
	file       string // presumed: # and #line directives count; "" for that of the text
	line       int    // presumed
}

// tokens returns the tokens of a C text outside of comments, literals and directives.
func tokens(text []byte) iter.Seq[token] {
	return func(yield func(token) bool) {
		file := ""
		line, fresh := 1, true // fresh: only white space on this line so far
		for i := 0; i < len(text); {
			c := text[i]
			end := i + 1
			switch {
			case c == '\n':
				line, fresh = line+1, true
			case c == ' ' || c == '\t' || c == '\r':
			// Directives, which may set the presumed line.
			case c == '#' && fresh:
				end = directiveEnd(text, i)
				file, line = presumed(string(text[i:end]), file, line)
			// Comments and literals, over several lines perhaps.
			case c == '/' && end < len(text) && text[end] == '/':
				end = i + length(text[i:], "\n")
			case c == '/' && end < len(text) && text[end] == '*':
				end = min(len(text), i+2+length(text[i+2:], "*/")+2)
				line += strings.Count(string(text[i:end]), "\n")
			case c == '"' || c == '\'':
				end = literalEnd(text, i)
				line += strings.Count(string(text[i:end]), "\n")
				fresh = false
			default:
				// A word, or one other character.
				for end < len(text) && isWord(c) && isWord(text[end]) {
					end++
				}
				fresh = false
				if !yield(token{string(text[i:end]), i, end, file, line}) {
					return
				}
			}
			i = end
		}
	}
}

// isWord reports whether c may be part of an identifier or number.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// length returns the length of text before mark, or of all of it.
func length(text []byte, mark string) int {
	if i := strings.Index(string(text), mark); i >= 0 {
		return i
	}
	return len(text)
}

// literalEnd returns the end of the string or character constant that starts at i.
func literalEnd(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// directiveEnd returns the end of the preprocessing directive at i, before its last newline.
func directiveEnd(text []byte, i int) int {
	for i < len(text) && (text[i] != '\n' || text[i-1] == '\\') {
		i++
	}
	return i
}

// presumed returns the file and the line number, less one for the newline that ends it, after a
// directive that starts on line of file.
func presumed(directive, file string, line int) (string, int) {
	fields := strings.Fields(strings.TrimPrefix(directive, "#"))
	if len(fields) > 0 && fields[0] == "line" {
		fields = fields[1:]
	}
	if len(fields) > 0 {
		if n, err := strconv.Atoi(fields[0]); err == nil {
			if m := namedFile.FindStringSubmatch(directive); m != nil {
				file = m[1]
			}
			return file, n - 1
		}
	}
	return file, line + strings.Count(directive, "\n")
}

// namedFile matches the name in a #line directive or a line marker.
var namedFile = regexp.MustCompile(`"([^"\n]*)"`)

// offsetOf returns the offset in f of a presumed position, -1 if no token is on its line.
func offsetOf(f *source.File, pos source.Pos) int {
	for t := range tokens(f.Text) {
		if t.line == pos.Line && cmp.Or(t.file, f.Name) == pos.File {
			// The first token of the line tells where the line begins.
			line := bytes.LastIndexByte(f.Text[:t.start], '\n') + 1
			if at := line + max(pos.Col, 1) - 1; at < len(f.Text) {
				return at
			}
			return -1
		}
	}
	return -1
}

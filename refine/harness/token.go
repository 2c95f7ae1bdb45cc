package harness

import (
	"iter"
	"strconv"
	"strings"
)

// token is an identifier, number or other single character of a C text.
type token struct {
	text       string
	start, end int
	line       int // presumed: # and #line directives count
}

// tokens is the tokens of a C text outside of comments, literals and directives.
func tokens(text []byte) iter.Seq[token] {
	return func(yield func(token) bool) {
		line, fresh := 1, true // fresh: only white space on this line so far
		for i := 0; i < len(text); {
			c := text[i]
			end := i + 1
			switch {
			case c == '\n':
				line, fresh = line+1, true
			case c == ' ' || c == '\t' || c == '\r':
			case c == '#' && fresh:
				end = directiveEnd(text, i)
				line = presumed(string(text[i:end]), line)
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
				for end < len(text) && isWord(c) && isWord(text[end]) {
					end++
				}
				fresh = false
				if !yield(token{string(text[i:end]), i, end, line}) {
					return
				}
			}
			i = end
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// length is how much of text lies in front of mark.
func length(text []byte, mark string) int {
	if i := strings.Index(string(text), mark); i >= 0 {
		return i
	}
	return len(text)
}

// literalEnd is the end of the string or character constant that starts at i.
func literalEnd(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// directiveEnd is the end of the preprocessing directive at i, its newlines but the last
// included.
func directiveEnd(text []byte, i int) int {
	for i < len(text) && (text[i] != '\n' || text[i-1] == '\\') {
		i++
	}
	return i
}

// presumed is the line number behind a directive that starts on line, less one for the
// newline that ends it.
func presumed(directive string, line int) int {
	fields := strings.Fields(strings.TrimPrefix(directive, "#"))
	if len(fields) > 0 && fields[0] == "line" {
		fields = fields[1:]
	}
	if len(fields) > 0 {
		if n, err := strconv.Atoi(fields[0]); err == nil {
			return n - 1
		}
	}
	return line + strings.Count(directive, "\n")
}

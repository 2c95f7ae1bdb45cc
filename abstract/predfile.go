package abstract

import (
	"regexp"
	"strings"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file splits predicate files into sections and predicate texts. It does not parse C; it
// recognises just enough of it (brackets, character constants, comments) to find the commas that
// separate predicates.

// header is a line that starts a section: global, a procedure, file.c::procedure, a struct, a union,
// a typedef.
var header = regexp.MustCompile(`^((?:(?:struct|union)[ \t]+)?[A-Za-z_$][\w$]*|[\w./-]+::[A-Za-z_$][\w$]*)[ \t]*:[ \t]*$`)

// ParsePredicates splits a predicate file:
//
//	# comment, also // and /* */
//	global:
//	    locked == 1, count >= 0
//	inc:
//	    x == 'x, \result == 'x + 1
//	struct dev:
//	    state == 2
//
// Errors are a source.List with positions in f.
func ParsePredicates(f *source.File) ([]core.PredicateText, error) {
	p := &predParser{file: f, text: f.Text}
	p.text = p.blankComments()
	p.sections()
	if err := p.errs.Err(); err != nil {
		return nil, err
	}
	return p.out, nil
}

// predParser splits one file.
type predParser struct {
	file  *source.File
	text  []byte // f.Text with comments blanked, so that offsets stay
	scope string
	named bool // a header has been seen
	head  int  // offset of the last header
	count int  // predicates seen when it was
	out   []core.PredicateText
	errs  source.List
}

// errorf adds an error at offset.
func (p *predParser) errorf(offset int, format string, args ...any) {
	p.errs.Add(p.file.Errorf(p.file.Pos(offset), format, args...))
}

// quoteEnd returns the offset after the character constant at i, i if the quote there belongs to a
// symbolic constant.
func quoteEnd(text []byte, i int) int {
	if i+1 >= len(text) || text[i] != '\'' {
		return i
	}
	// 1. An escape sequence.
	if text[i+1] == '\\' {
		for j := i + 2; j < len(text) && j < i+12 && text[j] != '\n'; j++ {
			if text[j] == '\'' && j > i+2 {
				return j + 1
			}
		}
		return i
	}
	// 2. A single character.
	if i+2 < len(text) && text[i+2] == '\'' && text[i+1] != '\'' && text[i+1] != '\n' {
		return i + 3
	}
	return i
}

// blankComments replaces comments by blanks; it also rejects control characters.
func (p *predParser) blankComments() []byte {
	t := append([]byte(nil), p.text...)
	for i := 0; i < len(t); {
		switch c := t[i]; {
		// A quote may begin a constant that contains the start of a comment.
		case c == '\'':
			i = max(i+1, quoteEnd(t, i))
		// A comment up to the end of the line.
		case c == '#', c == '/' && i+1 < len(t) && t[i+1] == '/':
			for ; i < len(t) && t[i] != '\n'; i++ {
				t[i] = ' '
			}
		// A comment in brackets; lines stay.
		case c == '/' && i+1 < len(t) && t[i+1] == '*':
			end := strings.Index(string(t[i+2:]), "*/")
			if end < 0 {
				p.errorf(i, "comment is not closed: expected */")
				end = len(t) - i - 4
			}
			for stop := i + end + 4; i < stop && i < len(t); i++ {
				if t[i] != '\n' {
					t[i] = ' '
				}
			}
		case c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\f' || c == 0x7f:
			p.errorf(i, "unexpected character %q: a predicate file is text", c)
			return nil
		default:
			i++
		}
	}
	return t
}

// sections scans the lines and passes the text between headers to split. A header stands alone on
// its line; so a predicate cannot be taken for one.
func (p *predParser) sections() {
	start := 0 // of the text of the present section
	for i := 0; i < len(p.text); {
		end := i
		for end < len(p.text) && p.text[end] != '\n' {
			end++
		}
		line := strings.TrimRight(string(p.text[i:end]), "\r")
		// A header ends the section before.
		if m := header.FindStringSubmatch(line); m != nil {
			p.split(start, i)
			p.endSection()
			p.startSection(m[1], i)
			start = end
		}
		i = end + 1
	}
	p.split(start, len(p.text))
	p.endSection()
}

// endSection adds a mark if the section that ends was empty.
func (p *predParser) endSection() {
	if p.named && p.scope != "" && len(p.out) == p.count && p.errs.Err() == nil {
		p.out = append(p.out, core.PredicateText{
			Scope: p.scope, Text: "1", Pos: p.file.Pos(p.head), File: p.file, Empty: true,
		})
	}
}

// startSection begins the section of name, whose header is at offset.
func (p *predParser) startSection(name string, offset int) {
	p.named, p.scope = true, strings.Join(strings.Fields(name), " ") // struct dev with a single blank
	p.head, p.count = offset, len(p.out)
	if name == "global" {
		p.scope = ""
	}
}

// split cuts text[start:end] at top-level commas.
func (p *predParser) split(start, end int) {
	depth, from := 0, start
	var open []int
	for i := start; i < end; {
		switch p.text[i] {
		case '\'':
			i = max(i+1, quoteEnd(p.text, i))
			continue
		// Commas in brackets do not separate.
		case '(', '[':
			depth++
			open = append(open, i)
		case ')', ']':
			if depth == 0 {
				p.errorf(i, "unexpected %q: no bracket is open", p.text[i])
				return
			}
			depth--
			open = open[:depth]
		case ';':
			p.errorf(i, "unexpected %q: predicates are separated by commas", p.text[i])
			return
		case ',':
			if depth == 0 {
				p.add(from, i, false)
				from = i + 1
			}
		}
		i++
	}
	// The last predicate of the section.
	if depth > 0 {
		p.errorf(open[depth-1], "bracket is not closed in this section")
		return
	}
	p.add(from, end, true)
}

// add records text[start:end] as a predicate. The last one of a section may be empty.
func (p *predParser) add(start, end int, last bool) {
	// Trim white space.
	for start < end && isSpace(p.text[start]) {
		start++
	}
	for end > start && isSpace(p.text[end-1]) {
		end--
	}
	switch {
	case start == end && last:
	case start == end:
		p.errorf(start, "expected a predicate before the comma")
	case !p.named:
		p.errorf(start, "expected a section header such as \"global:\" or \"main:\" alone on a line before the first predicate")
		p.named = true // once is enough
	default:
		p.out = append(p.out, core.PredicateText{
			Scope: p.scope, Text: string(p.text[start:end]), Pos: p.file.Pos(start), File: p.file,
		})
	}
}

// isSpace reports whether c is white space.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

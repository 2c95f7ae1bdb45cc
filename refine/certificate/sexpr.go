package certificate

import (
	"strconv"
	"strings"

	"c2bp/source"
)

// This file reads and writes S-expressions: atoms, quoted where necessary, and lists of
// S-expressions in parentheses. A comment goes from ; to the end of the line.

// sexpr is an atom or a list.
type sexpr struct {
	pos    source.Pos
	atom   string
	list   []*sexpr
	isList bool
}

// head returns the first atom of a list, "" if there is none.
func (x *sexpr) head() string {
	if len(x.list) == 0 {
		return ""
	}
	return x.list[0].atom
}

// maxDepth bounds the nesting of lists, and so the recursion of all functions that read them.
const maxDepth = 10_000

// parseSexpr reads the one S-expression of f.
func parseSexpr(f *source.File) (*sexpr, error) {
	p := &sexprParser{file: f, text: string(f.Text)}
	var top *sexpr
	// An explicit stack of lists that are open, innermost last: the text may come from anywhere.
	var open []*sexpr
	for {
		// 1. The end of the text closes the one expression at the top.
		p.blanks()
		pos := f.Pos(p.at)
		if p.at == len(p.text) {
			switch {
			case len(open) > 0:
				return nil, f.Errorf(open[len(open)-1].pos, "this parenthesis is not closed")
			case top == nil:
				return nil, f.Errorf(pos, "expected a certificate")
			}
			return top, nil
		}
		if len(open) == 0 && top != nil {
			return nil, f.Errorf(pos, "expected the end of the certificate")
		}
		// 2. The next token: the end of a list, the start of one, or an atom.
		var x *sexpr
		switch c := p.text[p.at]; c {
		case ')':
			p.at++
			if len(open) == 0 {
				return nil, f.Errorf(pos, "expected a certificate")
			}
			open = open[:len(open)-1]
			continue
		case '(':
			p.at++
			x = &sexpr{pos: pos, isList: true}
		default:
			atom, err := p.atom()
			if err != nil {
				return nil, err
			}
			x = &sexpr{pos: pos, atom: atom}
		}
		// 3. Add it to the innermost open list.
		if len(open) > 0 {
			up := open[len(open)-1]
			up.list = append(up.list, x)
		} else {
			top = x
		}
		// 4. Open the list.
		if x.isList {
			if open = append(open, x); len(open) > maxDepth {
				return nil, f.Errorf(pos, "more than %d lists inside each other", maxDepth)
			}
		}
	}
}

// sexprParser is a position in the text of a certificate.
type sexprParser struct {
	file *source.File
	text string
	at   int
}

// blanks skips white space and comments.
func (p *sexprParser) blanks() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case ';':
			if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.text)
			}
		default:
			return
		}
	}
}

// special has the characters that end an unquoted atom.
const special = "() \t\n\r;\""

// atom reads an atom, unquoted or in quotes as in Go.
func (p *sexprParser) atom() (string, error) {
	rest := p.text[p.at:]
	if rest[0] != '"' {
		n := strings.IndexAny(rest, special)
		if n < 0 {
			n = len(rest)
		}
		p.at += n
		return rest[:n], nil
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", p.file.Errorf(p.file.Pos(p.at), "this string is not closed, or has an escape that is none")
	}
	p.at += len(quoted)
	return strconv.Unquote(quoted)
}

// quote returns the text of an atom.
func quote(atom string) string {
	plain := atom != ""
	for _, c := range []byte(atom) {
		plain = plain && c > ' ' && c < 0x7f && !strings.ContainsRune(special, rune(c))
	}
	if plain {
		return atom
	}
	return strconv.Quote(atom)
}

// list returns the text of a list whose items are text already.
func list(items ...string) string { return "(" + strings.Join(items, " ") + ")" }

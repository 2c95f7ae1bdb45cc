package ccfix

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file finds the source text of a node.

// maxText is the length to which statement texts are shortened, in bytes.
const maxText = 80

// maxTokens bounds the nodes whose tokens are collected for their text.
const maxTokens = 10_000

// TextOf returns n as written in its source file, on one line and shortened. Where the file is not
// at hand it is the text after macro expansion. It is "" for nil, and for a node without tokens.
func (p *Parser) TextOf(n cc.Node) string {
	if ctree.IsNil(n) {
		return ""
	}
	if p.spans == nil {
		p.spans = map[cc.Node]ctree.Span{}
	}
	// 1. Where both ends are in one text, the text between them.
	s := ctree.SpanOf(n, p.spans)
	if !s.Ok {
		return ""
	}
	f, start, _ := p.extent(s.First)
	g, _, end := p.extent(s.Last)
	if f != nil && f == g && start < end {
		return oneLine(f.Text[start:end])
	}
	if s.Last.Seq()-s.First.Seq() > maxTokens { // too long to collect
		return oneLine([]byte(withoutHomes(s.First.SrcStr()) + " ..."))
	}
	// 2. Else the tokens after macro expansion.
	var b strings.Builder
	for i, t := range cc.NodeTokens(n) {
		if i > 0 && len(t.Sep()) > 0 {
			b.WriteByte(' ')
		}
		if b.Write(t.Src()); b.Len() > 2*maxText {
			break
		}
	}
	return oneLine([]byte(withoutHomes(b.String())))
}

// extent returns the file and the range of bytes that tok has in it: its own, or that of the macro
// call it was expanded from, which is where cc says it is. f is nil if neither is there.
func (p *Parser) extent(tok cc.Token) (f *source.File, start, end int) {
	files, places := p.Place(RawAt(tok.Position()))
	for i, f := range files {
		start = f.Offset(places[i])
		if start < 0 || start >= len(f.Text) {
			continue
		}
		rest := f.Text[start:]
		// The token itself.
		if src := tok.Src(); len(src) > 0 && bytes.HasPrefix(rest, src) {
			return f, start, start + len(src)
		}
		// A macro, with its arguments if it has any.
		n := 0
		for n < len(rest) && IsIdentByte(rest[n]) {
			n++
		}
		if n > 0 {
			return f, start, start + n + balanced(rest[n:])
		}
	}
	return nil, 0, 0
}

// balanced returns the length of a parenthesised list at the start of text, blanks in front
// included, or 0. Parentheses in literals count, too: the text is for people only.
func balanced(text []byte) int {
	depth := 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && c != ' ' && c != '\t' && c != '\n' && c != '\r':
			return 0
		}
		if depth < 0 {
			return 0
		}
	}
	return 0
}

// oneLine joins the lines of text, drops comments, and shortens it to maxText bytes, with dots at
// its end.
func oneLine(text []byte) string {
	var b strings.Builder
	space := false
	for i := 0; i < len(text) && b.Len() <= maxText; i++ {
		n := CommentLength(text[i:])
		c := text[i]
		switch {
		// A comment and white space become one blank, also at the end of a line that goes on.
		case n > 0:
			i += n - 1
			space = true
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\n' || text[i+1] == '\r'), c <= ' ':
			space = true
		case c == '"' || c == '\'':
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			n := LiteralLength(text[i:])
			b.Write(text[i : i+n])
			i += n - 1
		default:
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteByte(c)
		}
	}
	// Shorten it, at the beginning of a character.
	s := strings.ToValidUTF8(b.String(), "?")
	if len(s) <= maxText {
		return s
	}
	cut := maxText - 3
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

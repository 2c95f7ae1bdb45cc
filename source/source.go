// Package source is the lowest package of c2bp: positions, source files and diagnostics. Every
// reader (C, predicate files, Boolean programs) reports its errors through this package, so that
// all of them look alike:
//
//	lock.c:12:9: error: undeclared identifier "lokced"
//	    if (lokced)
//	        ^
//
// It does not depend on any language.
package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file defines positions and source files.

// Pos is a place in a source file. Line and Col count from 1, Col in bytes; the
// zero Pos means "no known place".
type Pos struct {
	File string
	Line int
	Col  int
}

// IsValid reports whether p names a line of a file.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns p as file:line:col, without the unknown parts.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Before reports whether p comes before q, by file name, line and column.
func (p Pos) Before(q Pos) bool {
	if p.File != q.File {
		return p.File < q.File
	}
	if p.Line != q.Line {
		return p.Line < q.Line
	}
	return p.Col < q.Col
}

// File is a source text with its name. The name is what diagnostics show; "-"
// is printed as <stdin>.
type File struct {
	Name  string
	Text  []byte
	lines []int // byte offsets at which lines start
}

// NewFile returns a file with the lines of text indexed.
func NewFile(name string, text []byte) *File {
	if name == "-" {
		name = "<stdin>"
	}
	f := &File{Name: name, Text: text, lines: make([]int, 1, 2+bytes.Count(text, []byte{'\n'}))}
	// A line starts after each newline.
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return f
		}
		i += n + 1
		f.lines = append(f.lines, i)
	}
}

// Line returns line n (from 1) without its end of line, or "" if there is none.
func (f *File) Line(n int) string {
	if f == nil || n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(string(f.Text[f.lines[n-1]:end]), "\r")
}

// Pos returns the position of a byte offset, by binary search.
func (f *File) Pos(offset int) Pos {
	// Binary search for the last line that starts at or before the offset.
	lo, hi := 0, len(f.lines) // the line is lines[lo], lo < hi
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; f.lines[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return Pos{File: f.Name, Line: lo + 1, Col: offset - f.lines[lo] + 1}
}

// Cursor converts offsets of a file to positions, quickly if each is on the line of the previous
// one or shortly after it. The zero Cursor of a File is ready for use.
type Cursor struct {
	File *File
	line int // index of the latest
}

// Pos is File.Pos.
func (c *Cursor) Pos(offset int) Pos {
	lines := c.File.lines
	// Try the line of the previous offset and the next three; else search.
	for range 4 {
		if offset < lines[c.line] {
			break
		}
		if c.line+1 == len(lines) || offset < lines[c.line+1] {
			return Pos{File: c.File.Name, Line: c.line + 1, Col: offset - lines[c.line] + 1}
		}
		c.line++
	}
	p := c.File.Pos(offset)
	c.line = p.Line - 1
	return p
}

// Offset returns the byte offset of a position in f, the inverse of Pos. It is -1 if f has no such
// line, and at most the end of the line.
func (f *File) Offset(p Pos) int {
	if f == nil || p.Line < 1 || p.Line > len(f.lines) {
		return -1
	}
	end := len(f.Text)
	if p.Line < len(f.lines) {
		end = f.lines[p.Line] - 1
	}
	return min(f.lines[p.Line-1]+max(p.Col-1, 0), end)
}

// Errorf returns an error diagnostic at pos that quotes its line of f.
func (f *File) Errorf(pos Pos, format string, args ...any) *Diagnostic {
	return &Diagnostic{Pos: pos, Severity: Error, Msg: fmt.Sprintf(format, args...), Quote: f.Line(pos.Line)}
}

// maxQuote is the greatest length of a quoted source line, in bytes; of longer lines (generated
// code has lines of megabytes) the part around the caret is shown.
const maxQuote = 100

// quote returns the quoted line, and the caret under column col.
//
//	if (lokced)
//	    ^
func quote(line string, col int) string {
	if line == "" {
		return ""
	}
	// 1. The part of the line that is shown.
	start := 0
	if col < 1 {
		col = 1
	}
	if col > len(line)+1 {
		col = len(line) + 1
	}
	// Center the part on the caret.
	if len(line) > maxQuote {
		start = max(0, min(col-1-maxQuote/2, len(line)-maxQuote))
		line = line[start:min(len(line), start+maxQuote)]
	}
	// 2. The text, and below it spaces and tabs up to the caret.
	var text, under strings.Builder
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		switch {
		case r == '\t':
		case r < ' ' || r == utf8.RuneError || r == 0x7f:
			r = '.' // binary files are quoted too
		}
		text.WriteRune(r)
		if start+i < col-1 {
			if r == '\t' {
				under.WriteByte('\t')
			} else {
				under.WriteByte(' ')
			}
		}
		i += n
	}
	return "    " + text.String() + "\n    " + under.String() + "^\n"
}

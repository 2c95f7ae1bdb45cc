package frontend

import (
	"bytes"
	"regexp"
	"strconv"

	"c2bp/source"
)

// This file relates presumed positions, which #line and the line markers of
// preprocessed files (# 12 "driver.c") set, to places in the texts at hand.

var lineDirective = regexp.MustCompile(`^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"]*)")?`)

// marker matches a line marker, which cc ignores unless it says #line.
var marker = regexp.MustCompile(`(?m)^([ \t]*#)[ \t]*(\d+[ \t])`)

// markers makes #line directives of line markers.
func markers(text []byte) []byte {
	if !hasMarker(text) {
		return text
	}
	return marker.ReplaceAll(text, []byte("${1}line ${2}"))
}

// hasMarker reports whether there may be a line marker in text: a # and a digit behind
// it. Most texts, headers above all, have none.
func hasMarker(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '#')
		if i < 0 {
			return false
		}
		text = bytes.TrimLeft(text[i+1:], " \t")
		if len(text) > 0 && text[0] >= '0' && text[0] <= '9' {
			return true
		}
	}
}

// segment is a run of physical lines of a file with consecutive presumed lines.
type segment struct {
	file  *source.File
	phys  int // first physical line
	line  int // its presumed line
	count int
}

// segments cuts f at its line directives, by presumed file name.
func segments(f *source.File) map[string][]segment {
	name := f.Name
	cur := segment{file: f, phys: 1, line: 1}
	out := map[string][]segment{}
	physical := 0
	for start := 0; start <= len(f.Text); {
		end := len(f.Text)
		if i := bytes.IndexByte(f.Text[start:], '\n'); i >= 0 {
			end = start + i
		}
		physical++
		cur.count++
		if text := f.Text[start:end]; len(text) > 0 && bytes.IndexByte(text, '#') >= 0 {
			if m := lineDirective.FindSubmatch(text[:min(len(text), 4096)]); m != nil {
				if n, err := strconv.Atoi(string(m[1])); err == nil {
					out[name] = append(out[name], cur)
					if m[2] != nil {
						name = string(m[2])
					}
					cur = segment{file: f, phys: physical + 1, line: n}
				}
			}
		}
		start = end + 1
	}
	out[name] = append(out[name], cur)
	return out
}

// index brings the table of segments up to date with the files read so far.
func (p *parser) index() {
	if p.indexed == len(p.files) {
		return
	}
	p.indexed = len(p.files)
	p.lines = map[string][]segment{}
	for _, name := range sortedKeys(p.files) {
		for presumed, list := range segments(p.files[name]) {
			p.lines[presumed] = append(p.lines[presumed], list...)
		}
	}
}

// physical finds the texts that a presumed position may stand for, most often
// one: for each the file and the physical position.
func (p *parser) physical(pos source.Pos) (files []*source.File, places []source.Pos) {
	p.index()
	for _, s := range p.lines[pos.File] {
		if pos.Line >= s.line && pos.Line < s.line+s.count {
			files = append(files, s.file)
			places = append(places, source.Pos{File: s.file.Name, Line: s.phys + pos.Line - s.line, Col: pos.Col})
		}
	}
	return files, places
}

// errorf makes an error at pos that quotes its line.
func (p *parser) errorf(pos source.Pos, format string, args ...any) *source.Diagnostic {
	var f *source.File
	d := f.Errorf(pos, format, args...)
	d.Class = classOf(format, d.Msg)
	if files, places := p.physical(pos); len(files) > 0 {
		d.Quote = files[0].Line(places[0].Line)
	}
	return d
}

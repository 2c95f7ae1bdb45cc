package ccfix

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/token"

	"c2bp/source"
)

// This file relates positions to places in the texts at hand. They are presumed positions,
// which #line and the line markers of preprocessed files (# 12 "driver.c") set, and these
// tell nothing apart: a program may say #line 1 as often as it likes. So each directive gets
// a name of its own,
//
//	#line 1 "driver.c"      is for cc      #line 1 "driver.c⦂0.1⦂"
//
// where 0.1 stands for the first directive of file 0, and a position of cc is found once in the texts: but in
// a file that is included again, and where #line takes its line from a macro. [RawAt] is
// such a position, by which declarations are known, and [At] is what people see of it.

// lineDirective matches a directive or a marker. cc ignores markers.
var lineDirective = regexp.MustCompile(`^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"]*)")?`)

// homeMark surrounds the number of a directive, after the name that the directive sets. No text may
// have it, as it would be taken out of strings.
const homeMark = "⦂"

// InsertedLine ends a #line directive that was put into a text: it stays as it is.
const InsertedLine = " /*$*/"

// segment is a run of physical lines of a file with consecutive presumed lines: those from one line
// directive to the next. In
//
//	1  int a;
//	2  #line 40 "x.h"
//	3  int b;
//
// these are line 1, and line 3, which is line 40 of x.h.
type segment struct {
	file     string
	raw      string // name that cc has for it
	presumed string
	phys     int // first physical line
	line     int // its presumed line
	count    int
}

// markers returns the text of the file name with names of their own in its line directives, and
// notes its segments. The number of lines stays as it is.
func (p *Parser) markers(name string, text []byte) []byte {
	p.refuseMarks(name, text)
	cur := segment{file: name, raw: name, presumed: name, phys: 1, line: 1}
	var list []segment
	var out []byte // of text up to done
	// number counts directives; line is the line of the byte counted; text before scanned is known
	// to end outside of comments and literals.
	number, line, done, counted, scanned := 0, 1, 0, 0, 0
	for i := 0; ; {
		// 1. Find the next line that begins with # and may be a line directive.
		hash := bytes.IndexByte(text[i:], '#')
		if hash < 0 {
			break
		}
		hash += i
		i = hash + 1
		start := bytes.LastIndexByte(text[:hash], '\n') + 1
		if len(bytes.TrimLeft(text[start:hash], " \t")) > 0 {
			continue
		}
		end := len(text)
		if n := bytes.IndexByte(text[hash:], '\n'); n >= 0 {
			end = hash + n
		}
		if word := bytes.TrimLeft(text[i:end], " \t"); len(word) == 0 || word[0] != 'l' && (word[0] < '0' || word[0] > '9') {
			continue
		}
		// 2. Pass over it if it does not match, is inside of a comment or a literal, or takes its
		// name from a macro.
		row := text[start:end]
		m := lineDirective.FindSubmatchIndex(row)
		// If a literal or comment reaches into this line, it is no directive.
		for m != nil && scanned < start { // comments in front
			if c := text[scanned]; c == '"' || c == '\'' {
				scanned += LiteralLength(text[scanned:])
			} else {
				scanned += max(1, CommentLength(text[scanned:]))
			}
		}
		if m == nil || scanned > start {
			continue
		}
		rest := bytes.TrimSpace(row[m[1]:])
		if m[4] < 0 && len(rest) > 0 && rest[0] != '/' {
			continue // a name from a macro
		}
		n, err := strconv.Atoi(string(row[m[2]:m[3]]))
		if err != nil {
			continue
		}
		// 3. End the segment before it with the directive, and begin the next one.
		line, counted = line+bytes.Count(text[counted:start], []byte("\n")), start
		cur.count = line - cur.phys + 1
		list = append(list, cur)
		if m[4] >= 0 {
			cur.presumed = string(row[m[4]:m[5]])
		}
		cur.phys, cur.line = line+1, n
		// 4. Give the directive a name of its own.
		if inserted := bytes.HasSuffix(row, []byte(InsertedLine)); inserted {
			cur.raw = cur.presumed
			cur.presumed = withoutHomes(cur.presumed)
		} else {
			number++
			cur.raw = cur.presumed + p.homeNumber(name, number)
		}
		out = append(out, text[done:start]...)
		out = fmt.Appendf(out, "#line %d \"%s\"", n, cur.raw)
		done = start + m[1]
		if len(rest) > 0 && rest[0] != '/' {
			done = end // flags of a marker
		}
		i = end
	}
	line += bytes.Count(text[counted:], []byte("\n"))
	cur.count = line - cur.phys + 1
	if p.segments == nil {
		p.segments = map[string][]segment{}
	}
	p.segments[name] = append(list, cur)
	p.indexed = false
	if out == nil {
		return text
	}
	return append(out, text[done:]...)
}

// refuseMarks panics with an error if text has homeMark, but in inserted lines.
func (p *Parser) refuseMarks(name string, text []byte) {
	for i := 0; ; i++ {
		n := bytes.Index(text[i:], []byte(homeMark))
		if n < 0 {
			return
		}
		i += n
		row, _, _ := bytes.Cut(text[i:], []byte("\n"))
		if !bytes.HasSuffix(row, []byte(InsertedLine)) {
			f := source.NewFile(name, text)
			panic(f.Errorf(f.Pos(i), "not supported: the character %s in a program", homeMark))
		}
	}
}

// homeNumber returns the mark of a line directive of file, the one of that number. The number of
// the file is the same in every text of it.
func (p *Parser) homeNumber(file string, number int) string {
	n, ok := p.homes[file]
	if !ok {
		if p.homes == nil {
			p.homes = map[string]int{}
		}
		n = len(p.homes)
		p.homes[file] = n
	}
	return fmt.Sprintf("%s%d.%d%[1]s", homeMark, n, number)
}

// homeSuffix matches the mark that tells a directive from others of the same name.
var homeSuffix = regexp.MustCompile(homeMark + `\d+\.\d+` + homeMark)

// withoutHomes returns text without the marks of line directives.
func withoutHomes(text string) string {
	if !strings.Contains(text, homeMark) {
		return text
	}
	return homeSuffix.ReplaceAllString(text, "")
}

// At returns the position that people see for a position of cc: a presumed one.
func At(p token.Position) source.Pos {
	pos := RawAt(p)
	pos.File = withoutHomes(pos.File)
	return pos
}

// seen returns the position that people see for pos, one of [RawAt].
func seen(pos source.Pos) source.Pos {
	return At(token.Position{Filename: pos.File, Line: pos.Line, Column: pos.Col})
}

// RawAt returns a position of cc that tells declarations apart.
func RawAt(p token.Position) source.Pos {
	return source.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// index brings the tables of segments up to date with the files read so far, in the order of their
// names.
func (p *Parser) index() {
	if p.indexed {
		return
	}
	p.indexed = true
	p.lines, p.cuts = map[string][]segment{}, map[string][]segment{}
	for _, name := range slices.Sorted(maps.Keys(p.segments)) {
		for _, s := range p.segments[name] {
			p.lines[s.presumed] = append(p.lines[s.presumed], s)
			p.cuts[s.raw] = append(p.cuts[s.raw], s)
		}
	}
}

// Place finds the texts that pos, presumed or of [RawAt], may stand for, most often one: for each
// the file and the physical position. Of a presumed position these may be several. Both are nil if
// there is none.
func (p *Parser) Place(pos source.Pos) (files []*source.File, places []source.Pos) {
	p.index()
	if files, places = p.within(p.cuts[pos.File], pos); files == nil {
		return p.within(p.lines[pos.File], pos)
	}
	return files, places
}

// within finds pos in a list of segments, those of its file name. The column stays: directives
// change whole lines.
func (p *Parser) within(list []segment, pos source.Pos) (files []*source.File, places []source.Pos) {
	for _, s := range list {
		if f := p.Files[s.file]; f != nil && pos.Line >= s.line && pos.Line < s.line+s.count {
			files = append(files, f)
			places = append(places, source.Pos{File: s.file, Line: s.phys + pos.Line - s.line, Col: pos.Col})
		}
	}
	return files, places
}

// Errorf makes an error at pos, presumed or of [RawAt], that quotes its line.
func (p *Parser) Errorf(pos source.Pos, format string, args ...any) *source.Diagnostic {
	var f *source.File
	d := f.Errorf(seen(pos), format, args...)
	d.Class = classOf(format, d.Msg)
	if files, places := p.Place(pos); len(files) > 0 {
		d.Quote = files[0].Line(places[0].Line)
	}
	return d
}

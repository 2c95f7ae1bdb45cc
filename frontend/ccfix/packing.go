package ccfix

import (
	"slices"
	"strconv"
	"strings"

	"c2bp/source"
)

// This file follows #pragma pack: which value is in force at the end of a struct or
// union, where gcc looks.
//
// The parser tells the pragmas in their order, and where it enters a file, but not where
// a file ends; so each included file must leave the value as it found it. Otherwise, and
// where a place in the texts is not unique, nothing is known. A file that is included again must
// repeat itself, unless its guard leaves nothing of it.

// packing is the history of #pragma pack in the translation units.
//
//	driver.c:  #pragma pack(push, 1)    1 is in force, and none is put aside
//	           #include "wire.h"        begins with 1, and must end with 1
//	           #pragma pack(pop)        none is in force
type packing struct {
	now   packState
	files map[string]*packFile
	main  string // the file of the translation unit being read
	lost  bool   // it could not be followed
	seen  bool   // there is any such pragma
}

// packState is the state that pragmas change: the value in force, 0 for none, and those put aside.
type packState struct {
	value int64
	stack []packed
}

// packed is a value that was put aside, with the name that it was given, if any.
type packed struct {
	id    string
	value int64
}

// equal reports whether the same value is in force, and the same ones are put aside.
func (s packState) equal(u packState) bool {
	return s.value == u.value && slices.Equal(s.stack, u.stack)
}

// packFile is the history of a file.
type packFile struct {
	entry   packState // at the beginning, the first time
	begin   packState // at the beginning of the present inclusion
	last    packState // after the last change
	changes []packChange
	again   []packChange // of a repeated inclusion, so far
	repeat  bool
	guarded bool // see packGuarded
	met     bool // a pragma was met in the present inclusion
}

// packChange is a pragma: the value in force after a line.
type packChange struct {
	line  int
	value int64
}

// start begins a translation unit, the text of file main. Nothing is in force.
func (p *packing) start(main string) {
	p.now, p.main = packState{}, main
}

// enter is told that the text of a file begins.
func (p *packing) enter(file string, text []byte) {
	if p.files == nil {
		p.files = map[string]*packFile{}
	}
	f := p.files[file]
	if f == nil {
		p.files[file] = &packFile{entry: p.now, begin: p.now, last: p.now, guarded: packGuarded(text)}
		return
	}
	p.leave(file, f)
	f.begin, f.last, f.again, f.repeat, f.met = p.now, p.now, nil, true, false
}

// leave checks the history of a file at its end: it leaves the value that it found, and repeats itself from
// the value of the first time on, since its places have one value each.
func (p *packing) leave(file string, f *packFile) {
	if f.repeat && f.guarded && !f.met {
		return // nothing of it was left
	}
	if file != p.main && !f.begin.equal(f.last) || f.repeat && (f.begin.value != f.entry.value || !slices.Equal(f.again, f.changes)) {
		p.lost = true
	}
}

// finish ends a translation unit: no file of it follows.
func (p *packing) finish() {
	for file, f := range p.files {
		p.leave(file, f)
		f.begin, f.last, f.repeat, f.met = f.entry, f.entry, false, false
	}
}

// once reports whether file was entered, and not again.
func (p *packing) once(file string) bool {
	f := p.files[file]
	return f != nil && !f.repeat
}

// pragma handles #pragma pack at line of file; file is "" if that is not known. words are those
// after pack.
func (p *packing) pragma(file string, line int, words []string) {
	p.seen = true
	f := p.files[file]
	if f == nil || !f.last.equal(p.now) {
		p.lost = true // another file has left a value
		return
	}
	f.met = true
	if !p.now.apply(words) {
		return // gcc ignores it, with a warning
	}
	f.last = packState{p.now.value, slices.Clone(p.now.stack)}
	change := packChange{line, p.now.value}
	if f.repeat {
		f.again = append(f.again, change)
	} else {
		f.changes = append(f.changes, change)
	}
}

// apply executes the words after pack; ok is false if they mean nothing to gcc, and then s is
// unchanged.
//
//	(4)  ()                          a value; none
//	(push)  (push, 4)  (push, a, 4)  put the value aside, as a; and set it
//	(pop)  (pop, a)                  take back the last one; the last one of name a
func (s *packState) apply(words []string) (ok bool) {
	// 1. The arguments: a list in parentheses.
	text := strings.Join(words, "")
	text, opened := strings.CutPrefix(text, "(")
	text, closed := strings.CutSuffix(text, ")")
	if !opened || !closed {
		return false
	}
	args := strings.Split(text, ",")
	// 2. A value alone, or nothing.
	if args[0] != "push" && args[0] != "pop" {
		v, ok := packValue(text)
		if ok {
			s.value = v
		}
		return ok
	}
	// 3. push or pop, with at most a name after it, and for push a value.
	id, value := "", s.value
	for i, a := range args[1:] {
		switch v, isValue := packValue(a); {
		case isName(a) && id == "":
			id = a
		case isValue && a != "" && args[0] == "push" && (i == 0 || id != ""):
			value = v
		default:
			return false
		}
	}
	if len(args) > 3 {
		return false
	}
	if args[0] == "pop" {
		s.pop(id)
		return true
	}
	s.stack = append(slices.Clone(s.stack), packed{id, s.value})
	s.value = value
	return true
}

// pop takes back the last value put aside, or all down to that of name id if there is
// one.
func (s *packState) pop(id string) {
	i := len(s.stack) - 1
	for j := i; j >= 0 && id != ""; j-- {
		if s.stack[j].id == id {
			i = j
			break
		}
	}
	if i >= 0 {
		s.value = s.stack[i].value
		s.stack = slices.Clone(s.stack[:i])
	}
}

// packValue reads the value of a pragma: nothing and 0 mean none. It returns false for anything but
// a power of two up to 16.
func packValue(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	v, err := strconv.ParseInt(text, 0, 64)
	return v, err == nil && (v == 0 || v == 1 || v == 2 || v == 4 || v == 8 || v == 16)
}

// isName reports whether s is an identifier.
func isName(s string) bool {
	return IsIdentifier(s) && !(s[0] >= '0' && s[0] <= '9')
}

// PackAt returns the value in force at pos, a position of [RawAt], 0 for none; known is false if it
// could not be followed.
func (p *Parser) PackAt(pos source.Pos) (value int64, known bool) {
	switch {
	case !p.packing.seen:
		return 0, true
	case p.packing.lost:
		return 0, false
	}
	file, line := p.textPlace(pos)
	f := p.packing.files[file]
	if f == nil {
		return 0, false
	}
	value = f.entry.value
	for _, c := range f.changes {
		// A pragma counts from the line after it on.
		if c.line >= line {
			break
		}
		value = c.value
	}
	return value, true
}

// textPlace returns the file and the physical line of pos, "" if they are not unique.
func (p *Parser) textPlace(pos source.Pos) (file string, line int) {
	files, places := p.Place(pos)
	if len(files) != 1 {
		return "", 0
	}
	return files[0].Name, places[0].Line
}

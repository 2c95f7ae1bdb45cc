package harness

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"c2bp/source"
)

// This file merges harnesses that are files of their own, as --print-harness prints them, with the C
// files that they belong to.

const (
	marker     = "//@ harness of " // the name of a C file follows: what is below is a part of that
	assumption = "//@ assume "     // a line for the ledger follows
)

// FileName is the name of a harness that no file has, in positions.
const FileName = "<harness>"

// given is a part of a harness in a file.
type given struct {
	of      string
	file    *source.File
	line    int // of the first line of the text
	text    []byte
	pos     source.Pos
	marking string // the line that names the file
}

// Merge puts the parts of harnesses among files at the ends of the C files that they name, and returns
// the C files, and the assumptions of the harnesses for the ledger. Positions in the text that was put
// there are those in the harness. Errors are of type [source.List]: a part belongs to none of the files.
func Merge(files []*source.File) (merged []*source.File, assumed []string, err error) {
	// 1. Take the harnesses apart.
	var parts []given
	for _, f := range files {
		if !bytes.HasPrefix(f.Text, []byte(marker)) {
			merged = append(merged, f)
			continue
		}
		p, a := split(f)
		parts, assumed = append(parts, p...), append(assumed, a...)
		if len(assumed) == 0 || assumed[0] != serial {
			assumed = append([]string{serial}, assumed...)
		}
	}
	// 2. Find the file of each part: by its whole name, or else by the last part of it.
	var errs source.List
	for _, p := range parts {
		var found []int
		for _, same := range []func(string) bool{
			func(name string) bool { return name == p.of },
			func(name string) bool { return filepath.Base(name) == filepath.Base(p.of) },
		} {
			for i, f := range merged {
				if same(f.Name) {
					found = append(found, i)
				}
			}
			if len(found) > 0 {
				break
			}
		}
		if len(found) != 1 {
			errs.Add(&source.Diagnostic{Pos: p.pos, Severity: source.Error, Quote: p.marking, Msg: fmt.Sprintf("this harness belongs to %s, which must be given with it, once", p.of)})
			continue
		}
		f := merged[found[0]]
		merged[found[0]] = source.NewFile(f.Name, appended(f.Text, p))
	}
	return merged, assumed, errs.Err()
}

// appended returns text with p at its end. The line marker is one that a preprocessed file may have.
func appended(text []byte, p given) []byte {
	var b bytes.Buffer
	b.Write(text)
	fmt.Fprintf(&b, "\n# %d %q\n", p.line, p.file.Name)
	b.Write(p.text)
	return b.Bytes()
}

// split returns the parts of a harness, and its assumptions.
func split(f *source.File) (parts []given, assumed []string) {
	n := 0
	for line := range bytes.Lines(f.Text) {
		n++
		text := strings.TrimRight(string(line), "\r\n")
		if name, ok := strings.CutPrefix(text, marker); ok {
			parts = append(parts, given{of: strings.TrimSpace(name), file: f, line: n + 1, marking: text, pos: source.Pos{File: f.Name, Line: n, Col: len(marker) + 1}})
			continue
		}
		if a, ok := strings.CutPrefix(text, assumption); ok {
			assumed = append(assumed, strings.TrimSpace(a))
		}
		// The file begins with a marker, so there is a part.
		p := &parts[len(parts)-1]
		p.text = append(p.text, line...)
	}
	return parts, assumed
}

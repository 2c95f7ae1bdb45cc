package syntax

import (
	"errors"
	"fmt"
	"path"

	"c2bp/source"
)

// This file reads a file with those that it includes.

// Load reads file and the files that it includes, and checks them. read returns the file of a name; names
// in includes count from the directory of the file that includes, with slashes. A file that is included
// twice, by itself even, is read once. The rules of the set are those of file itself; parametrised ones
// and tables of events may come from any.
//
// The error is a [source.List].
func Load(file *source.File, read func(name string) (*source.File, error)) (*Set, error) {
	l := &loader{read: read, seen: map[string]bool{path.Clean(file.Name): true}}
	l.file(file)
	if err := l.errs.Err(); err != nil {
		return nil, err
	}
	return check(l.files)
}

// loader reads files.
type loader struct {
	read  func(name string) (*source.File, error)
	seen  map[string]bool
	files []*File // the file of Load first
	errs  source.List
}

// file parses a file and reads its includes, depth first.
func (l *loader) file(file *source.File) {
	f, err := Parse(file)
	if err != nil {
		l.errs.Add(err.(*source.Diagnostic))
		return
	}
	l.files = append(l.files, f)
	for _, d := range f.Decls {
		i, ok := d.(*Include)
		if !ok {
			continue
		}
		name := path.Join(path.Dir(file.Name), i.Path)
		if path.IsAbs(i.Path) {
			name = path.Clean(i.Path)
		}
		if l.seen[name] {
			continue
		}
		l.seen[name] = true
		included, err := l.read(name)
		if err != nil {
			l.errs.Add(file.Errorf(i.Pos, "%s; expected a file of rules", reason(name, err)))
			continue
		}
		l.file(included)
	}
}

// reason returns why a file cannot be read, without the place of a diagnostic of its own.
func reason(name string, err error) string {
	var d *source.Diagnostic
	if errors.As(err, &d) {
		return fmt.Sprintf("%s: %s", name, d.Msg)
	}
	return fmt.Sprintf("%s cannot be read: %v", name, err)
}

// Package library has the rules that come with c2bp, and those in directories of users. A rule is a folder: it is
// found without registration.
//
//	NAME/rule.slic   the rule, or several about one subject, and why in its first comment
//	NAME/good*.c     programs that keep to it
//	NAME/bad*.c      programs that do not; the line that fails has a comment: fails: KEY
//	NAME/rule.h      declarations that the examples include, if they share some; wdm.h beside the folders
//	                 is for those of several rules
//	templates        parametrised rules that others include; those that come with c2bp are <rules>/templates
//
// Trade-off. Most rules are instances of a few parametrised ones: an alternation, a registration, a
// creation, a counter. Their keys and texts are general, such as "left-at-end: not released", and in
// return they are right for all of their instances. A folder may have several rules about one subject;
// then the good programs keep to all of them. A name means one folder: a rule of a user has a name of its own,
// so that a result says which rule it is about.
//
//	library.go   the folders, and their files
//	examples.go  the examples of a rule
//	skeleton.go  the folder of a new rule
package library

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file finds the rules, and reads their files.

//go:embed rules
var files embed.FS

const (
	// ruleFile is the file that makes a folder a rule.
	ruleFile = "rule.slic"
	// builtin is the name of the directory of the rules that come with c2bp, in messages and in includes.
	builtin = "<rules>"
)

// Library is the rules of some directories. The zero value has none.
type Library struct {
	dirs map[string]string // of each rule, with slashes
}

// Builtin returns the rules that come with c2bp.
func Builtin() *Library {
	l, err := New()
	if err != nil {
		panic(err) // they are in the binary
	}
	return l
}

// New returns the rules that come with c2bp together with those in directories of the user: each folder
// with a file rule.slic is one. A directory that cannot be read, or has no rule, and a name that two folders
// have are errors.
func New(dirs ...string) (*Library, error) {
	l := &Library{dirs: map[string]string{}}
	if _, err := l.add(builtin); err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		n, err := l.add(filepath.ToSlash(dir))
		if err == nil && n == 0 {
			err = wrong(dir, "there is no rule; expected folders with a file %s", ruleFile)
		}
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// add adds the rules in a directory, and returns how many there are.
func (l *Library) add(dir string) (n int, err error) {
	entries, err := readDir(dir)
	if err != nil {
		return 0, wrong(dir, "cannot read it: %v; expected a directory with folders of rules", reason(err))
	}
	for _, e := range entries {
		name := e.Name()
		if !has(path.Join(dir, name, ruleFile)) {
			continue
		}
		if old, twice := l.dirs[name]; twice {
			return n, wrong(path.Join(dir, name), "there is another rule of this name, %s; expected another name", path.Join(old, name))
		}
		l.dirs[name] = dir
		n++
	}
	return n, nil
}

// wrong returns an error about a file or directory.
func wrong(name, format string, args ...any) error {
	return source.List{{Pos: source.Pos{File: name}, Severity: source.Error, Msg: fmt.Sprintf(format, args...)}}
}

// reason returns why a file cannot be read or written, without its name.
func reason(err error) error {
	var why *fs.PathError
	if errors.As(err, &why) {
		return why.Err
	}
	return err
}

// Names returns the names of the rules, in alphabetical order.
func (l *Library) Names() (list []string) {
	for name := range l.dirs {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// inside returns the name of a file of the binary for its name in messages; ok is false for files of users.
func inside(name string) (file string, ok bool) {
	rest, ok := strings.CutPrefix(path.Clean(name), builtin+"/")
	return path.Join("rules", rest), ok || path.Clean(name) == builtin
}

// read returns the text of a file of a rule.
func read(name string) ([]byte, error) {
	if file, ok := inside(name); ok {
		return files.ReadFile(file)
	}
	return os.ReadFile(filepath.FromSlash(name))
}

// has reports whether there is a file.
func has(name string) bool {
	if file, ok := inside(name); ok {
		_, err := fs.Stat(files, file)
		return err == nil
	}
	_, err := os.Stat(filepath.FromSlash(name))
	return err == nil
}

// readDir returns the entries of a directory.
func readDir(name string) ([]fs.DirEntry, error) {
	if name == builtin {
		return files.ReadDir("rules")
	}
	if file, ok := inside(name); ok {
		return files.ReadDir(file)
	}
	return os.ReadDir(filepath.FromSlash(name))
}

// File returns a file of the folder of a rule. Its name in messages is as in <rules>/spinlock/rule.slic.
func (l *Library) File(rule, name string) (*source.File, error) {
	dir, ok := l.dirs[rule]
	if !ok {
		return nil, wrong(rule, "there is no rule of this name")
	}
	return readFile(path.Join(dir, rule, name))
}

// readFile reads a file by its name in messages.
func readFile(name string) (*source.File, error) {
	text, err := read(name)
	if err != nil {
		return nil, wrong(name, "cannot read it: %v", reason(err))
	}
	return source.NewFile(name, text), nil
}

// Include returns a file that a program of the library includes, by its name in messages, as ReadFile of
// [frontend.Options] does. It is nil for a rule of a user, whose files are on the disk.
func (l *Library) Include(rule string) func(name string) ([]byte, error) {
	if l.dirs[rule] != builtin {
		return nil
	}
	return func(name string) ([]byte, error) {
		if file, ok := inside(name); ok {
			return files.ReadFile(file)
		}
		return nil, fs.ErrNotExist
	}
}

// Rule returns the rules in the folder of that name.
func (l *Library) Rule(name string) (*syntax.Set, error) {
	file, err := l.File(name, ruleFile)
	if err != nil {
		return nil, err
	}
	return syntax.Load(file, Included)
}

// Included returns a file that a rule includes: one of the binary if its name has the directory <rules> in
// it, else one on the disk.
func Included(name string) (*source.File, error) {
	if at := strings.Index(name, builtin+"/"); at > 0 && name[at-1] == '/' {
		name = name[at:]
	}
	return readFile(name)
}

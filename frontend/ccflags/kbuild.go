package ccflags

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"c2bp/source"
)

// This file reads the commands that the kernel's build keeps beside each object, in the language
// of make:
//
//	drivers/x/.foo.o.cmd:
//	savedcmd_drivers/x/foo.o := gcc -Wp,-MMD,drivers/x/.foo.o.d -nostdinc … -c -o drivers/x/foo.o drivers/x/foo.c ; ./tools/objtool/objtool …
//	source_drivers/x/foo.o := drivers/x/foo.c
//
// It is cmd_… instead of savedcmd_… in kernels before 6.2.

const commandSuffix = ".cmd"

// maxKbuild bounds the size of such a file: it also lists all headers.
const maxKbuild = 16 << 20

// kbuildFile is the contents of such a file.
type kbuildFile struct {
	object, command, source string
	line                    int // of the command
}

// parseKbuild finds the command and the source in text; ok is false if there is no command.
func parseKbuild(text string) (f kbuildFile, ok bool) {
	for i, line := range strings.Split(text, "\n") {
		name, value, found := strings.Cut(line, ":=")
		if !found {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if object, is := cutAny(name, "savedcmd_", "cmd_"); is && f.object == "" {
			f.object, f.command, f.line = object, unmake(value), i+1
		} else if _, is := strings.CutPrefix(name, "source_"); is && f.source == "" {
			f.source = unmake(value)
		}
	}
	return f, f.object != ""
}

func cutAny(s string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}

// unmake undoes the quoting by which Kbuild makes a command readable for make.
func unmake(s string) string {
	return strings.NewReplacer("$(pound)", "#", "$$", "$", `\#`, "#").Replace(s)
}

// compiles finds the command in the script of f that compiles the source, "" for any.
func (f kbuildFile) compiles(isSource func(word string) bool) ([]string, error) {
	list, err := commands(f.command)
	if err != nil {
		return nil, err
	}
	err = errors.New("none of its commands compiles the file")
	for _, c := range list {
		switch {
		case c.err != nil:
			err = c.err
		case slices.Contains(c.words, "-c") && slices.ContainsFunc(c.words, isSource):
			return c.words, nil
		}
	}
	return nil, err
}

// readKbuild reads the command for the C file called name from the file called file. The
// directory where the build ran is above that file, by the object's name, or else root.
func readKbuild(file, root, name string) (*Command, error) {
	text, err := readFile(file, maxKbuild)
	if err != nil {
		return nil, problem(source.Pos{File: file}, "cannot read it: %v", err)
	}
	f, ok := parseKbuild(string(text))
	if !ok {
		return nil, problem(source.Pos{File: file}, "expected the command of an object: savedcmd_… := gcc …")
	}
	dir := f.root(file, root)
	pos := source.Pos{File: file, Line: f.line}
	fail := func(err error) error {
		return problem(pos, "the command for %s: %v", f.object, err)
	}
	words, err := f.compiles(func(w string) bool { return !strings.HasPrefix(w, "-") && sameFile(resolve(dir, w), name) })
	if err != nil {
		if f.source != "" && !sameFile(resolve(dir, f.source), name) {
			err = fmt.Errorf("it compiles %s and not %s", f.source, name)
		}
		return nil, fail(err)
	}
	c, err := newCommand(words, dir)
	if err != nil {
		return nil, fail(err)
	}
	c.From = pos
	return c, nil
}

// root returns the directory in which the command in file ran.
func (f kbuildFile) root(file, root string) string {
	if filepath.IsAbs(f.object) {
		return root
	}
	dir := filepath.Dir(file)
	for range strings.Count(filepath.Clean(f.object), "/") {
		dir = filepath.Join(dir, "..")
	}
	return dir
}

// besideObject returns the command for the C file called name in a tree of objects: the tree
// mirrors that of the sources, or is the same.
func (d *Database) besideObject(name string) (*Command, error) {
	base := filepath.Base(name)
	object := "." + strings.TrimSuffix(base, filepath.Ext(base)) + ".o" + commandSuffix
	dirs := components(filepath.Dir(name))
	var first error
	try := func(file string) *Command {
		if !exists(file) {
			return nil
		}
		c, err := readKbuild(file, d.kbuild, name)
		if first == nil {
			first = err
		}
		return c
	}
	for i := range dirs { // the longest of its directories that the tree has
		if c := try(filepath.Join(append([]string{d.kbuild}, append(slices.Clone(dirs[i:]), object)...)...)); c != nil {
			return c, nil
		}
	}
	for _, file := range []string{filepath.Join(d.kbuild, object), filepath.Join(filepath.Dir(name), object)} {
		if c := try(file); c != nil {
			return c, nil
		}
	}
	if first != nil {
		return nil, first
	}
	return nil, problem(source.Pos{File: d.kbuild}, "there is neither %s in it nor %s of %s", databaseName, object, name)
}

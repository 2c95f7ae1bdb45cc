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

// kbuildFile is the contents of such a file: the name of the object, the script that makes it, and
// the C file, "" if it is not told.
type kbuildFile struct {
	object, command, source string
	line                    int // of the command
}

// parseKbuild finds the command and the source in text, the first of each; ok is false if there is
// no command.
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

// cutAny returns s without the first of the prefixes that it has; ok is false, and s as it is, if
// it has none.
func cutAny(s string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}

// unmake undoes the quoting by which Kbuild makes a command readable for make: $$ for $, $(pound)
// for #.
func unmake(s string) string {
	return strings.NewReplacer("$(pound)", "#", "$$", "$", `\#`, "#").Replace(s)
}

// compiles finds the command in the script of f that compiles the source: the first one with -c and
// a word for which isSource holds. The script may have others, such as objtool.
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

// readKbuild reads the command for the C file called name from the file called file. The directory
// where the build ran is above that file, by the object's name, or else root. A command that does
// not compile name is an error.
func readKbuild(file, root, name string) (*Command, error) {
	// 1. Find the command and the directory in which it ran.
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
	// 2. Take the words of the compiler's call: it must be about this file.
	words, err := f.compiles(func(w string) bool { return !strings.HasPrefix(w, "-") && sameFile(resolve(dir, w), name) })
	if err != nil {
		if f.source != "" && !sameFile(resolve(dir, f.source), name) {
			err = fmt.Errorf("it compiles %s and not %s", f.source, name)
		}
		return nil, fail(err)
	}
	// 3. A module outside of the kernel is built in the kernel's directory, which its command does not name.
	if filepath.IsAbs(f.object) && hasNoInclude(words, dir) {
		return nil, fail(fmt.Errorf("the directories of its -I are not in %s: a module is built in a directory of the kernel, "+
			"such as /lib/modules/VERSION/build, so give that one instead", below(dir)))
	}
	// 4. Make a command of them.
	c, err := newCommand(words, dir)
	if err != nil {
		return nil, fail(err)
	}
	c.From = pos
	return c, nil
}

// root returns the directory in which the command in file ran: for the object drivers/x/foo.o, two
// above that of the file. If the object's name is absolute, it is the directory root.
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

// hasNoInclude reports whether words look for headers below the current directory (-I./include), but none
// of the directories is below dir.
func hasNoInclude(words []string, dir string) bool {
	relative := false
	for _, w := range words {
		include, is := strings.CutPrefix(w, "-I")
		if !is || include == "" || filepath.IsAbs(include) {
			continue
		}
		if exists(resolve(dir, include)) {
			return false
		}
		relative = true
	}
	return relative
}

// besideObject returns the command for the C file called name in a tree of objects: the tree
// mirrors that of the sources, or is the same. For /src/drivers/x/foo.c and the tree out these are
// tried in order:
//
//	out/src/drivers/x/.foo.o.cmd    out/drivers/x/.foo.o.cmd    out/x/.foo.o.cmd
//	out/.foo.o.cmd                  /src/drivers/x/.foo.o.cmd
//
// If no file has the command, the first error counts.
func (d *Database) besideObject(name string) (*Command, error) {
	// 1. The name of the file for the object, and the directories of the source.
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
	// 2. In the tree, below the directories of the source, from the most to the least of them.
	for i := range dirs { // the longest of its directories that the tree has
		if c := try(filepath.Join(append([]string{d.kbuild}, append(slices.Clone(dirs[i:]), object)...)...)); c != nil {
			return c, nil
		}
	}
	// 3. At the root of the tree, and beside the source.
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

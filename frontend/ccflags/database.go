package ccflags

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"c2bp/source"
)

// This file finds the command that compiled a file.

// databaseName is the name of a compilation database in its directory.
const databaseName = "compile_commands.json"

// Command is the command that compiled a file.
type Command struct {
	Compiler string   // its name, without the directory
	Args     []string // after that name
	Dir      string   // where it ran: relative to the current directory if it is below that
	From     source.Pos
	Others   int // commands for the same file that differ
}

// Database has the commands of files. Only one of entries, kbuild and single is set.
type Database struct {
	name    string  // as the user gave it
	entries []entry // of a compilation database
	kbuild  string  // directory of objects, for the commands of Kbuild
	single  string  // file of one object of Kbuild
}

// Open reads a compilation database: the file called name or compile_commands.json in that
// directory. In a directory without one it finds the commands that Kbuild keeps beside objects.
// Errors are a *source.Diagnostic.
func Open(name string) (*Database, error) {
	d := &Database{name: name}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, problem(source.Pos{File: name}, "cannot read it: %v; expected a compilation database or a directory with one", plain(err))
	case info.IsDir():
		json := filepath.Join(name, databaseName)
		if !exists(json) {
			d.kbuild = name
			return d, nil
		}
		d.name = json
	// The file of one object.
	case strings.HasSuffix(name, commandSuffix):
		d.single = name
		return d, nil
	}
	d.entries, err = readDatabase(d.name)
	return d, err
}

// Lookup returns the command for the C file called name, as seen from the current directory. Errors
// are a *source.Diagnostic.
func (d *Database) Lookup(name string) (*Command, error) {
	switch {
	case d.single != "":
		return readKbuild(d.single, filepath.Dir(d.single), name)
	case d.kbuild != "":
		return d.besideObject(name)
	}
	return d.inEntries(name)
}

// inEntries returns the command in a compilation database: the first for the file, with the number
// of others that differ from it.
func (d *Database) inEntries(name string) (*Command, error) {
	var found *Command
	for _, e := range d.entries {
		// Names of other files are told apart first, since sameFile looks at the disk.
		if filepath.Base(e.File) != filepath.Base(name) && !sameLink(e, name) || !sameFile(resolve(e.Directory, e.File), name) {
			continue
		}
		c, err := e.command()
		if err != nil {
			return nil, err
		}
		switch {
		case found == nil:
			found = c
		case !slices.Equal(c.Args, found.Args) || c.Dir != found.Dir:
			found.Others++
		}
	}
	if found != nil {
		return found, nil
	}
	msg := fmt.Sprintf("no command compiles %s", name)
	if near := d.nearest(name); near != "" {
		msg += "; the nearest file is " + near
	}
	return nil, problem(source.Pos{File: d.name}, "%s", msg)
}

// sameLink reports whether name may be a link to the file of e, under another name.
func sameLink(e entry, name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// nearest returns the file of the database whose path is most like name: most of its last
// components are the same, or else its name starts alike. It returns "" if no file is like it at
// all.
func (d *Database) nearest(name string) (best string) {
	most := 0
	// Compare the last components of both paths, and of files with none in common the first
	// characters.
	want := components(name)
	for _, e := range d.entries {
		path := resolve(e.Directory, e.File)
		have := components(path)
		n := 0
		for n < len(want) && n < len(have) && want[len(want)-1-n] == have[len(have)-1-n] {
			n++
		}
		// A component counts for more than any number of characters.
		n *= 1000
		if n == 0 {
			a, b := filepath.Base(name), filepath.Base(path)
			for n < len(a) && n < len(b) && n < 500 && a[n] == b[n] {
				n++
			}
			if slices.Equal(want[:len(want)-1], have[:len(have)-1]) { // another file there
				n++
			}
		}
		if n > most {
			most, best = n, below(path)
		}
	}
	return best
}

// components returns the names in the absolute form of path, the first of them empty.
func components(path string) []string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return strings.Split(filepath.Clean(path), "/")
}

// sameFile reports whether two names are those of one file.
func sameFile(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	if errX == nil && errY == nil && x == y {
		return true
	}
	s, errS := os.Stat(a)
	t, errT := os.Stat(b)
	return errS == nil && errT == nil && os.SameFile(s, t)
}

// below returns path relative to the current directory if it is in there, else path: messages and
// names of files are short then.
func below(path string) string {
	cwd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(cwd, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return path
	}
	return rel
}

// exists reports whether there is a file or directory called name.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// problem makes an error at pos, without a quote.
func problem(pos source.Pos, format string, args ...any) *source.Diagnostic {
	return &source.Diagnostic{Pos: pos, Severity: source.Error, Msg: fmt.Sprintf(format, args...)}
}

// wrappers run the compiler that follows them.
var wrappers = []string{"ccache", "sccache", "distcc", "icecc", "gomacc", "goma"}

// newCommand makes a command of words, the first of which names the compiler, or a wrapper in front
// of it. It must have run in a directory that is still there.
func newCommand(words []string, dir string) (*Command, error) {
	// ccache gcc … runs gcc.
	for len(words) > 1 && slices.Contains(wrappers, filepath.Base(words[0])) {
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("the command is empty")
	}
	c := &Command{Compiler: filepath.Base(words[0]), Args: words[1:], Dir: below(dir)}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no directory %s, in which it ran", dir)
	}
	return c, nil
}

// foreign are the processors, by the beginnings of their names, that compilers may be for.
var foreign = []string{
	"aarch64", "arm", "riscv", "powerpc", "ppc", "mips", "s390", "sparc", "loongarch", "alpha", "hppa", "m68k", "sh4", "xtensa",
	"arc-", "avr", "msp430", "or1k", "microblaze", "nios2", "csky", "wasm", "hexagon", "bpf", "ia64", "nvptx",
}

// Platform adds to the line the platform that the name of the compiler implies: nothing, or that
// words have 32 bits. Another processor than x86 is an error, and so is C++.
//
//	gcc, clang                   nothing
//	i686-linux-gnu-gcc           32 bits, unless a flag says how many
//	aarch64-linux-gnu-gcc, g++   errors
func (c *Command) Platform(l *Line) error {
	if strings.Contains(c.Compiler, "++") {
		return fmt.Errorf("%s compiles C++, which is not supported", c.Compiler)
	}
	// Names of cross compilers begin with the processor.
	arch, _, cross := strings.Cut(c.Compiler, "-")
	if !cross {
		return nil
	}
	for _, f := range foreign {
		if strings.HasPrefix(c.Compiler, f) {
			return fmt.Errorf("%s compiles for another processor than x86, which is not supported", c.Compiler)
		}
	}
	if l.bits == 0 && bitsOf(arch) == 32 {
		l.bits = 32
	}
	return nil
}

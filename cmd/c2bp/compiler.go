package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/frontend"
	"c2bp/frontend/ccflags"
	"c2bp/source"
)

// This file defines the flags that compilers have, too, under their names there. They are kept in
// order as one command line for gcc, and interpreted by package ccflags. For each C file, its flags
// in the compilation database come first.

// noFileOfDatabase is the error for -p without a file.
const noFileOfDatabase = "expected a C file: -p says how it is compiled; all files of a database are many programs"

// compilerFlags are the flags of one invocation.
type compilerFlags struct {
	args     []string // as gcc takes them
	database string   // -p
}

// elsewhere reports whether some of the flags are in files.
func (c *compilerFlags) elsewhere() bool {
	return c.database != "" || slices.ContainsFunc(c.args, func(word string) bool { return strings.HasPrefix(word, "@") })
}

// gccFlag is a flag that is passed on as a flag of gcc.
// It is appended when it is set, so the order of the command line is kept.
type gccFlag struct {
	to     *compilerFlags
	name   string // gcc's, with the dash
	joined bool   // its value is in the same word
	kind   string // of the value, for the help; "" if there is none
}

func (g *gccFlag) String() string { return "" }
func (g *gccFlag) Type() string   { return g.kind }

// Set adds the flag to the command line.
func (g *gccFlag) Set(value string) error {
	switch {
	// A flag without a value that has one is for gcc to refuse.
	case g.kind == "" && value != "true":
		g.to.args = append(g.to.args, g.name+"="+value)
	case g.kind == "":
		g.to.args = append(g.to.args, g.name)
	case g.joined:
		g.to.args = append(g.to.args, g.name+value)
	default:
		g.to.args = append(g.to.args, g.name, value)
	}
	return nil
}

// wholeLine is --cc-flags, which has many flags.
type wholeLine struct{ to *compilerFlags }

func (w wholeLine) String() string { return "" }
func (w wholeLine) Type() string   { return "flags" }

// Set splits the flags as a shell does, and adds them to the command line.
func (w wholeLine) Set(value string) error {
	words, err := ccflags.Words(value)
	w.to.args = append(w.to.args, words...)
	return err
}

// add adds the flags to fs.
func (c *compilerFlags) add(fs *pflag.FlagSet) {
	value := func(long, short, gcc, what string) {
		fs.VarP(&gccFlag{c, gcc, false, "string"}, long, short, what)
	}
	hidden := func(name string) { fs.Lookup(name).Hidden = true }
	// 1. Flags with values; the less common ones are not in the help text.
	value("include-directory", "I", "-I", "search `DIR` first for included files; may be repeated")
	value("define", "D", "-D", "define macro `NAME[=VALUE]`; may be repeated")
	fs.Var(wholeLine{c}, "cc-flags", "`FLAGS` for gcc, quoted as for a shell; those that affect how C is read are used. -U, -isystem, -include, -std=, -O2, -m32 and others may also be given on their own")
	fs.StringVarP(&c.database, "database", "p", "", "read each file with its command in a compilation database: `FILE`, a directory with compile_commands.json, or a directory in which the kernel was built")
	value("undefine-macro", "U", "-U", "undefine macro `NAME`; may be repeated")
	value("language", "x", "-x", "`LANGUAGE` of the files: c, or cpp-output for preprocessed text (by default of files *.i)")
	for _, f := range []struct{ name, what string }{
		{"include", "include `FILE` before each C file; may be repeated"},
		{"imacros", "define the macros of `FILE` before each C file; may be repeated"},
		{"isystem", "search `DIR` after those of -I; may be repeated"},
		{"iquote", "search `DIR` before those of -I for #include \"\"; may be repeated"},
		{"idirafter", "search `DIR` last; may be repeated"},
	} {
		value(f.name, "", "-"+f.name, f.what)
		hidden(f.name)
	}
	// 2. Flags whose values are joined, and flags without values.
	fs.Var(&gccFlag{c, "-std=", true, "string"}, "std", "language `STANDARD`, such as c99 or gnu11 (default gnu17)")
	fs.VarP(&gccFlag{c, "-O", true, "string"}, "optimize", "O", "`LEVEL` of optimisation, which some macros depend on")
	fs.Lookup("optimize").NoOptDefVal = "1"
	for _, name := range bareFlags {
		fs.Var(&gccFlag{c, "-" + name, false, ""}, name, "as for gcc")
		fs.Lookup(name).NoOptDefVal = "true"
		hidden(name)
	}
	for _, name := range []string{"undefine-macro", "language", "std", "optimize"} {
		hidden(name)
	}
}

// bareFlags are flags without a value. Those that ccflags refuses are among them, for the sake of
// its message.
var bareFlags = []string{
	"nostdinc", "ansi", "funsigned-char", "fno-unsigned-char", "fsigned-char", "fno-signed-char", "fshort-wchar", "fno-short-wchar",
	"fshort-enums", "fpack-struct", "m32", "m64",
}

// compile completes opts for the C files called names: by the flags, and by their commands in the
// compilation database. The notes are about the flags, not about the program.
//
//	compile_commands.json:  gcc -O2 -DDEBUG=1 -c driver.c
//	command line:           -DDEBUG=0 driver.c
//	driver.c is read with:  -O2 -DDEBUG=1 -DDEBUG=0
func (c *compilerFlags) compile(cmd *cobra.Command, names []string, opts *frontend.Options) (notes source.List, err error) {
	// 1. The flags of the command line apply to all files.
	// Words that are no flags are files, which are named as arguments.
	own := ccflags.NewLine()
	if err := own.Add(c.args, ""); err != nil {
		return nil, wrongUsage(cmd, "%v", err)
	}
	if len(own.Files) > 0 {
		return nil, wrongUsage(cmd, "--cc-flags: %s is no flag; name C files as arguments", own.Files[0])
	}
	*opts = opts.With(own.Options())
	// 2. Each file has those of the database before them.
	lines := make([]*ccflags.Line, len(names))
	for i := range names {
		lines[i] = own
	}
	if c.database != "" {
		if notes, err = c.fromDatabase(cmd, names, lines); err != nil {
			return nil, err
		}
	}
	list, err := perFile(names, lines, opts)
	return append(notes, list...), err
}

// fromDatabase sets lines to the commands in the database, followed by the flags of the command
// line.
// A file with several commands is read by one of them, with a warning.
func (c *compilerFlags) fromDatabase(cmd *cobra.Command, names []string, lines []*ccflags.Line) (notes source.List, err error) {
	db, err := ccflags.Open(c.database)
	if err != nil {
		return nil, err
	}
	var errs source.List
	for i, name := range names {
		// 1. The command for the file, and the platform that it is for.
		// A file that is not in the database is an error.
		found, err := db.Lookup(name)
		if d, ok := err.(*source.Diagnostic); ok {
			errs.Add(d)
			continue
		}
		// Its words are relative to the directory of the command.
		line := ccflags.NewLine()
		if err = line.Add(found.Args, found.Dir); err == nil {
			err = found.Platform(line)
		}
		if err != nil {
			errs.Add(&source.Diagnostic{Pos: found.From, Severity: source.Error, Msg: fmt.Sprintf("the command for %s: %v", name, err)})
			continue
		}
		// 2. The flags of the command line override it.
		if found.Others > 0 {
			notes.Add(&source.Diagnostic{Pos: found.From, Severity: source.Warning,
				Msg: fmt.Sprintf("%s is compiled by %d different commands; it is read as this one says", name, found.Others+1)})
		}
		if err := line.Add(c.args, ""); err != nil {
			return nil, wrongUsage(cmd, "%v", err)
		}
		lines[i] = line
	}
	return notes, errs.Err()
}

// perFile sets opts.Files, and the options that all files must have in common.
func perFile(names []string, lines []*ccflags.Line, opts *frontend.Options) (notes source.List, err error) {
	opts.Files = map[string]frontend.Options{}
	var unknown []string
	var errs source.List
	note := func(name, format string, args ...any) {
		notes.Add(&source.Diagnostic{Pos: source.Pos{File: name}, Severity: source.Note, Msg: fmt.Sprintf(format, args...)})
	}
	for i, name := range names {
		// Each file has options of its own.
		o := lines[i].Options()
		if i == 0 {
			// The first file decides; the others must agree.
			opts.Bits32, opts.UnsignedChar, opts.ShortWchar = o.Bits32, o.UnsignedChar, o.ShortWchar
			opts.NumbersWrap, opts.Strays = o.NumbersWrap, o.Strays
		}
		// What is defined in a part of the program only is taken as undefined.
		opts.NumbersWrap, opts.Strays = opts.NumbersWrap && o.NumbersWrap, opts.Strays && o.Strays
		if what := difference(o, *opts); what != "" {
			errs.Add(&source.Diagnostic{Pos: source.Pos{File: name}, Severity: source.Error,
				Msg: fmt.Sprintf("it is not compiled as %s is: %s differs, so they are no one program", names[0], what)})
		}
		opts.Unfollowed = appendNew(opts.Unfollowed, o.Unfollowed)
		unknown = appendNew(unknown, lines[i].Unknown)
		if ignored := lines[i].IgnoredIfPreprocessed(); o.Preprocessed(name) && len(ignored) > 0 {
			note(shown(name), "it is preprocessed: %s means nothing for it", strings.Join(ignored, ", "))
		}
		opts.Files[shown(name)] = o
	}
	if len(unknown) > 0 {
		note("", "unknown compiler flags are ignored: %s", strings.Join(unknown, " "))
	}
	return notes, errs.Err()
}

// difference returns the option that must not differ between files of a program but does, or "".
func difference(a, b frontend.Options) string {
	switch {
	case a.Bits32 != b.Bits32:
		return "the word size (-m32, -m64)"
	case a.UnsignedChar != b.UnsignedChar:
		return "the sign of char (-funsigned-char)"
	case a.ShortWchar != b.ShortWchar:
		return "the size of wchar_t (-fshort-wchar)"
	}
	return ""
}

// appendNew appends the strings that are not in list yet.
func appendNew(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// shown returns the name of a file in messages.
func shown(name string) string { return source.NewFile(name, nil).Name }

// currentDir returns the current directory, or "".
func currentDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
